"""put_off: calls whose trace went long without a node: Python's until they earn it.

A trace that was undone is made again, with a higher limit, once the calls of its kind
have taken four times as long as it had. So all traces that come to nothing take a
fourth of Python's time at most, and a constant graph is found where calls are many.
What such calls call in turn waits as well (decision 100).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from time import perf_counter, thread_time
from typing import TYPE_CHECKING, Any

from runtime.config import config
from tracer import idle, log
from tracer.forms import Unsettled
from tracer.generated import MISS

if TYPE_CHECKING:
    from tracer.function import Function
    from tracer.lookup import Lookup
    from tracer.new_objects import NewObjects
    from tracer.waiting import Waiting

# Kinds of calls that are remembered.
MOST_KNOWN = 1_000


class PutOffCalls:
    """What a Function knows of them, by the types of their arguments."""

    def __init__(self) -> None:
        self._known: dict[Any, Waiting] = {}
        # Seconds of traces that came to nothing, since they were last waited for.
        self._refused: defaultdict[Any, float] = defaultdict(float)

    @contextmanager
    def looking(self, function: Function[..., Any], args: Any, kwargs: Any) -> Any:
        """The block in which the trace of a call is looked for.

        Unsettled: it is put off
        """
        kind, clock, start = _kind(args, kwargs), None, thread_time()
        known, limit = self._known.get(kind), limit_of(function)
        if limit is not None:
            clock = idle.Clock(limit, True, idle.owes_much())
            if known is not None:
                clock = idle.Clock(known.limit, debt=known.debt)
        try:
            with idle.clocked(clock):
                yield
        except idle.PutOff as off:
            self._note(function, kind, off.seconds)
        except Exception:  # a refusal, or what the program raises on every path
            if clock is not None and clock.begun:
                self._refused[kind] += thread_time() - start
                if self._refused[kind] > idle.REFUSED:
                    self._note(function, kind, self._refused.pop(kind))
            raise
        else:
            if known is not None and clock is not None and clock.begun:
                known.debt = thread_time() - start
            return
        raise Unsettled(log.PUT_OFF)

    def call(self, lookup: Lookup, args: Any, kwargs: dict[str, Any]) -> Any:
        """A call as Python; MISS: it is none of those that are put off."""
        known = self._known.get(_kind(args, kwargs)) if self._known else None
        if known is None or known.is_over:
            return MISS
        return known.call(lookup, args, kwargs)

    def wait(self, function: Function[..., Any], args: Any, kwargs: Any) -> None:
        """Calls like this one are made as Python, for as long as a trace is worth."""
        if limit_of(function) is not None:
            self._note(function, _kind(args, kwargs), 0.0)

    def call_new(
        self, lookup: Lookup, args: Any, kwargs: Any, objects: NewObjects, new: Any
    ) -> Any:
        """A call as Python, with objects that are `new`; many such calls wait.

        They go to Python without a look at their objects then, for as long as a trace
        is worth that was put off.
        """
        function: Any = lookup.function
        if objects.are_many_calls():
            self.wait(function, args, kwargs)
        made = MISS if config.strict else self.call(lookup, args, kwargs)
        if made is not MISS:
            return made
        start = perf_counter()
        try:
            return lookup.as_python(args, kwargs)(log.NEW)
        finally:
            objects.note_call(new, start)

    def _note(self, function: Function[..., Any], kind: Any, seconds: float) -> None:
        """A trace was undone after so many seconds."""
        from tracer.waiting import Waiting

        if len(self._known) >= MOST_KNOWN:
            for one in self._known.values():
                one.end(function)
            self._known.clear()
        if kind not in self._known:
            self._known[kind] = Waiting(kind, limit_of(function) or idle.LIMIT)
        self._known[kind].put_off(seconds)
        if told := config.logger("retrace"):
            told.info(
                "%s: its trace is put off after %.1f ms, as %s",
                *(function.__name__, 1e3 * seconds, log.PUT_OFF),
            )


def limit_of(function: Function[..., Any]) -> float | None:
    """Seconds that a first trace may go on without a node; None: as long as it takes.

    Where graphs are asked for, by a setting of all calls, they are worth waiting for,
    but not for minutes (decision 145).
    """
    if config.strict or not (idle.TIMED and function.either_way):
        return None
    asked = config.backend != "auto" or not config.precise
    return idle.LIMIT * (idle.ASKED if asked else 1)


def _kind(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """What calls have in common that wait for one another."""
    if not kwargs:
        return tuple(map(type, args))
    return (*map(type, args), *((name, type(one)) for name, one in kwargs.items()))
