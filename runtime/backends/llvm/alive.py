"""alive: what going on from a step of a loop needs, so what an exit hands to Python."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from runtime.backends.llvm.loops import Array, Map, Value
from runtime.backends.numpy.program import Body, Step, Variable

# Steps, what is used beside them, and what they give in the end.
Leg = tuple[Sequence[Step], Sequence[Variable], Sequence[Variable]]


def needed(
    loop: Step, body: Body, position: int, values: Mapping[Variable, Value | Map]
) -> list[Variable]:
    """The variables that the rest of `loop` from this step on needs, each once."""
    found: dict[Variable, None] = {}
    made: set[Variable] = set()

    def use(variable: Variable) -> None:
        if variable in made:
            return
        if _is_made_anew(variable, values):
            for source in variable.home.steps[variable.index].inputs:
                use(source)
        else:
            found[variable] = None

    for steps, used, given in _way(loop, body, position):
        for step in steps:
            for variable in step.inputs:
                use(variable)
            made.update(step.outputs)
        for variable in used:
            use(variable)
        made.update(given)
    return list(found)


def _way(loop: Step, body: Body, position: int) -> Iterator[Leg]:
    """What is run from this step to the loop's end, inner bodies first."""
    step = None
    while step is not loop:
        yield body.steps[position:], body.outputs, ()
        parent = body.parent
        assert parent is not None, "a loop's body has one around it"
        step = parent.steps[body.position]
        used = step.inputs[len(step.carried) :] if step.carried else []
        if body is step.bodies[0]:
            # A test that is left half-way is followed by a turn of the body.
            used = [*used, *step.carried]
        yield (), used, step.outputs
        body, position = parent, body.position + 1


def _is_made_anew(variable: Variable, values: Mapping[Variable, Value | Map]) -> bool:
    """Whether Python makes it itself: a constant, a view or a Map of what is handed."""
    value = values.get(variable)
    if isinstance(value, Map) or (isinstance(value, Array) and value.is_view):
        return True
    if variable.index < 0:
        return False
    return variable.home.steps[variable.index].node.op.name == "constant"
