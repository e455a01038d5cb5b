"""fallback: an op without machine code, called from machine code as Python.

Its operands are put into objects, the executor's own function for the one step is
called, and what it gives is taken out again. So a loop with a sort or a matrix product
in it is machine code, but for that step.
"""

from __future__ import annotations

from runtime.backends.llvm.blocks import materialized
from runtime.backends.llvm.in_place import place_of, write_into
from runtime.backends.llvm.loops import (
    Instruction,
    Map,
    Referred,
    TypedList,
    Value,
    locals_of,
)
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.maps import leaves_of
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
    there = _in_place(lowering, variable, value)
    if there is not None:
        return there
    array = lowering.values[variable] = materialized(lowering, value)
    lowering.hold(variable, array.object, lowering.place[0])
    return array


def _in_place(lowering: Lowering, variable: Variable, value: Map) -> Value | None:
    """The array that the program says it to be written into, if it does.

    What follows may raise, and this has been changed before.
    """
    step = variable.home.steps[variable.index]
    place = place_of(lowering, step)
    if place is None:
        return None
    object = lowering.array_of(place).object
    others = [lowering.values[one] for one in _alive(lowering) if one is not variable]
    leaves = [leaf for one in others if isinstance(one, Map) for leaf in leaves_of(one)]
    if any(leaf.object is object for leaf in leaves):
        raise NotLowered("an expression of what lies there before a change")
    if not write_into(lowering, place, step, value):
        return None
    return lowering.value(variable)


def _alive(lowering: Lowering) -> list[Variable]:
    """The variables that this step or later ones take."""
    body, position = lowering.place
    return [
        one
        for one in lowering.values
        if one.home is not body or body.last_use.get(one, -1) >= position
    ]
