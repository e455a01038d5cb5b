"""pieces: how arrays lie in memory, asked when the function runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from runtime.backends.llvm.loops import (
    BIT,
    INT,
    Array,
    Counts,
    Folded,
    Local,
    Map,
    Number,
    Operand,
    Terms,
)
from runtime.backends.llvm.references import References
from runtime.backends.llvm.values import NotLowered
from runtime.backends.numpy.program import Step
from runtime.structs import replace

Expression = Array | Number | Map
DROPPED = "dropped"
# That of a row of numbers, side by side, which is only stored.
SIDES = "side by side"


def terms_of(value: Expression) -> Iterable[Expression]:
    """An expression and all that it is made of, each once, operands first."""
    return _terms_of(value).values() if isinstance(value, Map) else (value,)


def _terms_of(value: Map) -> Terms:
    """The same; a Map keeps them, so that one more operation looks at its own alone."""
    if value.terms is None:
        found: Terms = {}

        def visit(one: Map) -> None:
            for arg in one.args:
                if id(arg) in found:
                    continue
                if not isinstance(arg, Map):
                    found[id(arg)] = arg
                elif arg.terms is None:
                    visit(arg)
                else:
                    # What a Map is made of is there with it, and keeps its place.
                    found.update(arg.terms)
            found[id(one)] = one

        visit(value)
        value.terms = found
    return value.terms


def counts_of(value: Map) -> Counts:
    """How many terms there are of each kind."""
    if value.counts is None:
        value.counts = _counts_of(value)
    return value.counts


def _counts_of(value: Map) -> Counts:
    inner = [arg for arg in value.args if isinstance(arg, Map)]
    if len(inner) == 1 and inner[0].counts is not None:
        maps, loops, is_folded = inner[0].counts
        is_folded = is_folded or isinstance(value, Folded)
        return Counts(maps + 1, loops + bool(value.symbol), is_folded)
    maps_of = [one for one in _terms_of(value).values() if isinstance(one, Map)]
    loops = sum(bool(one.symbol) for one in maps_of)
    return Counts(len(maps_of), loops, any(isinstance(one, Folded) for one in maps_of))


def is_folded(value: Expression) -> bool:
    """Whether rows become numbers on the way."""
    return isinstance(value, Map) and counts_of(value).is_folded


def dropped(value: Map) -> Map:
    """The expression without its last axis, of which there is one element."""
    return Map(value.dtype, value.dims[:-1], DROPPED, (value,))


def is_dropped(value: Expression) -> bool:
    """Whether it is one without its last axis."""
    return isinstance(value, Map) and value.op == DROPPED


def inside(value: Expression) -> Expression:
    """The expression as rows: with the axis of one element that was dropped."""
    return value.args[0] if isinstance(value, Map) and is_dropped(value) else value


def is_one(size: Operand) -> bool:
    """Whether a size is known to be 1: what it is of is repeated."""
    return not isinstance(size, Local) and size == 1


def all_of(lowering: References, tests: Sequence[Operand]) -> Operand:
    """Whether all tests hold."""
    found: Operand = True
    for test in tests:
        if test is False:
            return False
        if isinstance(test, Local):
            found = (
                lowering.compute("and", BIT, found, test, type=BIT)
                if isinstance(found, Local)
                else test
            )
    return found


def _equal(lowering: References, a: Operand, b: Operand) -> Operand:
    if isinstance(a, Local) or isinstance(b, Local):
        return lowering.compute("icmp eq", BIT, a, b, type=INT)
    return a == b


def is_step_one(lowering: References, array: Array) -> Operand:
    """Whether the elements of a row lie side by side."""
    if not array.dims or (
        array.dims[-1] == 1 and not isinstance(array.dims[-1], Local)
    ):
        return True
    return _equal(lowering, array.strides[-1], array.dtype.itemsize)


def is_one_piece(lowering: References, array: Array) -> Operand:
    """Whether the elements lie side by side, in C's order."""
    wanted: Operand = array.dtype.itemsize
    tests = []
    for size, stride in zip(reversed(array.dims), reversed(array.strides), strict=True):
        tests.append(_equal(lowering, stride, wanted))
        if isinstance(size, Local) or isinstance(wanted, Local):
            wanted = lowering.compute("mul", INT, wanted, size, type=INT)
        else:
            wanted = wanted * size
    return all_of(lowering, tests)


