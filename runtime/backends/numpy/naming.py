"""Which values can be made at once under the name where they are wanted.

A branch's result is wanted under the name of the `if`'s result, a loop's next value
under that of its carried value. That saves a move, where nothing reads what the name
held before.
"""

from __future__ import annotations

from collections.abc import Iterable

from runtime.backends.numpy.program import Body, Step, Variable

# A wanted name, and the variable that holds it where the wanting block begins.
Target = tuple[str, Variable | None]


def direct(body: Body, targets: list[Target]) -> dict[Variable, Target]:
    """The outputs of `body` that can be made under the name where they are wanted."""
    wanted: dict[Variable, Target] = {}
    for target, variable in zip(targets, body.outputs, strict=True):
        if variable.home is not body or variable.index < 0 or variable in wanted:
            continue
        _, holder = target
        if holder is None or _is_free(holder, body, variable):
            wanted[variable] = target
    return wanted


def _is_free(holder: Variable, body: Body, variable: Variable) -> bool:
    """True when nothing reads `holder` once `variable` has been made."""
    last = body.last_use.get(holder, -1)
    step = body.steps[variable.index]
    if last != variable.index or step.node.op.name != "while":
        return last <= variable.index
    # The loop changes the name from its first turn on: it may only start from it.
    position = step.outputs.index(variable)
    return step.inputs[position] is holder and step.inputs.count(holder) == 1


def dies_here(first: Variable, body: Body, step: Step) -> bool:
    """True when a loop may go on under the name of its first value."""
    return (
        not first.constant
        and first.home is body
        and body.last_use[first] == step.outputs[0].index
        and step.inputs.count(first) == 1
    )


def is_held(named: Iterable[Variable], body: Body, position: int) -> bool:
    """True when one of those of one name is read after this position.

    What is stored into all of an array where it lies is in the same memory as the
    result, and under the same name: it may be read when the result is not.
    """
    return any(
        other.home is body and body.last_use.get(other, -1) > position
        for other in named
    )
