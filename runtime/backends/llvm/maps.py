"""maps: expressions of whole arrays: of what dtype, of what dims, read from where."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from runtime.backends.llvm.given_parts import may_be_one
from runtime.backends.llvm.loops import (
    BIT,
    DOUBLE,
    INT,
    Array,
    Local,
    Map,
    Number,
    Numeric,
    Operand,
)
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.numbers import convert
from runtime.backends.llvm.pieces import (
    DROPPED,
    SIDES,
    all_of,
    is_one,
    product,
    terms_of,
)
from runtime.backends.llvm.values import NotLowered, machine_type
from runtime.structs import replace

DOUBLES = np.dtype(float)
# Elements for which NumPy casts ints to floats at once, before it adds them.
BUFFERED = 8192
# Bits of the ints that float64 has all of, and of those that it has not.
EXACT, WIDE = 53, 64


def as_dtype(
    lowering: Lowering, operand: Numeric | Map, dtype: np.dtype[Any]
) -> Numeric | Map:
    """An operand cast as a ufunc casts what it is given."""
    if operand.dtype == dtype:
        return operand
    if isinstance(operand, Map) and operand.op == DROPPED:
        (one,) = operand.args
        made = as_dtype(lowering, one, dtype)
        return replace(operand, dtype=dtype, args=(made,))
    if isinstance(operand, Map) and operand.op == SIDES:
        parts = tuple(as_dtype(lowering, one, dtype) for one in operand.args)
        return replace(operand, dtype=dtype, args=parts)
    if isinstance(operand, Number):
        return Number(dtype, False, convert(lowering, operand, dtype))
    order = "biufc"
    a, b = order.index(operand.dtype.kind), order.index(dtype.kind)
    if a > b or (operand.dtype.kind, dtype.kind) == ("i", "u"):
        raise NotLowered(f"{operand.dtype} as {dtype}")
    machine_type(dtype)
    return Map(dtype, operand.dims, "cast", (operand,))


def broadcast(lowering: Lowering, args: Sequence[Numeric | Map]) -> tuple[Operand, ...]:
    """The dims of a result; where sizes that the run knows differ, Python is asked."""
    shapes = [arg.dims for arg in args if not isinstance(arg, Number)]
    rank = max(map(len, shapes))
    found: list[Operand] = []
    for axis in range(-rank, 0):
        sizes = [shape[axis] for shape in shapes if len(shape) >= -axis]
        wide = [size for size in sizes if isinstance(size, Local) or size != 1]
        known = [size for size in wide if not isinstance(size, Local)]
        first = (known or wide or [1])[0]
        for size in wide:
            if size is not first:
                lowering.leave_unless_equal(size, first)
        found.append(first)
    return tuple(found)


def repeats(args: Sequence[Numeric | Map]) -> list[bool]:
    """Of each axis of what these are broadcast to, whether its size is 1, as known."""
    shapes = [arg.dims for arg in args if not isinstance(arg, Number)]
    rank = max(map(len, shapes), default=0)
    return [
        all(is_one(shape[axis]) for shape in shapes if len(shape) >= -axis)
        for axis in range(-rank, 0)
    ]


def leaves_of(value: Numeric | Map) -> list[Array]:
    """The arrays that an expression reads, each once."""
    return [one for one in terms_of(value) if isinstance(one, Array)]


def divided(lowering: Lowering, made: Array | Map, count: Operand) -> Map:
    """Sums by their count, as NumPy's means: in float64, and cast."""
    dtype, dims = made.dtype, made.dims
    size = lowering.compute("sitofp", DOUBLE, count, type=INT)
    if dtype != DOUBLES:
        made = Map(DOUBLES, dims, "cast", (made,))
    found = Map(DOUBLES, dims, "divide", (made, Number(DOUBLES, False, (size,))))
    return found if dtype == DOUBLES else Map(dtype, dims, "cast", (found,))


def mean_of_ints(lowering: Lowering, value: Array | Map, dtype: np.dtype[Any]) -> Map:
    """Ints as the floats that NumPy adds; of so many that order tells, Python's."""
    if value.dtype.kind not in "biu" or dtype != DOUBLES:
        raise NotLowered(f"a mean of {value.dtype} as {dtype}")
    size, most = product(lowering, value.dims), exact_sums(value.dtype) or BUFFERED
    if isinstance(size, Local):
        lowering.leave_if(lowering.compute("icmp sgt", BIT, size, most, type=INT))
    elif size > most:
        raise NotLowered("a mean of many ints")
    made = as_dtype(lowering, value, dtype)
    assert isinstance(made, Map)
    return made


def exact_sums(dtype: np.dtype[Any]) -> int:
    """Of how many ints the sum is exact in float64, in any order; 0: of few."""
    bits = 1 if dtype.kind == "b" else 8 * dtype.itemsize
    return 0 if bits == WIDE else 2 ** (EXACT - bits)


