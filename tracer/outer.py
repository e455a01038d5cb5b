"""outer: what a function changes outside of itself, as inputs and outputs of its graph.

A place is a global, a variable of an enclosing function, an attribute, or all that a
list, dict or set holds. A trace that changes some is undone and made once more, with
placeholders in these places; each call reads them before its graph runs, and writes
them afterwards (see decision 11).
"""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

from runtime.build import Frame, Slot
from runtime.slots import put_back
from runtime.spec import ListSpec, ObjectSpec, TensorSpec
from runtime.structs import struct
from runtime.tensor import Tensor
from runtime.tensor_slot import TensorSlot
from tracer import leaks, tree
from tracer.cells import CellSlot
from tracer.item_type import ItemType, NoItemType, parts_among
from tracer.leaves import is_numeric
from tracer.list_objects import content_type, joined_type
from tracer.managed import is_managed
from tracer.place_kinds import Keys, Number, Same, is_constant, kind_of
from tracer.places import AttributeSlot, ContainerSlot, as_found
from tracer.staged_list import StagedList


class Wanted(BaseException):
    """The trace changes more places outside. Not for users to catch."""

    def __init__(self, places: list[Place]) -> None:
        self.places = places


@struct
class Place:
    """One place outside, and for a list that grows the type of its items.

    slot: makes the slot; None once what it was in is gone
    """

    slot: Callable[[], Slot | None]
    items: ItemType | None = None
    texts: bool = False  # It has held several: one is an input, as a number is.

    @classmethod
    def of(cls, slot: Slot, items: ItemType | None = None) -> Place:
        """The place of a slot; the object of an attribute is not kept alive."""
        if isinstance(slot, AttributeSlot):
            try:
                owner, name = weakref.ref(slot.owner), slot.name
            except TypeError:
                return cls(lambda: slot, items)
            return cls(lambda: _attribute(owner(), name), items)
        return cls(lambda: slot, items)


def _attribute(owner: Any, name: str) -> Slot | None:
    """The slot; None once a property, set on the class, gives the attribute."""
    is_there = owner is not None and not is_managed(type(owner), name)
    return AttributeSlot(owner, name) if is_there else None


def _opened(slot: Slot) -> Any:
    """What a place holds, as nested tuples with all else for leaves."""
    content = slot.get()
    if not isinstance(slot, ContainerSlot):
        return content
    if isinstance(content, dict):
        return (Keys(content), tuple(content.values()))
    return Keys(content) if isinstance(content, set) else tuple(content)


def _closed(slot: Slot, opened: Any) -> Any:
    """What the slot is given to hold, for what `_opened` gave."""
    if not isinstance(slot, ContainerSlot):
        return opened
    if isinstance(opened, Keys):
        return opened.keys
    if isinstance(slot.container, dict):
        return dict(zip(opened[0].keys, opened[1], strict=True))
    return opened


_LEAF = tree.leaf()


def _flat(opened: Any) -> tuple[list[Any], tree.Structure]:
    if not isinstance(opened, tuple):
        return [opened], _LEAF
    return tree.flatten_where(opened, lambda node: not isinstance(node, tuple))


