"""instance_dicts: an object's attributes, set, and by another way: its `__dict__`.

A change of a key is the change of an attribute, also where a method changes several.
"""

from __future__ import annotations

import threading
from typing import Any

from runtime import build
from runtime.errors import (
    OnlyPythonError,
    PythonTypeError,
    located,
)
from runtime.tensor import Tensor
from tracer.choice import Stands
from tracer.undefined import UNDEFINED, Maybe


def dict_of(owner: Any) -> dict[str, Any]:
    """`owner.__dict__`; TypeError: which attributes there are depends on data."""
    held: dict[str, Any] = owner.__dict__
    frame = build.current()
    if frame is not None and type(held) is dict:
        frame.trace.dicts[id(held)] = (held, owner)
        owner_of(held)
    return held


def is_of_class(kind: type, name: str) -> bool:
    """Whether the class gives the attribute, whatever the object's `__dict__` holds."""
    return any(hasattr(vars(k).get(name), "__set__") for k in kind.__mro__)


def put(owner: Any, name: str, held: Any, past: bool = False) -> None:
    """`owner.name = held`; past: past a `__setattr__` in Python.

    OnlyPythonError: the object checks what it holds, and takes no tensor.
    """
    try:
        (object.__setattr__ if past else setattr)(owner, name, held)
    except (TypeError, ValueError):
        if not isinstance(held, (Tensor, Stands)):
            raise
        word = f"`.{name}` of a {type(owner).__name__}"
        raise OnlyPythonError(f"{word} cannot hold a tensor") from None


def require_shared(owner: Any) -> None:
    """PythonTypeError: it is a `threading.local`, another one in each thread."""
    if isinstance(owner, threading.local):
        raise located(
            PythonTypeError(
                f"a {type(owner).__name__} has attributes of its own for each thread, "
                "and a graph is of all of them"
            ),
            "Give the decorated function what it holds as an argument.",
        )


def note_joined(slot: Any, frame: build.Frame) -> None:
    """An attribute that only the class gave becomes the object's own on some path.

    slot: its AttributeSlot
    PythonTypeError: the object had one of its own, which was deleted
    """
    around: build.Frame | None = frame
    while around is not None:
        put = [(one, held) for one, held in around.changes if one == slot]
        if any(_was_own(one, held) for one, held in put):
            raise own_by_data(slot)
        around = around.parent
    frame.trace.dicts[id(slot.owner)] = (slot.owner, slot.owner)


def _was_own(changed: Any, held: Any) -> bool:
    return changed.inherited is UNDEFINED and held is not UNDEFINED


def own_by_data(slot: Any) -> BaseException:
    """The error for an attribute that an object has of its own on some path only."""
    return located(
        PythonTypeError(f"whether an object has {slot} of its own depends on data"),
        "Set it to what the class holds, instead of deleting it.",
    )


def owner_of(held: Any) -> Any:
    """The object whose `__dict__` this is; None for other things."""
    frame = build.current()
    known = None if frame is None else frame.trace.dicts.get(id(held))
    if frame is None or known is None:
        return None
    is_joined = id(known[1]) in frame.trace.dicts
    if is_joined or any(type(part) is Maybe for part in held.values()):
        raise _refused(known[1], "is asked for where it depends on data")
    return known[1]


def _refused(owner: Any, why: str) -> BaseException:
    shown = type(owner).__name__
    return located(
        PythonTypeError(f"the `__dict__` of a {shown} {why}"),
        "Use getattr, setattr and hasattr, or keep a dict of its own.",
    )