def are_in_order(lowering: References, array: Array) -> Operand:
    """Whether the axes of an array follow one another as C's do."""
    pairs = zip(array.dims, array.strides, strict=True)
    steps = [stride for size, stride in pairs if not is_one(size)]
    tests = [_is_at_least(lowering, a, b) for a, b in pairwise(steps)]
    if steps:
        tests.append(_is_at_least(lowering, steps[-1], 1))
    return all_of(lowering, tests)


def _is_at_least(lowering: References, a: Operand, b: Operand) -> Operand:
    if isinstance(a, Local) or isinstance(b, Local):
        return lowering.compute("icmp sge", BIT, a, b, type=INT)
    return a >= b


def is_alike(array: Array | Map, target: Array | Map) -> bool:
    """Whether it has the target's dims, so that nothing is repeated."""
    if len(array.dims) != len(target.dims):
        return False
    # Sizes that the run knows are the same, but for one: a known 1 is repeated.
    pairs = zip(array.dims, target.dims, strict=True)
    return all(is_one(a) == is_one(b) for a, b in pairs)


def product(lowering: References, sizes: Sequence[Operand]) -> Operand:
    """How many elements there are of these sizes."""
    found: Operand = 1
    for size in sizes:
        found = times(lowering, found, size)
    return found


def times(lowering: References, a: Operand, b: Operand) -> Operand:
    """The product of two sizes."""
    if isinstance(a, Local) or isinstance(b, Local):
        return lowering.compute("mul", INT, a, b, type=INT)
    return a * b


def flat(array: Array, size: Operand) -> Array:
    """An array in one piece, as one of one dim."""
    return replace(array, dims=(size,), strides=(array.dtype.itemsize,))


def turned_round(array: Array) -> Array:
    """An array with its axes in the other order."""
    dims, strides = array.dims[::-1], array.strides[::-1]
    return replace(array, dims=dims, strides=strides, is_turned=not array.is_turned)


def with_arrays(
    value: Expression,
    known: dict[int, Array],
    dims: tuple[Operand, ...],
    made: dict[int, Map] | None = None,
) -> Expression:
    """The expression of other arrays: the same, in these dims.

    made: of parts that were met before, so that what several share stays shared
    """
    made = {} if made is None else made

    def of(one: Expression) -> Expression:
        if isinstance(one, Array):
            return known[id(one)]
        if isinstance(one, Number):
            return one
        if id(one) not in made:
            args = tuple(map(of, one.args))
            made[id(one)] = replace(one, dims=dims, args=args)
        return made[id(one)]

    return of(value)


def least(lowering: References, a: Operand, b: Operand) -> Operand:
    """The lesser of two sizes."""
    if isinstance(a, Local) or isinstance(b, Local):
        return a if a is b else lowering.compute("smin", INT, a, b, type=INT)
    return min(a, b)


def most(lowering: References, a: Operand, b: Operand) -> Operand:
    """The greater of two sizes."""
    if isinstance(a, Local) or isinstance(b, Local):
        return a if a is b else lowering.compute("smax", INT, a, b, type=INT)
    return max(a, b)


def reduced_axes(step: Step) -> tuple[int, int]:
    """The first of the axes that are reduced, and the one after the last."""
    rank, known = len(step.inputs[0].spec.shape or ()), step.node.attributes
    axis = known.get("axis")
    axes = range(rank) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    found = sorted(one % rank for one in axes)
    if not rank or not found or found != list(range(found[0], found[-1] + 1)):
        raise NotLowered(f"a reduction along {axis}")
    return found[0], found[-1] + 1
