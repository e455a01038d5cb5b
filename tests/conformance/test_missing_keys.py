"""Keys of the data that a dict does not have: Counter, defaultdict, `__missing__`."""

import collections

import numpy as np
import pytest

from autograph.same import assert_same_as_python
from tests.conformance.trying import Programs, check

WORDS = np.array(["a", "b", "zz"])
PROGRAMS = Programs()


class Missing(dict):
    def __missing__(self, key):
        print("asked for", key)
        return ("none", key)


class Filling(dict):
    def __missing__(self, key):
        self[key] = [] if len(key) > 1 else ()
        return self[key]


@PROGRAMS((WORDS,))
def counted(words):
    counts = collections.Counter("aab")
    return [counts[word] for word in words], dict(counts)


@PROGRAMS((np.array([1, 2, 3]),))
def gotten(x):
    table = collections.defaultdict(float, {1: 2.0, 2: 3.0})
    return [table.get(i, 0) for i in x]


@PROGRAMS((np.array([1, 2, 3]),))
def missing(x):
    table = Missing({1: ("a", 1)})
    return [table[i] for i in x]


@PROGRAMS((np.float64(1.0),), (np.float64(-1.0),))
def filled(x):
    table = Filling()
    table["ab"].append(1)
    if x > 0:
        table["ab"].append(x)
    table["c"]
    return dict(table)


@PROGRAMS((np.float64(1.0),), (np.float64(-1.0),))
def made_by_a_read_on_one_path(x):
    table = collections.defaultdict(list)
    y = table["p"] if x > 0 else None
    if x < 0:
        table["q"].append(x)
    return list(table), y, len(table)


@PROGRAMS((np.int64(2),), (np.int64(0),))
def made_by_a_read_in_rounds(n):
    table = collections.defaultdict(int)
    total = 0
    while n > 0:
        n -= 1
        total += table[1.0] + table["a", 2] + table[b"b"] + table[True]
    return table, total


@PROGRAMS((np.int64(2),), (np.int64(0),))
def made_by_a_tuple_of_ints(n):
    table = collections.defaultdict(int)
    total = 0
    while n > 0:
        n -= 1
        total += table[0, 1] + table[-1, 2]
    return table, total


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_missing_keys_are_pythons(function, arguments):
    check(function, arguments)


@pytest.mark.parametrize("n", [2, 3])
def test_a_counters_item_that_may_not_be_there_is_not_anothers(n):
    def counted(n):
        c = collections.Counter([2])
        c[n] += 1
        return c

    assert_same_as_python(counted, np.int64(n))
