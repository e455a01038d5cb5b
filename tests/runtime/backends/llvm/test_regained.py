"""Sums that leave the machine: what was added is computed anew on the way out."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.harness import disagreement, observe

MOST = 2**63 - 1
ROWS = {
    "many": [2**62, 5, 2**62 - 3, 7, 2**61, 1, -4, 2**62],
    "least": [-(2**62), -9, -(2**62), 3, -(2**62), -1],
    "few": [1, 2, 3],
    "edge": [MOST, 1, -MOST, -2, MOST, -1, 1],
}


def added(xs, n):
    total = 0
    for i in range(n):
        total += int(xs[i])
    return total


def taken(xs, n):
    total = 0
    for i in range(n):
        total -= int(xs[i])
    return total


def turned(xs, n):
    total = 1
    for i in range(n):
        total = int(xs[i]) - total
    return total


def doubled(xs, n):
    total = int(xs[0])
    for _ in range(n):
        total = total + total
    return total


def with_others(xs, n):
    """What was added is wanted behind, too."""
    total, last, seen = 0, 0, []
    for i in range(n):
        last = int(xs[i])
        before = total
        total = total + last
        seen.append((before, last, total))
    return total, last, seen


def of_least(xs, n):
    total, least = 0, 100
    for i in range(n):
        least = min(int(xs[i]), least + 3) + total
        total = least - int(xs[i])
    return total, least


def counted(xs, n):
    count = int(xs[0])
    for _ in range(n):
        count += 1
        count = count - -1
    return count


def sums_of_pairs(xs, n):
    left, right = 0, 0
    for i in range(n - 1):
        left, right = left + int(xs[i]), right + int(xs[i + 1])
        left = left - right
    return left, right


FUNCTIONS = [added, taken, turned, doubled, with_others, of_least, counted]


@pytest.mark.parametrize("function", [*FUNCTIONS, sums_of_pairs])
@pytest.mark.parametrize("rows", ROWS.values(), ids=ROWS)
def test_what_leaves_goes_on_with_what_it_had(function, rows):
    xs = np.array(rows)
    with ag.config(backend="native"):
        staged = ag.function(function)
        for n in range(1, len(rows) + 1):
            found = disagreement(observe(function, (xs, n)), observe(staged, (xs, n)))
            assert found is None, f"{n}: {found.sentence}"


def test_what_was_added_is_computed_anew_on_the_way_out():
    with ag.config(backend="native"):
        staged = ag.function(added)
        for _ in range(2):
            assert staged(np.arange(9), 9) == 36
        assert 'asm "", "=r,0"' in str(staged.inspect("llvm"))
