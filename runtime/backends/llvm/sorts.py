"""sorts: `np.sort` and `np.argsort`, by NumPy's own functions, not by Python."""

from __future__ import annotations

from runtime.backends.llvm.arrays import give_array
from runtime.backends.llvm.blocks import strides_of
from runtime.backends.llvm.ends import asked
from runtime.backends.llvm.fallback import whole
from runtime.backends.llvm.loops import INT, POINTER, Array, Instruction, Local
from runtime.backends.llvm.lowering import LOWER, OF_ARRAYS, Lowering
from runtime.backends.llvm.values import NotLowered, machine_type
from runtime.backends.numpy.program import Step

# NumPy's numbers for the ways to sort.
WAYS = {None: 0, "quicksort": 0, "heapsort": 1, "mergesort": 2, "stable": 2}


def sort(lowering: Lowering, step: Step) -> None:
    """A sorted copy, or the indices that sort, along an axis."""
    (variable,) = step.outputs
    known, dtype = step.node.attributes, variable.spec.dtype
    axis, kind = known.get("axis", -1), known.get("kind")
    shape = step.inputs[0].spec.shape
    if step.in_place or dtype is None or not shape or kind not in WAYS:
        raise NotLowered("a sort in place, or of what has no dims")
    if axis is None:
        if len(shape) > 1:
            raise NotLowered("a sort of all elements of several dims")
        axis = 0
    x = whole(lowering, step.inputs[0])
    if not isinstance(x, Array):
        raise NotLowered("a sort of no array")
    machine_type(dtype)
    made = (lowering.local(POINTER), lowering.local(POINTER))
    # A sorted copy of several dims lies as its operand does, all else in C's order.
    is_in_order = step.node.op.name == "argsort" or len(x.dims) == 1
    outs = () if is_in_order else tuple(lowering.local(INT) for _ in x.dims)
    strides = outs or strides_of(lowering, dtype, x.dims)
    instruction = Instruction(
        step.node.op.name,
        (*made, *outs),
        (axis, WAYS[kind]),
        exit=lowering.exit(),
        values=(x,),
        symbol=_symbol(lowering, step, x),
    )
    lowering.block.instructions.append(instruction)
    give_array(lowering, step, Array(dtype, *made, x.dims, strides))


def _symbol(lowering: Lowering, step: Step, x: Array) -> str:
    """How many positions are asked at the two ends, if only few of them."""
    if step.node.op.name != "argsort" or not isinstance(x.object, Local):
        return ""
    first, last = asked(step, lowering.span.outputs)
    return f"{first} {last}" if first or last else ""


LOWER |= {"sort": sort, "argsort": sort}
OF_ARRAYS |= {"sort": sort, "argsort": sort}
