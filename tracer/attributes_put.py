"""attributes_put: how a call puts attributes into objects, beside what they hold.

An attribute that a program sets is the object's own from then on, and stands behind the
others if it was deleted before. A graph knows nothing of that: the trace's log does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.build import Slot
from runtime.errors import PythonTypeError, located
from tracer import instance_dicts
from tracer.places import AttributeSlot
from tracer.undefined import UNDEFINED


def always_put(
    changes: Sequence[tuple[Slot, Any]], slots: Sequence[Slot]
) -> frozenset[int]:
    """The numbers of the attributes that an object has of its own after a trace.

    changes: the trace's log; what its paths join is not told
    The very object that its class has is put there, too: `c.n += 0`.
    """
    put = {slot for slot, _ in changes if type(slot) is AttributeSlot and slot.is_set}
    numbered = [(at, s) for at, s in enumerate(slots) if type(s) is AttributeSlot]
    found = ((at, s) for at, s in numbered if s in put and s.is_own())
    return frozenset(at for at, slot in found if slot.may_inherit())


def put_anew(
    changes: Sequence[tuple[Slot, Any]], slots: Sequence[Slot]
) -> tuple[int, ...]:
    """The numbers of the attributes that a trace deletes and sets, as they come last.

    So they stand behind the others of their object, wherever they were before.
    """
    met, last = set[Slot](), dict[Slot, int]()
    for at, (slot, held) in enumerate(changes):
        if type(slot) is AttributeSlot and slot.is_set and held is UNDEFINED:
            # What was there before the trace changed it has been deleted.
            last |= {slot: at} if slot in met else {}
        if held is not UNDEFINED:
            met.add(slot)
    numbers = {slot: at for at, slot in enumerate(slots) if slot.get() is not UNDEFINED}
    found = [slot for slot in last if slot in numbers]
    return tuple(numbers[slot] for slot in sorted(found, key=last.__getitem__))


def require_in_place(
    changes: Sequence[tuple[Slot, Any]], slots: Sequence[Slot]
) -> None:
    """PythonTypeError: a path deletes one (and sets it again), and others may not."""
    kept = (slot for slot in slots if type(slot) is AttributeSlot)
    for slot in kept:
        if slot.may_inherit() and not slot.is_own():
            raise instance_dicts.own_by_data(slot)
    if put_anew(changes, slots):
        raise located(
            PythonTypeError("where an attribute stands in its object depends on data"),
            "Set it without deleting it first.",
        )
