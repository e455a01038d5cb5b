"""new_objects: calls with objects that are new, told before anything else is looked at.

A trace for an object of the user's is for that object alone. Where objects come and go
(a method that is called for each of many nodes) a trace of each takes a thousand times
as long as Python, and the signature of a call still fifty times. So once several such
objects are gone, or there are many traces, or these have taken long, a call with a new
one is run as Python until the calls with it have taken as long as a trace does
(decisions 51 and 112).
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from runtime.errors import StagingError
from tracer import idle, tree
from tracer.signature import Literal, Signature

if TYPE_CHECKING:
    from tracer.concrete import ConcreteFunction

# Objects whose traces are gone with them, before further ones have to wait.
MANY_GONE = 4
# Seconds of a trace that no further object has at once: twenty such are too many.
LONG = 1.0
# Objects that have traces, and the seconds of these in all, before others wait.
FEW, LONG_IN_ALL = 3, 0.1
# Calls with new objects before these are not looked at one by one.
MANY_CALLS = 256
# Objects whose time is kept.
MOST_KNOWN = 1_000


class NewObjects:
    """How long the calls took with each of the objects that a Function was given."""

    def __init__(self) -> None:
        self._gone = 0
        self._kinds: WeakSet[type] = WeakSet()
        # Seconds that a trace took to make, and the calls with each object as Python,
        # by its id: one that is gone has left its id to others.
        self._trace = self._in_all = 0.0
        self._traced = self._new = 0
        self._calls: dict[int, tuple[weakref.ref[Any], float]] = {}

    def note_gone(self) -> None:
        """An object that there was a trace for is gone."""
        self._gone += 1

    def are_many(self, signature: Signature) -> bool:
        """Whether those in a signature are of many, or a trace for each is dear."""
        are_long = self._traced >= FEW and self._in_all >= LONG_IN_ALL and idle.TIMED
        is_dear = self._gone >= MANY_GONE or self._trace >= LONG or are_long
        return is_dear and bool(_objects(signature))

    @contextmanager
    def noted(self, signature: Signature) -> Iterator[None]:
        """A trace is made in this block; one for objects that fails is as one gone."""
        start = perf_counter()
        try:
            yield
        except StagingError:
            self._gone += bool(_objects(signature))
            raise
        finally:
            self._trace = perf_counter() - start
            if _objects(signature):
                self._traced += 1
                self._in_all += self._trace

    def expect(self, signature: Signature) -> None:
        """From now on look for objects of the kinds that are in this signature."""
        self._kinds.update(type(one) for one in _objects(signature))

    def found(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        """The objects in a call with which calls have not taken long enough yet."""
        if not self._kinds:
            return []
        found: list[Any] = []
        for one in (*args, *kwargs.values()) if kwargs else args:
            kind = type(one)
            if kind in (list, tuple) and one:
                # Of the objects in a list the first one stands for all.
                kind = type(one := one[0])
            if kind in self._kinds and self._seconds(one) < self._trace:
                found.append(one)
        return found

    def are_many_calls(self) -> bool:
        """Whether another call with such objects is one of very many."""
        self._new += 1
        if self._new <= MANY_CALLS:
            return False
        self._new = 0
        return True

    def note_call(self, found: Iterable[Any], start: float) -> None:
        """The call with these objects, begun at this time, was run as Python."""
        seconds = perf_counter() - start
        if len(self._calls) >= MOST_KNOWN:
            living = {k: v for k, v in self._calls.items() if v[0]() is not None}
            self._calls = living if 2 * len(living) < MOST_KNOWN else {}
        for one in found:
            self._calls[id(one)] = weakref.ref(one), self._seconds(one) + seconds

    def have_waited(self, signature: Signature) -> bool:
        """Whether there are objects in a signature, and none is new."""
        found = [self._seconds(one) for one in _objects(signature)]
        return bool(found) and min(found) >= self._trace

    def _seconds(self, one: Any) -> float:
        held, seconds = self._calls.get(id(one), (None, 0.0))
        return seconds if held is not None and held() is one else 0.0


def _objects(signature: Signature) -> list[Any]:
    """The objects that a signature holds weakly, those that are not gone."""
    leaves = [leaf for leaf in signature.leaves if isinstance(leaf, Literal)]
    contents = [leaf.content for leaf in leaves if leaf.is_weak]
    return [content for content in contents if content is not None]


def those_for(instance: Any, kept: list[ConcreteFunction]) -> list[ConcreteFunction]:
    """The traces for an instance among those of a Function that is its class's."""
    leaves, _ = tree.flatten(instance)
    if len(leaves) != 1 or leaves[0] is not instance:
        # It is taken apart: its numbers and arrays are inputs as others.
        return kept
    firsts = ((one, one.signature.leaves[0]) for one in kept)
    return [
        one
        for one, first in firsts
        if isinstance(first, Literal) and first.content is instance
    ]
