"""typed: which lists of a program are numbers in memory, as a machine has them.

A list of numbers of one kind that is made in the steps, and that nothing but them
reads, is no Python list: nobody can tell. Where Python goes on, or is given it, it is
made one. A variable and what it becomes by changes, branches and turns of loops are one
list, or may be; so all of them are such, or none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from runtime.backends.llvm.span import Span
from runtime.backends.numpy.program import Step, Variable
from runtime.spec import ListSpec, TensorSpec

# Of the ops that are known, how many of their first inputs are such lists.
LISTS = {
    **dict.fromkeys(("list_of", "placeholder"), 0),
    **dict.fromkeys(("list_len", "list_get", "list_set", "list_append", "list_pop"), 1),
    **dict.fromkeys(("list_repeat", "list_zip", "list_insert", "list_delete"), 1),
    **dict.fromkeys(("list_reverse", "list_contains", "list_index"), 1),
    **dict.fromkeys(("deque_pop", "deque_set", "deque_delete", "tuple_get"), 1),
}
# The dtypes of Python's numbers that a machine has.
DTYPES = frozenset(map(np.dtype, (bool, np.int64, float)))


# Variables that are such lists, and of which dtype their items are.
Typed = Mapping[Variable, np.dtype[Any]]


def typed_lists(span: Span, entered: Iterable[Variable] = ()) -> Typed:
    """The variables of a span that are such lists, and of which dtype their items are.

    entered: those that may be, of what the steps are given, if loops in loops use them
    """
    classes = _Classes(span)
    given = {*entered}
    known = classes.made | given
    found: dict[Variable, np.dtype[Any]] = {}
    for members in classes.members():
        dtype, *others = {item_dtype(one.spec) for one in members}
        is_fit = classes.refused.isdisjoint(members) and known.issuperset(members)
        if not given.isdisjoint(members):
            is_fit = is_fit and not classes.inner.isdisjoint(members)
        if is_fit and dtype is not None and not others:
            found |= dict.fromkeys(members, dtype)
    return found


def item_dtype(spec: TensorSpec) -> np.dtype[Any] | None:
    """The dtype of the items of a list of Python's numbers of one kind."""
    if type(spec) is not ListSpec or type(spec.item) is not TensorSpec:
        return None
    kinds = {(one.dtype, one.weak) for one in spec.item.options}
    if spec.item.shape != () or len(kinds) != 1:
        return None
    ((dtype, weak),) = kinds
    return dtype if weak and dtype in DTYPES else None


class _Classes:
    """Variables that are one list, or may be.

    refused: of these the class is a Python list
    made:    the steps make them, or get them from what they make
    inner:   they are used in a loop that is in a loop, or lose their first item, behind
             which a Python list moves all the others
    """

    def __init__(self, span: Span) -> None:
        self._other: dict[Variable, Variable] = {}
        self.refused: set[Variable] = set()
        self.made: set[Variable] = set()
        self.inner: set[Variable] = set()
        self._steps(span.steps, 0)

    def members(self) -> Iterator[list[Variable]]:
        """The variables of each class."""
        found: dict[Variable, list[Variable]] = {}
        for one in self._other:
            found.setdefault(self._root(one), []).append(one)
        yield from found.values()

    def _root(self, one: Variable) -> Variable:
        while (other := self._other[one]) is not one:
            one = other
        return one

    def _join(self, *variables: Variable) -> None:
        first = variables[0]
        for one in variables:
            self._other.setdefault(one, one)
            self._other[self._root(one)] = self._root(first)

    def _steps(self, steps: Iterable[Step], depth: int) -> None:
        for step in steps:
            self.made.update(step.outputs)
            name = step.node.op.name
            if name == "while":
                self._loop(step)
            elif name == "if":
                self._branches(step)
            else:
                self._step(step)
                if depth > 1 or name == "deque_pop":
                    self.inner.update(step.inputs)
            for body in step.bodies:
                self._steps(body.steps, depth + (name == "while"))

    def _loop(self, step: Step) -> None:
        _, again = step.bodies
        count = len(step.carried)
        self.made.update(step.carried)
        rows = (step.inputs[:count], step.carried, again.outputs, step.outputs)
        for one in zip(*rows, strict=True):
            self._join_lists(one)

    def _branches(self, step: Step) -> None:
        rows = (step.outputs, *(body.outputs for body in step.bodies))
        for one in zip(*rows, strict=True):
            self._join_lists(one)

    def _join_lists(self, variables: Iterable[Variable]) -> None:
        found = [one for one in variables if isinstance(one.spec, ListSpec)]
        if found:
            self._join(*found)

    def _step(self, step: Step) -> None:
        known = LISTS.get(step.node.op.name)
        made = [one for one in step.outputs if isinstance(one.spec, ListSpec)]
        used = [one for one in step.inputs if isinstance(one.spec, ListSpec)]
        if known is None or used != step.inputs[:known] or step.bodies:
            for one in (*made, *used):
                self._join(one)
                self.refused.add(one)
        else:
            self._join_lists((*used, *made))