def with_axis(value: Array | Map, after: int, known: dict[Any, Any]) -> Any:
    """The expression with one more axis, of one element, before the last `after` axes.

    known: of the parts of such expressions, so that what they share stays shared
    """

    def of(one: Any) -> Any:
        if isinstance(one, Number) or len(one.dims) < after:
            return one
        if (id(one), after) not in known:
            # The part is held, too, so that no other one has its id.
            known[id(one), after] = one, widened(one)
        return known[id(one), after][1]

    def widened(one: Any) -> Any:
        at = len(one.dims) - after
        dims = (*one.dims[:at], 1, *one.dims[at:])
        if isinstance(one, Map):
            return replace(one, dims=dims, args=tuple(map(of, one.args)))
        strides = (*one.strides[:at], 0, *one.strides[at:])
        return replace(one, dims=dims, strides=strides, is_view=True)

    return of(value)


def extent(lowering: Lowering, array: Array) -> tuple[Operand, Operand]:
    """The first address of an array, and the one after its last byte, as ints."""
    first = last = lowering.compute("ptrtoint", INT, array.data, type="ptr")
    for size, stride in zip(array.dims, array.strides, strict=True):
        steps = lowering.compute("sub", INT, size, 1, type=INT)
        far = lowering.compute("mul", INT, steps, stride, type=INT)
        down = lowering.compute("smin", INT, far, 0)
        up = lowering.compute("smax", INT, far, 0)
        first = lowering.compute("add", INT, first, down, type=INT)
        last = lowering.compute("add", INT, last, up, type=INT)
    after = lowering.compute("add", INT, last, array.dtype.itemsize, type=INT)
    return first, after


def meet(lowering: Lowering, array: Array, other: Array) -> Local:
    """Whether the bounds of two arrays overlap."""
    (first, after), (low, high) = (extent(lowering, one) for one in (array, other))
    below = lowering.compute("icmp slt", BIT, low, after, type=INT)
    above = lowering.compute("icmp slt", BIT, first, high, type=INT)
    return lowering.compute("and", BIT, below, above, type=BIT)


def overlap(lowering: Lowering, target: Array, leaves: Sequence[Array]) -> Operand:
    """Whether what is read may be written before: not where both are the same."""
    found: Operand = False
    for leaf in leaves:
        both = meets_leaf(lowering, target, leaf)
        if both is not False:
            found = (
                lowering.compute("or", BIT, found, both, type=BIT)
                if isinstance(found, Local)
                else both
            )
    return found


def meets_leaf(lowering: Lowering, target: Array, leaf: Array) -> Operand:
    """The same, of one of the arrays that are read."""
    on_stack = not isinstance(target.object, Local)
    if on_stack == isinstance(leaf.object, Local):
        return False  # one of them is on the stack, the other an object
    if not (on_stack or may_be_one(target, leaf, lowering.made_here)):
        return False
    if is_surely_same(target, leaf):
        return False
    both = meet(lowering, target, leaf)
    if len(leaf.dims) == len(target.dims) and leaf.dtype == target.dtype:
        same = _is_same(lowering, target, leaf)
        other = lowering.compute("xor", BIT, same, True, type=BIT)
        both = lowering.compute("and", BIT, both, other, type=BIT)
    if _may_lie_between(target) and _may_lie_between(leaf):
        both = _unless_between(lowering, target, leaf, both)
    return both


def _may_lie_between(array: Array) -> bool:
    """Whether there may be room between its elements, or between its rows."""
    steps = array.strides
    return any(isinstance(step, Local) for step in steps) or (
        len(steps) == 1 and steps[0] != array.dtype.itemsize
    )


def _unless_between(
    lowering: Lowering, target: Array, leaf: Array, meet: Operand
) -> Local:
    """Whether two arrays overlap whose bounds do, for which the run asks where they do.

    `x[::2] += x[1::2]` does not: each element lies between two of the other array; and
    neither does `x[::2, :] += x[1::2, :]`, where whole rows do. In `x[:, 1::2] +=
    x[:, :-1:2]` the elements of a row do, whatever the length of the rows.
    """
    found = lowering.local(BIT)
    lowering.assign([found], [meet])

    def look() -> None:
        rank = len(target.dims)
        for inner in sorted({0, rank - 1}):
            if inner > len(leaf.dims):
                continue  # it is repeated in each row
            apart = _are_between(lowering, target, leaf, inner)
            _clear(lowering, found, apart)
        # With the steps of one array none has its elements between the other's.
        if rank == len(leaf.dims) == 2 and target.strides[1] is not leaf.strides[1]:
            _clear(lowering, found, _are_between_in_rows(lowering, target, leaf))

    blocks = (lowering.within(look), lowering.within(lambda: None))
    lowering.emit("if", meet, blocks=blocks)
    return found


