"""met_again: what a loop changes in place, known before its first round is traced.

Its first round would find it out, and be made again: a loop inside another is traced in
each round of that one, so by levels the innermost body would be traced twice as often
for each. So a loop begins with the arrays that the program names where it stores into
them, and with those that it was found to change when it was met before (a helper had
changed them). What was named and left as it was it does not begin with again, and no
graph depends on it. Types are found anew, since those that a loop had in another call
may be wider.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from runtime.build import Frame, Slot
from runtime.location import Location, here
from runtime.structs import struct
from runtime.tensor_slot import TensorSlot
from tracer.state import State


@struct
class Met:
    """A loop of the program: its line, and the names that it carries."""

    location: Location | None
    names: tuple[str, ...]


@struct
class Found:
    """What a loop was found to change, when it was traced before.

    slots: the places that the program does not name there
    idle:  those of `State.stored`, by their positions, that it left as they were
    """

    slots: tuple[Slot, ...] = ()
    idle: frozenset[int] = frozenset()


def begun(state: State, frame: Frame) -> tuple[Met, list[Slot]]:
    """The loop that is begun now, and the arrays to begin with: those still there."""
    loop = Met(here(frame.trace.called), tuple(state.names))
    found: Found = frame.trace.loops.get(loop, Found())
    named = [slot for at, slot in _named(state) if at not in found.idle]
    slots = dict.fromkeys([*named, *found.slots])
    return loop, [slot for slot in slots if _is_there(slot, frame)]


def note(loop: Met, state: State, frame: Frame, slots: Iterable[Slot]) -> None:
    """Keep what it changes, for the next time that it is met in this trace."""
    changed, named = tuple(slots), dict(_named(state))
    others = tuple(slot for slot in changed if slot not in named.values())
    idle = frozenset(at for at, slot in named.items() if slot not in changed)
    frame.trace.loops[loop] = Found(others, idle)


def _named(state: State) -> Iterator[tuple[int, Slot]]:
    """The arrays that the program names, by their positions: not of several one."""
    for at, array in state.arrays_stored():
        if array._pick is None:
            yield at, TensorSlot(array)


def _is_there(slot: Slot, frame: Frame) -> bool:
    """Whether it is an array of an open frame, and to be seen there.

    Not so where a round has made it, or where somebody has gone back on it.
    """
    if not isinstance(slot, TensorSlot):
        return False
    around: Frame | None = frame
    while around is not None and not slot.is_local(around):
        around = around.parent
    return around is not None and frame.sees(slot.get())
