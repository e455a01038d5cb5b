"""counted: rows of numbers each of which comes of the one before it, or of its place.

`np.arange` and `np.linspace`; `np.cumsum` and `np.cumprod`.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from runtime.backends.llvm.arrays import give_array, load, moved, put
from runtime.backends.llvm.blocks import compute_into, leave_unless_in_order
from runtime.backends.llvm.elements import cast, element, is_simple
from runtime.backends.llvm.handed import flattened
from runtime.backends.llvm.laid import array_of, leave_if_below_one, new
from runtime.backends.llvm.library import OPS
from runtime.backends.llvm.loops import BIT, DOUBLE, INT, Array, Local, Map, Operand
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.maps import as_dtype
from runtime.backends.llvm.numbers import convert
from runtime.backends.llvm.parts import row_of
from runtime.backends.llvm.pieces import most
from runtime.backends.llvm.placed import Result, give_computed
from runtime.backends.llvm.sharing import plus
from runtime.backends.llvm.slices import index_of
from runtime.backends.llvm.values import NotLowered, machine_type, parts_of
from runtime.backends.numpy.program import Step
from runtime.structs import replace

DOUBLES, INTS = np.dtype(float), np.dtype(int)
OPERATIONS = {"cumsum": "add", "cumprod": "multiply"}


def each(lowering: Lowering, made: Array, value: Any) -> None:
    """Write the elements of a row: `value(index)` gives each."""
    index = lowering.local(INT)

    def one() -> None:
        data = moved(lowering, made.data, index, made.dtype.itemsize)
        put(lowering, replace(made, data=data, dims=()), (value(index),))

    blocks = (lowering.within(one),)
    lowering.emit("for", index, made.dims[0], blocks=blocks, type="parallel")


def arange(lowering: Lowering, step: Step) -> None:
    """`np.arange(start, stop, by)` of ints, by a known step."""
    known = step.node.attributes
    if known["dtype"] not in (None, INTS) or step.outputs[0].spec.dtype != INTS:
        raise NotLowered("a range of other numbers than ints")
    found = [index_of(lowering, one, step.inputs) for one in known["args"]]
    bounds = [one for one in found if one is not None]
    if len(bounds) < len(found) or any(one.spec.dtype != INTS for one in step.inputs):
        raise NotLowered("a range of other numbers than ints")
    start, stop = (0, *bounds)[:2] if len(bounds) == 1 else bounds[:2]
    by = bounds[2] if len(bounds) == 3 else 1
    if isinstance(by, Local) or by == 0:
        raise NotLowered("a range by steps of the run")
    first, last = (start, stop) if by > 0 else (stop, start)
    size = _between(lowering, first, last, abs(int(by)))
    made = new(lowering, step, INTS, (size,))

    def value(index: Operand) -> Operand:
        far = index if by == 1 else lowering.compute("mul", INT, index, by, type=INT)
        return plus(lowering, far, start)

    each(lowering, made, value)
    give_array(lowering, step, made)


def _between(lowering: Lowering, low: Operand, high: Operand, by: int) -> Operand:
    """How many ints there are from one to before another, `by` apart."""
    if not isinstance(low, Local) and not isinstance(high, Local):
        return len(range(int(low), int(high), by))
    for one in (low, high):
        if isinstance(one, Local):
            # No array has so many, and what is less does not wrap round.
            moved_on = lowering.compute("add", INT, one, 2**61, type=INT)
            far = lowering.compute("icmp ugt", BIT, moved_on, 2**62, type=INT)
            lowering.leave_if(far)
    size: Operand = lowering.compute("sub", INT, high, low, type=INT)
    if by != 1:
        size = plus(lowering, size, by - 1)
        size = lowering.compute("sdiv", INT, size, by, type=INT)
    return most(lowering, size, 0)


def linspace(lowering: Lowering, step: Step) -> None:
    """`np.linspace(start, stop, num)` of two numbers, in float64."""
    known = step.node.attributes
    num, ends = known["num"], known["endpoint"]
    if len(step.inputs) != 2 or step.outputs[0].spec.dtype != DOUBLES:
        raise NotLowered("so many numbers as the run says, or of another dtype")
    if not isinstance(num, int) or num < 2 or known["dtype"] not in (None, DOUBLES):
        raise NotLowered("fewer than two numbers, or of another dtype")
    numbers = [lowering.number_of(variable) for variable in step.inputs]
    if any(number.dtype.kind not in "iuf" for number in numbers):
        raise NotLowered("complex numbers or truths between two others")
    start, stop = (convert(lowering, number, DOUBLES)[0] for number in numbers)
    of = partial(lowering.compute, type=DOUBLE)
    made, parts = new(lowering, step, DOUBLES, (num,)), float(num - bool(ends))
    delta = of("fsub", DOUBLE, stop, start)
    by = of("fdiv", DOUBLE, delta, parts)
    # Of steps too small for a float NumPy divides the places instead.
    is_none = of("fcmp oeq", BIT, by, 0.0)

    def value(index: Operand) -> Operand:
        place = lowering.compute("sitofp", DOUBLE, index, type=INT)
        part = of("fdiv", DOUBLE, place, parts)
        factor = lowering.compute("select", DOUBLE, is_none, part, place)
        other = lowering.compute("select", DOUBLE, is_none, delta, by)
        return of("fadd", DOUBLE, of("fmul", DOUBLE, factor, other), start)

    each(lowering, made, value)
    if ends:
        data = moved(lowering, made.data, num - 1, DOUBLES.itemsize)
        put(lowering, replace(made, data=data, dims=()), (stop,))
    lowering.warned.append(step)
    give_array(lowering, step, made)


def running(lowering: Lowering, step: Step) -> None:
    """`np.cumsum(x, axis)`: of all in C's order, or of rows one after the other."""
    array, dtype = array_of(lowering, step), step.outputs[0].spec.dtype
    axis = step.node.attributes.get("axis")
    if axis is None:
        array = flattened(lowering, array)
    rank = len(array.dims)
    if dtype is None or not rank:
        raise NotLowered("running sums of any dtype")
    if array.dtype != dtype and not (array.dtype.kind in "biu" and dtype.kind in "iu"):
        raise NotLowered(f"running sums of {array.dtype} as {dtype}")
    word = OPERATIONS[step.node.op.name]
    if not is_simple(word, (dtype,) * 3, (array, array)):
        raise NotLowered(f"running sums of {dtype}")
    leave_unless_in_order(lowering, array)
    if dtype.kind in "fc":
        lowering.warned.append(step)
    made = Result(dtype, array.dims, [array], in_turn=True)
    write = partial(_along, lowering, word, array, axis=(axis or 0) % rank)
    give_computed(lowering, step, made, write)


