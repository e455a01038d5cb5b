"""shared_folds: the largest of all elements, or their sum as ints, by several threads.

Parts of the first axis are put together apart, by whichever thread takes them, and then
their numbers: of ints, truths and the keys of floats the order does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.backends.llvm.loops import (
    BIT,
    INT,
    POINTER,
    Array,
    Local,
    Map,
    Number,
    Operand,
)
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.pieces import is_one, product
from runtime.backends.llvm.sharing import cost_of, plus, share
from runtime.structs import replace

# So many parts, of so many elements at least altogether.
DEPTH = 5
PARTS = 2**DEPTH
MANY = 512 * PARTS
PLACE = 8  # bytes of a number
# The types, firsts and operations of the numbers that all become.
Into = Sequence[tuple[str, Any, str]]


def shared_fold(
    lowering: Lowering, part: Map, into: Into, fold: Callable[[Map], list[Local]]
) -> list[Local]:
    """What `fold` makes of all elements, by parts where there are many."""
    size, *inner = part.dims
    total = product(lowering, part.dims)
    is_small = not isinstance(total, Local) and total < MANY
    if is_small or is_one(size):
        return fold(part)
    count, depth = _parts(lowering, total)
    most = plus(lowering, size, lowering.compute("sub", INT, count, 1, type=INT))
    chunk = lowering.compute("ashr", INT, most, depth, type=INT)
    room = str(PARTS * PLACE * len(into))
    numbers = lowering.compute("buffer", POINTER, symbol=room)

    def place(number: Operand, at: int) -> Local:
        first = lowering.compute("mul", INT, number, len(into), type=INT)
        return lowering.compute(
            "address", POINTER, numbers, plus(lowering, first, at), PLACE
        )

    def some(first: Operand, length: Operand) -> None:
        _loop(lowering, length, lambda index: one(plus(lowering, first, index)))

    def one(number: Operand) -> None:
        start = lowering.compute("mul", INT, number, chunk, type=INT)
        left = lowering.compute("sub", INT, size, start, type=INT)
        many = lowering.compute("smin", INT, chunk, left)
        many = lowering.compute("smax", INT, many, 0)
        for at, found in enumerate(fold(_sliced(lowering, part, start, many))):
            lowering.emit("store", place(number, at), found, type=into[at][0])

    share(lowering, count, (chunk, *inner), cost_of(part), True, some)
    return _joined(lowering, count, into, place)


def _parts(lowering: Lowering, total: Operand) -> tuple[Operand, Operand]:
    """How many parts there are, and the logarithm of that."""
    if not isinstance(total, Local):
        return PARTS, DEPTH
    many = lowering.compute("icmp sge", BIT, total, MANY, type=INT)
    count = lowering.compute("select", INT, many, PARTS, 1)
    return count, lowering.compute("select", INT, many, DEPTH, 0)


def _joined(
    lowering: Lowering,
    count: Operand,
    into: Into,
    place: Callable[[Operand, int], Local],
) -> list[Local]:
    """The numbers of all parts put together."""
    totals = [lowering.local(kind) for kind, _, _ in into]
    lowering.assign(totals, [first for _, first, _ in into])

    def join(number: Operand) -> None:
        for at, (total, (kind, _, word)) in enumerate(zip(totals, into, strict=True)):
            found = lowering.compute("load", kind, place(number, at))
            after = lowering.compute(word, kind, total, found, type=kind)
            lowering.assign([total], [after])

    _loop(lowering, count, join)
    return totals


def _sliced(lowering: Lowering, part: Map, start: Operand, many: Operand) -> Map:
    """So many of the first axis of an expression, from one on."""
    rank, made = len(part.dims), dict[int, Any]()

    def of(one: Any) -> Any:
        if isinstance(one, Number):
            return one
        if id(one) not in made:
            made[id(one)] = some(one)
        return made[id(one)]

    def some(one: Any) -> Any:
        is_whole = len(one.dims) < rank or is_one(one.dims[0])
        dims = one.dims if is_whole else (many, *one.dims[1:])
        if isinstance(one, Map):
            return replace(one, dims=dims, args=tuple(map(of, one.args)))
        if is_whole:
            return one
        assert isinstance(one, Array)
        at = lowering.compute("address", POINTER, one.data, start, one.strides[0])
        return replace(one, data=at, dims=dims)

    found = of(part)
    assert isinstance(found, Map)
    return found


def _loop(lowering: Lowering, count: Operand, write: Callable[[Local], None]) -> None:
    index = lowering.local(INT)
    block = lowering.within(lambda: write(index))
    lowering.emit("for", index, count, blocks=(block,))
