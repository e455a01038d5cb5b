"""references: which arrays and lists a function holds, and until when.

Each array or list that the function makes, or was given, is held by one Hold until all
variables in its memory are dead; views and results of stores join the Hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from runtime.backends.llvm.loops import (
    BIT,
    INT,
    POINTER,
    Array,
    Block,
    Exit,
    Instruction,
    List,
    Local,
    Operand,
    TypedList,
)
from runtime.backends.llvm.values import NotLowered
from runtime.backends.numpy.program import Body, Variable
from runtime.structs import field, struct
from runtime.table_spec import TableSpec


@struct(eq=False, frozen=False)
class Hold:
    """One reference to an array's object, and the variables that live in its memory.

    last: the last step of the body it is made in that uses one of them
    """

    object: Operand
    home: Body | None
    variables: list[Variable] = field(default_factory=list)
    last: int = -1

    def add(self, variable: Variable) -> None:
        """A variable that lives there, too."""
        self.variables.append(variable)
        if self.home is not None and variable.home is self.home:
            self.last = max(self.last, self.home.last_use.get(variable, -1))


# Locals of a program that is too long to be compiled whatever is left out of it:
# twice the instructions that may be left. It takes a second to come so far.
MOST_LOCALS = 40_000
# An end of a slice that every list lies before.
ALL = 2**63 - 1


class References:
    """The instructions of a function under construction, and the arrays it holds."""

    def __init__(self) -> None:
        self.block = Block()
        self.holds: list[Hold] = []
        self.held: dict[Variable, Hold] = {}
        # Those of lists in memory.
        self.lengths: set[Local] = set()
        self._count = 0

    def local(self, kind: str) -> Local:
        """A local that nothing else is in."""
        self._count += 1
        if self._count > MOST_LOCALS:
            raise NotLowered("too long a program")
        return Local(kind, f"v{self._count}")

    def emit(self, op: str, *args: Operand, **details: Any) -> None:
        """An instruction without results."""
        self.block.instructions.append(Instruction(op, (), args, **details))

    def compute(self, op: str, kind: str, *args: Operand, **details: Any) -> Local:
        """The one result, of machine type `kind`, of an instruction."""
        made = self.local(kind)
        self.block.instructions.append(Instruction(op, (made,), args, **details))
        return made

    def all_of(self, tests: Iterable[Operand]) -> Operand:
        """Whether all of these hold."""
        found: Operand = True
        for one in tests:
            if found is True or one is True:
                found = one if found is True else found
            else:
                found = self.compute("and", BIT, found, one, type=BIT)
        return found

    def within(self, write: Callable[[], None]) -> Block:
        """A block that `write` fills."""
        outer = self.block
        made = self.block = Block()
        try:
            write()
        finally:
            self.block = outer  # also where a row gives up: see Lowering.lower
        return made

    def assign(self, to: Sequence[Operand], source: Sequence[Operand]) -> None:
        """Move, all at once: no target is written before all sources are read."""
        moves = [(a, b) for a, b in zip(to, source, strict=True) if a is not b]
        targets = tuple(a for a, _ in moves if isinstance(a, Local))
        if targets:
            args = tuple(b for a, b in moves if isinstance(a, Local))
            self.block.instructions.append(Instruction("move", targets, args))

    def hold(self, variable: Variable, thing: Operand, home: Body | None) -> Hold:
        """Note that one reference is held for this variable's array."""
        made = Hold(thing, home)
        made.add(variable)
        self.holds.append(made)
        self.held[variable] = made
        return made

    def join(self, variable: Variable, other: Variable) -> None:
        """Note that a variable lives in the memory of another one."""
        hold = self.held[variable] = self.held[other]
        hold.add(variable)

    def release(self, hold: Hold) -> None:
        """Let go of the reference."""
        self.emit("release", hold.object)
        self.holds.remove(hold)

    def release_dead(self, body: Body, position: int) -> None:
        """Let go of the arrays made in this body that nothing uses any more."""
        holds = self.holds
        for hold in [one for one in holds if one.last <= position and one.home is body]:
            self.release(hold)

    def copied(self, array: Array, exit: Exit) -> list[Operand]:
        """The operands of a new array with the content of another; it is held."""
        if array.is_view:
            raise NotLowered("a copy of a view")
        made = self.local(POINTER), self.local(POINTER)
        strides = tuple(self.local(INT) for _ in array.dims)
        copy = Instruction("copy", (*made, *strides), (array.object,), exit=exit)
        self.block.instructions.append(copy)
        return [*made, *array.dims, *strides]

    def copied_list(self, xs: List, exit: Exit) -> Local:
        """The object of a new list with the items of another; it is held."""
        if isinstance(xs.item, TableSpec):
            return self.compute("table_copy", POINTER, xs.object, exit=exit)
        return self.compute("list_slice", POINTER, xs.object, 0, ALL, exit=exit)

    def new_typed(
        self, dtype: np.dtype[Any], size: Operand, room: Operand, exit: Exit
    ) -> TypedList:
        """A list of so many numbers, which are anything as yet; it is held."""
        thing, data = self.local(POINTER), self.local(POINTER)
        symbol = str(dtype.itemsize)
        made = Instruction("typed_new", (thing, data), (room,), (), exit, symbol)
        self.block.instructions.append(made)
        length, most = self.local(INT), self.local(INT)
        self.lengths.add(length)
        self.assign([length, most], [size, room])
        return TypedList(dtype, thing, data, length, most)

    def copied_typed(
        self, xs: TypedList, source: Operand, size: Operand, exit: Exit
    ) -> TypedList:
        """A list of its own of so many numbers, from a place on; it is held."""
        made = self.new_typed(xs.dtype, size, size, exit)
        symbol = str(xs.dtype.itemsize)
        self.emit("typed_move", made.data, source, made.length, symbol=symbol)
        return made
