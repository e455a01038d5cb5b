"""LoopRound: one tracing of a loop's test and body; a loop may take several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.build import Frame, Slot
from runtime.graph import Value
from runtime.structs import field, struct
from tracer.ended import Ended


@struct(frozen=False)
class LoopRound:
    """One tracing of test and body.

    inputs:  for each carried slot the input that it became
    numbers: of the placeholders that may be arrays from outside (see `referred`)
    """

    test_frame: Frame
    frame: Frame
    go: Value | None = None
    ended: Ended | None = None
    inputs: dict[tuple[Frame, Slot], Value] = field(default_factory=dict)
    numbers: dict[int, tuple[Value, ...]] = field(default_factory=dict)
    placeholders: list[Any] = field(default_factory=list)

    def changes(self, slots: Sequence[Slot]) -> bool:
        """Whether the body leaves something else in each of these, which it began with.

        False of one that raises, which tells of the user's arrays alone.
        """
        return self.ended is not None and all(map(self._changes, slots))

    def _changes(self, slot: Slot) -> bool:
        assert self.ended is not None
        held = self.ended.slots.get(slot)
        if held is None or held.form is None:
            return False
        return held.form.values != (self.inputs[self.frame, slot],)
