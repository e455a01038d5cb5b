"""alive: what going on from a step needs, so what an exit hands to Python."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence

from runtime.backends.llvm.loops import Array, Map, Value
from runtime.backends.llvm.span import Span, is_constant
from runtime.backends.numpy.program import Body, Step, Variable

# Steps, what is used beside them, and what they give in the end.
Leg = tuple[Sequence[Step], Sequence[Variable], Sequence[Variable]]


def needed(
    span: Span, body: Body, position: int, values: Mapping[Variable, Value | Map]
) -> list[Variable]:
    """The variables that the rest of the span from this step on needs, each once."""
    found: dict[Variable, None] = {}
    made: set[Variable] = set()
    for steps, used, given in way(span, body, position):
        for step in steps:
            found.update(_sources(step.inputs, made, values))
            made.update(step.outputs)
        found.update(_sources(used, made, values))
        made.update(given)
    return list(found)


def _sources(
    used: Sequence[Variable],
    made: Container[Variable],
    values: Mapping[Variable, Value | Map],
) -> dict[Variable, None]:
    """What is to be handed for these; what is made anew needs its own sources."""
    found: dict[Variable, None] = {}
    seen: set[Variable] = set()
    waiting = [*reversed(used)]
    while waiting:
        variable = waiting.pop()
        if variable in made or variable in seen:
            continue
        seen.add(variable)
        if _is_made_anew(variable, values):
            waiting += reversed(variable.home.steps[variable.index].inputs)
        else:
            found[variable] = None
    return found


def way(span: Span, body: Body, position: int) -> Iterator[Leg]:
    """What is run from this step to the span's end, inner bodies first."""
    while body is not span.body:
        yield body.steps[position:], body.outputs, ()
        parent = body.parent
        assert parent is not None, "a body of the span has one around it"
        step = parent.steps[body.position]
        used = step.inputs[len(step.carried) :] if step.carried else []
        if body is step.bodies[0]:
            # A test that is left half-way is asked once more.
            used = [*used, *step.carried]
        yield (), used, step.outputs
        body, position = parent, body.position + 1
    yield body.steps[position : span.stop], span.outputs, ()


def _is_made_anew(variable: Variable, values: Mapping[Variable, Value | Map]) -> bool:
    """Whether Python makes it itself: a constant, a view or a Map of what is handed."""
    value = values.get(variable)
    if isinstance(value, Array) and value.is_view:
        # What has been written into a part is handed as the part.
        return variable.home.steps[variable.index].node.op.view
    return isinstance(value, Map) or is_constant(variable)
