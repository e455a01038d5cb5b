"""results: what a call returns and leaves outside, made of what its run has given."""

from __future__ import annotations

import copy
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.errors import OnlyPythonError
from runtime.ops import world
from tracer import plain, telling, tree
from tracer.leaves import HEAP_TYPE
from tracer.rebasing import rebased
from tracer.telling import builtin_of, refill
from tracer.traced import (
    Anew,
    Constant,
    Container,
    Copied,
    Leaf,
    Made,
    Output,
    Picked,
    Recipe,
    Shared,
)
from tracer.undefined import UNDEFINED


def locked(output: Any) -> Any:
    """An array as a read-only view; anything else as it is."""
    if isinstance(output, np.ndarray):
        output = output.view()
        output.flags.writeable = False
    return output


class Results:
    """What one call has, and the objects that it has made of it.

    objects: how those are made that several places may refer to
    outputs: of the graph
    leaves:  of the arguments, and of the places outside
    found:   the arguments' containers
    written: (content, array) for the caller's arrays that content was copied into
    """

    __slots__ = (
        *("_found", "_leaves", "_made", "_objects", "_outputs", "_rebased", "_written"),
    )

    def __init__(
        self,
        objects: Sequence[Anew],
        outputs: Any,
        leaves: Sequence[Any],
        found: Sequence[Any],
        written: Sequence[tuple[Any, Any]] = (),
    ) -> None:
        self._objects = objects
        self._outputs = outputs
        self._leaves = leaves
        self._found = found
        self._written = written
        self._made: dict[int, Any] = {}
        # What several leaves have is one object for all of them, by its id.
        self._rebased: dict[int, Any] = {}

    def whole(self, structure: tree.Structure, leaves: Sequence[Leaf]) -> Any:
        """A nested structure with these leaves."""
        return tree.unflatten(structure, [self.leaf(leaf) for leaf in leaves])

    def leaf(self, leaf: Leaf) -> Any:
        """One leaf."""
        if isinstance(leaf, Output):
            output = self._outputs[leaf.index]
            if self._written:
                output = self._as_written(output)
            if leaf.locked:
                output = locked(output)
            if not leaf.array or isinstance(output, np.ndarray):
                return output
            made = np.asarray(output, leaf.dtype)
            made.flags.writeable = not leaf.locked
            return made
        if isinstance(leaf, Container):
            return self._found[leaf.index]
        if isinstance(leaf, Picked):
            return self.whole(*leaf.options[int(self._outputs[leaf.tag])])
        if isinstance(leaf, Made):
            return self._object(leaf.index)
        return leaf.content if isinstance(leaf, Constant) else self._leaves[leaf.index]

    def _as_written(self, output: Any) -> Any:
        """An output, as the part of the caller's arrays that it is."""
        key = id(output)
        if key not in self._rebased:
            for content, array in self._written:
                output = rebased(output, content, array)
            self._rebased[key] = output
        return self._rebased[key]

    def _object(self, index: int) -> Any:
        """The object or container, one for all that refer to it."""
        if index not in self._made:
            recipe = self._objects[index]
            if isinstance(recipe, Recipe):
                self._make(index, recipe)
            elif isinstance(recipe, Shared):
                self._made[index] = self.whole(*recipe.part)
            else:
                assert isinstance(recipe, Copied)
                self._made[index] = copied(recipe.content)
        return self._made[index]

    def _make(self, index: int, recipe: Recipe) -> None:
        """An object that may refer to itself."""
        made = self._made[index] = plain.make(recipe.kind, {}, {})
        parts = [self.whole(*part) for part in recipe.parts]
        pairs = zip((*recipe.held, *recipe.slots), parts, strict=True)
        # An attribute that this run has not set is not there.
        content = {name: part for name, part in pairs if part is not UNDEFINED}
        plain.fill(
            made,
            {name: content[name] for name in recipe.held if name in content},
            {name: content[name] for name in recipe.slots if name in content},
        )


def require_order(content: Any) -> None:
    """OnlyPythonError: it is a set that has no copy with the order that it has."""
    if type(content) is set and [*copied(content)] != [*content]:
        # What was added and taken away before leaves gaps, which no copy has.
        raise OnlyPythonError("the order of this set is told by how it was made")


def copied(content: Any) -> Any:
    """A copy of a container; of a set, one that is gone through in the same order.

    By how it was made, a set has room for more than a copy of it has.
    """
    if isinstance(content, BaseException):
        return world.another(content)
    if isinstance(content, (list, dict)) and _is_users(type(content)):
        return _of_users(content)
    made = copy.copy(content)
    if type(content) is set and [*made] != [*content]:
        others = set([*content]), _one_by_one(content)
        return next((other for other in others if [*other] == [*content]), made)
    return made


def _is_users(kind: type) -> bool:
    """Whether it is derived from a list or dict, and none of C's that hold more."""
    of_c = next(base for base in kind.__mro__ if not base.__flags__ & HEAP_TYPE)
    return of_c is not kind and of_c in (list, dict, OrderedDict)


def _of_users(content: Any) -> Any:
    """A copy of a list or dict of the user's class, past its methods.

    `copy.copy` stores each item by its `__setitem__`, which may change others.
    """
    made = builtin_of(content).__new__(type(content))
    plain.fill(made, *plain.attributes(content))
    refill(made, telling.copied(content))
    return made


def _one_by_one(items: set[Any]) -> set[Any]:
    made = set[Any]()
    for item in items:
        made.add(item)
    return made
