"""Which changes of lists may be made in the list itself, decided as for arrays.

A list's own memory is not that of the arrays in it, which `Sharing` follows: here a
Region is a list object. What is no list lives nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar

from runtime.backends.numpy.program import Body, Step, Variable
from runtime.backends.numpy.regions import NOWHERE, Asked, Region, Regions
from runtime.backends.numpy.sharing import Sharing
from runtime.memory import COPIES_ROWS, MAKES_LISTS
from runtime.ops.lists import MUTATES
from runtime.spec import ListSpec, TensorSpec


def share_lists(program: Body, inputs: list[Variable], asked: Asked) -> None:
    """Walk over a program for its lists, if it has any."""
    if any(map(ListSharing.follows, inputs)) or _gives_lists(program):
        ListSharing(program, inputs, asked)


def _gives_lists(body: Body) -> bool:
    """Whether a step gives a list, at any depth."""
    follows = ListSharing.follows
    return any(
        any(map(follows, step.outputs)) or any(map(_gives_lists, step.bodies))
        for step in body.steps
    )


class ListSharing(Sharing):
    """The walk over a program once more, for its lists; decisions are in its steps."""

    @staticmethod
    def follows(variable: Variable) -> bool:
        return isinstance(variable.spec, ListSpec)

    @staticmethod
    def _is_nowhere(spec: TensorSpec) -> bool:
        return not isinstance(spec, ListSpec)

    def place(self, variable: Variable, regions: Iterable[Region]) -> None:
        if self.follows(variable):
            super().place(variable, regions)
        else:
            self.regions[variable] = NOWHERE

    def _where(self, step: Step) -> Regions:
        """The lists that a result may be, or hold; empty for a list of its own."""
        if step.node.op.view:
            return self.regions[step.inputs[0]]
        if step.node.op.name in COPIES_ROWS:
            return NOWHERE
        if step.node.op.name not in MAKES_LISTS or _any_holds(step.inputs):
            return self._put_in(step.inputs) | {self.foreign}
        return self._put_in(step.inputs) if _any_holds(step.outputs) else NOWHERE

    def _reuse(self, body: Body, position: int, step: Step) -> bool:
        return False  # arrays: the other walk has said so

    def _put_in(self, variables: Iterable[Variable]) -> Regions:
        return NOWHERE.union(*(self.regions[variable] for variable in variables))

    def _change(self, body: Body, position: int, step: Step) -> None:
        (target, *others), (result, *taken) = step.inputs, step.outputs
        regions = self.regions[target]
        step.in_place = self.may_write(regions, body, position)
        copies = step.node.op.name in COPIES_ROWS
        holds = _holds_lists(target) and not copies
        inside = self._put_in(others) if holds else NOWHERE
        if step.in_place:
            for region in regions:
                region.write()
            self.place(result, regions | inside)
        else:
            old = regions if holds else NOWHERE
            self.place(result, {Region(owned=True)} | old | inside)
        for variable in taken:
            self.place(variable, {self.foreign} | (NOWHERE if copies else regions))

    _INTO = Sharing._plain
    _WALKS: ClassVar[dict[str, Callable[[Sharing, Body, int, Step], None]]] = {
        "if": Sharing._branches,
        "while": Sharing._loop,
        "recursion": Sharing._recursion,
        "call": Sharing._call,
        **dict.fromkeys(MUTATES, _change),  # type: ignore[arg-type] # its `self` is of this class
    }


def _holds_lists(variable: Variable) -> bool:
    spec = variable.spec
    return isinstance(spec, ListSpec) and isinstance(spec.item, ListSpec)


def _any_holds(variables: Iterable[Variable]) -> bool:
    return any(map(_holds_lists, variables))
