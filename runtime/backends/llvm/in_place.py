"""in_place: results that are computed into an array which is there.

The program says of a step into which array its result goes: `x *= 2`. What of that is
left as an expression is computed there, too, when somebody wants an array of it.
"""

from __future__ import annotations

from runtime.backends.llvm.blocks import leave_unless_in_order
from runtime.backends.llvm.loops import Map
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.operands import source_of
from runtime.backends.llvm.overlapping import store_map
from runtime.backends.numpy.program import Step, Variable
from runtime.passes.unview import VIEWS, undoes


def place_of(lowering: Lowering, step: Step) -> Variable | None:
    """The array whose memory the result is to be in, if there is one."""
    into, values = step.into, lowering.values
    # What is not computed yet is to go where the array is that it is made of.
    while into is not None and isinstance(values.get(into), Map):
        into = into.home.steps[into.index].into
    if into is not None:
        lowering.operand(into)  # which is to be one
    return into


def write_into(lowering: Lowering, into: Variable, step: Step, made: Map) -> bool:
    """Compute the result into an array that is there.

    False where that is a part which nothing puts back.
    """
    array = lowering.array_of(into)
    if array.is_view and step.stored is None and not is_put_back(step):
        return False
    for size, known in zip(made.dims, array.dims, strict=True):
        if size is not known:
            lowering.leave_unless_equal(size, known)
    if step.in_order:
        leave_unless_in_order(lowering, array)
    store_map(lowering, array, made)
    note_written(lowering, step, into)
    return True


def is_put_back(step: Step) -> bool:
    """Whether the next steps give again what the part is of, which holds it then.

    They store the part, which lies there, or turn it back: `x.T[:] += 1`.
    """
    (made,), place = step.outputs, step.into or step.inputs[0]
    for one in made.home.steps[made.index + 1 :]:
        if one.there or one.lent:
            return one.inputs[1] is made
        if one.node.op.name not in VIEWS or one.inputs[0] is not made:
            return False
        taker = _taker(place)
        if taker is not None and undoes(one.node, taker.node, is_taken=True):
            place = taker.inputs[0]
            if _taker(place) is None:
                return True
        (made,) = one.outputs
    return False


def _taker(part: Variable) -> Step | None:
    """The step that takes a part, or a view; None for an array of its own."""
    step = part.home.steps[part.index] if part.index >= 0 else None
    return step if step is not None and step.node.op.view else None


def note_written(lowering: Lowering, step: Step, target: Variable) -> None:
    """The result of a step is the array of `target`, which it has written into."""
    (variable,) = step.outputs
    lowering.values[variable] = lowering.values[target]
    lowering.join(variable, target)
    by = lowering.overwritten if step.into else lowering.written
    by.update(lowering.held[target].variables)


def is_carried(place: Variable) -> bool:
    """Whether it is what a loop carries, or was that before it was changed."""
    before: Variable | None = None
    while before is not place:
        before, place = place, source_of(place.home, place)
    parent = place.home.parent
    if parent is None or place.index >= 0:
        return False
    return place in parent.steps[place.home.position].carried
