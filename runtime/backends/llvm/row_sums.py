"""row_sums: one number of a row: `np.trace`, `np.ptp`, `np.var`, `np.trapezoid`.

What is reduced is an expression of one dim, so that nothing is in another order than
NumPy's: a row that goes backwards in memory is Python's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.backends.llvm.arrays import part_of
from runtime.backends.llvm.blocks import choice
from runtime.backends.llvm.copied import copied, may_be_copied
from runtime.backends.llvm.fallback import call_python, whole
from runtime.backends.llvm.library import OPS, ROWS, Call, number_of
from runtime.backends.llvm.loops import (
    BIT,
    DOUBLE,
    INT,
    Array,
    Local,
    Map,
    Number,
    Operand,
    operands_of,
)
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.maps import BUFFERED, as_dtype
from runtime.backends.llvm.numbers import convert, leave_unless_finite
from runtime.backends.llvm.operations import operation
from runtime.backends.llvm.pieces import flat, is_one_piece, product
from runtime.backends.llvm.reduced import Reduction
from runtime.backends.llvm.row_block import RowBlock
from runtime.backends.llvm.values import NotLowered, machine_type
from runtime.backends.llvm.views import diagonal_of
from runtime.backends.numpy.program import Step, Variable
from runtime.ops.reduce import max_, min_, sum_
from runtime.spec import TensorSpec
from runtime.structs import replace

DOUBLES = np.dtype(float)


def row_number(lowering: Lowering, step: Step, op: Any, value: Map) -> Number:
    """What the reduction `op` makes of an expression, of the same dtype."""
    home, place = step.outputs[0].home, step.outputs[0].index
    source = Variable(TensorSpec((None,) * len(value.dims), value.dtype), home, place)
    result = Variable(TensorSpec((), value.dtype), home, place)
    node = replace(step.node, op=op, attributes={})
    lowering.values[source] = value
    found = Reduction(lowering, Step(node, [source], [result]))
    del lowering.values[source]
    found.refuse_nothing()
    made = found.written_out()
    if made is not None:
        parts = RowBlock(lowering, False).value(made, 0, 0, {})
    else:
        fusion = found.fusion()
        if fusion is None or fusion.is_possible() is not True:
            raise NotLowered(f"{op.name} of {value.dtype} at once")
        parts = tuple(found.fused(fusion))
    return Number(value.dtype, False, parts)


def of_row(
    lowering: Lowering, step: Step, compute: Callable[[Array], tuple[Operand, ...]]
) -> None:
    """Give the number of the one row, gone through from its beginning on.

    What has several dims is a row where it is in one piece, or as a copy.
    """
    array, known = whole(lowering, step.inputs[0]), step.node.attributes
    if not isinstance(array, Array) or not array.dims or known.get("keepdims"):
        raise NotLowered(f"{step.node.op.name} of what is no row")
    if len(array.dims) == 1:
        if known.get("axis") not in (None, 0, -1, (0,), (-1,)):
            raise NotLowered(f"{step.node.op.name} along {known.get('axis')}")
        leave_unless_forward(lowering, array)
        lowering.give(step, *compute(array))
        return
    if known.get("axis") is not None:
        raise NotLowered(f"{step.node.op.name} of several rows")
    row = flat(array, product(lowering, array.dims))
    piece, (variable,) = is_one_piece(lowering, array), step.outputs
    made = lowering.entering(variable)

    def here() -> None:
        lowering.assign(operands_of(made), compute(row))

    def of_copy() -> None:
        lowering.assign(operands_of(made), compute(copied(lowering, array)))

    def there() -> None:
        call_python(lowering, step, (made,))

    short = may_be_copied(lowering, array)
    choice(lowering, piece, here, choice(lowering, short, of_copy, there))()
    lowering.values[variable] = made


def leave_unless_forward(lowering: Lowering, row: Array) -> None:
    """Let Python go through what lies backwards in memory."""
    (stride,) = row.strides
    if isinstance(stride, Local):
        lowering.leave_if(lowering.compute("icmp slt", BIT, stride, 1, type=INT))
    elif stride < 1:
        raise NotLowered("a row that goes backwards")


def as_map(row: Array) -> Map:
    """The row as an expression."""
    return Map(row.dtype, row.dims, "cast", (row,))


def trace(lowering: Lowering, step: Step) -> None:
    """`np.trace(x)`: the sum of the diagonal."""
    array, dtype = whole(lowering, step.inputs[0]), step.outputs[0].spec.dtype
    if not isinstance(array, Array) or len(array.dims) != 2 or dtype is None:
        raise NotLowered("a trace of no matrix")
    row = diagonal_of(lowering, array, step.node.attributes)
    if row.dtype != dtype and not (row.dtype.kind in "biu" and dtype.kind in "iu"):
        raise NotLowered(f"a trace of {row.dtype} as {dtype}")
    leave_unless_forward(lowering, row)
    value = as_dtype(lowering, as_map(row), dtype)
    assert isinstance(value, Map)
    lowering.give(step, *row_number(lowering, step, sum_, value).parts)


def ptp(lowering: Lowering, step: Step) -> None:
    """`np.ptp(x)`: the largest without the smallest."""
    of_row(lowering, step, lambda row: _extent(lowering, step, as_map(row)))


def _extent(lowering: Lowering, step: Step, row: Map) -> tuple[Operand, ...]:
    """The largest of a row without the smallest."""
    dtype, kind = row.dtype, machine_type(row.dtype)
    if dtype.kind not in "iuf":
        raise NotLowered(f"a range of {dtype}")
    (high,) = row_number(lowering, step, max_, row).parts
    (low,) = row_number(lowering, step, min_, row).parts
    word = "fsub" if dtype.kind == "f" else "sub"
    return (lowering.compute(word, kind, high, low, type=kind),)


def variance(lowering: Lowering, step: Step) -> None:
    """`np.var(x)`, `np.std(x)`: the mean, what is beside it, the mean of squares."""
    known = step.node.attributes
    if not known.keys() <= {"axis", "keepdims", "ddof"}:
        raise NotLowered("a variance by other means")
    of_row(lowering, step, lambda row: _variance(lowering, step, row))


def _variance(lowering: Lowering, step: Step, array: Array) -> tuple[Operand, ...]:
    """The variance of a row."""
    dtype, ddof = step.outputs[0].spec.dtype, step.node.attributes.get("ddof", 0)
    if type(ddof) is not int:
        raise NotLowered("a variance by other means")
    (size,) = array.dims
    if array.dtype.kind in "biu":
        more = lowering.compute("icmp sgt", BIT, size, BUFFERED, type=INT)
        lowering.leave_if(more)
    elif array.dtype.kind != "f":
        raise NotLowered(f"a variance of {array.dtype}")
    value = as_dtype(lowering, as_map(array), dtype or DOUBLES)
    if dtype != (array.dtype if array.dtype.kind == "f" else DOUBLES):
        raise NotLowered(f"a variance of {array.dtype} as {dtype}")
    assert isinstance(value, Map)
    count = lowering.compute("sub", INT, size, ddof, type=INT)
    # Of fewer elements NumPy warns.
    lowering.leave_if(lowering.compute("icmp slt", BIT, count, 1, type=INT))
    mean = _divided(lowering, row_number(lowering, step, sum_, value), size)
    beside = Map(value.dtype, value.dims, "subtract", (value, mean))
    squares = Map(value.dtype, value.dims, "multiply", (beside, beside))
    found = _divided(lowering, row_number(lowering, step, sum_, squares), count)
    (part,) = found.parts
    if step.node.op.name == "std":
        kind = machine_type(found.dtype)
        part = lowering.compute("sqrt", kind, part, type=kind)
    return (part,)


def _divided(lowering: Lowering, total: Number, count: Any) -> Number:
    """A sum by a count: in float64, and cast."""
    size = lowering.compute("sitofp", DOUBLE, count, type=INT)
    (part,) = convert(lowering, total, DOUBLES)
    part = lowering.compute("fdiv", DOUBLE, part, size, type=DOUBLE)
    if total.dtype != DOUBLES:
        part = lowering.compute("fptrunc", "float", part, type=DOUBLE)
    return Number(total.dtype, False, (part,))


def trapezoid(known: Call) -> None:
    """`np.trapezoid(y, x)` of a row: its neighbours' sums by what is between them."""
    lowering, step = known.lowering, known.step
    if step.outputs[0].spec.dtype != DOUBLES or known.args.get("axis", -1) not in (
        0,
        -1,
    ):
        raise NotLowered("an integral along an axis, or of other dtypes")
    later, sooner = _neighbours(known, "y")
    total = operation(lowering, step, np.add, (later, sooner))
    if known.args.get("x") is None:
        width: Number | Map = number_of(known.args.get("dx", 1.0))
    else:
        width = operation(lowering, step, np.subtract, _neighbours(known, "x"))
    areas = operation(lowering, step, np.multiply, (width, total))
    halves = operation(lowering, step, np.divide, (areas, number_of(2.0)))
    found = row_number(lowering, step, sum_, halves)
    if found.dtype != step.outputs[0].spec.dtype or found.dtype.kind != "f":
        raise NotLowered(f"an integral of {found.dtype}")
    # What NumPy would have warned of is Python's.
    leave_unless_finite(lowering, *convert(lowering, found, DOUBLES))
    lowering.give(step, *found.parts)


def _neighbours(known: Call, name: str) -> list[Array]:
    """An argument's elements but for the first, and but for the last."""
    variable = known.args[name]
    array = whole(known.lowering, variable) if isinstance(variable, Variable) else None
    if not isinstance(array, Array) or len(array.dims) != 1:
        raise NotLowered("an integral of other than rows")
    ends = slice(1, None), slice(None, -1)
    return [part_of(known.lowering, array, (one,), []) for one in ends]


OF_ROW = {"trace": trace, "ptp": ptp, "var": variance, "std": variance}
OPS |= OF_ROW
ROWS["trapezoid"] = (("y", "x", "dx", "axis"), trapezoid)
