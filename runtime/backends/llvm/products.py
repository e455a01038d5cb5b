"""products: `x @ y` of rows, columns and matrices, by NumPy's own loop, to the bit.

The loop is given what NumPy gives it: whatever the arrays' strides are, it asks BLAS
where BLAS can.
"""

from __future__ import annotations

import numpy as np

from runtime.backends.llvm import abi
from runtime.backends.llvm.arrays import load
from runtime.backends.llvm.blocks import new_array
from runtime.backends.llvm.fallback import whole
from runtime.backends.llvm.loops import POINTER, Array, Instruction, Operand
from runtime.backends.llvm.lowering import LOWER, OF_ARRAYS, Lowering
from runtime.backends.llvm.values import NotLowered
from runtime.backends.numpy.program import Step

MATMUL = "matmul"


def matmul(lowering: Lowering, step: Step) -> None:
    """`x @ y` of arrays of one or two dims and of the result's dtype."""
    (variable,) = step.outputs
    dtype = variable.spec.dtype
    if dtype is None or len(step.inputs) != 2:
        raise NotLowered("a product of unknown dtype")
    address, data = abi.ufunc_loop(np.matmul, (dtype,) * 3)
    x, y = (whole(lowering, one) for one in step.inputs)
    if not address or not isinstance(x, Array) or not isinstance(y, Array):
        raise NotLowered(f"a product of {dtype}")
    if {x.dtype, y.dtype} != {dtype} or {len(x.dims), len(y.dims)} - {1, 2}:
        raise NotLowered("a product of many matrices, or of several dtypes")
    lowering.leave_unless_equal(y.dims[0], x.dims[-1])
    rows, columns = x.dims[:-1], y.dims[1:]
    if variable.spec.shape == ():
        cell = lowering.compute("buffer", POINTER, symbol=str(dtype.itemsize))
        made = Array(dtype, 0, cell, (), ())
    else:
        made = new_array(lowering, dtype, (*rows, *columns))
    symbol = f"{MATMUL}_{'_'.join([str(dtype.num)] * 3)}"
    lowering.outside[symbol] = (address, data)
    # An axis that is not there has one element, and steps of nothing.
    sizes: list[Operand] = [1, *(rows or (1,)), x.dims[-1], *(columns or (1,))]
    steps: list[Operand] = [0, 0, 0]
    steps += x.strides if rows else (0, *x.strides)
    steps += y.strides if columns else (*y.strides, 0)
    steps += [made.strides[0] if rows else 0, made.strides[-1] if columns else 0]
    operands = (x.data, y.data, made.data, *sizes, *steps)
    product = Instruction("product", (), operands, symbol=symbol)
    lowering.block.instructions.append(product)
    if made.dims:
        lowering.values[variable] = made
        lowering.hold(variable, made.object, lowering.place[0])
        lowering.warned += [step] if dtype.kind in "fc" else []
    else:
        lowering.give(step, *load(lowering, made))


LOWER[MATMUL] = OF_ARRAYS[MATMUL] = matmul
