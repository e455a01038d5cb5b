"""loops: the loop IR, between a graph's steps and LLVM's text.

A function is a tree of blocks of instructions over locals: scalar slots of a machine
type, which instructions read and write. An array is a handful of locals (its object,
its data, its dims and strides), a list is its object. Where the machine cannot go on
as Python would (an int outgrows 64 bits, an index lies outside), an exit leaves the
function: what is alive is handed to Python, which goes on from that very step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from runtime.spec import TensorSpec
from runtime.structs import field, struct

# The word for a `for` whose turns LLVM may do in vectors.
TURNS = "turns"
# That for an `if` by the kind of a number, which lanes do not go through.
OF_KINDS = "kinds"
# The machine types, as LLVM calls them.
BIT, INT, FLOAT, DOUBLE, POINTER = "i1", "i64", "float", "double", "ptr"


@struct(eq=False, frozen=False)
class Local:
    """A slot for one scalar of a machine type."""

    type: str
    name: str

    def __repr__(self) -> str:
        return f"{self.name}"


Operand = Local | bool | int | float


# By a local: what is there when it has been written, and whether that is Python's own.
Silent = dict[Local, tuple[tuple[Local, ...], Operand]]


class Number(NamedTuple):
    """A number of the program: one operand, or two for a complex one.

    weak: a Python number; a local where only the run knows
    """

    dtype: np.dtype[Any]
    weak: bool | Local
    parts: tuple[Operand, ...]


class Mixed(NamedTuple):
    """A number of several kinds in one name: which one it is, and a number for each.

    tag: the place among the options of the one that holds; the others are anything
    """

    tag: Operand
    options: tuple[Number, ...]


@struct(eq=False, frozen=False)
class Array:
    """An array of the program: where it lies in memory.

    object:  the NumPy array that owns the memory, or that it is itself
    dims:    sizes; strides: in bytes
    is_view: it is a part of `object`, so there is no Python object for it
    may_be_whole: or it is `object` itself, which the run says
    is_turned: its first axis is likely to be the one whose steps are the shortest
    """

    dtype: np.dtype[Any]
    object: Operand
    data: Operand
    dims: tuple[Operand, ...]
    strides: tuple[Operand, ...]
    is_view: bool = False
    is_turned: bool = False
    may_be_whole: bool = False


@struct(eq=False, frozen=False)
class List:
    """A Python list of the program, or a table of keys.

    item: what each of its items is; the list itself says whether they are. Of a table
          what it is itself
    """

    item: TensorSpec
    object: Operand


@struct(eq=False, frozen=False)
class TypedList:
    """A list of the program whose numbers lie in memory as a machine has them.

    object: the bytearray that owns the memory; room: for how many numbers it is
    """

    dtype: np.dtype[Any]
    object: Operand
    data: Operand
    length: Operand
    room: Operand


class Counts(NamedTuple):
    """What is often asked of the terms of an expression.

    maps:      how many of them are Maps; loops: how many are loops of NumPy's
    is_folded: whether rows become numbers on the way
    """

    maps: int
    loops: int
    is_folded: bool


@struct(eq=False, frozen=False)
class Map:
    """The elements of an array that is not computed yet, as an expression.

    op:      its word in the table of elements; "" where a loop of NumPy's computes it
    args:    arrays, numbers and Maps, of dims that are broadcast
    symbol:  the name of that loop; outside: its address, and what it is given
    terms, counts: what it is made of, once that has been asked (`pieces.py`)
    """

    dtype: np.dtype[Any]
    dims: tuple[Operand, ...]
    op: str
    args: tuple[Number | Array | Map, ...]
    symbol: str = ""
    outside: dict[str, tuple[int, int]] = field(default_factory=dict)
    terms: Terms | None = field(default_factory=type(None), init=False, repr=False)
    counts: Counts | None = field(default_factory=type(None), init=False, repr=False)


def ufunc_named(symbol: str) -> str:
    """The name of the ufunc whose loop is meant: NAME_DTYPE_DTYPE..."""
    return symbol.rstrip("_0123456789")


@struct(eq=False, frozen=False)
class Folded(Map):
    """The numbers that the rows of an expression are reduced to: its last dim is 1.

    op:   the ufunc's name; args: what is reduced, of as many axes
    loop: the name of NumPy's loop for it
    """

    loop: str = ""


@struct(eq=False, frozen=False)
class Kept(Map):
    """Rows of an expression that are computed once for all who read them.

    args: the expression, and an array for it where a row may be long
    short: whether a row is short, so that it has a place on the stack, of `room` bytes
    offset: where this one begins in that place, or in a row of the array
    """

    short: Operand = True
    offset: Operand = 0
    room: int = 0


Numeric = Number | Array
# What an expression is made of, each once, operands first, by the ids.
Terms = dict[int, Number | Array | Map]
Value = Numeric | List | TypedList | Mixed
# What lives in a Python object, which is held as long as it is used.
Referred = Array | List | TypedList


@struct(eq=False, frozen=False)
class Exit:
    """A way out to Python, to go on from a step.

    number: which one, as Python is told
    handed: what Python is given
    drops:  the objects of arrays and lists that are let go of
    """

    number: int
    handed: tuple[Value, ...]
    drops: tuple[Operand, ...]


@struct(eq=False, frozen=False)
class Instruction:
    """One instruction: `outs = op(args)`; `symbol` names a function outside.

    values, results: what a call of Python is given, and gives
    """

    op: str
    outs: tuple[Local, ...] = ()
    args: tuple[Operand, ...] = ()
    blocks: tuple[Block, ...] = ()
    exit: Exit | None = None
    symbol: str = ""
    type: str = ""
    values: tuple[Value, ...] = ()
    results: tuple[Value, ...] = ()

    def lines(self) -> Iterator[str]:
        """Its text; what is in its blocks is indented."""
        left = ", ".join(map(repr, self.outs)) + " = " if self.outs else ""
        words = [self.op, self.type, self.symbol]
        inside = ", ".join([*map(repr, self.args), *map(describe, self.values)])
        out = f" else exit {self.exit.number}" if self.exit else ""
        yield f"{left}{' '.join(filter(None, words))}({inside}){out}"
        for number, block in enumerate(self.blocks):
            yield "{" if number == 0 else "} then {"
            for line in block.lines():
                yield f"  {line}"
        if self.blocks:
            yield "}"


@struct(eq=False, frozen=False)
class Block:
    """Instructions, one after the other."""

    instructions: list[Instruction] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """Their text."""
        for instruction in self.instructions:
            yield from instruction.lines()

    def size(self) -> int:
        """The number of instructions, at every depth."""
        return sum(1 for _ in self.walk())

    def rewrite(self, of: Callable[[Instruction], list[Instruction]]) -> None:
        """Let `of` say what stands for each instruction, those inside another first.

        What lanes run ahead is for vectors, and stays.
        """
        made: list[Instruction] = []
        for one in self.instructions:
            for inner in one.blocks[one.op == "lanes" :]:
                inner.rewrite(of)
            made += of(one)
        self.instructions = made

    def walk(self) -> Iterator[Instruction]:
        """Every instruction at every depth."""
        for instruction in self.instructions:
            yield instruction
            if instruction.blocks:
                for block in instruction.blocks:
                    yield from block.walk()


@struct(eq=False, frozen=False)
class Function:
    """A function: what it takes, its body, what it gives.

    inputs:  each is checked to be of its dtype, its rank and its known dims
    entered: the objects of arrays and lists that it holds from the beginning on
    drops:   those that are let go of at the end
    written: positions of the arrays among the inputs that may be written to
    warns:   whether NumPy would warn of numbers that overflow
    constants: arrays that the program holds
    overwrites: whether ufuncs write into arrays that were there, numbers are drawn, or
             texts printed, where a warning that is an error would have to come first
    asked:   what ints among the inputs are at least and at most; the body needs that
    silent:  which floats are Python's, which overflow in silence
    """

    name: str
    inputs: list[Value]
    body: Block
    outputs: list[Value]
    entered: tuple[Operand, ...] = ()
    drops: tuple[Operand, ...] = ()
    written: frozenset[int] = frozenset()
    warns: bool = False
    constants: tuple[Array, ...] = ()
    overwrites: bool = False
    asked: dict[Local, tuple[int, int]] = field(default_factory=dict)
    silent: Silent = field(default_factory=dict)

    def __str__(self) -> str:
        head = f"loops {self.name}({', '.join(map(describe, self.inputs))}):"
        body = [f"  {line}" for line in self.body.lines()]
        last = f"  return {', '.join(map(describe, self.outputs))}"
        return "\n".join([head, *body, last, ""])

    def size(self) -> int:
        """The number of instructions, at every depth."""
        return self.body.size()

    def locals(self) -> Iterable[Local]:
        """Every local, once, in the order of their first mention."""
        found: dict[Local, None] = {}
        for value in (*self.inputs, *self.constants):
            found.update(dict.fromkeys(locals_of(value)))
        for instruction in self.body.walk():
            found.update(dict.fromkeys(instruction.outs))
        return found


def operands_of(value: Value) -> tuple[Operand, ...]:
    """The operands that a value consists of."""
    if isinstance(value, Number):
        flag = (value.weak,) if isinstance(value.weak, Local) else ()
        return (*value.parts, *flag)
    if isinstance(value, List):
        return (value.object,)
    if isinstance(value, TypedList):
        return (value.object, value.data, value.length, value.room)
    if isinstance(value, Mixed):
        inside = (one for option in value.options for one in option.parts)
        return (value.tag, *inside)
    return (value.object, value.data, *value.dims, *value.strides)


def locals_of(value: Value) -> list[Local]:
    """The locals among them."""
    return [one for one in operands_of(value) if isinstance(one, Local)]


def describe(value: Value) -> str:
    """`a b: complex128`, `x: float64[n, 3]`."""
    if isinstance(value, Number):
        names = " ".join(map(repr, value.parts))
        return f"{names}: {'~' if value.weak is True else ''}{value.dtype.name}"
    if isinstance(value, Mixed):
        options = ", ".join(map(describe, value.options))
        return f"{value.tag!r} of ({options})"
    if isinstance(value, List):
        return f"{value.object!r}: list[{value.item!r}]"
    if isinstance(value, TypedList):
        return f"{value.data!r}: {value.dtype.name} list[{value.length!r}]"
    dims = ", ".join(map(repr, value.dims))
    return f"{value.data!r}: {value.dtype.name}[{dims}]"
