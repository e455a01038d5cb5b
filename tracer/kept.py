"""kept: what the checkpoints of a `try` keep, as the handlers find it.

Over all checkpoints that are left in the body one type is found for each place, and
each checkpoint is given what it keeps, cast to those types. A place that has not been
changed yet is left out: its cell holds what the first checkpoint of all put there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from runtime import build
from runtime.aliases import note_aliases
from runtime.build import Frame, Slot, building
from runtime.graph import Graph, Node, Value
from runtime.layouts import is_contiguous
from runtime.ops import control
from runtime.passes.cse import frozen
from runtime.passes.rewrite import with_graphs
from runtime.picked import possible
from runtime.spec import TensorSpec
from runtime.structs import replace, struct
from runtime.tensor import Tensor
from tracer import carrying, joining, tree
from tracer.caught import Raised
from tracer.checkpoints import Checkpoints, Record
from tracer.choice import TAG
from tracer.contents import (
    CannotJoin,
    Carried,
    Chosen,
    ContentType,
    Form,
    Held,
    HeldChoice,
    HeldForm,
    LeafType,
    Static,
    hold,
)
from tracer.escaping import Place, hold_before
from tracer.frozen import freeze_split
from tracer.numbered import Numbered
from tracer.referred import is_array
from tracer.state import State
from tracer.tree import holds_tensor
from tracer.words import Words, cannot_join

WORDS = Words(
    "at one place where this try may fail",
    "at another",
    "A graph needs one kind of value for {name} in the handlers: make both the same",
    ", or use another name.",
)
# Where the exceptions of ops are from; only Python code that they call raises others.
_OF_OPS = {"builtins", "numpy"}


def write_cells(checkpoints: Checkpoints, outer: Frame) -> Cells:
    """Write the cells into the checkpoints that are left in the body."""
    live = checkpoints.live()
    # What is cast for a checkpoint does not fail.
    guards, outer.trace.guards = outer.trace.guards, []
    try:
        return _Finish(checkpoints, live).cells()
    finally:
        outer.trace.guards = guards


def outward(held: Held, frame: Frame) -> ContentType:
    """The type of what a path that ends in `frame`, or inside it, leaves outside."""
    if held.form is None:
        return ContentType(None, True)
    return ContentType(_outward_form(held.form, frame), held.defined is not True)


def _outward_form(held: HeldForm, frame: Frame) -> Form:
    pairs = zip(held.leaves, held.values, strict=True)
    leaves = tuple(_outward_leaf(leaf, value, frame) for leaf, value in pairs)
    return Form(held.structure, leaves)


def _outward_leaf(
    leaf: Any, value: Value | HeldChoice | None, frame: Frame
) -> LeafType:
    if isinstance(value, HeldChoice):
        return Chosen(tuple(_outward_form(o, frame) for o in value.options))
    if not isinstance(leaf, Tensor) or not _is_inside(leaf, frame):
        return Static(leaf)
    view = leaf._view
    if view is not None and not _is_inside(view.base, frame):
        if view.key is not None and not holds_tensor(view.key):
            # It reads its base again wherever it is asked.
            return Static(leaf)
    assert value is not None
    sources = () if leaf.scalar else possible(leaf)
    outer = tuple(one for one in sources if not _is_inside(one, frame))
    anyhow = not leaf.scalar and not is_contiguous(leaf)
    return Carried(value.spec, leaf.scalar, outer, anyhow)


def _carried_out(form: Form, frame: Frame) -> Form:
    """`form` with every tensor of `frame` carried, whatever frame in it made it."""
    leaves = tuple(_carried_leaf(leaf, frame) for leaf in form.leaves)
    return replace(form, leaves=leaves)


def _carried_leaf(leaf: LeafType, frame: Frame) -> LeafType:
    if isinstance(leaf, Chosen):
        return Chosen(tuple(_carried_out(option, frame) for option in leaf.options))
    if isinstance(leaf, Static) and isinstance(leaf.content, Tensor):
        return _outward_leaf(leaf.content, leaf.content._value, frame)
    return leaf


def _is_inside(tensor: Tensor, frame: Frame) -> bool:
    """True when the tensor was made in `frame` or in a frame in it."""
    made: Frame | None = tensor._frame
    while made is not None and made is not frame:
        made = made.parent
    return made is frame


def _arrays_in(contents: Any) -> tuple[Tensor, ...]:
    """The arrays that names and places hold."""
    leaves = tree.flatten_to_choices(contents)[0]
    return tuple(a for a in leaves if isinstance(a, Tensor) and not a.scalar)


def _from_outside(raised: Raised, frame: Frame) -> tuple[Tensor | None, ...]:
    """The arrays in an exception that were not made in a frame; None for the others."""
    return tuple(
        None if one.scalar or _is_inside(one, frame) else one for one in raised.tensors
    )


@struct(eq=False, frozen=False)
class Cells:
    """What the handlers find: the joined places, once the node has given them values.

    specs:  of the cells, in order
    raised: what the program itself may raise, numbered from 1
    origin: the number of what was raised, 0 when an op raised it; maybe staged
    split:  the places that get their own of what two places refer to
    numbers: the cells of names that are told from others (see `numbered`)
    """

    names: list[ContentType]
    slots: dict[Slot, ContentType]
    raised: list[Raised]
    specs: tuple[TensorSpec, ...]
    origin: Any
    tensors: list[list[int]]
    kinds: set[type[BaseException]]
    open: bool
    split: set[Place]
    numbered: Numbered
    numbers: dict[Place, int]
    frame: Frame
    _made: Sequence[Value] = ()
    _arrays: tuple[Tensor, ...] = ()

    def take(self, made: Sequence[Value]) -> None:
        """Read the cells, as values of the frame outside."""
        self._made = made
        self.origin = self._content(self.origin, self._start_of_origin())

    def _start_of_origin(self) -> int:
        kinds = [*self.names, *self.slots.values()]
        return sum(_width(kind) for kind in kinds)

    def _content(self, kind: ContentType, start: int) -> Any:
        mine = self._made[start : start + _width(kind)]
        return carrying.content(kind, mine, carrying.new_tensor)

    def put(self, state: State, others: Sequence[Any]) -> None:
        """Make the names and places hold what the last checkpoint kept."""
        frame = build.require_current("this try")
        start, found = 0, []
        for place, kind in (*enumerate(self.names), *self.slots.items()):
            content = self._content(kind, start)
            if place in self.numbers:
                number = self._made[self.numbers[place]]
                self.numbered.attach(kind, content, number)
            if place in self.split:
                freeze_split(content)
            found.append(content)
            start += _width(kind)
        self._arrays = _arrays_in(found)
        for slot, content in zip(self.slots, found[len(self.names) :], strict=True):
            slot.change(frame, content)
        state.put([*found[: len(self.names)], *others])

    def tensors_of(self, number: int) -> tuple[Tensor, ...]:
        """What is in the places of the exception of that number.

        An array from outside is itself, which the handler may change, or ask which.
        Another one may be what a name holds, or a part of it.
        """
        raised = self.raised[number - 1]
        outer = _from_outside(raised, self.frame)
        parts = zip(outer, raised.tensors, self.tensors[number - 1], strict=True)
        return tuple(
            self._taken(one, self._made[cell]) if array is None else array
            for array, one, cell in parts
        )

    def _taken(self, one: Tensor, made: Value) -> Tensor:
        """What stands for `one`, which was made in the try."""
        if one.scalar:
            return Tensor(made)
        root = () if _is_inside(one.root, self.frame) else (one.root,)
        return note_aliases(Tensor(made, scalar=False, sources=(*root, *self._arrays)))

    def may_raise(self, kinds: Sequence[type[BaseException]]) -> bool:
        """True when an op, or what it calls, may raise an exception of these types."""
        if self.open:
            return True
        theirs = [kind for kind in kinds if kind.__module__.split(".")[0] in _OF_OPS]
        return any(
            issubclass(kind, raised) or issubclass(raised, kind)
            for kind in theirs
            for raised in self.kinds
        )


def _width(kind: ContentType) -> int:
    return len(list(carrying.carried_specs(kind)))


class _Finish:
    """The types over all checkpoints, and the checkpoints rewritten."""

    def __init__(self, checkpoints: Checkpoints, live: list[Record]) -> None:
        self.all = checkpoints
        self.frame = checkpoints.frame
        self.live = live
        self.slots = list(dict.fromkeys(s for record in live for s in record.slots))
        with building(self.frame):
            self.first = {slot: hold_before(slot) for slot in self.slots}

    def cells(self) -> Cells:
        """Find the types, and write the checkpoints."""
        raised, numbers = self._number()
        names = [
            self._join(name, [record.names[at] for record in self.live])
            for at, name in enumerate(self.all.state.joined)
        ]
        slots = {
            slot: self._join(
                str(slot),
                [self.first[slot]]
                + [r.slots[slot] for r in self.live if slot in r.slots],
            )
            for slot in self.slots
        }
        origins = [hold(number) for number in numbers]
        origin = self._join("the exception", origins)
        kinds = [*names, *slots.values(), origin]
        found = [spec for kind in kinds for spec in carrying.carried_specs(kind)]
        tensors = []
        for number in range(1, len(raised) + 1):
            values = self.live[numbers.index(number)].exact
            tensors.append(list(range(len(found), len(found) + len(values))))
            found += [value.spec for value in values]
        told = self._told(names)
        cells: dict[Place, int] = {at: len(found) + n for n, at in enumerate(told)}
        found += [TAG] * len(told)
        self._rewrite(names, slots, origin, origins, numbers, tensors, cells)
        of_ops = [record.kinds for record in self.live if record.raised is None]
        kinds_ = set[type[BaseException]]().union(*of_ops)
        opened = any(r.open for r in self.live)
        return Cells(
            *(names, slots, raised, tuple(found), origin, tensors, kinds_, opened),
            *(self.all.split, self.all.numbered, cells, self.frame),
        )

    def _told(self, names: list[ContentType]) -> list[int]:
        """The names that are arrays from outside at all checkpoints, not one alone."""
        return [
            at
            for at, kind in enumerate(names)
            if self.live
            and is_array(kind)
            and all(record.numbers[at] is not None for record in self.live)
        ]

    def _number(self) -> tuple[list[Raised], list[int]]:
        """What may be raised, each once, and for each record its number."""
        raised: dict[Any, Raised] = {}
        numbers = []
        for record in self.live:
            if record.raised is None:
                numbers.append(0)
                continue
            specs_ = tuple(value.spec for value in record.exact)
            outer = tuple(map(id, _from_outside(record.raised, self.frame)))
            key = (record.raised.kind, frozen(record.raised.content), specs_, outer)
            raised.setdefault(key, record.raised)
            numbers.append(list(raised).index(key) + 1)
        return list(raised.values()), numbers

    def _join(self, name: str, held: Sequence[Held]) -> ContentType:
        """One type for a place over all checkpoints."""
        if not held:
            return ContentType(None, True)
        first, *others = held
        kind = outward(first, self.frame)
        for other in others:
            if kind.form is None and other.form is not None:
                kind = replace(outward(other, self.frame), maybe=True)
                continue
            try:
                kind = joining.join(kind, other, self.frame)
            except CannotJoin:
                raise cannot_join(name, first, other, WORDS) from None
        if kind.form is None:
            return kind
        return replace(kind, form=_carried_out(kind.form, self.frame))

    def _rewrite(
        self,
        names: list[ContentType],
        slots: dict[Slot, ContentType],
        origin: ContentType,
        origins: list[Held],
        numbers: list[int],
        tensors: list[list[int]],
        cells: Mapping[Place, int],
    ) -> None:
        starts: dict[Any, int] = {}
        start = 0
        for key, kind in (*enumerate(names), *slots.items(), ("origin", origin)):
            starts[key] = start
            start += _width(kind)
        written: dict[Node, list[Node]] = {}
        nodes = {id(record): node for node, record in self.all.records.items()}
        for record, number, held in zip(self.live, numbers, origins, strict=True):
            parts = [
                (starts[at], kind, record.names[at]) for at, kind in enumerate(names)
            ]
            parts += [(starts[s], slots[s], one) for s, one in record.slots.items()]
            parts.append((starts["origin"], origin, held))
            exact = dict[int, Value]()
            if number:
                exact = dict(zip(tensors[number - 1], record.exact, strict=True))
            for at, cell in cells.items():
                told = record.numbers[at]  # type: ignore[index] # names alone
                assert told is not None
                exact[cell] = told
            written[nodes[id(record)]] = self._write(record.frame, parts, exact)
        parts = [(starts[slot], slots[slot], self.first[slot]) for slot in self.slots]
        entry = self._write(self.frame, parts, {}) if parts else []
        self.frame.nodes[:] = [*entry, *_replaced(self.frame.nodes, written)]

    def _write(
        self,
        frame: Frame,
        parts: list[tuple[int, ContentType, Held]],
        exact: dict[int, Value],
    ) -> list[Node]:
        """A checkpoint of these places, after the nodes that it needs."""
        mark = len(frame.nodes)
        values = {cell: frame.use(value) for cell, value in exact.items()}
        for start, kind, held in parts:
            made = carrying.outputs(kind, held, frame)
            values.update(enumerate(map(frame.use, made), start))
        new = frame.nodes[mark:]
        del frame.nodes[mark:]
        attributes = {"guard": self.all.guard, "cells": tuple(values)}
        inputs = tuple(values.values())
        return [*new, Node(control.checkpoint, inputs, attributes, ())]


def _replaced(nodes: Sequence[Node], written: dict[Node, list[Node]]) -> list[Node]:
    found: list[Node] = []
    for node in nodes:
        if node in written:
            found += written[node]
            continue
        graphs = [_rewritten(graph, written) for graph in node.graphs]
        found.append(with_graphs(node, graphs))
    return found


def _rewritten(graph: Graph, written: dict[Node, list[Node]]) -> Graph:
    nodes = _replaced(graph.nodes, written)
    same = len(nodes) == len(graph.nodes) and all(map(_is, nodes, graph.nodes))
    return graph if same else replace(graph, nodes=tuple(nodes))


def _is(a: Node, b: Node) -> bool:
    return a is b
