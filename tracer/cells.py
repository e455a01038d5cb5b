"""cells: variables of an enclosing function that a nested one sets, as slots.

A branch knows the names that its own text sets; those that a function called in it sets
by `nonlocal` are found by looking at the function's cells before and after the call.
"""

from __future__ import annotations

import dis
import types
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from runtime.build import Frame
from runtime.errors import StagingTypeError, located
from tracer import leaks
from tracer.undefined import UNDEFINED, Maybe


@dataclass(frozen=True, slots=True, eq=False)
class CellSlot:
    """One variable of an enclosing function; `home` is the frame that it began in."""

    cell: types.CellType
    name: str
    home: Frame | None = field(default=None, repr=False)

    def __hash__(self) -> int:
        return id(self.cell)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CellSlot) and other.cell is self.cell

    def get(self) -> Any:
        """The content, UNDEFINED when the variable is not bound."""
        try:
            return self.cell.cell_contents
        except ValueError:
            return UNDEFINED

    def set(self, held: Any) -> None:
        """Put it back."""
        if held is not UNDEFINED:
            self.cell.cell_contents = held
        elif self.get() is not UNDEFINED:
            del self.cell.cell_contents

    def content(self) -> Any:
        """The content."""
        return self.get()

    def change(self, frame: Frame, content: Any) -> None:
        """Give the variable joined content. TypeError: it is set on one path only."""
        if isinstance(content, Maybe):
            raise located(
                StagingTypeError(f"{self} is set on one path only"),
                "Set it before the branch or loop, to a value of the same kind.",
            )
        frame.changes.append((self, self.get()))
        self.set(content)
        if self.home is None:
            leaks.note_store(content, str(self))

    def is_local(self, frame: Frame) -> bool:
        """True when the function that has the variable was called in `frame`."""
        return self.home is frame

    def holder(self) -> types.CellType:
        """The cell."""
        return self.cell

    def __str__(self) -> str:
        return f"the outer variable `{self.name}`"


@contextmanager
def watched(function: Any, frame: Frame, calls: Sequence[Any]) -> Iterator[None]:
    """Log in `frame` what a call of `function` sets of its outer variables.

    calls: the calls that are open, outermost first; each with `function` and `frame`
    """
    names = _set_by(function.__code__)
    if not names:
        yield
        return
    slots = [
        CellSlot(cell, name, _home(function, name, calls))
        for name, cell in _cells(function)
        if name in names
    ]
    before = [slot.get() for slot in slots]
    at = len(frame.changes)
    frame.trace.cells.append((frame, list(slots), before))
    try:
        yield
    finally:
        frame.trace.cells.pop()
        # Before what the call has logged itself: undoing goes backwards.
        frame.changes[at:at] = [
            (slot, held)
            for slot, held in zip(slots, before, strict=True)
            if slot.get() is not held
        ]


def _cells(function: types.FunctionType) -> Iterator[tuple[str, types.CellType]]:
    names = function.__code__.co_freevars
    return zip(names, function.__closure__ or (), strict=True)


def _home(function: Any, name: str, calls: Sequence[Any]) -> Frame | None:
    """The frame of the outermost open call that the variable may belong to."""
    around = function.__code__.co_qualname.rpartition(".<locals>.")[0]
    for call in calls:
        code = call.function.__code__
        if code.co_qualname == around and name in code.co_cellvars:
            frame: Frame = call.frame
            return frame
    return None


# By id: comparing two code objects compares all that are inside them, more than once.
_known: dict[int, tuple[types.CodeType, frozenset[str]]] = {}


def _set_by(code: types.CodeType) -> frozenset[str]:
    """The outer variables that a function, or one inside it, sets."""
    known = _known.get(id(code))
    if known is None or known[0] is not code:
        known = _known[id(code)] = code, _find_set_by(code)
    return known[1]


def _find_set_by(code: types.CodeType) -> frozenset[str]:
    outer = set(code.co_freevars) - {"ag__"}
    if not outer:
        return frozenset()
    inner = [c for c in code.co_consts if isinstance(c, types.CodeType)]
    found = set(_stored(code)).union(*map(_find_set_by, inner))
    return frozenset(found & outer)


_STORES = {dis.opmap["STORE_DEREF"], dis.opmap["DELETE_DEREF"]}


def _stored(code: types.CodeType) -> Iterator[str]:
    """The names of the cells that the function's own instructions set."""
    argument = 0
    for instruction, part in zip(code.co_code[::2], code.co_code[1::2], strict=True):
        argument = argument << 8 | part
        if instruction in _STORES:
            # typeshed does not know it.
            yield code._varname_from_oparg(argument)  # type: ignore[attr-defined]
        if instruction != dis.EXTENDED_ARG:
            argument = 0
