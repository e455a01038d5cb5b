"""Generators while tracing: gone through by running their bodies, or item by item.

A loop over a generator is run by the generator's body, so that both may depend on data
(tracer.emitting). What asks for one item after another (`next`, unpacking, a library)
gets them from a Python generator, whose control flow must be known while tracing.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from typing import Any

from autograph.operators.registry import Body, staging_of
from autograph.operators.stopping import run_generator
from runtime import build
from runtime.build import Frame
from runtime.errors import PythonTypeError, located
from runtime.ongoing import Ongoing
from runtime.structs import struct
from tracer.emitting import Emission, Emit
from tracer.exits import Exit
from tracer.iterated import FRESH, LEFT, NEW_ONE, RUNNING, WAS_LEFT, AskedInside
from tracer.state import State

# How far a generator is gone through.
ADVANCED, DONE, UNCLEAR = "advanced", "done", "unclear"

WORDS = {
    LEFT: WAS_LEFT,
    UNCLEAR: "how far this {} is gone through depends on data",
}


class Generator(Ongoing):
    """What a generator expression or function of the user's gives in a trace.

    run:    (emit, collects) runs its body, with `emit` called for each item; None when
            that cannot be. collects: whoever goes through it only keeps the items
    lazily: () makes the Python generator; None where that cannot be
    word:   what messages call it
    value:  what its body has returned, once a loop has gone through it
    """

    __slots__ = (
        "__weakref__",
        "_frame",
        "_iterator",
        "_lazily",
        "_run",
        "_word",
        "state",
        "value",
    )

    def __init__(
        self,
        run: Callable[[Emit, bool], Any] | None,
        lazily: Callable[[], Iterator[Any]] | None,
        word: str = "generator",
    ) -> None:
        self._word = word
        self._run = run
        self._lazily = lazily
        self._frame = build.require_current("a generator")
        self._iterator: Iterator[Any] | None = None
        self.state = FRESH
        self.value: Any = None

    @property
    def stands_for(self) -> type | None:  # type: ignore[override] # told by its word
        """`generator` for what a generator expression or function gives."""
        return types.GeneratorType if self._word == "generator" else None

    @property
    def runs(self) -> bool:
        """True when a loop can be run by its body, from its start."""
        return self._run is not None and self.state not in (ADVANCED, DONE)

    @property
    def can_be_asked(self) -> bool:
        """True when its items can be asked for one by one here."""
        return self._lazily is not None and build.current() is self._frame

    def go_through(
        self,
        body: Callable[[Any], Exit],
        state: State,
        orelse: Body | None,
        collects: bool = False,
    ) -> Exit:
        """`for item in self: body(item)` and `else: orelse()`, by its body."""
        self._require_known()
        assert self._run is not None
        self.move(RUNNING)
        emission = Emission(body, state)
        self.value = run_generator(self._run, emission.emit, collects)
        self.move(LEFT if emission.left else DONE)
        return emission.finish(orelse)

    def _require_known(self) -> None:
        if self.state == RUNNING:
            raise located(AskedInside(self, self._word), NEW_ONE.format(self._word))
        if self.state in WORDS:
            raise located(
                PythonTypeError(WORDS[self.state].format(self._word)),
                NEW_ONE.format(self._word),
            )

    def move(self, state: str) -> None:
        """Say how far it is gone through."""
        frame = build.current()
        if frame is not None:
            frame.changes.append((_GeneratorSlot(self), self.state))
        self.state = state

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return next(self._started())

    def send(self, value: Any) -> Any:
        """Python's own."""
        return self._started().send(value)

    def throw(self, *error: Any) -> Any:
        """Python's own."""
        return self._started().throw(*error)

    def close(self) -> None:
        """Python's own."""
        self._started().close()

    def _started(self) -> Any:
        """The Python generator, to be gone on with."""
        self._require_known()
        if self.state == DONE:
            return iter(())
        if build.current() is not self._frame:
            raise refuse_outside(f"this {self._word}")
        if self._lazily is None:
            raise _asked()
        self.move(ADVANCED)
        if self._iterator is None:
            self._iterator = self._lazily()
        return self._iterator


@struct
class _GeneratorSlot:
    """How far a generator is gone through, as a place."""

    generator: Generator

    def get(self) -> str:
        """Its state."""
        return self.generator.state

    def set(self, held: str) -> None:
        """Put it back; a generator that was gone on with cannot be."""
        self.generator._iterator = None
        self.generator.state = UNCLEAR if held == ADVANCED else held

    def content(self) -> Any:
        """The generator, which every path has."""
        return self.generator

    def change(self, frame: Frame, content: Any) -> None:
        """A path has gone through it, and another may not have."""
        frame.change(self, UNCLEAR)

    def is_local(self, frame: Frame) -> bool:
        """True when it was made in `frame`."""
        return self.generator._frame is frame

    def holder(self) -> Any:
        """The generator."""
        return self.generator

    def __str__(self) -> str:
        return "the generator that is gone through here"


def refuse_outside(what: str) -> PythonTypeError:
    """The error for what is gone on with where the run decides how often."""
    return located(
        PythonTypeError(
            f"{what} is gone on with in a branch or loop that depends on data, but was "
            "made outside of it"
        ),
        "Make it inside, or make a list of what it gives first.",
    )


def decided(condition: Any) -> Any:
    """A test in a generator that is asked for one item after another."""
    if staging_of(condition) is not None:
        raise _asked()
    return condition


def _asked() -> PythonTypeError:
    return located(
        PythonTypeError(
            "what this generator gives depends on data, but is asked for item by item"
        ),
        "Go through it with one `for`, or make a list of it first.",
    )
