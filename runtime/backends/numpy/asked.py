"""asked: what an `if` or `while` asks, in one expression where nothing else needs it.

The step that gives the answer is the line above, and so is the one that it asks the
truth of: `v2 = v1 == 0`, `v3 = bool(v2)`, `if v3:` is `if v1 == 0:`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.backends.numpy.program import Body, Variable
from runtime.location import Location

if TYPE_CHECKING:
    from runtime.backends.numpy.emit import Function


def asked(
    function: Function, body: Body, position: int, verdict: Variable
) -> tuple[str, Location | None]:
    """The expression, and its place; the lines that give no more than it go.

    position: of the step that asks; of the test of a `while` the number of its steps
    """
    text, place = verdict.name, None
    for at in range(position - 1, -1, -1):
        step = body.steps[at]
        if step.outputs != [verdict] or not _is_for(body, at + 1, verdict):
            break
        line = _last(function, verdict.name)
        if line is None:
            break
        function.lines.pop()
        text, place = line
        if step.node.op.name != "truth" or text != f"bool({step.inputs[0].name})":
            break
        (verdict,) = step.inputs
        text = verdict.name
    return text, place


def _is_for(body: Body, position: int, variable: Variable) -> bool:
    """Whether the step at this position alone needs it, and once."""
    if position == len(body.steps):
        return True  # it is what a `while` goes by
    uses = body.steps[position].inputs.count(variable)
    return body.last_use.get(variable) == position and uses == 1


def _last(function: Function, name: str) -> tuple[str, Location | None] | None:
    """What the last line gives this name, and its place; None: it does not."""
    if not function.lines:
        return None
    level, text, place = function.lines[-1]
    start = f"{name} = "
    if level != function.level or not text.startswith(start):
        return None
    return text.removeprefix(start), place
