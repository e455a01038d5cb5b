"""entry_call: a call as its entry is made for it: what is passed, and where it goes."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.backends.llvm import call_form
from runtime.backends.llvm.call_form import Exactly, Opened, Result
from runtime.backends.llvm.values import NotLowered
from runtime.records import is_record
from tracer import plain, tree
from tracer.reader import is_named, slots_of
from tracer.traced import Argument, Constant, Leaf, Output
from tracer.undefined import UNDEFINED

if TYPE_CHECKING:
    from tracer.concrete import ConcreteFunction


class Position:
    """Stands for the argument, or the leaf of them, at a position of a call."""

    def __init__(self, index: int) -> None:
        self.index = index


class Call:
    """A call of a Function that has found its trace, or of a trace itself.

    trace:  None if it is called itself
    first:  the number of the argument from which on only defaults may be passed
    names:  of the arguments that are passed by keyword, which come last
    opened: for each argument the container that it is, None for a leaf
    things: the leaves of the arguments as they are passed
    leaves: for each leaf of the bound arguments its position, or the default
    key:    what tells its entry from others
    NotLowered: there is a container of which entries know nothing
    """

    def __init__(
        self,
        concrete: ConcreteFunction,
        owner: Any,
        args: Sequence[Any],
        kwargs: dict[str, Any],
        first: int | None,
    ) -> None:
        self.concrete = concrete
        self.owner = owner
        self.names = tuple(map(sys.intern, kwargs))
        given = [*args, *kwargs.values()]
        self.things: list[Any] = []
        self.opened: list[Opened | None] = []
        _require_each_once(given)
        # The positions of the leaves of each argument.
        inside: list[list[Any]] = []
        for thing in given:
            begin = len(self.things)
            self.opened.append(self._open(thing))
            inside.append([*map(Position, range(begin, len(self.things)))])
        bound = _bound(owner, len(args), kwargs)
        self.rest = [] if first is None else bound[first:]
        self.leaves: list[Any] = []
        for thing in bound:
            is_given = isinstance(thing, Position)
            self.leaves += inside[thing.index] if is_given else tree.flatten(thing)[0]
        ids = [id(thing) for thing in self.things]
        # For each leaf the first one that is the same array.
        self.aliases = tuple(
            ids.index(id(thing)) if isinstance(thing, np.ndarray) else position
            for position, thing in enumerate(self.things)
        )
        kinds = tuple(map(type, self.things))
        # A trace that is called itself does not hold itself.
        self.trace = None if owner is concrete else concrete
        self.key = self.trace, tuple(self.opened), self.names, kinds, self.aliases

    def _open(self, thing: Any) -> Opened | None:
        """What an argument, or a part of one, is; its leaves are noted."""
        entries = tree.entries(thing)
        if entries is None:
            self.things.append(thing)
            return None
        way, keys = _way(thing)
        order = {key: index for index, key in enumerate(keys)}
        if keys and len(keys) != len(entries):
            raise NotLowered("attributes that are no fields")
        parts = [
            (order[key] if keys else index, self._open(part))
            for index, (key, part) in enumerate(entries)
        ]
        return Opened(type(thing), way, keys, tuple(parts))

    @property
    def position(self) -> dict[int, int]:
        """The numbers of the bound arguments' leaves, by their positions."""
        pairs = enumerate(self.leaves)
        return {one.index: at for at, one in pairs if isinstance(one, Position)}


def result_of(leaves: Sequence[Any], leaf: Leaf) -> Result:
    """What a leaf of the result is made of; NotLowered: Python makes it.

    leaves: those of the call, by the numbers that the trace gives them
    """
    if type(leaf) is Output and not (leaf.array or leaf.locked):
        return call_form.Output(leaf.index)
    if isinstance(leaf, Constant) and leaf.content is not UNDEFINED:
        return Exactly(leaf.content)
    given = leaves[leaf.index] if isinstance(leaf, Argument) else None
    if isinstance(given, Position):
        return call_form.Argument(given.index)
    raise NotLowered("a result that only Python makes")


def _bound(owner: Any, count: int, names: Iterable[str]) -> list[Any]:
    """For each bound argument its position in the call, or the default."""
    given = {name: Position(at) for at, name in enumerate(names, count)}
    places, named = owner.bound(tuple(map(Position, range(count))), given)
    return [*places, *(named[name] for name in sorted(named))]


def _way(thing: Any) -> tuple[str, tuple[str, ...]]:
    """How the parts of a container are found, and their keys as they lie there."""
    kind: Any = type(thing)
    if kind in (tuple, list) or (isinstance(thing, tuple) and is_named(kind)):
        return "items", ()
    if kind is dict:
        if not all(type(key) is str for key in thing):
            raise NotLowered("a dict whose keys are no texts")
        return "keys", tuple(thing)
    is_usual = is_record(kind) and not plain.is_registered(kind)
    if not is_usual or kind.__getattribute__ is not object.__getattribute__:
        raise NotLowered(f"a {kind.__name__} among the arguments")
    held, slots = plain.attributes(thing)
    if slots and not held and not kind.__dictoffset__ and slots_of(kind) == {*slots}:
        return "slots", tuple(slots)
    if slots or not kind.__dictoffset__ or slots_of(kind):
        raise NotLowered(f"a {kind.__name__} among the arguments")
    return "attributes", tuple(vars(thing))


def _require_each_once(given: Sequence[Any]) -> None:
    """Refuse what passes one container twice."""
    found = Counter(id(thing) for thing in _containers(given))
    if any(count > 1 for count in found.values()):
        raise NotLowered("a container that is passed twice")


def _containers(things: Sequence[Any]) -> Iterator[Any]:
    for thing in things:
        inside = tree.children(thing)
        if inside is not None:
            yield thing
            yield from _containers(inside)
