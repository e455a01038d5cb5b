"""Watched: how long the handlers of an open `try` may read what a checkpoint kept.

A checkpoint puts arrays into cells, for the handlers. What is written into such memory
is not seen where the cell is filled anew before anything else may fail: a store that
fails itself has not written.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence

from runtime.backends.numpy.program import Body, Step, Variable

# The guard of a try statement, and the number of one of its cells.
Cell = tuple[object, int]


class _End(enum.Enum):
    """How some steps end: one may fail, the cell is filled first, or neither."""

    FAILS = enum.auto()
    FILLED = enum.auto()
    THROUGH = enum.auto()


def cells_in(body: Body, guard: object) -> Iterator[tuple[int, Variable]]:
    """What the checkpoints of a try statement keep: the cell and the value."""
    for step in body.steps:
        node = step.node
        if node.op.name == "checkpoint" and node.attributes["guard"] is guard:
            yield from zip(node.attributes["cells"], step.inputs, strict=True)
        for inner in step.bodies:
            yield from cells_in(inner, guard)


def is_read(cell: Cell, body: Body, position: int) -> bool:
    """True where what fails after this step may find in the cell what is there now."""
    level: Body = body
    while True:
        end = _end(level.steps[position + 1 :], cell)
        if end is not _End.THROUGH:
            return end is _End.FAILS
        if level.parent is None:
            return True  # a function of its own: its callers are not looked at
        owner, name = level.parent.steps[level.position], _name(level)
        if name == "try" and owner.node.attributes["guard"] is cell[0]:
            return False
        if name == "while":
            end = _next_turn(owner, level, cell)
            if end is not _End.THROUGH:
                return end is _End.FAILS
        position, level = level.position, level.parent


def _name(level: Body) -> str:
    assert level.parent is not None
    return level.parent.steps[level.position].node.op.name


def _next_turn(owner: Step, level: Body, cell: Cell) -> _End:
    """What follows within a loop on the end of its test, or of its body."""
    test, again = owner.bodies
    if level is again and (end := _end(test.steps, cell)) is not _End.THROUGH:
        return end
    # After the test the loop may end as well.
    failed = _end(again.steps, cell) is _End.FAILS
    return _End.FAILS if failed else _End.THROUGH


def _end(steps: Sequence[Step], cell: Cell) -> _End:
    ends = (_end_of(step, cell) for step in steps)
    return next((end for end in ends if end is not _End.THROUGH), _End.THROUGH)


def _end_of(step: Step, cell: Cell) -> _End:
    node, (guard, number) = step.node, cell
    if node.op.name == "checkpoint":
        known = node.attributes
        filled = known["guard"] is guard and number in known["cells"]
        return _End.FILLED if filled else _End.THROUGH
    if not any(effect.what is guard for effect in node.effects):
        return _End.THROUGH
    ends = [_end(inner.steps, cell) for inner in step.bodies]
    if node.op.name == "try":
        # What fails in its body fails in the one around it as well, as far as a trace
        # knows, whether it is caught or not: until then neither is left.
        return ends[0]
    if node.op.name == "while":
        test, again = ends
        if test is not _End.THROUGH or again is not _End.FAILS:
            return test
        return again
    if node.op.name != "if" or _End.FAILS in ends:
        return _End.FAILS
    return _End.FILLED if _End.THROUGH not in ends else _End.THROUGH
