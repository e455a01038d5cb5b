"""block: the body of a `with`, run where the manager's generator has its `yield`.

The branches of the generator do not know the names of the function around the `with`:
their changes are logged, as those of a list are, and so carried. How the block is left
is carried beside them, since what follows the `yield` is run first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime import build
from tracer.choice import Choice
from tracer.cond import cond, make_exit, tag_and_content
from tracer.emitting import NameSlot
from tracer.exits import NEXT, Exit, tags_of
from tracer.picking import ask
from tracer.state import EMPTY, Box, State, with_boxes
from tracer.undefined import UNDEFINED

# Words, since a number would be carried by the graph even where it is known.
WAITING, RUN = "not yet", "run"


class Block:
    """A block that is to be run once, by whoever knows when."""

    def __init__(self, body: Callable[[Any], Exit], state: State) -> None:
        self._body = body
        self._ran, self._tag, self._content = Box(WAITING), Box(NEXT), Box(UNDEFINED)
        boxes = {
            "whether the block was run": self._ran,
            "the way on": self._tag,
            "the returned value": self._content,
        }
        self._state = with_boxes(state, boxes)
        frame = build.require_current("this with")
        count = len(self._state.names)
        self._slots = [NameSlot(self._state, i, frame) for i in range(count)]
        self._possible = frozenset({NEXT})

    def run(self, value: Any = None) -> None:
        """Run it. RuntimeError: it has been."""
        self._refuse(RUN, "generator didn't stop")
        # Logged before they change: a handler of the generator's finds what they hold.
        changes = build.require_current("this with").changes
        changes += zip(self._slots, self._state.get(), strict=True)
        self._ran.content = RUN
        exit_ = self._body(value)
        self._possible |= tags_of(exit_)
        self._tag.content, self._content.content = tag_and_content(exit_)

    def finish(self) -> Exit:
        """How it was left. RuntimeError: it was not run."""
        self._refuse(WAITING, "generator didn't yield")
        tag = self._tag.content
        possible = frozenset({tag}) if isinstance(tag, int) else self._possible
        return make_exit(tag, possible, self._content.content)

    def _refuse(self, word: str, message: str) -> None:
        """Raise where the block was run, or not; when that is known, or by the run."""

        def fail() -> None:
            raise RuntimeError(message)

        ran = self._ran.content
        if type(ran) is not Choice:
            if ran == word:
                fail()
            return
        cond(ask(ran, lambda option: option == word), fail, lambda: None, EMPTY)
