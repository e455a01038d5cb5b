"""span: the steps that are compiled together."""

from __future__ import annotations

from runtime.backends.numpy.program import Body, Step, Variable
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


def is_pure(step: Step) -> bool:
    """Whether nobody can tell when, and how often, a step is run."""
    return bool(step.outputs) and not (step.node.effects or step.node.graphs)