class Whole:
    """A place as its numbers and arrays; all else is constant."""

    def __init__(self, slot: Slot, fixed: bool, texts: bool) -> None:
        self._first, self.structure = _flat(_opened(slot))
        self.kinds = [kind_of(leaf, fixed, texts) for leaf in self._first]

    @property
    def count(self) -> int:
        """How many leaves it has."""
        return len(self.kinds)

    def kept(self, structure: tree.Structure) -> Sequence[int] | None:
        """The numbers of its leaves that are those of such a content, if they are."""
        if self.structure.is_leaf() or structure.is_leaf():
            return [0] if self.structure == structure else None
        if not all(child.is_leaf() for child in structure.children()):
            return None
        after = tree.unflatten(structure, range(structure.num_leaves))
        if type(after) is list:
            return after if self.structure == _flat(tuple(after))[1] else None
        keys = self.kinds[0] if type(after) is dict and self.kinds else None
        if isinstance(keys, Same) and Keys(after) == keys.content:
            return range(1, self.count)
        return None

    def is_constant(self, i: int, content: Any) -> bool:
        """Whether a leaf is the same constant at each call."""
        kind = self.kinds[i]
        return not isinstance(kind, Number) and kind.content is content

    def begin(self, frame: Frame, slot: Slot, at: int, known: dict[int, Tensor]) -> Any:
        """Placeholders for the numbers; what the slot holds with them."""
        tensors: dict[int, Tensor] = {}
        leaves, self._first = self._first, []
        for i, (leaf, kind) in enumerate(zip(leaves, self.kinds, strict=True)):
            if not isinstance(kind, Number):
                continue
            array = isinstance(leaf, np.ndarray)
            if array and id(leaf) in known:
                leaves[i] = known[id(leaf)]
                continue
            made = Tensor(frame.add_input(kind.spec), scalar=not array)
            if array:
                known[id(leaf)] = made
                made.owner = "an array from outside"
            leaves[i] = tensors[at + i] = made
        held = _closed(slot, tree.unflatten(self.structure, leaves))
        return held, tensors, len(leaves)

    def read(self, slot: Slot) -> list[Any] | None:
        """The leaves, where they have the form that the trace was made for."""
        leaves, structure = _flat(_opened(slot))
        if structure != self.structure:
            return None
        fits = all(k.fits(leaf) for k, leaf in zip(self.kinds, leaves, strict=True))
        return leaves if fits else None


class Listed:
    """A list that has another length after each call, by the type of its items."""

    def __init__(self, items: ItemType) -> None:
        self.items = items
        spec = items.specs[0]
        # Most lists hold numbers of one type, which are told without a look inside.
        self.alike: Number | None = None
        if items.shape.fixed == (None,) and items.shape.structure == _LEAF:
            self.alike = Number(_type_of(spec), spec) if not spec.kinds else None

    @property
    def count(self) -> int:
        """How many lists of parts there are."""
        return len(self.items.specs)

    def kept(self, structure: tree.Structure) -> None:
        """None: what it holds in the end is another list."""

    def begin(self, frame: Frame, slot: Slot, at: int, known: dict[int, Tensor]) -> Any:
        """A list of the graph for each part of an item."""
        parts = [
            Tensor(frame.add_input(ListSpec(spec)), scalar=True)
            for spec in self.items.specs
        ]
        held = [StagedList(self.items.shape, parts)]
        return held, dict(enumerate(parts, at)), len(parts)

    def read(self, slot: Slot) -> list[Any] | None:
        """The parts of all items, where they are of the type."""
        held = slot.get()
        if self.alike is not None and all(map(self.alike.fits, held)):
            return [held]
        try:
            kind = content_type(held)
            if joined_type(self.items, kind) != self.items:
                return None
        except NoItemType:
            return None
        rows = [list(parts_among(_flat(item)[0], self.items)) for item in held]
        return [list(part) for part in zip(*rows, strict=True)] or [
            [] for _ in self.items.specs
        ]


class Added:
    """A list of which a call reads nothing: it adds items of a type (see `added`)."""

    def __init__(self, items: ItemType) -> None:
        self.items = items

    @property
    def count(self) -> int:
        """As many leaves as the list had in the trace, which the graph does not use."""
        return len(self.items.specs)

    def kept(self, structure: tree.Structure) -> None:
        """None: it always holds more in the end."""

    def read(self, slot: Slot) -> list[Any]:
        """Nothing is looked at."""
        return [None] * self.count


def _type_of(spec: TensorSpec) -> type:
    if spec.weak or isinstance(spec, ObjectSpec):
        return spec.python_type
    known = spec.dtype is not None and spec.shape == ()
    return spec.dtype.type if known and spec.dtype is not None else np.ndarray


