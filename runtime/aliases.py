"""aliases: tensors that may be the same memory as another one, on some path.

What a branch or loop gives may be one of several arrays. Where no run can tell which,
a write to one of the names makes the others stale: they are not read any more.
"""

from __future__ import annotations

import weakref
from typing import Any

from runtime.build import Frame, Trace, require_current, want_references
from runtime.errors import PythonValueError, located


def note_aliases(tensor: Any, alone: bool = False) -> Any:
    """Note which arrays a tensor may be the same memory as; returns it.

    alone: it may overlap what the same node gives besides
    """
    frame = require_current("an array")
    node = object() if alone else (id(frame), len(frame.nodes))
    for source in tensor.sources:
        known = frame.trace.aliases.setdefault(id(source), [])
        known.append((weakref.ref(tensor), node))
    return tensor


def mark_aliases(frame: Frame, tensor: Any) -> None:
    """Note that what may be the memory of `tensor`, written now, has changed."""
    for one in (tensor, *tensor.sources):
        known = [(r(), made) for r, made in frame.trace.aliases.get(id(one), ())]
        # Those that one node gave are different arrays on every path.
        mine = {made for alias, made in known if alias is tensor}
        for alias, made in known:
            if alias is None or alias is tensor or made in mine:
                continue
            if alias._pick is None:
                # Others know when they are the array.
                frame.stale[id(alias)] = alias


def stale_error() -> PythonValueError:
    """The error for a read of an array that another name may have changed."""
    want_references()
    return located(
        PythonValueError(
            "this array may have been changed in place through another name, "
            "depending on data"
        ),
        "Copy the array (`x = x.copy()`) before one of the names changes.",
    )


def make_stale(tensor: Any) -> None:
    """Refuse later reads: the array was changed through a name that may be it."""
    if tensor.owner:
        want_references()
        raise located(
            PythonValueError(
                f"this changes an array that may be {tensor.owner} or another one, "
                "depending on data"
            ),
            "Copy the array first (`x = x.copy()`), or change it before the name "
            "is given to another array.",
        )
    require_current("an array").stale[id(tensor)] = tensor


def made_with(trace: Trace, tensor: Any) -> Any:
    """The node that gave a tensor which may be another one; None for others."""
    for source in tensor.sources:
        for reference, made in trace.aliases.get(id(source), ()):
            if reference() is tensor:
                return made
    return None
