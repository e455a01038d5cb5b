"""Where a generated program's choices come from: one number below a bound at a time.

The same generator serves the test, where Hypothesis draws (and shrinks) the numbers,
and the long run by hand, where `random.Random` does, which is some ten times as fast.
Zero is always the simplest choice, which is what Hypothesis shrinks to.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Choices:
    """Numbers drawn one by one; `below(n)` is one of 0, 1, ..., n - 1."""

    below: Callable[[int], int]
    allows: Callable[[object], bool] = lambda _: True

    def pick(self, options: Sequence[T]) -> T:
        """One of the `options` allowed, of which there are; the first is simplest."""
        fitting = [option for option in options if self.allows(option)]
        return fitting[self.below(len(fitting))]

    def chance(self, percent: int) -> bool:
        """True in about `percent` of all cases; False is the simpler one."""
        return self.below(100) >= 100 - percent


def seeded(seed: int, allows: Callable[[object], bool] = lambda _: True) -> Choices:
    """Choices that depend on `seed` alone; what `allows` denies is never picked."""
    draw = random.Random(seed).random
    return Choices(lambda bound: int(draw() * bound), allows)


@lru_cache
def _numbers(bound: int) -> st.SearchStrategy[int]:
    return st.integers(0, bound - 1)


def drawn(draw: st.DrawFn) -> Choices:
    """Choices that Hypothesis makes."""
    return Choices(lambda bound: draw(_numbers(bound)))
