"""hot: what has run for long, made machine code, a loop in the midst of a run.

The generated Python counts the steps of a loop that could be machine code. When they
are many the loop is compiled, and goes on there with the values that it has by then; at
the next entries it begins there. Other steps are timed, and compiled when they have
taken as long as that will. So what is short costs no compilation, what is long little.
What is done with it then is in `hot_code.py`, with all that makes machine code: no
program that is never hot loads that.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Any

from runtime.backends.llvm.either import Either, Turns
from runtime.backends.llvm.having import takes_any_time
from runtime.backends.llvm.span import Span
from runtime.backends.llvm.switch import (
    SECONDS,
    WORK,
    Native,
    first_look,
    is_asked_for,
    is_precise,
    tell_of_fault,
)
from runtime.backends.llvm.values import NotLowered
from runtime.backends.llvm.walking import captures, own_steps, walk
from runtime.backends.numpy.program import Step, Variable
from runtime.graph import Graph
from runtime.location import MADE
from runtime.signals import apart, leaving

if TYPE_CHECKING:
    from runtime.backends.llvm.loops import Function, Local
    from runtime.backends.llvm.lowering import Lowering
    from runtime.backends.llvm.making import Making
    from runtime.backends.llvm.rests import Rests
    from runtime.backends.llvm.text import Text
    from runtime.backends.llvm.typed import Typed

# Steps before arguments of another kind are tried again.
PATIENCE = 1_000_000
# Ways out that may be taken before the loop stays Python.
LEAVINGS = 8
# What a step of numbers takes in Python.
SECONDS_A_STEP = 60e-9
# What part of the steps that are awaited is to be made in twice the seconds that they
# should take, or else they are not waited for.
PART = 0.25
# Seconds between two looks at what is being compiled.
LOOK = 5e-4
# Instructions at most: some seconds of compiling.
MOST = 20_000
# Calls of Python, of all instructions, at most: each costs some 0.1 us more than there.
CALLS = 0.05

Compile = Callable[[Graph, dict[Any, Step]], Callable[..., Any]]
# What this module calls belongs to the graph that called it: see `locate`.
globals()[MADE] = None


class Compilable(Native, ABC):
    """Steps of the program that may become machine code.

    run: runs them, from the values of `inputs` to those of the span's outputs; None
         where it cannot, and Python is to run them
    """

    def __init__(
        self, span: Span, inputs: list[Variable], compile_rest: Compile
    ) -> None:
        self.span = span
        self.inputs = inputs
        # Whether it is machine code, and that in loop IR, if it has been lowered.
        self.is_made = False
        self.function: Function | None = None
        self.refused = ""
        # Python has spent these in it, at least, when it is to be compiled; and it took
        # these to see how many that are, in which Python has not gone on.
        self.seconds, self.looking = SECONDS, 0.0
        self.compile_rest = compile_rest
        # How many turns it took the last time, of a loop; see `Either`.
        self.turns: Turns | None = None
        self._at_once = is_asked_for()
        self.precise = is_precise()
        self._making: Making | None = None
        # What Python is to spend its time for, by the key of what it was lowered from.
        self._awaited: tuple[str, Making] | None = None
        self._lock = threading.Lock()

    def compiled(self, *values: Any) -> Any:
        """Run the steps as machine code; None where that is not there yet."""
        if not self._lock.acquire(blocking=self._at_once):
            return None  # another thread is at it
        try:
            with leaving(), apart():
                is_ready = self._goes_on()
        finally:
            self._lock.release()
        return self.run(*values) if is_ready else None

    # Until an instance has its own: a method that it held would be a cycle.
    run: Callable[..., Any] = compiled

    @property
    def awaited(self) -> float:
        """Seconds that Python is to spend in it until it is settled: see `Native`."""
        if self._making is not None:
            return inf
        is_settled = self.is_made or self.refused
        return 0.0 if is_settled else self.seconds

    @property
    def is_making(self) -> bool:
        """Whether its machine code is being made: see `Native`."""
        making = self._making
        return making is not None and not making.is_done

    @abstractmethod
    def wait(self, seconds: float) -> None:
        """Come again when Python has spent so many seconds."""

    @abstractmethod
    def come_again(self) -> None:
        """Come again soon: it is being compiled."""

    def _goes_on(self) -> bool:
        """Do the next thing on the way to machine code; whether it is the last."""
        if self.is_made or self.refused:
            return True  # another thread has done it
        try:
            if self._making is None:
                start = perf_counter()
                making = self._found()
                self.looking = perf_counter() - start
                if making is None:
                    return False
                if making.cost > self.seconds and not self._at_once:
                    self.wait(making.cost)
                    return False
                from runtime.backends.llvm.rests import called

                self.called = called(self, making.recipe.ties)
                making.begin(self.called, at_once=self._at_once)
                self._making, self._awaited = making, None
            if not self._making.is_done:
                self.come_again()
                return False
            self._take(self._making)
        except NotLowered as reason:
            self.refused = str(reason)
            self.stop()
        except Exception as error:
            if self._at_once:
                raise
            self._is_faulty(error)
        return True

    def _found(self) -> Making | None:
        """What makes machine code of it, kept or anew; None: it is lowered later."""
        from runtime.backends.llvm.kept_program import known_of, nothing, seconds_before

        known = known_of(self)
        if known and (found := known.making_of(self)):
            return found
        before = 0.0 if self._at_once else seconds_before(self.span)
        if before > self.seconds:
            self.wait(before)
            return None
        from runtime.backends.llvm.hot_code import making_of

        if known is None:
            return making_of(self, nothing)
        if not self._awaited or self._awaited[0] != known.key:
            try:
                self._awaited = known.key, making_of(self, known.keep)
            except NotLowered as reason:
                known.keep_refused(str(reason))
                raise
        return self._awaited[1]

    def text(self, lowering: Lowering, function: Function) -> Text:
        """LLVM's text of the function, to be written."""
        from runtime.backends.llvm.hot_code import text_of

        return text_of(lowering, function)

    def _take(self, making: Making) -> None:
        """From now on it is the machine code that is run."""
        from runtime.backends.llvm.rests import Rests

        made, recipe = making.result(), making.recipe
        rests = Rests(self, recipe.ties, made)
        self.run = made.callable(self.told(rests))
        self.is_made, self.function = True, recipe.function
        self._making = None

    def _is_faulty(self, error: Exception) -> None:
        """Stay Python, and say so: it should have become machine code."""
        self.refused = repr(error)
        self.stop()
        tell_of_fault(self.span.steps[0].node.location, error)

    def told(self, rests: Rests) -> Callable[..., Any]:
        """What the machine code tells of exits and of numbers that overflow."""
        return rests.resume

    def lowered(self) -> tuple[Lowering, Function]:
        """The steps in loop IR, after its passes, and what has written it."""
        from runtime.backends.llvm.hot_code import lowered

        return lowered(self)

    def typed(self) -> Typed:
        """The lists whose numbers lie in memory."""
        from runtime.backends.llvm.hot_code import typed_lists

        return typed_lists(self.span)

    def begins(self, lowering: Lowering) -> dict[Local, int]:
        """The ints that a loop which is entered at any turn has begun with."""
        return {}

    def said(self) -> tuple[Any, ...] | None:
        """What lowering is told beside the steps, in plain values; None: in others."""
        return ()

    def lower(self, lowering: Lowering) -> Function:
        """The steps in loop IR."""
        return lowering.function("steps", self.inputs)

    def stop(self) -> None:
        """Stay Python from now on."""
        self.run = _no
        self._making = self._awaited = None

    def begin_again(self) -> None:
        """Be compiled anew: what this was left for is done otherwise now."""
        self.function = self._making = None
        self.is_made = False
        self.__dict__.pop("run", None)
        self.come_again()


