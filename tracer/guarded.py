"""guarded: the body of a `try` is watched for what may fail in it.

NumPy may be told to raise in place of a warning by the caller (`np.errstate`, a filter
of warnings), whose settings differ from call to call. So what NumPy warns of may fail
in each `try` that names such an exception. One that takes every exception does not
ask for them: the settings of the trace say what it may meet.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from runtime.build import Frame, Watch
from runtime.effects import Effect
from runtime.graph import Node

RAISED = (FloatingPointError, RuntimeWarning)
_NAMED = frozenset({*RAISED, ArithmeticError, Warning})


class Watching:
    """Sees whether something may fail; passes_on: nothing is read after it."""

    def __init__(self, passes_on: bool) -> None:
        self.failed, self.passes_on = False, passes_on

    def about_to_fail(self, frame: Frame, node: Node) -> Effect | None:
        """Note it; the node will be gone back on."""
        self.failed = True
        return None


@contextmanager
def guarded(
    frame: Frame, guard: Watch, types: Sequence[Callable[[], Any] | None]
) -> Iterator[None]:
    """The block in which a guard is told of what may fail.

    types: what gives the exceptions that the `try` takes
    """
    guards = frame.trace.guards
    guards.append(guard)
    try:
        with frame.trace.raising_floats(any(map(_are_named, types))):
            yield
    finally:
        guards.remove(guard)


def floats_raise() -> bool:
    """Whether NumPy raises now."""
    return "raise" in np.geterr().values()


def _are_named(types: Callable[[], Any] | None) -> bool:
    """Whether an `except` names them; what it takes is not asked for before it is due.

    types: gives that
    """
    code = getattr(types, "__code__", None)
    if code is None:
        return False
    known: dict[str, Any] = {**vars(builtins), **getattr(types, "__globals__", {})}
    found = [known.get(name) for name in code.co_names]
    for cell in getattr(types, "__closure__", None) or ():
        try:
            found.append(cell.cell_contents)
        except ValueError:  # not set yet
            continue
    return any(map(_is_one, found))


def _is_one(thing: Any) -> bool:
    if type(thing) is tuple:
        return any(map(_is_one, thing))
    is_class = isinstance(thing, type) and issubclass(thing, BaseException)
    return is_class and (thing in _NAMED or issubclass(thing, RAISED))
