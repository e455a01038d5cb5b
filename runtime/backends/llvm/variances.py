"""variances: `np.var` and `np.std` of rows, as NumPy computes them: by two sums.

The mean, the squares of what is beside it, their sum: expressions, as what takes it is.
"""

from __future__ import annotations

from runtime.backends.llvm.chains import give
from runtime.backends.llvm.fallback import whole
from runtime.backends.llvm.folding import folded, leave_unless_rows
from runtime.backends.llvm.loops import BIT, INT, Array, Map, Number
from runtime.backends.llvm.lowering import OF_ARRAYS, Lowering
from runtime.backends.llvm.maps import divided
from runtime.backends.llvm.meeting import is_of_rows
from runtime.backends.llvm.pieces import dropped, is_dropped, is_one
from runtime.backends.llvm.values import NotLowered
from runtime.backends.numpy.program import Step

KNOWN = frozenset({"axis", "keepdims", "ddof"})


def variance(lowering: Lowering, step: Step) -> None:
    """Of floats, along the last axis of several."""
    (variable,), known = step.outputs, step.node.attributes
    value, ddof = _rows(lowering, step), known.get("ddof", 0)
    if not KNOWN.issuperset(known) or type(ddof) is not int:
        raise NotLowered("a variance by other means")
    dtype, dims = value.dtype, value.dims
    if dtype.kind != "f" or variable.spec.dtype != dtype or is_one(dims[-1]):
        raise NotLowered(f"a variance of {dtype}")
    count = lowering.compute("sub", INT, dims[-1], ddof, type=INT)
    # Of fewer elements NumPy warns.
    lowering.leave_if(lowering.compute("icmp slt", BIT, count, 1, type=INT))
    leave_unless_rows(lowering, value)
    mean = divided(lowering, folded(lowering, value, "add"), dims[-1])
    beside = Map(dtype, dims, "subtract", (value, mean))
    squares = Map(dtype, dims, "multiply", (beside, beside))
    made = divided(lowering, folded(lowering, squares, "add"), count)
    if step.node.op.name == "std":
        made = Map(dtype, made.dims, "sqrt", (made,))
    lowering.warned.append(step)
    give(lowering, step, made if known.get("keepdims") else dropped(made), step.inputs)


def _rows(lowering: Lowering, step: Step) -> Array | Map:
    """What is reduced, row by row."""
    if not is_of_rows(step):
        raise NotLowered("a variance of other than rows")
    value = lowering.operand(step.inputs[0])
    if is_dropped(value):
        whole(lowering, step.inputs[0])
        value = lowering.operand(step.inputs[0])
    assert not isinstance(value, Number)
    return value


OF_ARRAYS |= {"var": variance, "std": variance}
