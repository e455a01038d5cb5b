"""identities: calls in which one list, dict or record is met by two ways.

A trace has a placeholder for each of the arguments' containers, so to the trace none of
them is another one, nor one that the function reads outside. Where that could be told
(the function changes one, or asks `is`), a call that passes one twice, or one that is
read outside, is run as Python.
"""

from __future__ import annotations

import copy
import operator
import types
from collections import deque
from collections.abc import Iterable, Iterator, Sequence, Set
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime import build
from runtime.build import Slot, Trace
from runtime.errors import StagingTypeError
from runtime.structs import replace
from runtime.tensor import Tensor
from tracer import tree
from tracer.constants import Every
from tracer.containers import found_in, is_container, repeated
from tracer.reads import Noted, Reads
from tracer.telling import tells
from tracer.traced import Constant, Traced, leaves_of

if TYPE_CHECKING:
    from tracer.concrete import ConcreteFunction

# How what owns a tensor is told.
PASSED, OUTSIDE = "the argument", "an array from outside"
_ITEMS = (list, tuple, deque, set, frozenset)
_TELLING = (id, operator.is_, operator.is_not, copy.deepcopy)
_DICTS = (dict, types.MappingProxyType)


def note_asked(*things: Any) -> None:
    """Which of these are one is asked: of containers the trace does not know it."""
    frame = build.current()
    if frame is not None and all(map(_may_be_passed, things)):
        frame.trace.asks_identity = True
        if frame.trace.has_tuples and any(isinstance(x, tuple) for x in things):
            # Those that an input holds are made anew each time one is asked for.
            raise StagingTypeError("which tuples are one is asked")


def note_asked_of_arrays(*tensors: Tensor) -> None:
    """The same of arrays, if each is passed or from outside, and not all are passed."""
    owners = [tensor.owner for tensor in tensors]
    if all(owner.startswith((PASSED, OUTSIDE)) for owner in owners):
        if any(owner.startswith(OUTSIDE) for owner in owners):
            build.require_current("an array").trace.asks_identity = True


def note_call(function: Any, args: Sequence[Any]) -> None:
    """A function is called, which may tell by what it gives which of these are one."""
    if any(function is one for one in _TELLING):
        note_asked(*args)


def _may_be_passed(thing: Any) -> bool:
    """Whether arguments of its kind are others in the trace, as no empty tuple is."""
    return is_container(thing) or (isinstance(thing, tuple) and bool(thing))


def with_reads(
    traced: Traced,
    noted: Noted,
    given: Sequence[Any],
    places: Sequence[Slot],
    function: Any,
) -> Traced:
    """What was traced, with what was read outside of it: see `Noted.reads`."""
    tells_them_apart = traced.asks_identity or traced.changes_passed
    kept = Every() if tells_them_apart else _kept_by(traced)
    found = noted.reads(given, places, function, kept)
    reads = Reads(list(found.values())) if found else None
    met = _containers_in(found) if tells_them_apart else frozenset[int]()
    if traced.asks_identity:
        shared = (node for node in traced.graph.nodes if node.attributes.get("shared"))
        met |= {id(node.attributes["value"]) for node in shared}
    return replace(traced, reads=reads, met=met, asks_dtype=noted.asks("dtype"))


def _kept_by(traced: Traced) -> frozenset[int]:
    """The ids of the containers from outside that a call returns, or leaves outside."""
    found = (leaf.content for leaf in leaves_of(traced) if isinstance(leaf, Constant))
    return frozenset(id(thing) for thing in found if isinstance(thing, (*_ITEMS, dict)))


def _containers_in(slots: Iterable[Any]) -> frozenset[int]:
    """The ids of all containers that are read, or inside of what is read."""
    found: set[int] = set()
    seen: set[int] = set()
    waiting: list[Any] = []
    for slot in slots:
        waiting.append(slot.get())
        owner = getattr(slot, "owner", None)
        if _may_be_passed(owner):
            found.add(id(owner))
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen:
            continue
        if _may_be_passed(thing):
            found.add(id(thing))
        inside = _inside(thing)
        if inside:
            seen.add(id(thing))
            waiting += inside
    return frozenset(found)


def _inside(thing: Any) -> Sequence[Any]:
    if isinstance(thing, _ITEMS):
        return [*thing]
    if isinstance(thing, _DICTS):
        return [*thing.values()]
    told = tells(thing)
    return () if told is None else [told(thing)]


def is_met_twice(concrete: ConcreteFunction, bound: Any) -> bool:
    """Whether one container of the arguments is another one, or one read outside."""
    traced = concrete.traced
    if not (traced.changes_passed or traced.asks_identity):
        return False
    found = found_in(bound)
    if not traced.asks_identity:
        return repeated(found) or any(id(thing) in traced.met for thing in found)
    containers = [*found, *_tuples_in(bound)]
    # Which arrays among those passed, or in places outside, are one is known.
    held = _arrays_in(traced.outer.read() if traced.outer else None)
    found = [*containers, *_arrays_in(tree.flatten(bound)[0])]
    known = {*traced.met, *map(id, held)}
    met = any(id(thing) in known for thing in found)
    return met or repeated(containers) or any(id(x) in traced.met for x in held)


def rows_meet(found: Sequence[Any], met: Set[int]) -> bool:
    """Whether one of a call's containers, or of the lists in them, is there twice.

    met: the ids of those outside that none may be
    """
    inside = (row for of in found if type(of) is list for row in of)
    ids = [*map(id, found), *(id(row) for row in inside if type(row) is list)]
    return len(set(ids)) < len(ids) or not met.isdisjoint(ids)


def _arrays_in(leaves: Sequence[Any] | None) -> list[Any]:
    return [leaf for leaf in leaves or () if isinstance(leaf, np.ndarray)]


def may_be_met(trace: Trace, passed: list[Any]) -> bool:
    """Whether one of the arguments' containers may have been met by another way.

    So what a trace has raised may not be what Python does.
    """
    known = known_to(trace)
    return repeated(passed) or any(id(thing) in known for thing in passed)


def known_to(trace: Trace) -> Set[int]:
    """The ids of what a trace has met outside."""
    # Whether an object counts as one of an ABC is read too, by a key of its own.
    keys = (key for key in trace.attributes_read if isinstance(key, tuple))
    return trace.holding.keys() | {key for key, _ in keys}


def _tuples_in(bound: Any) -> Iterator[Any]:
    args, kwargs = bound
    waiting = [*args, *kwargs.values()]
    while waiting:
        thing = waiting.pop()
        inside = tree.children(thing)
        if inside:
            if isinstance(thing, tuple):
                yield thing
            waiting += inside
