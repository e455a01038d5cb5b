"""forms: the traces for one kind of arguments, by the state of what is read outside.

A constant that has changed makes another trace. An array that was put in the place of
another one, and a number that has changed twice, are inputs of the trace from then on,
so that further ones need none. A function whose surroundings are new at each call all
the same is run as Python.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from runtime.location import here
from tracer.in_vain import InVain

if TYPE_CHECKING:
    from tracer.concrete import ConcreteFunction
    from tracer.constants import Constant
    from tracer.outer import Place
    from tracer.read_checks import Read

# Traces for other states of what is read outside, of one kind of arguments.
MOST_FORMS = 8


class Unsettled(Exception):
    """This call is run as Python; why: as the log says it."""

    def __init__(self, why: str) -> None:
        self.why = why


class Forms:
    """The traces of a Function for one kind of arguments, the latest used one first."""

    def __init__(self) -> None:
        self._made: list[ConcreteFunction] = []
        self._places: dict[Any, Place] = {}
        # How often each place was found to hold something else.
        self._changes: Counter[Any] = Counter()
        # What had changed at the last call that was run as Python.
        self._last: dict[Any, Constant] = {}
        # Calls in a row for which that was new.
        self._in_vain = InVain()
        self._is_told = False

    def fitting(self) -> ConcreteFunction | None:
        """The trace for what is outside now."""
        made = self._made
        if len(made) == 1:
            return made[0] if made[0].holds() else None
        for at, concrete in enumerate(made):
            if concrete.reads is None or concrete.reads.quick():
                return self._first(at)
        for at, concrete in enumerate(made):
            if concrete.holds():
                return self._first(at)
        return None

    def _first(self, at: int) -> ConcreteFunction:
        concrete = self._made.pop(at)
        self._made.insert(0, concrete)
        return concrete

    def is_unsettled(self) -> bool:
        """Whether a call that no trace fits is run as Python.

        There are many traces, and what is outside is not what it was the last time.
        """
        if len(self._made) < MOST_FORMS:
            return False
        if self._in_vain.leaves_out():
            return True
        is_as_before = self._is_as_before()
        self._in_vain.note(is_as_before)
        return not is_as_before

    def _is_as_before(self) -> bool:
        """Whether what has changed is what it was when this was asked before."""
        before, changed = self._last, self.changed()
        self._last = {read.key(): read.now() for read in changed}
        known = [(before.get(read.key()), read.content()) for read in changed]
        return all(held is not None and held.renewed(now) for held, now in known)

    def dropped(self) -> ConcreteFunction | None:
        """The trace that was used the longest ago, where one has to go."""
        return self._made.pop() if len(self._made) >= MOST_FORMS else None

    def changed(self) -> list[Read]:
        """What is outside now and was not when the latest trace was used."""
        reads = self._made[0].reads if self._made else None
        return reads.changed() if reads else []

    def places(self, changed: Sequence[Read]) -> list[Place]:
        """What is an input of the next trace, in the place of a constant."""
        for read in changed:
            place = read.key()
            self._changes[place] += 1
            if read.becomes_input(self._changes[place]):
                self._places[place] = read.place()
        return [place for place in self._places.values() if place.slot() is not None]

    @property
    def is_empty(self) -> bool:
        """Whether there is no trace left."""
        return not self._made

    def add(self, concrete: ConcreteFunction) -> None:
        """Another trace."""
        self._made.insert(0, concrete)

    def discard(self, concrete: ConcreteFunction) -> None:
        """Forget a trace."""
        if concrete in self._made:
            self._made.remove(concrete)

    def warn(self, name: str) -> None:
        """Say once that calls are run as Python from now on, and why."""
        if self._is_told:
            return
        self._is_told = True
        what = " and ".join(dict.fromkeys(str(read) for read in self.changed()[:2]))
        at = here()
        warnings.warn_explicit(
            f"{name}() reads {what or 'something'}, which changes again and again: "
            f"after {MOST_FORMS} traces it is run as Python. Pass it as an argument.",
            RuntimeWarning,
            at.filename if at else name,
            at.line if at else 0,
        )
