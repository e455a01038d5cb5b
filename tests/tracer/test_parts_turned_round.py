"""A real or imaginary part that a loop takes views of, and changes, round by round."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.harness import disagreement, observe


def turned_round(a, n):
    v = a.real
    for _ in range(n):
        v = v[::-1]
        v[0] = 7


def shortened(a, n):
    v = a.imag
    for i in range(n):
        v = v[1:]
        v += i + 1
    return v


def of_a_part(a, n):
    v = a[1:].real
    i = 0
    while i < n:
        v = v[::-1]
        v[1] = v[0] + i
        i += 1
    return v


def behind_a_finally(a, n):
    w = a.real
    for i in range(n):
        try:
            w[1] += i
        finally:
            w = w[::-1]
    return w


def exchanged(a, n):
    v, w = a.real, a.imag
    for i in range(n):
        v, w = w[::-1], v
        v[0] += i + 2
    return v, w


@pytest.mark.parametrize("backend", ["auto", "native", "numpy"])
@pytest.mark.parametrize(
    "program", [turned_round, shortened, of_a_part, behind_a_finally, exchanged]
)
def test_it_is_changed_where_it_lies(program, backend):
    with ag.config(backend=backend):
        staged = ag.function(program)
        for n in (0, 1, 2, 3):
            given = [np.arange(6) * (1 + 2j), np.int64(n)]
            found = disagreement(observe(program, given), observe(staged, given))
            assert found is None, found.sentence
