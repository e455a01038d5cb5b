"""maps: expressions of whole arrays: of what dtype, of what dims, read from where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.backends.llvm.loops import (
    BIT,
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
from runtime.backends.llvm.values import NotLowered, machine_type


def as_dtype(
    lowering: Lowering, operand: Numeric | Map, dtype: np.dtype[Any]
) -> Numeric | Map:
    """An operand cast as a ufunc casts what it is given."""
    if operand.dtype == dtype:
        return operand
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


def leaves_of(value: Numeric | Map) -> list[Array]:
    """The arrays that an expression reads."""
    if isinstance(value, Array):
        return [value]
    if isinstance(value, Number):
        return []
    return [leaf for arg in value.args for leaf in leaves_of(arg)]


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


def overlap(lowering: Lowering, target: Array, leaves: Sequence[Array]) -> Operand:
    """Whether what is read may be written before: not where both are the same."""
    found: Operand = False
    first, after = extent(lowering, target)
    on_stack = not isinstance(target.object, Local)
    for leaf in leaves:
        if on_stack == isinstance(leaf.object, Local):
            continue  # one of them is on the stack, the other an object
        low, high = extent(lowering, leaf)
        below = lowering.compute("icmp slt", BIT, low, after, type=INT)
        above = lowering.compute("icmp slt", BIT, first, high, type=INT)
        both = lowering.compute("and", BIT, below, above, type=BIT)
        if len(leaf.dims) == len(target.dims) and leaf.dtype == target.dtype:
            same = _is_same(lowering, target, leaf)
            other = lowering.compute("xor", BIT, same, True, type=BIT)
            both = lowering.compute("and", BIT, both, other, type=BIT)
        found = (
            lowering.compute("or", BIT, found, both, type=BIT)
            if isinstance(found, Local)
            else both
        )
    return found


def leave_if_one_by_one(lowering: Lowering, place: Array, value: Numeric | Map) -> None:
    """Leave to NumPy what it stores over itself, element by element.

    It does so in one dim, where a copy would give something else if the steps differ.
    """
    if not isinstance(value, Array) or not len(place.dims) == len(value.dims) == 1:
        return
    (mine,), (other,) = place.strides, value.strides
    if mine is other:
        return
    differ = lowering.compute("icmp ne", BIT, mine, other, type=INT)
    meets = overlap(lowering, place, [value])
    lowering.leave_if(lowering.compute("and", BIT, differ, meets, type=BIT))


def _is_same(lowering: Lowering, a: Array, b: Array) -> Local:
    found = lowering.compute("icmp eq", BIT, a.data, b.data, type="ptr")
    pairs = [*zip(a.strides, b.strides, strict=True), *zip(a.dims, b.dims, strict=True)]
    for x, y in pairs:
        if x is not y:
            equal = lowering.compute("icmp eq", BIT, x, y, type=INT)
            found = lowering.compute("and", BIT, found, equal, type=BIT)
    return found
