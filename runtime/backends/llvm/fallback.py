"""fallback: an op without machine code, called from machine code as Python.

Its operands are put into objects, the executor's own function for the one step is
called, and what it gives is taken out again. So a loop with a sort or a matrix product
in it is machine code, but for that step.
"""

from __future__ import annotations

from runtime.backends.llvm.blocks import materialized
from runtime.backends.llvm.loops import (
    Instruction,
    Map,
    Referred,
    TypedList,
    Value,
    locals_of,
)
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.resuming import taken_by
from runtime.backends.llvm.span import is_pure, is_text, says
from runtime.backends.llvm.values import NotLowered
from runtime.backends.numpy.program import Step, Variable


def by_python(lowering: Lowering, step: Step) -> None:
    """A step without effects but stores in place, or a print, as a call of Python.

    A text is nothing until it is wanted: what is called, or left to, makes it.
    """
    if all(map(is_text, step.outputs)) and step.outputs:
        return
    if says(step):
        lowering.says = True
    elif is_pure(step):
        lowering.calls += 1
    else:
        raise NotLowered(step.node.op.name)
    if step.in_place and len(step.outputs) > 1:
        # It would be done once more if an item were of another type.
        raise NotLowered(f"{step.node.op.name} in place")
    results = tuple(lowering.entering(variable) for variable in step.outputs)
    call_python(lowering, step, results)
    for variable, value in zip(step.outputs, results, strict=True):
        lowering.values[variable] = value
        if isinstance(value, Referred):
            lowering.hold(variable, value.object, lowering.place[0])


def call_python(lowering: Lowering, step: Step, results: tuple[Value, ...]) -> None:
    """The call, which writes the locals of the results."""
    values = tuple(
        whole(lowering, variable) for variable in taken_by(lowering.span, step)
    )
    if any(isinstance(value, TypedList) for value in (*values, *results)):
        # Each call would make a Python list of it.
        raise NotLowered("a list of numbers in memory that Python is given")
    exit = lowering.exit()
    symbol = f"step_{len(lowering.called)}"
    lowering.called[symbol] = step
    outs = tuple(local for value in results for local in locals_of(value))
    made = Instruction(
        "python", outs, symbol=symbol, exit=exit, values=values, results=results
    )
    lowering.block.instructions.append(made)


def whole(lowering: Lowering, variable: Variable) -> Value:
    """An operand of which there is an object; a Map is made an array."""
    value = lowering.values.get(variable)
    if not isinstance(value, Map):
        return lowering.value(variable)
    array = lowering.values[variable] = materialized(lowering, value)
    lowering.hold(variable, array.object, lowering.place[0])
    return array
