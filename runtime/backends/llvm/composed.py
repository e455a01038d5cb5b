"""composed: NumPy's functions that are a few operations of elements, as such.

`np.diff`, `np.outer`, `np.cross`, `np.kron` and `np.clip`: what takes their result
computes it with its own, as it does with any operation's.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from runtime.backends.llvm.arrays import give_array, part_of, put
from runtime.backends.llvm.blocks import compute_into
from runtime.backends.llvm.chains import as_rows, give
from runtime.backends.llvm.fallback import whole
from runtime.backends.llvm.few import at_index
from runtime.backends.llvm.functions import cast_parts
from runtime.backends.llvm.library import OPS
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
from runtime.backends.llvm.maps import as_dtype, broadcast
from runtime.backends.llvm.operations import operation
from runtime.backends.llvm.pieces import dropped, is_one, times
from runtime.backends.llvm.row_block import RowBlock
from runtime.backends.llvm.stack import result_array
from runtime.backends.llvm.values import NotLowered, machine_type
from runtime.backends.numpy.program import Step
from runtime.structs import replace

TRUTHS = np.dtype(bool)
# How often differences of differences are one expression.
DIFFERENCES = 4


def arrays_of(lowering: Lowering, step: Step, rank: int = 0) -> list[Array]:
    """The operands as arrays; NotLowered: one has not as many axes as are wanted."""
    found = [whole(lowering, variable) for variable in step.inputs]
    arrays = [one for one in found if isinstance(one, Array)]
    if len(arrays) < len(found) or any(len(one.dims) != rank for one in arrays if rank):
        raise NotLowered(f"{step.node.op.name} of numbers, or of other dims")
    return arrays


def of_elements(
    lowering: Lowering, step: Step, ufunc: np.ufunc, args: Sequence[Numeric | Map]
) -> Map:
    """What a ufunc gives, of the dtype that the step says."""
    made = operation(lowering, step, ufunc, args)
    if made.dtype != step.outputs[0].spec.dtype:
        raise NotLowered(f"{step.node.op.name} that gives {made.dtype}")
    return made


def may_warn(lowering: Lowering, step: Step, dtype: np.dtype[Any]) -> None:
    """NumPy warns of what its floats come to."""
    if dtype.kind in "fc":
        lowering.warned.append(step)


def diff(lowering: Lowering, step: Step) -> None:
    """`np.diff(x, n)`: each element without the one before it; of that the same."""
    known = step.node.attributes
    (array,) = arrays_of(lowering, step)
    count = known.get("n", 1)
    if not 1 <= count <= DIFFERENCES:
        raise NotLowered("no differences, or many of differences")
    axes = (slice(None),) * (known.get("axis", -1) % len(array.dims))
    if count > 1:
        # Of fewer NumPy computes what nothing is made of, and warns of it.
        _leave_unless_more(lowering, array.dims[len(axes)], count)
    ufunc = np.not_equal if array.dtype.kind == "b" else np.subtract
    ends = [slice(at, at - count or None) for at in range(count + 1)]
    found: list[Any] = [part_of(lowering, array, (*axes, end), []) for end in ends]
    while len(found) > 1:
        # What two of the next ones are made of is one expression.
        found = [
            of_elements(lowering, step, ufunc, (later, sooner))
            for sooner, later in pairwise(found)
        ]
    (made,) = found
    may_warn(lowering, step, made.dtype)
    give(lowering, step, made, step.inputs)


def _leave_unless_more(lowering: Lowering, size: Operand, count: int) -> None:
    if isinstance(size, Local):
        lowering.leave_if(lowering.compute("icmp sle", BIT, size, count, type=INT))
    elif size <= count:
        raise NotLowered("more differences than elements")


def outer(lowering: Lowering, step: Step) -> None:
    """`np.outer(x, y)` of two rows."""
    made = _products(lowering, step)
    may_warn(lowering, step, made.dtype)
    give(lowering, step, made, step.inputs)


def _products(lowering: Lowering, step: Step) -> Map:
    x, y = arrays_of(lowering, step, 1)
    column = replace(x, dims=(*x.dims, 1), strides=(*x.strides, 0), is_view=True)
    return of_elements(lowering, step, np.multiply, (column, y))


def kron(lowering: Lowering, step: Step) -> None:
    """`np.kron(x, y)` of two rows: their products one after the other."""
    products, (variable,) = _products(lowering, step), step.outputs
    n, m = products.dims
    dtype, size = products.dtype, products.dtype.itemsize
    made = result_array(lowering, variable, dtype, (times(lowering, n, m),))
    strides = (times(lowering, m, size), size)
    compute_into(lowering, replace(made, dims=(n, m), strides=strides), products)
    may_warn(lowering, step, dtype)
    give_array(lowering, step, made)


def cross(lowering: Lowering, step: Step) -> None:
    """`np.cross(x, y)` of vectors of three: each part as NumPy computes it."""
    x, y = arrays_of(lowering, step)
    (variable,) = step.outputs
    if any(isinstance(one.dims[-1], Local) or one.dims[-1] != 3 for one in (x, y)):
        raise NotLowered("a product of other vectors than of three")
    dims = broadcast(lowering, (x, y))
    a, b = (
        [at_index(lowering, one, len(one.dims) - 1, at, False) for at in range(3)]
        for one in (x, y)
    )
    parts = []
    for first, second in ((1, 2), (2, 0), (0, 1)):
        left = of_elements(lowering, step, np.multiply, (a[first], b[second]))
        right = of_elements(lowering, step, np.multiply, (a[second], b[first]))
        parts.append(of_elements(lowering, step, np.subtract, (left, right)))
    made = result_array(lowering, variable, parts[0].dtype, dims)
    for at, part in enumerate(parts):
        place = at_index(lowering, made, len(dims) - 1, at, False)
        if place.dims:
            compute_into(lowering, place, part)
        else:
            put(lowering, place, RowBlock(lowering, False).value(part, 0, 0, {}))
    may_warn(lowering, step, made.dtype)
    give_array(lowering, step, made)


def clip(lowering: Lowering, step: Step) -> None:
    """`np.clip(x, low, high)` between numbers, which are never NaN here."""
    (variable,) = step.outputs
    (value, *bounds), drops = as_rows(lowering, step.inputs)
    dtype = variable.spec.dtype
    if dtype is None or dtype.kind not in "iuf" or variable.spec.kinds:
        raise NotLowered(f"a clip of {dtype}")
    if not all(isinstance(one, Number) for one in bounds):
        made = _between(lowering, [value, *bounds], dtype)
        give(lowering, step, dropped(made) if drops else made, step.inputs)
        return
    low, high = (_bound(lowering, one, value, dtype) for one in bounds)
    if isinstance(value, Number):
        lowering.give(step, *_clipped(lowering, value, low, high, dtype))
        return
    found = as_dtype(lowering, value, dtype)
    assert not isinstance(found, Number)
    for word, bound in (("less", low), ("greater", high)):
        test = Map(TRUTHS, found.dims, word, (found, bound))
        found = Map(dtype, found.dims, "select", (test, bound, found))
    assert isinstance(found, Map)
    give(lowering, step, dropped(found) if drops else found, step.inputs)


def _between(lowering: Lowering, args: Sequence[Any], dtype: np.dtype[Any]) -> Map:
    """Elements between bounds of their own: a bound that is equal is taken.

    Where neither bound changes along a row NumPy takes the element, so that there have
    to be two bounds, and they are of each element, or of all.
    """
    dims = broadcast(lowering, args)
    for one in args[1:]:
        if isinstance(one, Number):
            _require_fit(one, args[0].dtype, dtype)
            continue
        known = zip(one.dims, dims, strict=False)
        if len(one.dims) < len(dims) or any(is_one(a) != is_one(b) for a, b in known):
            raise NotLowered("a clip between arrays that are repeated")
        _leave_unless_told_apart(lowering, one)
    found, low, high = (as_dtype(lowering, one, dtype) for one in args)
    for word, bound in (("greater", low), ("less", high)):
        test = Map(TRUTHS, dims, word, (found, bound))
        if dtype.kind == "f":
            is_nan = Map(TRUTHS, dims, "not_equal", (found, found))
            test = Map(TRUTHS, dims, "bitwise_or", (is_nan, test))
        found = Map(dtype, dims, "select", (test, found, bound))
    assert isinstance(found, Map)
    return found


def _leave_unless_told_apart(lowering: Lowering, bound: Array | Map) -> None:
    """Let Python clip by what may be the same for a row."""
    for size in bound.dims[-1:]:
        if isinstance(size, Local):
            lowering.leave_if(lowering.compute("icmp eq", BIT, size, 1, type=INT))
        elif size == 1:
            raise NotLowered("a clip between arrays of one element")
    for stride in bound.strides if isinstance(bound, Array) else ():
        if isinstance(stride, Local):
            lowering.leave_if(lowering.compute("icmp eq", BIT, stride, 0, type=INT))
        elif stride == 0:
            raise NotLowered("a clip between arrays that are repeated")


def _bound(
    lowering: Lowering, bound: Numeric | Map, value: Any, dtype: np.dtype[Any]
) -> Number:
    """A bound in the result's dtype, where it is one that NumPy takes as it is."""
    if not isinstance(bound, Number):
        raise NotLowered("a clip between arrays")
    _require_fit(bound, value.dtype, dtype)
    made = as_dtype(lowering, bound, dtype)
    assert isinstance(made, Number)
    (part,) = made.parts
    if dtype.kind == "f":
        kind = machine_type(dtype)
        if isinstance(part, Local):
            lowering.leave_if(lowering.compute("fcmp uno", BIT, part, part, type=kind))
        elif part != part:
            raise NotLowered("a clip by NaN")
    return made


def _require_fit(bound: Number, given: np.dtype[Any], dtype: np.dtype[Any]) -> None:
    """NotLowered: a bound is one of Python's ints that small ints may not have."""
    is_weak = given.kind in "iu" and bound.weak is not False and dtype != np.dtype(int)
    if is_weak and bound.dtype.kind == "i":
        raise NotLowered("a clip by one of Python's ints that may not fit")


def _clipped(
    lowering: Lowering, value: Number, low: Number, high: Number, dtype: np.dtype[Any]
) -> tuple[Any, ...]:
    """One number between two others."""
    (found,), kind = cast_parts(lowering, value, dtype), machine_type(dtype)
    words = {"i": ("icmp slt", "icmp sgt"), "u": ("icmp ult", "icmp ugt")}
    pair = words.get(dtype.kind, ("fcmp olt", "fcmp ogt"))
    for word, bound in zip(pair, (low, high), strict=True):
        (part,) = bound.parts
        test = lowering.compute(word, BIT, found, part, type=kind)
        found = lowering.compute("select", kind, test, part, found)
    return (found,)


COMPOSED = {"diff": diff, "outer": outer, "kron": kron, "cross": cross, "clip": clip}
OPS |= COMPOSED
