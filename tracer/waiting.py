"""waiting: the calls of one kind whose trace was put off, until they have earned it.

They are Python's. Few are timed, and those that are not go to the Python function by a
reader of their own, which looks at nothing but the types and sizes of the arguments;
where they are very many, by machine code (decision 86).
"""

from __future__ import annotations

from itertools import repeat
from operator import le, length_hint
from time import thread_time
from typing import TYPE_CHECKING, Any

from runtime.config import WATCH
from runtime.vectored import binds_at_once
from tracer import idle, log
from tracer.by_python import WITHIN, First, outermost, read_put_off, size_of
from tracer.short_keys import form_of

if TYPE_CHECKING:
    from tracer.lookup import Lookup

# How the limit of a trace grows each time that one is undone.
GROWTH = 4
# What a call of a Function takes beside what it calls.
AROUND = 5e-7
# How much larger an argument may be before a call is timed; below that is none large.
LONGER, LARGE = 4, 10_000.0
# Seconds of calls that are not timed one by one, and how many these may be.
UNTIMED, MOST_CALLS = 1e-3, 255
# So many may be made within one that is timed.
ENDLESS = 1 << 40
# Frames of calls that are put off are told by it: see `idle.is_within`.
globals()[idle.MARK] = True


def _python_time() -> float:
    """What this thread has done beside tracing, in seconds."""
    return thread_time() - idle.traced()


class Waiting:
    """The calls of one kind, as long as they wait.

    limit:   how long the next trace may go on without a node
    is_over: they have earned it
    debt:    the seconds of a trace that was made then, and not for the next call
    """

    def __init__(self, kind: Any, limit: float = idle.LIMIT) -> None:
        self.limit, self.is_over, self.debt = limit, False, 0.0
        self._kind = kind
        self._due = self._spent = 0.0
        self._last = _python_time()
        self._is_timed = False
        # What makes most calls, so many of them until it leaves one to `call`.
        self._first: First | None = None
        self._form: Any = None
        self._most: list[float] = []
        self._calls = 0

    def put_off(self, seconds: float) -> None:
        """A trace was undone after so many seconds; before it began, if after none."""
        self.is_over, self._spent = False, 0.0
        self._due = idle.FACTOR * max(seconds, self.debt, idle.LIMIT)
        idle.ledger.owed += idle.FACTOR * (seconds + self.debt)
        self.debt = 0.0
        if seconds:
            self.limit *= GROWTH

    def call(self, lookup: Lookup, args: Any, kwargs: dict[str, Any]) -> Any:
        """A call as Python, which is timed, with those since the last one."""
        owner = lookup.function
        if WATCH.on:
            return lookup.as_python(args, kwargs)(log.PUT_OFF)
        if self._is_timed:
            return owner.python_function(*args, **kwargs)
        made = self._let_inner_pass(owner, args, kwargs)
        start, is_within = _python_time(), idle.ledger.is_within
        self._is_timed = idle.ledger.is_within = True
        try:
            if WITHIN.on:
                return owner.python_function(*args, **kwargs)
            return outermost(owner.python_function, args, kwargs)
        finally:
            self._is_timed, idle.ledger.is_within = False, is_within
            took = max(_python_time() - start, 0.0) + AROUND
            self._note(owner, args, kwargs, made, took)

    def _let_inner_pass(self, owner: Any, args: Any, kwargs: Any) -> int:
        """Let calls within the next one be made untimed; how many were made so far."""
        first, made = self._first, 1
        sizes = [size_of(one) for one in (*args, *kwargs.values())]
        if first is not None and first.read in owner._short.readers.get(self._form, ()):
            ticks = first.read.__globals__["ticks"]
            made += self._calls - length_hint(ticks, 0)
            # As they are: an int may be larger than any float.
            if all(map(le, sizes, self._most)):
                first.read.__globals__["ticks"] = repeat(None, ENDLESS)
                return made
        self.end(owner)
        kind: Any = type(owner)
        binds_at_once(kind)
        self._form = form_of(args, kwargs)
        self._most = [max(LONGER * one, LARGE) for one in sizes]
        read = read_put_off(args, kwargs, self._most, owner.python_function)
        read.__globals__["ticks"] = repeat(None, ENDLESS)
        self._first = First(read, self._most)
        readers = owner._short.readers
        readers[self._form] = (*readers.get(self._form, ()), read)
        return made

    def _note(
        self, owner: Any, args: Any, kwargs: Any, made: int, seconds: float
    ) -> None:
        """So many calls were made, of which the last one took so many seconds."""
        first = self._first
        if first is not None and not kwargs:
            key = None, self._kind
            ticks = first.read.__globals__["ticks"]
            inner = ENDLESS - length_hint(ticks, ENDLESS)
            made += first.note_calls(owner, args, key, made + inner) - 1
        # Those within one another are one call, however many the code has counted.
        now = _python_time()
        spent = min(made * seconds, max(now - self._last, seconds))
        self._spent += spent
        self._last = now
        if not idle.ledger.is_within:
            idle.ledger.owed -= min(spent, idle.ledger.owed)
        left = max(self._due - self._spent, idle.ledger.owed)
        if left <= 0:
            self.is_over = True
            self.end(owner)
        elif first is not None:
            self._calls = min(int(min(UNTIMED, left) / seconds), MOST_CALLS)
            first.read.__globals__["ticks"] = repeat(None, self._calls)

    def end(self, owner: Any) -> None:
        """Calls are looked at again, each."""
        first, self._first = self._first, None
        if first is not None:
            first.close()
            readers = owner._short.readers
            known = readers.get(self._form, ())
            readers[self._form] = tuple(one for one in known if one is not first.read)