def _are_between(lowering: Lowering, target: Array, leaf: Array, inner: int) -> Operand:
    """Whether parts of two arrays, at all indices, leave one another alone.

    All steps from part to part are multiples of one, and within that one of each finds
    room: then the parts of the other array never are where its own are.
    inner: so many last axes are within a part; 0: it is one element
    """
    of = partial(lowering.compute, type=INT)
    pairs = [(one, len(one.dims) - inner) for one in (target, leaf)]
    step = _longer(lowering, target.strides[pairs[0][1] - 1])
    tests, parts = [], []
    for one, rank in pairs:
        for other in one.strides[:rank]:
            tests.append(of("icmp eq", BIT, of("srem", INT, other, step), 0))
        part = replace(one, dims=one.dims[rank:], strides=one.strides[rank:])
        parts.append(extent(lowering, part))
    tests += _find_room(lowering, parts, step)
    return all_of(lowering, tests)


def _are_between_in_rows(lowering: Lowering, target: Array, leaf: Array) -> Operand:
    """Whether the elements of two tables leave one another alone within each row.

    Rows are apart from other rows: what both have of one is shorter than a step is long
    from row to row.
    """
    of = partial(lowering.compute, type=INT)
    pair = (target, leaf)
    inner = [replace(one, dims=one.dims[1:], strides=one.strides[1:]) for one in pair]
    one = [replace(row, dims=(), strides=()) for row in inner]
    step = _longer(lowering, target.strides[1])
    far = _longer(lowering, target.strides[0])
    tests = [
        of("icmp eq", BIT, target.strides[0], leaf.strides[0]),
        of("icmp eq", BIT, of("srem", INT, leaf.strides[1], step), 0),
    ]
    (first, after), (begin, end) = (extent(lowering, row) for row in inner)
    low, high = of("smin", INT, first, begin), of("smax", INT, after, end)
    tests.append(of("icmp sle", BIT, of("sub", INT, high, low), far))
    tests += _find_room(lowering, [extent(lowering, each) for each in one], step)
    return all_of(lowering, tests)


def _longer(lowering: Lowering, step: Operand) -> Operand:
    """How far a step goes, one byte at least."""
    of = partial(lowering.compute, type=INT)
    return of("smax", INT, of("smax", INT, step, of("sub", INT, 0, step)), 1)


def _find_room(
    lowering: Lowering, parts: Sequence[tuple[Operand, Operand]], step: Operand
) -> list[Local]:
    """Whether one part of each finds room within a step.

    parts: where each begins in memory, and where it ends
    """
    of = partial(lowering.compute, type=INT)
    (mine, after), (others, end) = parts
    size, length = of("sub", INT, after, mine), of("sub", INT, end, others)
    far = of("srem", INT, of("sub", INT, others, mine), step)
    below = of("icmp slt", BIT, far, 0)
    place = lowering.compute("select", INT, below, of("add", INT, far, step), far)
    return [
        of("icmp sge", BIT, place, size),
        of("icmp sle", BIT, of("add", INT, place, length), step),
    ]


def _clear(lowering: Lowering, meets: Local, apart: Operand) -> None:
    """They do not meet if they are apart."""
    other = lowering.compute("xor", BIT, apart, True, type=BIT)
    both = lowering.compute("and", BIT, meets, other, type=BIT)
    lowering.assign([meets], [both])


def leave_if_one_by_one(lowering: Lowering, place: Array, value: Numeric | Map) -> None:
    """Leave to NumPy what it stores over itself, element by element.

    It does so in one dim, where both go one way and a copy would give something else if
    the steps differ; of what goes the other way (`x[:] = x[::-1]`) it makes a copy.
    """
    if not isinstance(value, Array) or not len(place.dims) == len(value.dims) == 1:
        return
    (mine,), (other,) = place.strides, value.strides
    if mine is other:
        return
    differ = lowering.compute("icmp ne", BIT, mine, other, type=INT)
    signs = lowering.compute("xor", INT, mine, other, type=INT)
    one_way = lowering.compute("icmp sge", BIT, signs, 0, type=INT)
    meets = overlap(lowering, place, [value])
    both = lowering.compute("and", BIT, differ, one_way, type=BIT)
    lowering.leave_if(lowering.compute("and", BIT, both, meets, type=BIT))


def is_surely_same(a: Array, b: Array) -> bool:
    """The same, where it is known before the run."""
    if a.data is not b.data or a.dtype != b.dtype:
        return False
    return a.dims == b.dims and a.strides == b.strides


def _is_same(lowering: Lowering, a: Array, b: Array) -> Local:
    found = lowering.compute("icmp eq", BIT, a.data, b.data, type="ptr")
    pairs = [*zip(a.strides, b.strides, strict=True), *zip(a.dims, b.dims, strict=True)]
    for x, y in pairs:
        if x is not y:
            equal = lowering.compute("icmp eq", BIT, x, y, type=INT)
            found = lowering.compute("and", BIT, found, equal, type=BIT)
    return found