class Reading:
    """What the places held when a trace began, and how a call reads them again."""

    def __init__(self, places: Sequence[Place], fixed: bool) -> None:
        self.places = tuple(places)
        self.forms: list[Whole | Listed | Added] = [
            Whole(_there(place), fixed, place.texts)
            if fixed or place.items is None
            else Listed(place.items)
            for place in places
        ]
        self.aliases: list[int] = []
        # The number of the first leaf, after those of the arguments.
        self.first = 0

    def begin(self, frame: Frame, at: int) -> dict[int, Tensor]:
        """Put placeholders into the places; the tensors, by the number of their leaf.

        at: the number of the first, after those of the arguments
        """
        self.first = at
        leaves = self.read()
        assert leaves is not None
        self.aliases = aliases_of(leaves)
        tensors: dict[int, Tensor] = {}
        known: dict[int, Tensor] = {}
        for place, form in zip(self.places, self.forms, strict=True):
            slot = _there(place)
            assert not isinstance(form, Added), "it is found when the trace is over"
            held, made, count = form.begin(frame, slot, at, known)
            tensors.update(made)
            at += count
            frame.change(as_found(slot), held)
        return tensors

    def read(self) -> list[Any] | None:
        """The leaves of all places now; None where the trace is for another form."""
        leaves: list[Any] = []
        for place, form in zip(self.places, self.forms, strict=True):
            slot = place.slot()
            found = None if slot is None else form.read(slot)
            if found is None:
                return None
            leaves += found
        if self.aliases and aliases_of(leaves) != self.aliases:
            return None
        return leaves

    def number(self, leaf: int) -> int:
        """The number of the first leaf that is the same array as one of them."""
        return self.first + self.aliases[leaf - self.first]

    def slots(self) -> list[Slot]:
        """The places as slots, in order."""
        return [_there(place) for place in self.places]


def _there(place: Place) -> Slot:
    slot = place.slot()
    assert slot is not None, "the object is gone"
    return slot


def living(places: Sequence[Place]) -> list[Place]:
    """Those of them whose object is not gone."""
    return [place for place in places if place.slot() is not None]


def aliases_of(leaves: Sequence[Any]) -> list[int]:
    """For each leaf the first one that is the same array."""
    first: dict[int, int] = {}
    return [
        first.setdefault(id(leaf), i) if isinstance(leaf, np.ndarray) else i
        for i, leaf in enumerate(leaves)
    ]


def undo(frame: Frame, known: Collection[Slot], own: Collection[int]) -> Wanted | None:
    """Undo what a trace did outside; what it changes beyond `known` is wanted.

    own: ids of what stands for the arguments, and of what only the result holds
    """
    created = frame.trace.created
    found = {
        slot: _items(slot, held)
        for slot, held in frame.changed().items()
        if slot not in known
        and not slot.is_local(frame)
        and not isinstance(slot, TensorSlot)
        and id(slot.holder()) not in own
        and id(slot.holder()) not in created
        and not (isinstance(slot, CellSlot) and slot.home is not None)
        and not _in_place(slot, held)
    }
    changes, frame.changes = frame.changes, []
    for slot, held in reversed(changes):
        if slot in found or slot in known:
            put_back(slot, held)
    changes.clear()
    # Nothing but `found` holds what the program made and dropped.
    del created, changes
    slot = held = None
    if found:
        leaks.forget(frame.trace)
        gc.collect()
        leaks.forget_dropped(found)
    places = [Place.of(slot, items) for slot, items in found.items()]
    return Wanted(places) if places else None


def _in_place(slot: Slot, held: Any) -> bool:
    """True where the user's own arrays have changed and nothing else has."""
    if isinstance(slot, ContainerSlot):
        arrays = held.values() if isinstance(held, dict) else held
        only = all(isinstance(part, np.ndarray) for part in arrays)
        return bool(held) and only and slot.holds(held)
    return isinstance(held, np.ndarray) and slot.get() is held


def _items(slot: Slot, held: Any) -> ItemType | None:
    """The type of the items of a list that gets another length; None for others."""
    if not isinstance(slot, ContainerSlot) or type(slot.container) is not list:
        return None
    now = slot.get()
    staged = [item for item in now if type(item) is StagedList]
    if len(now) == len(held) and not staged:
        return None
    leaves, _ = _flat((*now, *held))
    if not all(
        is_numeric(x) or is_constant(x) or type(x) is StagedList for x in leaves
    ):
        return None
    try:
        kind = joined_type(content_type(held), content_type(now))
    except NoItemType:
        return None
    return kind if kind is not None and _is_flat(kind) else None


def _is_in_items(leaf: Any) -> bool:
    return is_numeric(leaf) or is_constant(leaf) or type(leaf) is StagedList


def _is_flat(kind: ItemType) -> bool:
    """True where the items are tuples, numbers and constants: no objects to alias."""
    whole = kind.shape.whole(_Part("") for _ in kind.specs)
    return all(type(x) is _Part or is_constant(x) for x in _flat(whole)[0])


class _Part(tree.Word):
    """Stands for a number in an item; a text with a number in it is a Word."""
