"""rests: what Python goes on with where machine code has been left."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any

from runtime.backends.llvm import hot
from runtime.backends.llvm.float_errors import FLAGS, MADE_ANEW, UNTOLD, Found, warn
from runtime.backends.llvm.outgrown import Line, let_wrap, line_of
from runtime.backends.llvm.resuming import Rest, alone
from runtime.backends.llvm.ties import Ties
from runtime.backends.llvm.walking import by_node, walk
from runtime.backends.numpy.program import Step
from runtime.location import MADE
from runtime.ops.lists import MUTATES

if TYPE_CHECKING:
    from runtime.backends.llvm.hot import Compilable

# What this module calls belongs to the graph that called it: see `locate`.
globals()[MADE] = None
# Among the globals of a function that is made late, what makes it.
_LATE = "late_"


def called(steps: Compilable, ties: Ties) -> dict[str, FunctionType]:
    """The steps that machine code calls as Python, by their names in the text.

    Each is made when it is called: many are for arrays that lie in another way, and to
    make one takes as long as finding the machine code of a hundred steps.
    """
    return {symbol: _late(steps, step) for symbol, step in ties.called.items()}


def _late(steps: Compilable, step: Step) -> FunctionType:
    """A function that is made when it is first called; then it is no slower."""
    late = _Late(steps, step)
    function = FunctionType(_first.__code__, {MADE: None, _LATE: late}, "step")
    # The function holds it.
    late.function = weakref.ref(function)
    return function


def _first(*given: Any) -> Any:
    """What such a function is at first, with globals of its own."""
    return globals()["late_"].made()(*given)


class _Late:
    """How a function of one step becomes that."""

    function: weakref.ref[FunctionType]

    def __init__(self, steps: Compilable, step: Step) -> None:
        self._compile, self._of = steps.compile_rest, (steps.span, step)
        self._lock = threading.RLock()
        self._run: Any = None

    def made(self) -> Callable[..., Any]:
        """The step as Python, which the function is from now on."""
        with self._lock:
            function = self.function()
            if self._run is None and function is not None:
                self._run = run = self._compile(*alone(*self._of))
                function.__globals__.update(run.__globals__)
                function.__code__ = run.__code__
            run = self._run
        return run


class Rests:
    """What Python goes on with, by the numbers that machine code tells."""

    def __init__(self, steps: Compilable, ties: Ties, code: Any) -> None:
        self.steps = weakref.ref(steps)
        self.span = steps.span
        self.code = code  # lives as long as what calls it
        self.ties = ties
        self.outgrown: set[Line] = set()
        # Nothing has been done that Python would do a second time.
        self.may_be_missed = not (ties.is_done_once or self._changes())
        self.left = 0
        # Python's functions give other bits than our own. Of ints that wrap round here
        # Python has warned when they were left.
        is_told = not steps.precise or ties.wraps
        self.made_anew = MADE_ANEW if is_told else 0
        self._compile_rest = steps.compile_rest
        self._made: dict[int, Callable[..., Any]] = {}
        self._causes: Found = {}

    def resume(self, number: int, flags: int, *handed: Any) -> Any:
        """Warn, by the flags; then run the rest from an exit on, which -1 is not.

        False: Python is to make the steps up to it, for a warning is an error, it is
        one of the first, of which Python says all, or nobody knows whether it was
        Python's own floats that overflowed, in silence.
        """
        is_noted = flags & FLAGS and number < 0 and self.may_be_missed
        if is_noted and self.made_anew < MADE_ANEW:
            self.made_anew += 1
            return False
        if flags & UNTOLD:
            if is_noted:
                self._count_leaving()
                return False
        elif flags:
            try:
                warn(flags, self.ties.warned, self._causes)
            except Warning:
                if number < 0 and self.may_be_missed:
                    return False
                raise
        if number < 0:
            return None
        self._note_outgrown(number)
        self._count_leaving()
        run = self._made.get(number)
        if run is None:
            body, position, handed_on = self.ties.exits[number]
            rest = Rest(self.span, handed_on)
            graph = rest.graph(body, position)
            origins = {**by_node(self.span.steps), **rest.origins}
            run = self._made[number] = self._compile_rest(graph, origins)
        return run(*handed)

    def _changes(self) -> bool:
        """Whether it changes lists, of which it may have been given some."""
        steps = self.span.steps
        inside = (one for step in steps for one in (step, *walk(step.bodies)))
        return any(one.node.op.name in MUTATES for one in inside)

    def _note_outgrown(self, number: int) -> None:
        step = self.ties.overflows.get(number)
        line = None if step is None else line_of(step)
        if line is not None:
            self.outgrown.add(line)

    def _count_leaving(self) -> None:
        self.left += 1
        steps = self.steps()
        if self.left < hot.LEAVINGS:
            return
        let_wrap(self.outgrown)
        if steps is not None and self.outgrown:
            steps.begin_again()
        elif steps is not None:
            steps.stop()
