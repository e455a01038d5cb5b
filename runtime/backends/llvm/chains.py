"""chains: what elementwise ops of whole arrays become: one loop for a chain of them.

The result of such an op is not computed at once: it is a Map, an expression of its
elements, which the one op that uses it computes with its own, or stores where it goes.
What is used twice, or by anything else, is made an array where it stands. So is what
something that may write memory comes after.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from typing import Any

import numpy as np

from runtime.backends.llvm.blocks import leave_unless_in_order, materialized
from runtime.backends.llvm.elements import DEAR
from runtime.backends.llvm.fallback import whole
from runtime.backends.llvm.in_place import place_of, write_into
from runtime.backends.llvm.loops import Array, Map, Number, Numeric, Operand
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.maps import broadcast, repeats, with_axis
from runtime.backends.llvm.operations import as_taken, dtypes_of, expression_of
from runtime.backends.llvm.pieces import (
    Expression,
    counts_of,
    dropped,
    inside,
    is_dropped,
    is_folded,
    is_one,
)
from runtime.backends.llvm.powers import power_of, require_numpys
from runtime.backends.llvm.references import Hold
from runtime.backends.llvm.row_block import BUFFERS
from runtime.backends.llvm.stack import result_array
from runtime.backends.llvm.values import NotLowered, ufunc_of
from runtime.backends.numpy.program import Body, Step, Variable
from runtime.failing import may_fail
from runtime.graph import STORED
from runtime.memory import STORES
from runtime.structs import struct

# Of what several steps take: the terms of the expression, and the loops in it.
TERMS, LOOPS = 64, 6
# Of any: each loop needs a buffer, and what it is given one more; each step that is
# added asks something of all terms.
MOST_TERMS, MOST_LOOPS = 256, BUFFERS // 2


def elementwise(lowering: Lowering, step: Step) -> None:
    """A ufunc of arrays."""
    ufunc, inputs = _ufunc_of(lowering, step)
    if ufunc is np.power and lowering.precise:
        require_numpys(inputs[1], step.outputs[0])
    operands, drops = as_rows(lowering, inputs)
    (variable,) = step.outputs
    dtype, is_into = variable.spec.dtype, step.node.op.name == "ufunc_into"
    found = dtypes_of(ufunc, operands)
    if dtype is None or not (is_into or found[-1] == dtype) or ufunc.nout != 1:
        raise NotLowered(f"{step.node.op.name} that gives {found[-1]}")
    if not np.can_cast(found[-1], dtype, "same_kind"):
        raise NotLowered(f"{found[-1]} into {dtype}")  # NumPy refuses it, at the run
    args = as_taken(lowering, operands, found)
    if is_into:
        dims = _dims_of_out(lowering, step, args, drops)
    else:
        dims = broadcast(lowering, args)
    made = expression_of(lowering, step, ufunc, found, args, dims)
    lowering.outside |= made.outside
    if found[-1] != dtype:
        made = Map(dtype, dims, "cast", (made,))
    # NumPy warns where complex numbers that are NaN are put in order.
    if dtype.kind in "fc" or found[0].kind == "c":
        lowering.warned.append(step)
    give(lowering, step, dropped(made) if drops else made, inputs)


def _dims_of_out(
    lowering: Lowering, step: Step, args: Sequence[Numeric | Map], drops: bool
) -> tuple[Operand, ...]:
    """The dims of the array that a ufunc is told to write into, which its result fits.

    Where it does not Python is asked, so that NumPy says so.
    """
    out = lowering.operand(step.inputs[0])
    if isinstance(out, Number) or not out.dims:
        raise NotLowered("a result in a number")
    if not step.in_place and isinstance(out, Array):
        leave_unless_in_order(lowering, out)  # a copy lies as it does
    rows: Any = out
    if drops:
        rows = inside(out) if is_dropped(out) else with_axis(out, 0, lowering.widened)
    made, dims = broadcast(lowering, (*args, rows)), tuple(rows.dims)
    if len(made) > len(dims):
        raise NotLowered("a result of more dims than where it is written")
    for size, known in zip(made, dims, strict=True):
        if size is not known:
            lowering.leave_unless_equal(size, known)
    return dims


def as_rows(
    lowering: Lowering, inputs: Sequence[Variable]
) -> tuple[list[Numeric | Map], bool]:
    """The operands; with an axis more at their end where one of them has dropped that.

    Numbers of rows that an axis before the last repeats are made an array first.
    """
    found = [lowering.operand(variable) for variable in inputs]
    dims = repeats(found)
    for at, (variable, operand) in enumerate(zip(inputs, found, strict=True)):
        if is_folded(operand) and not is_aligned(operand, dims):
            whole(lowering, variable)
            found[at] = lowering.operand(variable)
    if not any(map(is_dropped, found)):
        return found, False
    for at, (variable, operand) in enumerate(zip(inputs, found, strict=True)):
        if is_dropped(operand):
            found[at] = inside(operand)
            continue
        if is_folded(operand):
            whole(lowering, variable)
            operand = lowering.operand(variable)
        if not isinstance(operand, Number):
            found[at] = with_axis(operand, 0, lowering.widened)
    return found, True


def is_aligned(value: Expression, dims: Sequence[bool]) -> bool:
    """Whether no axis of a value is repeated in a result, but for the last of rows.

    dims: of each axis of the result, whether its size is 1
    """
    assert not isinstance(value, Number)
    axes = len(value.dims) if is_dropped(value) else len(value.dims) - 1
    mine = [is_one(size) for size in value.dims]
    return len(mine) == len(dims) and mine[:axes] == [*dims[:axes]]


def _ufunc_of(lowering: Lowering, step: Step) -> tuple[np.ufunc, list[Variable]]:
    """The ufunc that a step is, and its operands."""
    ufunc, name = step.node.op.numpy, step.node.op.name
    if name == "ufunc_into":
        return step.node.attributes["ufunc"], step.inputs[1:]
    if name == "array_power":
        return power_of(lowering, step)
    found = ufunc_of(step.node, lowering.precise)
    if found is None or (found is ufunc and step.node.attributes):
        raise NotLowered(f"{name} of arrays")
    return found, step.inputs


def give(lowering: Lowering, step: Step, made: Map, inputs: Sequence[Variable]) -> None:
    """The step's result: the Map itself where one op or few take it, else an array.

    That is the operand's which the program says to be free, or one of its own.
    """
    (variable,) = step.outputs
    if lowering.leaves_all:
        lowering.values[variable] = made
        return
    reads = lowering.reads_of(inputs)
    place = place_of(lowering, step)
    if place is not None and step.stored is None:
        _refuse_view(lowering, step, place)
    end = lowering.end_of(variable.home)
    if not _is_taken(lowering, variable, end, place, made, reads):
        if place is not None and write_into(lowering, place, step, made):
            return
        array = materialized(lowering, made, partial(result_of, variable))
        lowering.values[variable] = array
        lowering.hold(variable, array.object, lowering.place[0])
        return
    lowering.values[variable] = made
    # What it reads stays until it is computed.
    for hold in reads:
        hold.add(variable)
        lowering.read_by.setdefault(variable, []).append(hold)


def is_left(
    lowering: Lowering, step: Step, made: Map, inputs: Sequence[Variable]
) -> bool:
    """Whether a step's result is left as an expression for the steps that take it."""
    (variable,) = step.outputs
    end = lowering.end_of(variable.home)
    reads = lowering.reads_of(inputs)
    return _is_taken(lowering, variable, end, place_of(lowering, step), made, reads)


