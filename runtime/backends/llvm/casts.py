"""casts: arrays as another dtype, and rounded.

Floats are cut to ints where all of them fit, which is asked before.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.backends.llvm.chains import as_rows, give
from runtime.backends.llvm.composed import may_warn
from runtime.backends.llvm.fallback import whole
from runtime.backends.llvm.library import OPS
from runtime.backends.llvm.loops import Array, Map, Number
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.operations import operation
from runtime.backends.llvm.pieces import dropped
from runtime.backends.llvm.row_block import RowBlock
from runtime.backends.llvm.row_sums import row_number
from runtime.backends.llvm.values import NotLowered, machine_type
from runtime.backends.numpy.program import Step
from runtime.ops.reduce import all_

# Powers of ten up to this one are floats.
EXACT = 22
TRUTHS = np.dtype(bool)


def rounded(lowering: Lowering, step: Step) -> None:
    """`np.round(x, n)`: whole numbers of the n-th power of ten, and back."""
    decimals, dtype = (
        step.node.attributes.get("decimals", 0),
        step.outputs[0].spec.dtype,
    )
    (value,), drops = as_rows(lowering, step.inputs)
    if value.dtype != dtype or dtype.kind != "f" or abs(decimals) > EXACT:
        raise NotLowered(f"{value.dtype} rounded as {dtype}")
    there, back = (np.multiply, np.divide)[:: 1 if decimals >= 0 else -1]
    power = Number(np.dtype(float), True, (10.0 ** abs(decimals),))
    if isinstance(value, Number):
        value = Map(dtype, (), "cast", (value,))
    if decimals:
        value = operation(lowering, step, there, (value, power))
    made = operation(lowering, step, np.rint, (value,))
    if decimals:
        made = operation(lowering, step, back, (made, power))
    if not made.dims and not drops:
        lowering.give(step, *RowBlock(lowering, False).value(made, 0, 0, {}))
        return
    may_warn(lowering, step, dtype)
    give(lowering, step, dropped(made) if drops else made, step.inputs)


def cast(lowering: Lowering, step: Step) -> None:
    """`x.astype(dtype)`; of floats as ints, where all of them fit."""
    (value,), drops = as_rows(lowering, step.inputs)
    dtype = step.outputs[0].spec.dtype
    if (
        dtype is None
        or isinstance(value, Number)
        or value.dtype.kind == "c" != dtype.kind
    ):
        raise NotLowered(f"{value.dtype} as {dtype}")
    machine_type(dtype)
    if value.dtype.kind == "f" and dtype.kind in "iu":
        array = whole(lowering, step.inputs[0])
        drops = False
        assert isinstance(array, Array)
        _leave_unless_all_fit(lowering, step, array, dtype)
        value = array
    made = Map(dtype, value.dims, "cast", (value,))
    if dtype.kind == "f" and value.dtype.kind == "f":
        may_warn(lowering, step, dtype)
    give(lowering, step, dropped(made) if drops else made, step.inputs)


def _leave_unless_all_fit(
    lowering: Lowering, step: Step, array: Array, dtype: np.dtype[Any]
) -> None:
    """Let Python cast where a float is no int of that dtype."""
    bits = 8 * dtype.itemsize - (dtype.kind == "i")

    def test(op: str, *args: Any) -> Map:
        return Map(TRUTHS, array.dims, op, args)

    def number(value: float) -> Number:
        return Number(array.dtype, False, (value,))

    if dtype.kind == "i":
        size = Map(array.dtype, array.dims, "absolute", (array,))
        fits = test("less", size, number(2.0**bits))
    else:
        below = test("less", array, number(2.0**bits))
        fits = test("bitwise_and", below, test("greater_equal", array, number(0.0)))
    (found,) = row_number(lowering, step, all_, fits).parts
    lowering.leave_unless(found)


OPS |= {"cast": cast, "round": rounded}
