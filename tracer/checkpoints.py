"""checkpoints: the state as a handler finds it, kept before each node that may fail.

While the body of a staged `try` is traced, a node that may fail is preceded by a
checkpoint, unless the state is as the last one kept it. Afterwards one type is found
for each place over all checkpoints that are still there, and each of them is given
what it keeps, cast to those types. A place that has not been changed yet is left out:
its cell holds what the first checkpoint of all put there.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.build import Frame, Slot, building
from runtime.effects import Effect, Guard
from runtime.failing import raised_by
from runtime.graph import Node, Value
from runtime.location import here
from runtime.ops import control, world
from runtime.structs import field, struct
from runtime.tensor import value_of
from tracer.caught import Raised, is_of_op, is_open, kind_of
from tracer.contents import Held, hold, parts_of, same_held
from tracer.escaping import Place, Seen
from tracer.leaves import is_numeric
from tracer.numbered import Numbered
from tracer.state import State


@struct(eq=False, frozen=False)
class Record:
    """What one checkpoint keeps.

    numbers: of its names, those of arrays from outside (see `numbered`)
    raised: what the program raises right after it; None before an op
    exact:  the values in what is raised
    kinds:  the types of what the nodes after it may raise
    open:   Python code may raise anything there
    """

    frame: Frame
    names: list[Held]
    slots: dict[Slot, Held]
    raised: Raised | None
    exact: list[Value]
    kinds: set[type[BaseException]]
    open: bool
    numbers: list[Value | None]

    def same(self, other: Record) -> bool:
        """True when both keep the same."""
        if self.raised or other.raised or self.slots.keys() != other.slots.keys():
            return False
        mine = [*self.names, *self.slots.values()]
        theirs = [*other.names, *other.slots.values()]
        return all(map(same_held, mine, theirs))


@struct(eq=False, frozen=False)
class _Last:
    """The last checkpoint of a frame, and up to where its nodes are known."""

    record: Record
    node: Node
    index: int
    looked: int


@struct(eq=False, frozen=False)
class Checkpoints:
    """The guard of one `try` while its body is traced in `frame`.

    passes_on: the handlers only raise again
    split: the places that get their own of what two places refer to, for the handlers
    """

    frame: Frame
    state: State
    passes_on: bool = False
    guard: Guard = field(default_factory=Guard)
    numbered: Numbered = field(init=False)
    records: dict[Node, Record] = field(default_factory=dict)
    split: set[Place] = field(default_factory=set)
    _last: dict[Frame, _Last] = field(default_factory=dict)
    _busy: bool = False

    def __post_init__(self) -> None:
        assert self.frame.parent is not None
        self.numbered = Numbered(self.frame.parent)

    def about_to_fail(self, frame: Frame, node: Node) -> Effect | None:
        """Add a checkpoint to `frame`, where the state has changed since the last."""
        effect = Effect("write", self.guard)
        if self._busy:
            # A view that is read for the checkpoint itself was there already.
            return None
        self._busy = True
        try:
            with building(frame):
                record = self._record(frame, node)
        finally:
            self._busy = False
        if not self._is_kept(frame, record, effect):
            self._add(frame, record)
        return effect

    def _add(self, frame: Frame, record: Record) -> None:
        held = [*record.names, *record.slots.values()]
        values = [value for one in held for value in _values(one)] + record.exact
        attributes = {"guard": self.guard, "cells": ()}
        kept = Node(control.checkpoint, tuple(values), attributes, (), (), here())
        self.records[kept] = record
        self._last[frame] = _Last(record, kept, len(frame.nodes), len(frame.nodes) + 1)
        frame.nodes.append(kept)

    def _is_kept(self, frame: Frame, record: Record, effect: Effect) -> bool:
        last = self._last.get(frame)
        if last is None or last.index >= len(frame.nodes):
            return False
        if frame.nodes[last.index] is not last.node or not last.record.same(record):
            return False
        last.record.kinds |= record.kinds
        last.record.open |= record.open
        # A branch or loop in between may have kept another state.
        between = frame.nodes[last.looked :]
        last.looked = len(frame.nodes)
        if any(node.graphs and effect in node.effects for node in between):
            del self._last[frame]
            return False
        return True

    def _record(self, frame: Frame, node: Node) -> Record:
        joined = self.state.get()[: len(self.state.joined)]
        inside = self._inside(frame)
        places = {slot: slot.content() for slot in self._changed(inside)}
        seen = Seen(joined, places, True, inside)
        names = [_noted(hold(content, seen.is_reference)) for content in joined]
        slots = {s: _noted(seen.hold_place(s, held)) for s, held in places.items()}
        self.split |= seen.splits(joined, places)
        error, raised = frame.trace.raising, None
        if error is not None and not is_open(error):
            raised = Raised.of(error)
        exact = [tensor.value for tensor in raised.tensors] if raised else []
        unknown = (world.host_call, world.python_call, control.reraise)
        kinds = set[type[BaseException]](raised_by(node))
        calls = raised is None and node.op in unknown and Exception in kinds
        if error is not None and is_of_op(error):
            # It is raised again, and still it is only an op's.
            kinds, calls = {kind_of(error)}, False
        numbers = [self.numbered.number(held, frame) for held in names]
        return Record(frame, names, slots, raised, exact, kinds, calls, numbers)

    def live(self) -> list[Record]:
        """What is left of the checkpoints, when branches and loops are done."""
        nodes = _walk(self.frame.nodes, self.records)
        return [self.records[node] for node in nodes]

    def _inside(self, frame: Frame) -> list[Frame]:
        """`frame` and those around it, up to the body's."""
        inside = [frame]
        while inside[-1] is not self.frame:
            parent = inside[-1].parent
            assert parent is not None, "a guard sees the frames in its own"
            inside.append(parent)
        return inside

    def _changed(self, inside: list[Frame]) -> list[Slot]:
        """The places from outside of the body that have been changed in it."""
        found = dict.fromkeys(
            slot for one in reversed(inside) for slot, _ in one.changes
        )
        # Outer variables are logged when the call that sets them has ended.
        for one, slots, before in self.frame.trace.cells:
            if one in inside:
                pairs = zip(slots, before, strict=True)
                found.update(
                    (slot, None) for slot, old in pairs if slot.get() is not old
                )
        return [slot for slot in found if not any(map(slot.is_local, inside))]


def _noted(held: Held) -> Held:
    for leaf, _ in parts_of(held):
        if isinstance(leaf, np.ndarray) and is_numeric(leaf):
            # Brought in now: the frames around may be closed when it is carried.
            value_of(leaf)
    return held


def _values(held: Held) -> list[Value]:
    found = [value for _, value in parts_of(held) if value is not None]
    return [*found, held.defined] if isinstance(held.defined, Value) else found


def _walk(nodes: Sequence[Node], records: dict[Node, Record]) -> list[Node]:
    found = []
    for node in nodes:
        if node in records:
            found.append(node)
        for graph in node.graphs:
            found += _walk(graph.nodes, records)
    return found
