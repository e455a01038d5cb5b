"""cells: globals and variables of an enclosing function that a call sets, as slots.

A branch knows the names that its own text sets; those that a function called in it sets
by `nonlocal` or `global` are found by looking before and after the call.
"""

from __future__ import annotations

import dis
import types
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from runtime.build import Frame
from runtime.errors import StagingTypeError, located
from runtime.structs import field, struct
from tracer import leaks
from tracer.undefined import UNDEFINED, Maybe

_Names = tuple[frozenset[str], frozenset[str]]


@struct(eq=False)
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
        """Give the variable joined content, a Maybe if it is set on one path only.

        TypeError: so is one of a function outside of the trace.
        """
        if self.home is None:
            _refuse_maybe(self, content)
            leaks.note_store(content, str(self))
        frame.changes.append((self, self.get()))
        self.set(content)

    def is_local(self, frame: Frame) -> bool:
        """True when the function that has the variable was called in `frame`."""
        return self.home is frame

    def holder(self) -> types.CellType:
        """The cell."""
        return self.cell

    def __str__(self) -> str:
        return f"the outer variable `{self.name}`"


@struct(eq=False)
class GlobalSlot:
    """One global variable of a module."""

    scope: dict[str, Any]
    name: str

    def __hash__(self) -> int:
        return hash((id(self.scope), self.name))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GlobalSlot):
            return NotImplemented
        return other.scope is self.scope and other.name == self.name

    def get(self) -> Any:
        """The content, UNDEFINED when the variable is not bound."""
        return self.scope.get(self.name, UNDEFINED)

    def set(self, held: Any) -> None:
        """Put it back."""
        if held is not UNDEFINED:
            self.scope[self.name] = held
        else:
            self.scope.pop(self.name, None)

    def content(self) -> Any:
        """The content."""
        return self.get()

    def change(self, frame: Frame, content: Any) -> None:
        """Give the variable joined content. TypeError: it is set on one path only."""
        _refuse_maybe(self, content)
        frame.changes.append((self, self.get()))
        self.set(content)
        leaks.note_store(content, str(self))

    def is_local(self, frame: Frame) -> bool:
        """False: a module outlives every trace."""
        return False

    def holder(self) -> dict[str, Any]:
        """The module's variables."""
        return self.scope

    def __str__(self) -> str:
        return f"the outer variable `{self.name}`"


def _refuse_maybe(slot: CellSlot | GlobalSlot, content: Any) -> None:
    if isinstance(content, Maybe):
        raise located(
            StagingTypeError(f"{slot} is set on one path only"),
            "Set it before the branch or loop, to a value of the same kind.",
        )


@contextmanager
def watched(function: Any, frame: Frame, calls: Sequence[Any]) -> Iterator[None]:
    """Log in `frame` what a call of `function` sets of its outer variables.

    calls: the calls that are open, outermost first; each with `function` and `frame`
    """
    names, global_names = _set_by(function.__code__)
    if not names and not global_names:
        yield
        return
    slots: list[Any] = [
        CellSlot(cell, name, home(function, name, calls))
        for name, cell in _cells(function)
        if name in names
    ]
    slots += [GlobalSlot(function.__globals__, name) for name in global_names]
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


def home(function: Any, name: str, calls: Sequence[Any]) -> Frame | None:
    """The frame of the outermost open call that the variable may belong to."""
    around = function.__code__.co_qualname.rpartition(".<locals>.")[0]
    for call in calls:
        code = call.function.__code__
        if code.co_qualname == around and name in code.co_cellvars:
            frame: Frame = call.frame
            return frame
    return None


# By id: comparing two code objects compares all that are inside them, more than once.
_known: dict[int, tuple[types.CodeType, _Names]] = {}


def _set_by(code: types.CodeType) -> _Names:
    """The outer variables and the globals that a function, or one inside it, sets."""
    known = _known.get(id(code))
    if known is None or known[0] is not code:
        known = _known[id(code)] = code, _find_set_by(code)
    return known[1]


def _find_set_by(code: types.CodeType) -> _Names:
    outer = set(code.co_freevars) - {"ag__"}
    inner = [c for c in code.co_consts if isinstance(c, types.CodeType)]
    found = [_stored(code), *map(_find_set_by, inner)]
    names, global_names = (set().union(*parts) for parts in zip(*found, strict=True))
    return frozenset(names & outer), frozenset(global_names)


_CELL_STORES = {dis.opmap["STORE_DEREF"], dis.opmap["DELETE_DEREF"]}
_GLOBAL_STORES = {dis.opmap["STORE_GLOBAL"], dis.opmap["DELETE_GLOBAL"]}


def _stored(code: types.CodeType) -> _Names:
    """The names of the cells and of the globals that the own instructions set."""
    argument = 0
    cells: set[str] = set()
    global_names: set[str] = set()
    for instruction, part in zip(code.co_code[::2], code.co_code[1::2], strict=True):
        argument = argument << 8 | part
        if instruction in _CELL_STORES:
            cells.add(code._varname_from_oparg(argument))  # type: ignore[attr-defined] # typeshed lacks it
        elif instruction in _GLOBAL_STORES:
            global_names.add(code.co_names[argument])
        if instruction != dis.EXTENDED_ARG:
            argument = 0
    return frozenset(cells), frozenset(global_names)