def _along(
    lowering: Lowering, word: str, source: Array, made: Array, axis: int
) -> None:
    """The rows along an axis of an array, for each index of the axes before."""
    index, rank = lowering.local(INT), len(made.dims)
    if not axis and rank == 1:
        _one_row(lowering, word, source, made, index)
        return

    def one() -> None:
        if axis:
            read, written = (row_of(lowering, x, index, rank) for x in (source, made))
            _along(lowering, word, read, written, axis - 1)
            return
        at = plus(lowering, index, 1)
        before, after = (row_of(lowering, made, x, rank) for x in (index, at))
        more = as_dtype(lowering, row_of(lowering, source, at, rank), made.dtype)
        total = Map(made.dtype, after.dims, word, (before, more))
        compute_into(lowering, after, total)

    count = made.dims[0]
    if not axis:
        leave_if_below_one(lowering, count)
        first = as_dtype(lowering, row_of(lowering, source, 0, rank), made.dtype)
        compute_into(lowering, row_of(lowering, made, 0, rank), first)
        count = plus(lowering, count, -1)
    lowering.emit("for", index, count, blocks=(lowering.within(one),))


def _one_row(
    lowering: Lowering, word: str, source: Array, made: Array, index: Local
) -> None:
    """One row, whose total so far is in registers."""
    kind, dtype = machine_type(made.dtype), made.dtype
    # What changes nothing that it is put to, not even -0.0.
    first = 1 if word == "multiply" else 0
    none = first if dtype.kind in "iu" else float(first) or -0.0
    totals = [lowering.local(kind) for _ in range(parts_of(dtype))]
    lowering.assign(totals, [none] * len(totals))

    def one() -> None:
        read, written = (
            replace(x, data=moved(lowering, x.data, index, x.strides[0]), dims=())
            for x in (source, made)
        )
        value = cast(lowering, source.dtype, dtype, load(lowering, read))
        pair = [(dtype, tuple(totals)), (dtype, value)]
        lowering.assign(totals, element(lowering, word, dtype, pair))
        put(lowering, written, tuple(totals))

    lowering.emit("for", index, made.dims[0], blocks=(lowering.within(one),))


COUNTED = {"arange": arange, "linspace": linspace}
OPS |= {**COUNTED, **dict.fromkeys(OPERATIONS, running)}
