"""either: a loop over lists, with their numbers in memory or with them as they are.

To take the numbers into memory takes time for each of them; a loop that is entered
often, and looks at few of them each time, is faster without. How many turns the loop
takes is seen each time, and decides of the next: so what is lost by a loop of few turns
is never more than what it took before.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from runtime.backends.llvm.hot import HotLoop

# The name in the text of the word with the turns that the loop took the last time.
TAKEN = "turns_taken"
# How many turns the first run is taken to have: what compiling takes is more.
FIRST = 1_000_000
# What a turn takes with the lists as they are.
SECONDS_A_TURN = 5e-9
# So many entries in a row that are not worth it: no more is asked.
MISSES = 100


class Turns:
    """How many turns a loop took the last time, where machine code sees it."""

    def __init__(self) -> None:
        self.word = ctypes.c_int64(FIRST)

    @property
    def address(self) -> int:
        """Where it is in memory."""
        return ctypes.addressof(self.word)


class Either:
    """What runs a loop, one way or the other.

    run:   with the numbers in memory; None where that is not worth it, or impossible
    plain: the same loop with the lists as they are, compiled when it is needed
    """

    def __init__(
        self, loop: HotLoop, run: Callable[..., Any], plain: HotLoop, turns: Turns
    ) -> None:
        self._loop = weakref.ref(loop)  # which holds this
        self._run, self.plain, self._turns = run, plain, turns
        self._misses = 0

    def __call__(self, *values: Any) -> Any:
        """Run the loop; None where Python is to do so."""
        found = self._run(*values)
        if found is not None:
            self._misses = 0
            return found
        start = perf_counter()
        found = self.plain.run(*values)
        self._turns.word.value = int((perf_counter() - start) / SECONDS_A_TURN)
        self._misses += 1
        loop = self._loop()
        if loop is not None:
            loop.later = self.plain.later
            if found is not None and self._misses >= MISSES:
                loop.run = self.plain.run
        return found
