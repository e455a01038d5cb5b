"""met_again: what a loop that is traced once more changes, by what it changed before.

A loop inside another is traced in each round of that one, and each of its own rounds
traces the loops inside it: by levels, the innermost body would be traced twice as often
for each. So the arrays that a body was found to change are what its next time begins
with. Those that it leaves as they were it begins without: no graph depends on it.
Types are found anew, since those that a loop had in another call may be wider.
"""

from __future__ import annotations

from collections.abc import Iterable

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


def begun(state: State, frame: Frame) -> tuple[Met, list[Slot]]:
    """The loop that is begun now, and the arrays to begin with: those still there."""
    loop = Met(here(frame.trace.called), tuple(state.names))
    known = frame.trace.loops.get(loop, ())
    return loop, [slot for slot in known if _is_there(slot, frame)]


def note(loop: Met, frame: Frame, slots: Iterable[Slot]) -> None:
    """Keep what it changes, for the next time that it is met in this trace."""
    frame.trace.loops[loop] = tuple(slots)


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
