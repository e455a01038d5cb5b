"""many_traces: what a Function does once it has been traced very often.

Its calls seem to be new each time, and a trace is dear. So it warns, and a call of a
new kind is run as Python, until a second one of that kind comes; twice as many are
waited for with each further twenty traces. What it is given of the user's objects is
told by them (`new_objects`).
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tracer import log
from tracer.forms import Unsettled
from tracer.in_vain import InVain
from tracer.new_objects import NewObjects
from tracer.parameters import Parameters
from tracer.signature import Signature

if TYPE_CHECKING:
    from tracer.concrete import ConcreteFunction

# So many, and it is asked why they are needed.
MANY = 20
# How often what is waited for is doubled.
MOST_DOUBLED = 10
# Kinds of calls that are remembered.
MOST_KNOWN = 1_000


class NewKindError(Unsettled):
    """A call of a kind that has come seldom, of a Function with many traces."""

    def __init__(self) -> None:
        super().__init__(log.NEW)


class _State(threading.local):
    is_asked = False


_state = _State()


@contextmanager
def asked() -> Iterator[None]:
    """For the block a trace is made at once: it is asked for by name."""
    before, _state.is_asked = _state.is_asked, True
    try:
        yield
    finally:
        _state.is_asked = before


class ManyTraces:
    """How often calls came whose kinds have no trace, after many traces."""

    def __init__(self) -> None:
        self._has_warned = False
        self._met: Counter[Signature] = Counter()
        # Calls in a row that were of new kinds.
        self.in_vain = InVain()
        self.objects = NewObjects()

    def look(self, signature: Signature, count: int, given_up: int) -> None:
        """A call has this signature, for which there is none of so many traces.

        given_up: how many for such objects took very long and came to nothing
        NewKindError: calls of this kind have not come often enough for one
        """
        objects = self.objects
        are_many = count >= MANY or given_up or objects.are_many(signature)
        if _state.is_asked or not are_many:
            return
        objects.expect(signature)
        if objects.have_waited(signature):
            return
        enough = 2 ** min(max(count // MANY, 1), MOST_DOUBLED)
        if len(self._met) >= MOST_KNOWN:
            self._met.clear()
        self._met[signature] += 1
        if self._met[signature] < enough:
            self.in_vain.note(found=False)
            raise NewKindError
        del self._met[signature]

    def warn(
        self, name: str, parameters: Parameters, concretes: Sequence[ConcreteFunction]
    ) -> None:
        """Ask why they are needed, once."""
        if len(concretes) >= MANY and not self._has_warned:
            from tracer.excess import warn

            self._has_warned = True
            warn(name, parameters, concretes)
