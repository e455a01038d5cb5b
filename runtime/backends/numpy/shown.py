"""Shown: which reshapes must lie where NumPy has them, since an input is written there.

A reshape may be a view or a copy, by how its array lies, and what is computed of it is
the same. But a run that raises leaves in its inputs what it has written by then.
"""

from __future__ import annotations

from runtime.backends.numpy.program import Body, Step, Variable
from runtime.memory import makes_its_own


def written(program: Body) -> set[Variable]:
    """What is written in place, itself or by something that may lie in its memory."""
    found: set[Variable] = set()
    while True:
        before = len(found)
        _look(program, found)
        if len(found) == before:
            return found


def _look(body: Body, found: set[Variable]) -> None:
    """Go from what is written to where that may lie, at every depth."""
    for step in reversed(body.steps):
        if step.in_place:
            found.add(step.inputs[0])
        found.update(step.inputs[at] for at in step.written)
        if step.into is not None:
            found.add(step.into)
        found.update(_GIVEN.get(step.node.op.name, _of_plain)(step, found))
        for inner in step.bodies:
            _look(inner, found)


def _of_plain(step: Step, found: set[Variable]) -> list[Variable]:
    """What its results, if they are written, may lie in."""
    if step.bodies:
        return [*step.inputs, *(end for inner in step.bodies for end in inner.outputs)]
    if makes_its_own(step.node) or found.isdisjoint(step.outputs):
        return []
    return step.inputs[:1] if step.node.op.view else step.inputs


def _of_branches(step: Step, found: set[Variable]) -> list[Variable]:
    return [
        end
        for inner in step.bodies
        for output, end in zip(step.outputs, inner.outputs, strict=True)
        if output in found
    ]


def _of_loop(step: Step, found: set[Variable]) -> list[Variable]:
    given: list[Variable] = []
    ends = step.bodies[1].outputs
    for at, (own, end) in enumerate(zip(step.carried, ends, strict=True)):
        if own in found or step.outputs[at] in found:
            given += [own, end] if at in step.copied else [own, end, step.inputs[at]]
    return given


def _of_call(step: Step, found: set[Variable]) -> list[Variable]:
    """A level of a recursion may write all that it is given."""
    return step.inputs


_GIVEN = {"if": _of_branches, "while": _of_loop, "call": _of_call}
