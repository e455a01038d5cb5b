"""hot: what has run for long, made machine code, a loop in the midst of a run.

The generated Python counts the steps of a loop that could be machine code. When they
are many the loop is compiled, and goes on there with the values that it has by then; at
the next entries it begins there. Other steps are timed, and compiled when they have
taken as long as that will. So what is short costs no compilation, what is long little.
"""

from __future__ import annotations

import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from math import inf
from time import perf_counter
from typing import Any

from runtime.backends.llvm import arrays, comparing, functions, numbers
from runtime.backends.llvm.alive import Span
from runtime.backends.llvm.fallback import by_python, is_pure
from runtime.backends.llvm.float_errors import warn
from runtime.backends.llvm.loops import Function
from runtime.backends.llvm.lowering import CALLED, LOWER, OF_ARRAYS, Lowering
from runtime.backends.llvm.resuming import Rest
from runtime.backends.llvm.switch import SECONDS, WORK, Native, is_asked_for
from runtime.backends.llvm.values import NotLowered, is_elementwise
from runtime.backends.numpy.program import Body, Step, Variable
from runtime.graph import Graph
from runtime.location import MADE
from runtime.spans import spanned

# Steps before arguments of another kind are tried again.
PATIENCE = 1_000_000
# Ways out that may be taken before the loop stays Python.
LEAVINGS = 8
# What compiling takes for each instruction, about, and a step of numbers in Python.
SECONDS_EACH = 150e-6
SECONDS_A_STEP = 60e-9
# Instructions at most: some seconds of compiling.
MOST = 20_000
# Calls of Python, of all instructions, at most: each costs some 0.1 us more than there.
CALLS = 0.05

Compile = Callable[[Graph, dict[Any, Step]], Callable[..., Any]]
# What this module calls belongs to the graph that called it: see `locate`.
globals()[MADE] = None
LOWER[CALLED] = by_python
# Each has put its rows into LOWER.
FILLED = (arrays, comparing, functions, numbers)


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
        self.run: Callable[..., Any] = self.compiled
        self.function: Function | None = None
        self.refused = ""
        # Python has spent these in it, at least, when it is to be compiled.
        self.seconds = SECONDS
        self._compile_rest = compile_rest

    def compiled(self, *values: Any) -> Any:
        """Compile the steps and run them; None where it is too early for that."""
        try:
            lowering, function = self._lowered()
            cost = function.size() * SECONDS_EACH
            if cost > self.seconds and not is_asked_for():
                self.wait(cost)
                return None
            self._compile(lowering, function)
        except NotLowered as reason:
            self.refused = str(reason)
            self.stop()
        return self.run(*values)

    @abstractmethod
    def wait(self, cost: float) -> None:
        """Come again when Python has spent so many seconds."""

    def _lowered(self) -> tuple[Lowering, Function]:
        lowering = Lowering(self.span)
        function = self.lower(lowering)
        if lowering.calls > CALLS * function.size():
            raise NotLowered("too few steps are the machine's")
        if function.size() > MOST:
            raise NotLowered("too long a program")
        return lowering, function

    def _compile(self, lowering: Lowering, function: Function) -> None:
        place = self.span.steps[0].node.location
        with spanned("compile", "machine code", place):
            self._make(lowering, function)

    def _make(self, lowering: Lowering, function: Function) -> None:
        from runtime.backends.llvm.engine import Compiled
        from runtime.backends.llvm.text import Text

        text = Text(function, lowering.outside).write()
        called = {
            symbol: self._compile_rest(graph, origins)
            for symbol, (graph, origins) in lowering.called.items()
        }
        made = Compiled(function.name, text, lowering.outside, called)
        rests = Rests(self, lowering, made)
        self.function = function
        self.run = made.callable(rests.resume)

    def lower(self, lowering: Lowering) -> Function:
        """The steps in loop IR."""
        return lowering.function("steps", self.inputs)

    def stop(self) -> None:
        """Stay Python from now on."""
        self.run = _no


class HotLoop(Compilable):
    """A `while`, counted by the generated Python; it is entered at any turn.

    work:     the steps of a turn, those of loops in it left out
    begin:    the steps that have been run so far
    is_timed: whether the clock tells how long it has run: a step may take any time
    """

    def __init__(self, step: Step, compile_rest: Compile) -> None:
        body, index = step.bodies[0].parent, step.bodies[0].position
        assert body is not None
        span = Span(body, index, index + 1, step.outputs)
        super().__init__(span, [*step.carried, *_captures(step)], compile_rest)
        self.step = step
        self.work = sum(1 for inner in step.bodies for _ in _own(inner))
        self.begin = WORK if is_asked_for() else 0
        self.later = WORK - PATIENCE
        self.is_timed = any(map(_takes_any_time, _walk_all(step.bodies)))
        self._spent = 0.0
        self._due = 0.0 if is_asked_for() else SECONDS

    def lower(self, lowering: Lowering) -> Function:
        """The loop in loop IR."""
        return lowering.loop_function("loop", self.inputs)

    def wait(self, cost: float) -> None:
        """Come again when Python has spent so many seconds."""
        self.seconds = self._due = cost
        self.later = WORK - int(cost / SECONDS_A_STEP)

    def stop(self) -> None:
        """Stay Python from now on."""
        super().stop()
        self._due = inf

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
            self._due = max(self._due, 2 * (perf_counter() - start))

    def ended(self, start: float) -> None:
        """Note for how long it has run."""
        self._spent = perf_counter() - start


