"""around: calls of a function that changes places outside of itself.

The places are read before the graph runs and written after it, as one step. Where they
hold something of another form (a dict has a new key) another trace is made, a few
times; a function whose surroundings are new at each call is run as Python.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.errors import StagingError
from runtime.structs import replace
from runtime.variable import VariableMade
from tracer import containers, idle, log
from tracer.concrete import ConcreteFunction
from tracer.forms import Unsettled
from tracer.identities import is_met_twice
from tracer.item_type import ItemType, NoItemType
from tracer.list_objects import content_type, joined_type
from tracer.memory import is_unlike
from tracer.outer import Place
from tracer.put_off import limit_of
from tracer.short_keys import Call
from tracer.whole_lists import passed_in

if TYPE_CHECKING:
    from tracer.lookup import Lookup

# Two functions may change one place, so all wait for one another.
LOCK = threading.RLock()
if hasattr(os, "register_at_fork"):
    # In a child there are no other threads, which may have held it; its address stays.
    free = LOCK._at_fork_reinit  # type: ignore[attr-defined] # typeshed lacks it
    os.register_at_fork(after_in_child=free)
# Forms of the places that get a trace each, for one kind of arguments.
MOST_FORMS = 8
# Why a call is run as Python.
FORMS = "what it changes outside is of another kind again"


def call_around(
    lookup: Lookup,
    concrete: ConcreteFunction,
    leaves: Sequence[Any],
    call: Call,
) -> Any:
    """A call that changes places outside, by a trace for the form they have.

    It has found the first of these traces; calls like it find theirs by a short key.
    """
    around = lookup.around.get(concrete)
    if around is None:
        around = lookup.around[concrete] = Around(concrete)
    return around.call(lookup, leaves, call)


class Around:
    """The traces of a function for one kind of arguments, one for each form."""

    def __init__(self, first: ConcreteFunction) -> None:
        self._forms = [first]
        # Those that have left an object of the trace's own outside.
        self._over: list[ConcreteFunction] = []
        self._refused = False
        # Seconds that those after the first have taken to trace.
        self._spent = 0.0

    def call(self, lookup: Lookup, leaves: Sequence[Any], call: Call) -> Any:
        """The result."""
        python = lookup.as_python(call.args, call.kwargs)
        with LOCK:
            fitting = self._fitting(lookup, leaves, call)
            if fitting is None:
                return python(FORMS)
            concrete, held = fitting
            whole = [*leaves, *held]
            found = passed_in(call.bound, leaves)
            if is_met_twice(concrete, call.bound) or is_shared(concrete, whole, found):
                return python(log.SHARES)
            if concrete.once:
                self._over.append(concrete)
            else:
                lookup.remember(call, concrete, leaves)
            return log.run(concrete, whole, found, python)

    def _fitting(
        self, lookup: Lookup, leaves: Sequence[Any], call: Call
    ) -> tuple[ConcreteFunction, list[Any]] | None:
        """A trace for what the places hold now, and their leaves; None: no more."""
        for concrete in self._forms:
            held = None if concrete in self._over else _read(concrete)
            if held is not None:
                return concrete, held
        if len(self._forms) >= MOST_FORMS or self._refused:
            return None
        first = self._forms[0]
        assert first.outer is not None
        signature = replace(first.signature, form=len(self._forms))
        # After two texts in a place a further one is taken for a text of the run.
        places = _places_now(first.outer.places, texts=len(self._forms) > 1)
        # It says its words as a Read does.
        why: Any = [_Other(first.outer.places)]
        try:
            with self._timed(lookup.function):
                made = lookup.specialize(signature, leaves, call.bound, places, why)
        except VariableMade as made_variable:
            raise made_variable.error from None
        except (StagingError, idle.PutOff):
            # The first form was staged: no call after it is refused.
            self._refused = True
            return None
        except Unsettled:
            return None
        self._forms.append(made)
        held = _read(made)
        return None if held is None else (made, held)

    @contextmanager
    def _timed(self, function: Any) -> Iterator[None]:
        """The block in which a trace for another form is made.

        PutOff: these traces take longer in all than a first one may (decision 112)
        """
        limit = limit_of(function)
        clock = None if limit is None else idle.Clock(limit, True)
        if clock is not None:
            clock.leave_less(self._spent)
        try:
            with idle.clocked(clock):
                yield
        finally:
            self._spent += 0.0 if clock is None else clock.spent


class _Other:
    """Says that what the places hold is of another kind than it was."""

    def __init__(self, places: Sequence[Place]) -> None:
        self._places = places

    def words(self) -> str:
        """What `traces()` tells."""
        slots = filter(None, (place.slot() for place in self._places))
        names = list(dict.fromkeys(map(str, slots)))
        which = f", {' or '.join(names)}," if len(names) in (1, 2) else ""
        return f"what it changes outside{which} is of another kind"


def _read(concrete: ConcreteFunction) -> list[Any] | None:
    if concrete.outer is None or not concrete.holds():
        return None
    return concrete.outer.read()


def is_shared(
    concrete: ConcreteFunction, leaves: Sequence[Any], found: Sequence[Any]
) -> bool:
    """True where one object is met by two ways, and changed by one of them.

    leaves: of the arguments and the places; found: the arguments' containers
    """
    assert concrete.outer is not None
    held = {id(slot.holder()) for slot in concrete.outer.slots()} | concrete.traced.met
    if containers.repeated(list(found)) or any(id(thing) in held for thing in found):
        return True
    count = len(concrete.signature.leaves)
    passed = {id(leaf) for leaf in leaves[:count] if isinstance(leaf, np.ndarray)}
    # The arrays in a list are one leaf.
    parts: list[Any] = []
    for leaf in leaves[count:]:
        parts += leaf if isinstance(leaf, list) else [leaf]
    is_met = concrete.writes_arrays and any(id(part) in passed for part in parts)
    return is_met or is_unlike(concrete, leaves, [*leaves[:count], *parts])


def _places_now(places: Sequence[Place], texts: bool) -> list[Place]:
    """The places for a trace of another form; a list may hold other items now."""
    made = []
    for place in places:
        slot, items = place.slot(), place.items
        if slot is not None:
            if items is not None:
                items = _joined(items, slot.get())
            made.append(Place(place.slot, items, texts))
    return made


def _joined(items: ItemType, content: list[Any]) -> ItemType | None:
    try:
        return joined_type(items, content_type(content))
    except NoItemType:
        return None