class HotLoop(Compilable):
    """A `while`, counted by the generated Python; it is entered at any turn.

    work:     the steps of a turn, those of loops in it left out
    begin:    the steps that have been run so far
    is_timed: whether the clock tells how long it has run: a step may take any time
    """

    turns: Turns

    def __init__(self, step: Step, compile_rest: Compile) -> None:
        body, index = step.bodies[0].parent, step.bodies[0].position
        assert body is not None
        span = Span(body, index, index + 1, step.outputs)
        super().__init__(span, [*step.carried, *captures(step)], compile_rest)
        self.step = step
        self.work = sum(1 for inner in step.bodies for _ in own_steps(inner))
        self.begin = WORK if self._at_once else 0
        self._first = 0  # where it has begun to count the steps that it waits for
        self.later = WORK - PATIENCE
        self.is_timed = any(map(takes_any_time, walk(step.bodies)))
        # Whether the lists that it is given stay as they are; see `Either`.
        self.is_plain, self.turns = False, Turns()
        self._spent = self._due = 0.0
        self._waited = WORK * SECONDS_A_STEP
        if self.is_timed and not self._at_once:
            self.seconds = self._due = first_look(sum(1 for _ in walk(step.bodies)))

    def lower(self, lowering: Lowering) -> Function:
        """The loop in loop IR."""
        from runtime.backends.llvm.hot_code import lowered_loop

        return lowered_loop(self, lowering)

    def typed(self) -> Typed:
        """The lists whose numbers lie in memory; those that it is given, too."""
        from runtime.backends.llvm.hot_code import typed_lists

        given = () if self.is_plain else (*self.inputs, *self.step.inputs)
        return typed_lists(self.span, given)

    def said(self) -> tuple[Any, ...] | None:
        """What lowering is told beside the steps, in plain values."""
        return (self.is_plain,)

    def begins(self, lowering: Lowering) -> dict[Local, int]:
        """The ints that the program has for what the loop carries."""
        from runtime.backends.llvm.hot_code import first_ints

        return first_ints(self.step, lowering)

    @property
    def is_counting(self) -> bool:
        """Whether it counts steps, has not all yet, and has made its way in part."""
        if self.is_timed or not 0.0 < self.awaited < inf:
            return False
        return self.begin - self._first >= PART * (WORK - self._first)

    def wait(self, seconds: float) -> None:
        """Come again when Python has spent so many seconds."""
        self.seconds, self._due = seconds, seconds + self.looking
        more = max(seconds - self._waited, LOOK)
        self._waited = max(seconds, self._waited)
        self._first = self.later = WORK - int(more / SECONDS_A_STEP)

    def come_again(self) -> None:
        """Come again soon: it is being compiled."""
        self.later = WORK - int(LOOK / SECONDS_A_STEP)

    def _take(self, making: Making) -> None:
        super()._take(making)
        self.later = WORK - PATIENCE
        if making.recipe.ties.takes_lists:
            plain = HotLoop(self.step, self.compile_rest)
            plain.is_plain, plain.seconds = True, self.seconds
            plain.precise, plain._at_once = self.precise, self._at_once
            self.run = Either(self, self.run, plain, self.turns)

    def stop(self) -> None:
        """Stay Python from now on."""
        super().stop()
        self._due, self.later = inf, WORK - PATIENCE

    # Of a loop that is timed.

    def started(self) -> float:
        """When it would have begun, had it run without a break."""
        return perf_counter() - self._spent

    def is_due(self, start: float) -> bool:
        """Whether it has run for so long that it is to be machine code."""
        return perf_counter() - start >= self._due

    def missed(self, start: float) -> None:
        """It could not go on as machine code: Python goes on for a while."""
        if self._due < inf:
            spent = perf_counter() - start
            soon = spent + LOOK
            if self._making is not None:
                self._due = soon
            else:
                # Machine code that is there could not; else it is known when to come.
                self._due = max(self._due, 2 * spent if self.is_made else soon)

    def ended(self, start: float) -> None:
        """Note for how long it has run."""
        self._spent = perf_counter() - start


class Region(Compilable):
    """Steps one after the other, timed by the generated Python until they are compiled.

    It calls `ended` when it has run them.
    """

    def __init__(
        self, span: Span, inputs: list[Variable], compile_rest: Compile
    ) -> None:
        super().__init__(span, inputs, compile_rest)
        self._spent = self._start = 0.0
        self._is_due = self._at_once
        if not self._at_once:
            self.seconds = first_look(len(span.steps))

    def _begun(self, *values: Any) -> Any:
        if self._is_due:
            return self.compiled(*values)
        self._start = perf_counter()
        return None

    run: Callable[..., Any] = _begun

    def ended(self) -> None:
        """Note for how long Python has run them."""
        if not self._is_due:
            self._spent += perf_counter() - self._start
            self._is_due = self._spent >= self.seconds

    def wait(self, seconds: float) -> None:
        """Come again when Python has spent so many seconds."""
        self.seconds = seconds
        self._is_due = False
        self._start = perf_counter()

    def come_again(self) -> None:
        """The next call looks."""


def _no(*values: Any) -> None:
    """Steps that no machine code can be made of."""
