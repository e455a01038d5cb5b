"""span: the steps that are compiled together."""

from __future__ import annotations

from runtime.backends.numpy.program import Body, Step, Variable
from runtime.failing import may_fail
from runtime.spec import TensorSpec, object_type
from runtime.structs import struct


@struct(eq=False, frozen=False)
class Span:
    """Steps of a body that are compiled together, and what they give in the end."""

    body: Body
    first: int
    stop: int
    outputs: list[Variable]

    @property
    def steps(self) -> list[Step]:
        """The steps."""
        return self.body.steps[self.first : self.stop]


def is_constant(variable: Variable) -> bool:
    """Whether the graph holds it."""
    if variable.index < 0:
        return False
    return variable.home.steps[variable.index].node.op.name == "constant"


def is_inside(span: Span, variable: Variable) -> bool:
    """Whether one of the steps gives it, or one within them."""
    body, place = variable.home, variable.index
    while body is not span.body:
        if body.parent is None:
            return False
        body, place = body.parent, body.position
    return span.first <= place < span.stop


def is_text(variable: Variable) -> bool:
    """Whether it is a text of numbers, which Python makes where it wants it.

    Numbers do not change. To make it cannot fail, or it is wanted before anything else
    is done that could be told.
    """
    step = _text_step(variable)
    if step is None or not is_pure(step):
        return False
    if not all(_is_shown(one) or is_text(one) for one in step.inputs):
        return False
    return not may_fail(step.node, ()) or _is_wanted_next(variable)


def _text_step(variable: Variable) -> Step | None:
    """The step that gives a text."""
    if variable.index < 0 or object_type(variable.spec) is not str:
        return None
    return variable.home.steps[variable.index]


def _is_shown(variable: Variable) -> bool:
    spec = variable.spec
    if type(spec) is not TensorSpec or spec.shape != () or spec.dtype is None:
        return is_constant(variable)
    return spec.dtype.kind in "biufc"


def _is_wanted_next(variable: Variable) -> bool:
    """Whether the next step that does something takes it, or a text of it."""
    taken = {variable}
    for step in variable.home.steps[variable.index + 1 :]:
        takes = not taken.isdisjoint(step.inputs)
        if not is_pure(step) or step.in_place:
            return takes and step.node.op.name in TELLS
        if takes:
            taken.update(step.outputs)
    return False


# Done where its turn comes, once, and of no result: Python may be called to do it.
SAYS = frozenset({"print"})
# What takes texts.
TELLS = SAYS | {"raise", "assert"}


def says(step: Step) -> bool:
    """Whether a step only tells the world something."""
    return step.node.op.name in SAYS


def is_pure(step: Step) -> bool:
    """Whether nobody can tell when, and how often, a step is run."""
    return bool(step.outputs) and not (step.node.effects or step.node.graphs)
