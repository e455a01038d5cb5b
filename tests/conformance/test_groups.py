"""`itertools.groupby` of what is known, beside what depends on data."""

import itertools

import numpy as np
import pytest

from tests.conformance.trying import check


def in_a_comprehension(x):
    groups = itertools.groupby([1, 1, 2, 3], key=lambda z: z > 1)
    return {known: [v + x for v in group] for known, group in groups}


def in_a_loop(x):
    out = []
    for letter, group in itertools.groupby("aabbb"):
        out.append((letter, len(list(group)) * x))
    for number, _ in itertools.groupby([1, 1, 2]):
        if x > 1:
            out.append((number, x))
    return out


def by_next(x):
    groups = itertools.groupby([1, 1, 2, 5])
    first, group = next(groups)
    return first, list(group), [number for number, _ in groups], x


@pytest.mark.parametrize("function", [in_a_comprehension, in_a_loop, by_next])
def test_groups_are_those_of_python(function):
    check(function, ((np.int64(1),), (np.int64(2),)))
