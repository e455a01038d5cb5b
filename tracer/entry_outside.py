"""entry_outside: the places outside that a call changes, as its entry takes them.

Globals, variables of enclosing functions, attributes, and the items of lists and dicts,
each a number, an array or a constant; and lists to which the call adds. Lists that grow
and are read, sets and the like stay Python.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from operator import is_
from typing import Any

import numpy as np

from runtime.backends.llvm import abi, call_form
from runtime.backends.llvm.call_form import Changed, Opened, Passed, Result
from runtime.backends.llvm.values import NotLowered
from runtime.build import Slot
from runtime.spec import ObjectSpec
from runtime.structs import replace
from tracer import tree
from tracer.around import LOCK
from tracer.cells import CellSlot, GlobalSlot
from tracer.entry_call import Call, Position, result_of
from tracer.outer import Added, Reading, Whole
from tracer.place_kinds import Kind, Number, Weakly
from tracer.place_text import MOST_ITEMS, is_plain, is_set_plainly
from tracer.places import AttributeSlot, ContainerSlot
from tracer.traced import Leaf, left_alone
from tracer.undefined import UNDEFINED


def lock() -> tuple[Any, int]:
    """What Python's calls hold, and where its count is. NotLowered: it is not found."""
    place = abi.lock_place()
    if not place:
        raise NotLowered("a lock whose count is not found")
    return LOCK, place


def changed_places(call: Call, reading: Reading) -> tuple[list[Passed], list[Changed]]:
    """What the places hold, and what they are; the call gets their leaves.

    NotLowered: one is of another kind
    """
    if any(call.opened):
        raise NotLowered("containers, which may be those that are changed")
    if call.concrete.traced.put_anew:
        raise NotLowered("an attribute that is deleted and set")
    held: list[Passed] = []
    changed: list[Changed] = []
    alone = left_alone(call.concrete.traced)
    slots, number = reading.slots(), reading.first
    # The numbers of the places' leaves, by their numbers in the trace.
    numbers: list[tuple[int, Kind]] = []
    for form, slot in zip(reading.forms, slots, strict=True):
        if isinstance(form, Added):
            call.leaves += [None] * form.count
            number += form.count
            changed.append(Changed(*_place(slot), None, (), True))
            continue
        if not isinstance(form, Whole):
            raise NotLowered("a list that gets longer, and is read")
        opened = _opened(form, slot)
        # The keys of a dict are a leaf of the trace, and none of ours.
        skipped = form.count - (1 if opened is None else opened.leaves)
        call.leaves += [None] * skipped
        for at in range(skipped, form.count):
            call.leaves.append(Position(len(call.things) + len(numbers)))
            numbers.append((number + at, form.kinds[at]))
        number += form.count
        changed.append(Changed(*_place(slot), opened, ()))
    held += [_held(call, reading, at, kind) for at, kind in numbers]
    for at, one in enumerate(changed):
        if at not in alone:
            after = _added(call, at) if one.adds else _after(call, at, one.opened)
            is_put = at in call.concrete.traced.always_put
            changed[at] = replace(one, after=after, is_put=is_put)
    return held, changed


def _opened(form: Whole, slot: Slot) -> Opened | None:
    """How a list or dict is opened; None for a place that holds one leaf."""
    if not isinstance(slot, ContainerSlot):
        if not form.structure.is_leaf():
            raise NotLowered("a place that holds a tuple")
        return None
    parts, keys, way = form.structure.children(), (), "items"
    if type(slot.container) is dict:
        parts, keys, way = parts[1].children(), tuple(slot.container), "keys"
    elif type(slot.container) is not list:
        raise NotLowered("what a container of another kind holds")
    if not all(part.is_leaf() for part in parts) or len(parts) > MOST_ITEMS:
        raise NotLowered("a place that holds tuples")
    leaves = tuple((index, None) for index in range(len(parts)))
    return Opened(type(slot.container), way, keys, leaves)


def _added(call: Call, at: int) -> tuple[Result, ...]:
    """What the call adds to a list."""
    structure, leaves = call.concrete.traced.outer_after[at]

    def result(item: Any) -> Result:
        if type(item) is tuple:
            return tuple(map(result, item))
        return result_of(call.leaves, item)

    return tuple(map(result, _content(structure, leaves)))


def _content(structure: tree.Structure, leaves: Sequence[Leaf]) -> Any:
    return tree.unflatten(structure, leaves)


def _after(call: Call, at: int, opened: Opened | None) -> tuple[Result, ...]:
    """What the call leaves in a place, leaf by leaf."""
    structure, leaves = call.concrete.traced.outer_after[at]
    if opened is None:
        is_alike = structure.is_leaf()
    else:
        content = _content(structure, leaves)
        is_alike = structure.type is opened.kind and len(content) == opened.leaves
        if is_alike and opened.keys:
            # Its items, in the order in which they lie there.
            is_alike = all(map(is_, content, opened.keys))
            leaves = tuple(content.values())
    if not is_alike or len(leaves) != (1 if opened is None else opened.leaves):
        raise NotLowered("a place that holds another number of things in the end")
    return tuple(result_of(call.leaves, leaf) for leaf in leaves)


def _place(slot: Slot) -> tuple[Any, str | None, bool]:
    """Where it is: see `Changed`."""
    if isinstance(slot, GlobalSlot):
        return slot.scope, slot.name, False
    if isinstance(slot, CellSlot):
        return slot.cell, None, False
    if isinstance(slot, ContainerSlot):
        return slot.container, None, False
    if not isinstance(slot, AttributeSlot):
        raise NotLowered("a place of another kind")
    if not (is_plain(slot) and is_set_plainly(slot)):
        raise NotLowered("an attribute that the user's functions give or set")
    try:
        return weakref.ref(slot.owner), slot.name, True
    except TypeError:
        raise NotLowered("an object that cannot be referred to weakly") from None


def _held(call: Call, reading: Reading, number: int, kind: Kind) -> Passed:
    """What a leaf of a place has to be."""
    same = call.leaves[reading.number(number)]
    if same is not call.leaves[number]:
        return call_form.Same(same.index)
    if isinstance(kind, Number):
        is_array = kind.kind is np.ndarray
        if isinstance(kind.spec, ObjectSpec) or (is_array and kind.spec.shape == ()):
            raise NotLowered(f"a place that holds {kind.spec!r}")
        inputs = call.concrete.traced.inputs
        return call_form.Given(
            kind.spec, inputs.index(number) if number in inputs else None
        )
    content = kind.content
    if content is UNDEFINED or not kind.fits(content):
        raise NotLowered("a place that holds nothing")
    if isinstance(kind, Weakly):
        return call_form.Weakly(kind.reference, type(content))
    return call_form.Exactly(content)