def _refuse_view(lowering: Lowering, step: Step, place: Variable) -> None:
    """NotLowered: the program changes a view, which nothing puts back into its array.

    What fails later leaves the array changed, which the change of a copy does not.
    """
    if step.node.into not in (None, STORED) and lowering.array_of(place).is_view:
        raise NotLowered("a change of a view that nothing puts back")


def result_of(
    variable: Variable,
    lowering: Lowering,
    dtype: np.dtype[Any],
    dims: Sequence[Operand],
) -> Array:
    """The array that a variable is to have."""
    return result_array(lowering, variable, dtype, dims)


def _is_cheap(made: Map) -> bool:
    """Whether computing it once more costs less than an array of it."""
    simple = not made.symbol and made.op not in DEAR
    return simple and not any(isinstance(arg, Map) for arg in made.args)


def _has_at_most(made: Map, most: int, loops: int) -> bool:
    """Whether it is made of so few terms, and so few loops of NumPy's."""
    counts = counts_of(made)
    return counts.maps <= most and counts.loops <= loops


def _is_taken(
    lowering: Lowering,
    variable: Variable,
    end: int,
    place: Variable | None,
    made: Map,
    reads: Collection[Hold],
) -> bool:
    """Whether steps of the same body take it, and none before the last writes.

    One step alone, or one in each branch, but of what is cheap or is computed once for
    them all; place: the memory that it is to be in; reads: that it is made of
    """
    body, position = variable.home, lowering.place[1]
    last = body.last_use.get(variable, -1)
    if last >= end or last <= position or variable in body.kept:
        return False
    if not _has_at_most(made, MOST_TERMS, MOST_LOOPS):
        return False
    if place is not None:
        between = body.steps[position + 1 : last]
        if body.steps[last].bodies or _fail(variable, between):
            return False
    is_small = _has_at_most(made, TERMS, LOOPS)
    meets = is_small and lowering.meeting.step_of(variable) is not None
    is_cheap = _is_cheap(made) and place is None
    takers = _Takers(lowering, variable, is_cheap, meets, reads)
    return takers.are_all(body, position + 1)


@struct(frozen=False)
class _Takers:
    """What is asked of the steps that take a Map; see `_is_taken`."""

    lowering: Lowering
    variable: Variable
    is_cheap: bool
    meets: bool
    reads: Collection[Hold]

    def are_all(self, body: Body, first: int) -> bool:
        """Whether those of a body from a step on will do; there may be none."""
        variable = self.variable
        last = body.last_use.get(variable)
        if last is None:
            return True
        if last >= len(body.steps):
            return False
        between = body.steps[first:last]
        using = [one for one in (*between, body.steps[last]) if variable in one.inputs]
        if any(_may_write(self.lowering, step, self.reads) for step in between):
            return False
        enough = len(using) == 1 or self.is_cheap or self.meets
        return enough and all(map(self._takes, using))

    def _takes(self, step: Step) -> bool:
        name, variable = step.node.op.name, self.variable
        if name == "if" and step.inputs[0] is not variable:
            return all(self.are_all(branch, 0) for branch in step.bodies)
        return self.lowering.meeting.takes(step, variable)


def _may_write(lowering: Lowering, step: Step, memory: Collection[Hold]) -> bool:
    """Whether a step may write into one of these."""
    if step.bodies or (step.node.op.name in STORES and step.into is None):
        return True
    into = step.into
    while into is not None and isinstance(lowering.values.get(into), Map):
        into = into.home.steps[into.index].into
    # What is not held yet will be memory of its own, or that of a step in between.
    return into is not None and lowering.held.get(into) in memory


def _fail(variable: Variable, steps: Sequence[Step]) -> bool:
    """Whether one of these may raise, when Python has changed an array already."""
    before = [step.node for step in variable.home.steps] if steps else []
    return any(may_fail(step.node, before[: before.index(step.node)]) for step in steps)
