"""walking: the steps of a program, at every depth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from runtime.backends.numpy.program import Body, Step, Variable
from runtime.graph import Node


def walk(bodies: Iterable[Body]) -> Iterator[Step]:
    """Every step of these bodies and of those in them."""
    for body in bodies:
        for step in body.steps:
            yield step
            yield from walk(step.bodies)


def own_steps(body: Body) -> Iterator[Step]:
    """The steps of a body and of the branches in it, but not of the loops in it."""
    for step in body.steps:
        if step.node.op.name != "constant":
            yield step
        if step.node.op.name == "if":
            for inner in step.bodies:
                yield from own_steps(inner)


def by_node(steps: Iterable[Step]) -> dict[Node, Step]:
    """The steps in the bodies of these, by their nodes."""
    bodies = [body for step in steps for body in step.bodies]
    return {inner.node: inner for inner in walk(bodies)}


def tests_around(body: Body) -> Iterator[Body]:
    """Of this body and those around it the tests of loops."""
    while body.parent is not None:
        step = body.parent.steps[body.position]
        if step.carried and body is step.bodies[0]:
            yield body
        body = body.parent


def is_in_loop(body: Body) -> bool:
    """Whether this body, or one around it, is a loop's."""
    while body.parent is not None:
        if body.parent.steps[body.position].node.op.name == "while":
            return True
        body = body.parent
    return False


def captures(step: Step) -> list[Variable]:
    """What the loop only reads, each once; numbers that are constants left out."""
    found = dict.fromkeys(step.inputs[len(step.carried) :])
    return [v for v in found if not (v.constant and v.spec.shape == ())]


def around(body: Body) -> tuple[Body, int]:
    """The body around this one, and where in it this one stands."""
    assert body.parent is not None
    return body.parent, body.position
