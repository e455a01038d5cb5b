"""hot: loops that have run for long, made machine code in the midst of a run.

The generated Python counts the steps of a loop that could be machine code. When they
are many the loop is compiled, and goes on there with the values that it has by then; at
the next entries it begins there. So short loops cost no compilation, long ones little.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from runtime.backends.llvm import arrays, comparing, functions, numbers
from runtime.backends.llvm.float_errors import warn
from runtime.backends.llvm.loops import Function
from runtime.backends.llvm.lowering import LOWER, OF_ARRAYS, Lowering
from runtime.backends.llvm.resuming import Rest
from runtime.backends.llvm.switch import WORK, first_work
from runtime.backends.llvm.values import NotLowered
from runtime.backends.numpy.program import Body, Step, Variable
from runtime.graph import Graph
from runtime.location import MADE

# Steps before arguments of another kind are tried again.
PATIENCE = 1_000_000
# Ways out that may be taken before the loop stays Python.
LEAVINGS = 8

Compile = Callable[[Graph, dict[Any, Step]], Callable[..., Any]]
# What this module calls belongs to the graph that called it: see `locate`.
globals()[MADE] = None
# Each has put its rows into LOWER.
FILLED = (arrays, comparing, functions, numbers)


class HotLoop:
    """A `while` of the program, counted by the generated Python.

    work:  the steps of a turn, those of loops in it left out
    begin: the steps that have been run so far
    run:   goes on with the loop from its carried values and captures, to the values at
           its end; None where it cannot
    """

    def __init__(self, step: Step, compile_rest: Compile) -> None:
        self.step = step
        self.work = sum(1 for body in step.bodies for _ in _own(body))
        self.begin = first_work()
        self.later = WORK - PATIENCE
        self.run: Callable[..., Any] = self.compiled
        self.inputs = [*step.carried, *_captures(step)]
        self.function: Function | None = None
        self._compile_rest = compile_rest

    def compiled(self, *values: Any) -> Any:
        """Compile the loop, and go on with it as machine code."""
        try:
            self._compile()
        except NotLowered as reason:
            self.refused = str(reason)
            self.run = _no
        return self.run(*values)

    def _compile(self) -> None:
        from runtime.backends.llvm.engine import Compiled
        from runtime.backends.llvm.text import Text

        lowering = Lowering(self.step)
        self.function = lowering.function("loop", self.inputs)
        text = Text(self.function, lowering.outside).write()
        made = Compiled("loop", text, lowering.outside)
        rests = Rests(self, lowering, made)
        self.run = made.callable(rests.resume)

    def stop(self) -> None:
        """Stay Python from now on."""
        self.run = _no


class Rests:
    """What Python goes on with where machine code has left the loop."""

    def __init__(self, loop: HotLoop, lowering: Lowering, code: Any) -> None:
        self.loop = weakref.ref(loop)
        self.step = loop.step
        self.code = code  # lives as long as what calls it
        self.handed = lowering.handed
        self.places = list(lowering.exits)
        self.warned = lowering.warned
        self.left = 0
        self._compile_rest = loop._compile_rest
        self._made: dict[int, Callable[..., Any]] = {}

    def resume(self, number: int, *handed: Any) -> Any:
        """Run the rest of the loop from an exit on; of -1 warn, by the flags handed."""
        if number < 0:
            return warn(handed[0], self.warned)
        self.left += 1
        loop = self.loop()
        if self.left >= LEAVINGS and loop is not None:
            loop.stop()
        run = self._made.get(number)
        if run is None:
            rest = Rest(self.step, self.handed[number])
            graph = rest.graph(*self.places[number])
            origins = {**_steps(self.step), **rest.origins}
            run = self._made[number] = self._compile_rest(graph, origins)
        return run(*handed)


def _no(*values: Any) -> None:
    """A loop that no machine code can be made of."""


def may_be_native(step: Step) -> bool:
    """Whether the ops of a loop are among those that machine code is made of."""
    return all(
        inner.node.op.name in LOWER
        or inner.node.op.name in OF_ARRAYS
        or isinstance(inner.node.op.numpy, np.ufunc)
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


def _own(body: Body) -> Iterator[Step]:
    """The steps of a body and of the branches in it."""
    for step in body.steps:
        if step.node.op.name != "constant":
            yield step
        if step.node.op.name == "if":
            for inner in step.bodies:
                yield from _own(inner)


def _steps(loop: Step) -> dict[Any, Step]:
    return {step.node: step for body in loop.bodies for step in _walk(body)}
