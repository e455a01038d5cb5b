"""given_parts: parts of arrays that branches and loops give.

`r = z[i]` in one branch, or in each turn of a loop, is a part of z there and behind it:
its locals are the object that owns the memory, and where in it the part lies. What the
other branch gives, or what a loop begins with, may be an array of its own; then the
object is the array itself. Only where a value leaves machine code is an object made of
it, so that Python gets the view that NumPy would have given.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from runtime.backends.llvm.loops import Array, Local, Map, Operand, Value
from runtime.backends.numpy.program import Step, Variable
from runtime.passes.unview import VIEWS
from runtime.structs import replace

Values = Mapping[Variable, Value | Map]


def as_part(value: Value) -> Value:
    """The locals of what a branch or a loop gives, which may be a part."""
    if not isinstance(value, Array):
        return value
    return replace(value, is_view=True, may_be_whole=True)


def gives_part(values: Values, step: Step, place: int) -> bool:
    """Whether what an `if` gives, or a loop at the end of a turn, may be a part.

    values: what has been come to, which says what it is
    """
    if not step.outputs[place].spec.shape:
        return False
    waiting, seen = [*_ends(step, place)], set[Variable]()
    while waiting:
        variable = waiting.pop()
        if variable in seen:
            continue
        seen.add(variable)
        value = values.get(variable)
        if value is not None:
            if isinstance(value, Array) and value.is_view:
                return True
        elif variable.index >= 0:
            maker = variable.home.steps[variable.index]
            # What turns a view back gives the array again, of which that is one.
            is_view = maker.node.op.name in VIEWS and not maker.turns_back
            if maker.of_part or is_view:
                return True
            waiting += _sources(maker, variable)
    return False


def _ends(step: Step, place: int) -> Iterable[Variable]:
    bodies = step.bodies[1:] if step.carried else step.bodies
    return (body.outputs[place] for body in bodies)


def _sources(maker: Step, variable: Variable) -> list[Variable]:
    """What a value may be of the things that a step has taken, or its bodies give."""
    if maker.node.op.name in ("if", "while"):
        place = maker.outputs.index(variable)
        return [
            *_ends(maker, place),
            *(maker.inputs[place:][:1] if maker.carried else ()),
        ]
    return maker.inputs[:1] if maker.in_place else []


def may_be_one(array: Array, other: Array, made_here: set[Operand]) -> bool:
    """Whether what is in two locals may be one object.

    One that is made here is no other, unless a branch or a loop has given it since.
    """
    pairs = ((array, other), (other, array))
    if array.object is other.object or not any(
        one.object in made_here for one, _ in pairs
    ):
        return True
    return any(
        made.object in made_here
        and given.object not in made_here
        and _is_later(given.object, made.object)
        for made, given in pairs
    )


def _is_later(local: Operand, other: Operand) -> bool:
    """Whether there was one local before another: they are numbered."""
    assert isinstance(local, Local)
    assert isinstance(other, Local)
    return int(local.name[1:]) > int(other.name[1:])
