"""emitting: a loop over a generator, run by the generator's own body.

What follows `yield v` in the generator's body is the next round of the loop that goes
through it, so the loop's body is called where the `yield` stands. The generator's loops
and branches do not know the loop's names: their changes are logged, as those of a list
are, and so carried. A loop that is left leaves the generator as `return` would.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime import build
from runtime.build import Frame
from runtime.structs import struct
from tracer.cond import Body, choose, make_exit, tag_and_content
from tracer.exits import (
    BREAKS,
    LEAVING,
    NEXT,
    RETURNS,
    Exit,
    Return,
    StagedExit,
    tags_of,
)
from tracer.leaving import ON, end_loop
from tracer.state import Box, State, with_boxes
from tracer.undefined import UNDEFINED

Emit = Callable[[Any], Exit]


@struct(eq=False)
class NameSlot:
    """One name of the loop that goes through a generator, as a place.

    frame: the frame in which the loop stands, whose own state has the name
    """

    state: State
    index: int
    frame: Frame

    def get(self) -> Any:
        """What the name holds."""
        return self.state.get()[self.index]

    def set(self, held: Any) -> None:
        """Put it back."""
        contents = list(self.state.get())
        contents[self.index] = held
        self.state.put(contents)

    def content(self) -> Any:
        """What the name holds."""
        return self.get()

    def change(self, frame: Frame, content: Any) -> None:
        """Give the name joined content."""
        frame.change(self, content)

    def is_local(self, frame: Frame) -> bool:
        """True where the loop stands, and for a name that is set before each read."""
        return frame is self.frame or self.index >= len(self.state.joined)

    def holder(self) -> Any:
        """The names."""
        return self.state

    def __str__(self) -> str:
        return self.state.names[self.index]


class Emission:
    """One loop over one generator: its names as slots, and how it was left.

    left: the ways in which the loop's body may leave it
    """

    def __init__(self, body: Callable[[Any], Exit], state: State) -> None:
        self._body, self._given = body, state
        self._tag, self._content = Box(NEXT), Box(UNDEFINED)
        boxes = {"the way on": self._tag, "the returned value": self._content}
        self._state = with_boxes(state, boxes)
        frame = build.require_current("this loop")
        count = len(self._state.names)
        self._slots = [NameSlot(self._state, i, frame) for i in range(count)]
        self.left: frozenset[int] = frozenset()

    def emit(self, item: Any) -> Exit:
        """A round of the loop: the exit for the generator's body."""
        before = self._state.get()
        mark = len(build.require_current("this loop").changes)
        try:
            exit_ = self._body(item)
            possible = tags_of(exit_)
            if possible & LEAVING:
                self.left |= possible & LEAVING
                self._tag.content, self._content.content = tag_and_content(exit_)
        finally:
            self._log(before, mark)
        if not possible & LEAVING:
            return None
        if possible <= LEAVING:
            return Return()
        tag = self._tag.content
        out = choose(tag < BREAKS, lambda: NEXT, lambda: RETURNS)
        return StagedExit(out, frozenset({NEXT, RETURNS}), None)

    def _log(self, before: tuple[Any, ...], mark: int) -> None:
        changes = build.require_current("this loop").changes
        after = self._state.get()
        rows = zip(self._slots, before, after, strict=True)
        # Before what the body has logged, since they hold what was there before it.
        changes[mark:mark] = [(slot, old) for slot, old, new in rows if old is not new]

    def finish(self, orelse: Body | None) -> Exit:
        """The exit of the loop, once the generator's body has run; runs its else."""
        tag = self._tag.content
        possible = frozenset({tag}) if isinstance(tag, int) else self.left | ON
        exit_ = make_exit(tag, possible, self._content.content)
        return end_loop(exit_, orelse, self._given)
