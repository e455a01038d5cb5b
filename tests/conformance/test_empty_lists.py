"""Lists that are empty while tracing, at places that depend on data."""

import numpy as np
import pytest

from tests.conformance.trying import check


def sliced(x):
    empty = []
    return empty[:x], empty[x:]


def inserted(x):
    empty = []
    empty.insert(x, 2)
    empty.insert(x, x)
    return empty


def popped(x):
    empty = []
    try:
        return empty.pop(x)
    except IndexError as error:
        return str(error)


def read(x):
    empty = []
    try:
        return empty[x]
    except IndexError as error:
        return str(error)


def stored(x):
    empty = []
    empty[:x] = [1, 2]
    return empty


def repeated(x):
    return [] * x, x * []


def deleted(x):
    empty = []
    del empty[:x]
    return empty


@pytest.mark.parametrize(
    "function", [sliced, inserted, popped, read, stored, repeated, deleted]
)
def test_an_empty_list_is_asked_at_a_place_of_the_data(function):
    check(function, tuple((np.int64(n),) for n in (0, 1, -2)))
