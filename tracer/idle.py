"""idle: a trace that goes long without a node of its graph is undone, and made later.

What a program of objects or of constants does is done by the tracer, some hundred times
as slowly as by Python, and no graph comes of it, or a constant one. So a first trace
may go on for a short time without a node; then the call is made as Python, and a trace
is made once such calls have taken long themselves (`put_off.py`, decision 100).
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import is_dataclass
from enum import Enum
from time import thread_time
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any

from runtime.build import OperatorsWanted
from runtime.depth import as_python
from tracer.only_python import IdleError

if TYPE_CHECKING:
    from runtime.build import Trace

# Whether the clock decides; most tests want the graph.
TIMED = True
# Seconds of the thread that a first trace may go on without a node.
LIMIT = 0.05
# How much longer where a setting asks for graphs: `backend="native"`, say.
ASKED = 4
# Seconds of traces of one kind that are refused before others like them wait.
REFUSED = 0.1
# How much longer than such a trace calls are to take before another one.
FACTOR = 4
# Seconds of traces that came to nothing, of all Functions, before what is called by
# calls as Python waits.
LOST = 0.5
# What one step between two looks counts at most: in a longer one modules are loaded,
# which is done once.
STEP = 0.005
# So much longer a trace may go on for each node that it makes.
EACH_NODE = 5e-4
# How many limits the traces of one call may take in all, nodes or not: the first time
# ten times what those of the largest programs of the benchmark take, and later.
MOST_AT_FIRST, MOST = 10, 2
# The same of traces that have done what nobody can undo, before they are given up.
MOST_ACTED = 20
# What a trace with the numbers as inputs may take, beside one without: so many limits.
WIDER = 2
# How a class statement's code is told: its names are no places of a function's.
_OPTIMIZED = 1


class PutOff(OperatorsWanted):
    """A trace is undone, to be made later or never. Not for users to catch.

    seconds: that it has taken
    """

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds = seconds


class Clock:
    """How long the traces of one call go on without a node.

    limit: the seconds that they may
    waits: a trace is put off before it begins, within a call that is
    owes:  and within one that is Python's for another reason
    debt:  the seconds of another one that are to be earned before it begins
    spent: the seconds that they have taken
    """

    __slots__ = (
        *("_acted", "_idle", "_last", "_most"),
        *("begun", "debt", "limit", "owes", "spent", "waits"),
    )

    def __init__(
        self, limit: float, waits: bool = False, owes: bool = False, debt: float = 0.0
    ) -> None:
        self.limit, self.waits, self.owes, self.debt = limit, waits, owes, debt
        self.begun, self._acted, self.spent = False, False, 0.0
        self._idle, self._last = 0.0, thread_time()
        self._most = (MOST_AT_FIRST if waits else MOST) * limit

    def look(self, trace: Trace) -> None:
        """A turn of a loop, or a call, has ended.

        PutOff: for long without a node, or at all. IdleError: so has what cannot wait
        """
        now = thread_time()
        took, self._last = now - self._last, now
        self.spent += took
        added, trace.seen = trace.made - trace.seen, trace.made
        self._idle = max(self._idle + min(took, STEP) - added * EACH_NODE, 0.0)
        if self._idle > self.limit or self.spent > self._most:
            self._give_up(trace)

    def pass_over(self, seconds: float) -> None:
        """So long something was done that is done once, for whatever trace."""
        self._last += seconds

    def leave_less(self, seconds: float) -> None:
        """So long the traces before these have taken, which are to last for all."""
        self._most -= seconds

    def _give_up(self, trace: Trace) -> None:
        if not (trace.acts or _makes_class(trace)):
            trace.is_put_off = True
            raise PutOff(self.spent)
        # It has done what nobody can undo, and is not to do it a third time.
        if self._acted:
            raise IdleError("this takes long, and has few operations or very many")
        self._acted = True
        self.limit = self._most = self.spent + MOST_ACTED * self.limit

    def try_wider(self) -> None:
        """Another trace follows, which is not to take long at all."""
        self._idle, self._most = 0.0, self.spent + WIDER * self.limit


class Ledger(threading.local):
    """What the traces that came to nothing have cost all Functions.

    owed: the seconds of calls as Python that there are to be before another one
    is_within: a call that waits is being made, whose seconds count
    """

    owed, is_within = 0.0, False


ledger = Ledger()


def owes_much() -> bool:
    """Whether traces of this thread have come to nothing for long."""
    return ledger.owed > FACTOR * LOST


class _State(threading.local):
    clock: Clock | None = None
    traced = 0.0


_state = _State()


@contextmanager
def clocked(clock: Clock | None) -> Iterator[None]:
    """For the block the clock is that of all traces; None: they take what they take."""
    before, _state.clock = _state.clock, clock
    try:
        yield
    finally:
        _state.clock = before
        if clock is not None:
            _state.traced += clock.spent


def clock() -> Clock | None:
    """That of the trace which begins now."""
    return _state.clock


def traced() -> float:
    """The seconds that this thread has spent on traces with a clock."""
    return _state.traced


@contextmanager
def done_once() -> Iterator[None]:
    """What the block does no other trace has to do again: it costs this one nothing."""
    clock, start = _state.clock, thread_time()
    try:
        yield
    finally:
        if clock is not None:
            clock.pass_over(thread_time() - start)


def begin() -> None:
    """A trace is about to be made. PutOff: not now."""
    clock = _state.clock
    if clock is not None:
        clock.begun = True
        if clock.debt or (clock.waits and is_within(clock.owes)):
            raise PutOff(0.0)


def require_not(trace: Trace) -> None:
    """PutOff: the trace was put off, and something has kept it from ending."""
    if trace.is_put_off:
        raise PutOff(0.0)


# Modules whose functions and classes do nothing beside giving a result, and changing
# containers, which is seen; but for a few.
_COMPUTING = frozenset(
    "builtins math cmath operator _operator itertools collections _collections heapq "
    "_heapq bisect _bisect string fractions statistics _statistics".split()
)
_ACTING = frozenset(
    {open, input, exec, eval, compile, __import__, breakpoint, setattr, delattr}
)


def may_act(called: Any) -> bool:
    """Whether something not converted may do more than to give a result."""
    owner = getattr(called, "__self__", None)
    if isinstance(called, type):
        return not (called.__module__ in _COMPUTING or _only_fills(called))
    if owner is None or isinstance(owner, ModuleType):
        module = getattr(called, "__module__", None)
        return module not in _COMPUTING or called in _ACTING
    kind = owner if isinstance(owner, type) else type(owner)
    return kind.__module__ not in _COMPUTING


def _only_fills(kind: Any) -> bool:
    """Whether making one, by what has no source, does nothing but set its attributes.

    Of those with an `__init__` or `__new__` in a source that is converted.
    """
    is_frozen = is_dataclass(kind) and vars(kind)["__dataclass_params__"].frozen
    is_plain = type(kind).__call__ is type.__call__ and (
        is_frozen or kind.__setattr__ is object.__setattr__
    )
    is_tuple = issubclass(kind, tuple) and hasattr(kind, "_fields")
    made = kind.__new__ is object.__new__ or is_tuple
    filled = kind.__init__ is object.__init__ or is_dataclass(kind)
    return issubclass(kind, Enum) or (is_plain and made and filled)


def _makes_class(trace: Trace) -> bool:
    """Whether a class may have been made, whose statements are run as they are."""
    return any(_has_class(one.__code__) for one in trace.functions.values())


def _has_class(code: CodeType) -> bool:
    inner = [held for held in code.co_consts if isinstance(held, CodeType)]
    return any(not held.co_flags & _OPTIMIZED or _has_class(held) for held in inner)


# What frames of calls that are put off have among their globals.
MARK = "of_put_off_calls"


def is_within(any_python: bool = False) -> bool:
    """Whether the present call is within one that is put off, and so Python's.

    any_python: or within one that is Python's for another reason
    """
    frame: Any = sys._getframe(1)
    while frame is not None:
        if MARK in frame.f_globals or (any_python and frame.f_code is _AS_PYTHON):
            return True
        frame = frame.f_back
    return False


_AS_PYTHON = as_python.__code__
