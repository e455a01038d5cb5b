"""A stretch of turns counts in what more than places is computed of."""

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm.loop_notes import counter_of
from runtime.backends.llvm.loops import TURNS
from tests.runtime.backends.llvm.compiling import agreeing, loops_of


def by_counter(x, first, last):
    total, k = 0, int(x[3])
    for i in range(first, last):
        total += (i ^ k) & 7
    return total


def by_place(x, first, last):
    total = 0
    for i in range(first, last):
        total += x[i - 1 + 2]
    return total


def by_both(x, first, last):
    total = 0
    for i in range(first, last):
        total += x[i] * (i & 3)
    return total


@pytest.mark.parametrize(
    ("function", "counts"), [(by_counter, True), (by_place, False), (by_both, True)]
)
def test_a_stretch_counts_in_what_more_than_places_is_computed_of(function, counts):
    x = np.arange(9_100) % 50
    ends = [(0, 9_000), (17, 9_001), (5_000, 5_003), (20, 20)]
    with ag.config(backend="native"):
        staged = agreeing(function, [(x, *end) for end in ends])
        (made, *_) = loops_of(staged, (x, *ends[0]))
    loops = [one for one in made.lowered()[1].body.walk() if one.type == TURNS]
    assert {counter_of(one)[0] is not one.args[0] for one in loops} == {counts}
