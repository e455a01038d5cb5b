"""hot_code: how what is hot becomes machine code, and what goes on where that is left.

`hot.py` loads it when something has run for long, and with it whatever lowers.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from runtime.backends.llvm import filled, hot
from runtime.backends.llvm.abi import is_as_expected
from runtime.backends.llvm.constants import constant_number
from runtime.backends.llvm.float_errors import FLAGS, MADE_ANEW, UNTOLD, warn
from runtime.backends.llvm.hot import Compilable, HotLoop
from runtime.backends.llvm.improved import improved
from runtime.backends.llvm.loops import INT, Function, Local, Number
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.making import Making
from runtime.backends.llvm.outgrown import Line, let_wrap
from runtime.backends.llvm.resuming import Rest
from runtime.backends.llvm.text import Text
from runtime.backends.llvm.typed import typed_lists
from runtime.backends.llvm.typed_inputs import TURNS, lists_of
from runtime.backends.llvm.values import NotLowered
from runtime.backends.llvm.walking import by_node, walk
from runtime.backends.llvm.whiles import loop_function
from runtime.backends.numpy.program import Step
from runtime.location import MADE
from runtime.ops.lists import MUTATES

__all__ = ["FILLED", "Rests", "lists_of", "making_of", "typed_lists"]

FILLED = filled.FILLED
# What this module calls belongs to the graph that called it: see `locate`.
globals()[MADE] = None


def making_of(steps: Compilable) -> Making:
    """What makes machine code of the steps.

    NotLowered: there is none for them, or it is not worth it
    """
    if not is_as_expected():
        raise NotLowered("objects lie in memory in another way")
    lowering, function = steps.lowered()
    if lowering.calls > hot.CALLS * function.size():
        raise NotLowered("too few steps are the machine's")
    if function.size() > hot.MOST:
        raise NotLowered("too long a program")
    return Making(lowering, function, steps.text(lowering, function))


def text_of(lowering: Lowering, function: Function) -> Text:
    """LLVM's text of the function, to be written."""
    return Text(function, lowering.outside)


def lowered(steps: Compilable) -> tuple[Lowering, Function]:
    """The steps in loop IR, after its passes, and what has written it."""
    typed = steps.typed()
    try:
        lowering = Lowering(steps.span, steps.precise, typed)
        made = steps.lower(lowering)
    except NotLowered:
        if not typed:
            raise
        # Python's own lists have machine code for more.
        lowering = Lowering(steps.span, steps.precise)
        made = steps.lower(lowering)
    return lowering, improved(lowering, made, steps.begins(lowering))


def lowered_loop(loop: HotLoop, lowering: Lowering) -> Function:
    """A loop in loop IR."""
    made = loop_function(lowering, "loop", loop.inputs)
    if lists_of(made):
        lowering.named[TURNS] = loop.turns.address, loop.turns
    return made


def first_ints(loop: Step, lowering: Lowering) -> dict[Local, int]:
    """The ints that the program has for what a loop carries."""
    found = {}
    for variable, first in zip(loop.carried, loop.inputs, strict=False):
        value = lowering.values.get(variable)
        begin = constant_number(lowering, first) if first.constant else None
        if begin and isinstance(value, Number) and begin.dtype.kind == "i":
            (local,), (number,) = value.parts, begin.parts
            if isinstance(local, Local) and local.type == INT:
                assert isinstance(number, int)
                found[local] = number
    return found


class Rests:
    """What Python goes on with where machine code has been left."""

    def __init__(self, steps: Compilable, lowering: Lowering, code: Any) -> None:
        self.steps = weakref.ref(steps)
        self.span = steps.span
        self.code = code  # lives as long as what calls it
        self.handed = lowering.handed
        self.places = [(body, position) for body, position, *_ in lowering.exits]
        self.warned = lowering.warned
        self.overflows = lowering.overflows
        self.outgrown: set[Line] = set()
        # Nothing has been done that Python would do a second time.
        self.may_be_missed = not (
            lowering.written or lowering.calls or lowering.draws or self._changes()
        )
        self.left = 0
        # Python's functions give other bits than our own. Of ints that wrap round here
        # Python has warned when they were left.
        is_told = not steps.precise or lowering.wraps
        self.made_anew = MADE_ANEW if is_told else 0
        self._compile_rest = steps._compile_rest
        self._made: dict[int, Callable[..., Any]] = {}

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
                warn(flags, self.warned)
            except Warning:
                if number < 0 and self.may_be_missed:
                    return False
                raise
        if number < 0:
            return None
        if number in self.overflows:
            self.outgrown.add(self.overflows[number])
        self._count_leaving()
        run = self._made.get(number)
        if run is None:
            rest = Rest(self.span, self.handed[number])
            graph = rest.graph(*self.places[number])
            origins = {**by_node(self.span.steps), **rest.origins}
            run = self._made[number] = self._compile_rest(graph, origins)
        return run(*handed)

    def _changes(self) -> bool:
        """Whether it changes lists, of which it may have been given some."""
        steps = self.span.steps
        inside = (one for step in steps for one in (step, *walk(step.bodies)))
        return any(one.node.op.name in MUTATES for one in inside)

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
