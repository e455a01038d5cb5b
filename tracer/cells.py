"""cells: variables of an enclosing function that a nested one sets, as slots.

A branch knows the names that its own text sets; those that a function called in it sets
by `nonlocal` are found by looking at the function's cells before and after the call.
"""

from __future__ import annotations

import dis
import functools
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
    try:
        yield
    finally:
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


@functools.cache
def _set_by(code: types.CodeType) -> frozenset[str]:
    """The outer variables that a function, or one inside it, sets."""
    found = set(_stored(code))
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found |= _set_by(constant) & set(code.co_freevars)
    return frozenset(found)


def _stored(code: types.CodeType) -> Iterator[str]:
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("STORE_DEREF", "DELETE_DEREF"):
            if instruction.argval in code.co_freevars:
                yield instruction.argval