class Region(Compilable):
    """Steps one after the other, timed by the generated Python until they are compiled.

    ended: to be called when Python has run them
    """

    def __init__(
        self, span: Span, inputs: list[Variable], compile_rest: Compile
    ) -> None:
        super().__init__(span, inputs, compile_rest)
        self.ended: Callable[[], None] = self._ended
        self._spent = self._start = 0.0
        if not is_asked_for():
            self.run = self._begun

    def _begun(self, *values: Any) -> None:
        self._start = perf_counter()

    def _ended(self) -> None:
        self._spent += perf_counter() - self._start
        if self._spent >= self.seconds:
            self.run = self.compiled

    def compiled(self, *values: Any) -> Any:
        """Compile the steps and run them; None where it is too early for that."""
        self.ended = _no
        return super().compiled(*values)

    def wait(self, cost: float) -> None:
        """Come again when Python has spent so many seconds."""
        self.seconds = cost
        self.run, self.ended = self._begun, self._ended
        self._begun()


class Rests:
    """What Python goes on with where machine code has been left."""

    def __init__(self, steps: Compilable, lowering: Lowering, code: Any) -> None:
        self.steps = weakref.ref(steps)
        self.span = steps.span
        self.code = code  # lives as long as what calls it
        self.handed = lowering.handed
        self.places = [(body, position) for body, position, _ in lowering.exits]
        self.warned = lowering.warned
        self.left = 0
        self._compile_rest = steps._compile_rest
        self._made: dict[int, Callable[..., Any]] = {}

    def resume(self, number: int, flags: int, *handed: Any) -> Any:
        """Warn, by the flags; then run the rest from an exit on, which -1 is not."""
        if flags:
            warn(flags, self.warned)
        if number < 0:
            return None
        self.left += 1
        steps = self.steps()
        if self.left >= LEAVINGS and steps is not None:
            steps.stop()
        run = self._made.get(number)
        if run is None:
            rest = Rest(self.span, self.handed[number])
            graph = rest.graph(*self.places[number])
            origins = {**_steps(self.span.steps), **rest.origins}
            run = self._made[number] = self._compile_rest(graph, origins)
        return run(*handed)


def _no(*values: Any) -> None:
    """Steps that no machine code can be made of."""


def may_be_native(step: Step) -> bool:
    """Whether the ops of a loop are among those that machine code is made of."""
    return all(
        inner.node.op.name in LOWER
        or inner.node.op.name in OF_ARRAYS
        or is_elementwise(inner.node.op.numpy)
        or is_pure(inner)
        for body in step.bodies
        for inner in _walk(body)
    )


def _captures(step: Step) -> list[Variable]:
    """What the loop only reads, each once; numbers that are constants left out."""
    found = dict.fromkeys(step.inputs[len(step.carried) :])
    return [v for v in found if not (v.constant and v.spec.shape == ())]


def _walk(body: Body) -> Iterator[Step]:
    for step in body.steps:
        yield step
        for inner in step.bodies:
            yield from _walk(inner)


def _walk_all(bodies: Iterable[Body]) -> Iterator[Step]:
    for body in bodies:
        yield from _walk(body)


def _takes_any_time(step: Step) -> bool:
    """Whether a step is of whole arrays, or calls what may take long."""
    name, outputs = step.node.op.name, step.outputs
    if name in ("slice", "if", "while", "constant"):
        return False
    is_number = name in LOWER or is_elementwise(step.node.op.numpy)
    return not is_number or any(v.spec.shape != () for v in outputs)


def _own(body: Body) -> Iterator[Step]:
    """The steps of a body and of the branches in it."""
    for step in body.steps:
        if step.node.op.name != "constant":
            yield step
        if step.node.op.name == "if":
            for inner in step.bodies:
                yield from _own(inner)


def _steps(steps: Iterable[Step]) -> dict[Any, Step]:
    """The steps in the bodies of these, by their nodes."""
    bodies = [body for step in steps for body in step.bodies]
    return {inner.node: inner for body in bodies for inner in _walk(body)}
