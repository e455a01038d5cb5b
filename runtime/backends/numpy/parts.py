"""Parts: where in an array a value lies, and the stores that put it there again.

`x[1:][2:] += 1` is a part of a part of x, its sum, and two stores, which put the sum
into the part, and that into x. Where the sum was written into x's own memory they have
nothing to do. A value's place is told by the array that it is a part of, and by the
indices that lead to it; what is written in place lies where it was.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import takewhile
from typing import Any

from runtime.backends.numpy.program import Body, Step, Variable

# What puts its second input into its first one.
PUTS = ("store", "with_part_at", "with_part")
# What takes the part that they put there.
TAKES = ("slice", "part_at", "real", "imag")
# The array, and for each index what the run gives of it, and the rest of it.
Place = tuple[Any, ...]


class Parts:
    """The places of the variables of a program, in the walk `sharing`."""

    def __init__(self) -> None:
        self._places: dict[Variable, Place] = {}

    def of(self, variable: Variable) -> Place:
        """Where it lies."""
        return self._places.get(variable, (variable,))

    def note(self, variable: Variable, place: Place | None = None) -> None:
        """Say where it lies; None: it is an array of its own."""
        self._places[variable] = found = (variable,) if place is None else place
        if variable.index >= 0:
            variable.home.steps[variable.index].of_part = len(found) > 1

    def note_taken(self, step: Step) -> None:
        """The same of the part that a step takes."""
        if step.node.op.name in TAKES:
            part = step.outputs[0]
            place = self._part(step.inputs[0], part, step.inputs[1:], step)
            self.note(part, place)

    def stored(self, store: Step) -> Place:
        """Where a store puts its content."""
        target, content, *dynamic = store.inputs
        return self._part(target, content, dynamic, store)

    def _part(
        self, whole: Variable, part: Variable, dynamic: list[Variable], step: Step
    ) -> Place:
        return (*self.of(whole), (tuple(dynamic), _index(step, part)))

    def put_back(
        self, body: Body, position: int, made: Collection[Variable], place: Place
    ) -> list[int]:
        """The stores right after a step that put what it gives where that lies.

        made:    the step's results; what is put there first is one of them
        place:   where it lies
        returns: their positions: of its array, of the array that this is a part of, ...
        """
        found: list[int] = []
        others = set(made)
        steps = enumerate(body.steps[position + 1 :], position + 1)
        for at, store in takewhile(lambda one: _is_store(one[1], others), steps):
            content = store.inputs[1]
            if content in made and self.stored(store) == place:
                found.append(at)
                made, place = store.outputs, self.of(store.inputs[0])
            others.update(store.outputs)
        return found


def _index(step: Step, part: Variable) -> Any:
    """What says which part it is, besides what the run gives."""
    known, name = step.node.attributes, step.node.op.name
    if name in ("real", "imag", "with_part"):
        return known.get("part", name)
    # Where a part lies says all but its dtype.
    return known.get("index", part.spec.dtype)


def _is_store(step: Step, made: Collection[Variable]) -> bool:
    """Whether it stores one of these, and does nothing else with them."""
    if step.node.op.name not in PUTS or step.node.attributes.get("path"):
        return False
    target, content, *dynamic = step.inputs
    return content in made and not any(one in made for one in (target, *dynamic))
