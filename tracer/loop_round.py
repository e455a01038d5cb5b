"""LoopRound: one tracing of a loop's test and body; a loop may take several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.aliases import stale_error
from runtime.build import Frame, Slot
from runtime.graph import Value
from runtime.structs import field, struct
from runtime.tensor_slot import TensorSlot
from tracer.contents import Held
from tracer.ended import Ended


@struct(frozen=False)
class LoopRound:
    """One tracing of test and body.

    inputs:  for each carried slot the input that it became
    numbers: of the placeholders that may be arrays from outside (see `referred`)
    contents: what it has made itself for the places of these
    """

    test_frame: Frame
    frame: Frame
    go: Value | None = None
    ended: Ended | None = None
    inputs: dict[tuple[Frame, Slot], Value] = field(default_factory=dict)
    numbers: dict[int, tuple[Value, ...]] = field(default_factory=dict)
    placeholders: list[Any] = field(default_factory=list)
    contents: dict[Any, Value] = field(default_factory=dict)

    def left(self, place: Any) -> Held | None:
        """What it leaves in a place; None where nobody will look."""
        assert self.ended is not None
        if not isinstance(place, int):
            return self.ended.slots.get(place)
        return None if self.ended.dead else self.ended.names[place]

    def without_unchanged(self, slots: Sequence[Slot]) -> list[Slot]:
        """Let go of places that it began with and leaves as they were; gives them.

        All of them where it raises, which tells of the user's arrays alone.
        """
        assert self.ended is not None
        found = [slot for slot in slots if not self._changes(slot)]
        for slot in found:
            self.ended.slots.pop(slot, None)
        if found:
            # Of two places of which one is none: the next round tells.
            self.ended.split = set()
        return found

    def _changes(self, slot: Slot) -> bool:
        assert self.ended is not None
        held = self.ended.slots.get(slot)
        if held is None or held.form is None:
            return False
        return held.form.values != (self.inputs[self.frame, slot],)

    def refuse_stale(self) -> None:
        """Refuse a loop that reads an array which a round before may have changed."""
        for frame in (self.test_frame, self.frame):
            read = {value for node in frame.nodes for value in node.inputs}
            for tensor in self.frame.stale.values():
                inner = self.inputs.get((frame, TensorSlot(tensor)))
                if (inner or frame.seen_as(tensor.root._value)) in read:
                    raise stale_error()
