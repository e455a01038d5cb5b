"""Dicts, counters and defaultdicts whose keys are added by loops, in Python's order."""

import collections

import numpy as np
import pytest

import autograph as ag
from autograph.same import assert_same_as_python
from tests.conformance.trying import check

GIVEN = (([1.0, -2.0, 3.0], 3), ([-1.0, -2.0, -3.0], 0), ([-1.0, 4.0, 5.0], 5))


def order_of_keys(x, n):
    d, i = {}, 0
    while i < n:
        if x[i % 3] > 0:
            d["p"] = i
        else:
            d["q"] = i
        i += 1
    return d, list(d)


def order_on_paths(x, n):
    d = {"p": 1, "q": n} if x[0] > 0 else {"q": n, "p": 1}
    return d, [*d], list(d.values())


def counted(x, n):
    c, i = collections.Counter(), 0
    while i < n:
        if x[i % 3] > 0:
            c["p"] += 1
        else:
            c["n"] += 2
        i += 1
    return c, dict(c), c["none"]


def default_of_one_path(x, n):
    c = collections.defaultdict(float)
    lists = collections.defaultdict(list)
    for v in x:
        c["p" if v > 0 else "n"] += v
        if v > 0:
            lists["up"].append(v)
    return c, dict(c), lists, "n" in c


def default_that_is_only_read(x, n):
    c = collections.defaultdict(int)
    key = "ab"[0:1]
    total = c[key] if x[0] > 0 else 0
    return total, c, len(c)


def lists_made_when_first_needed(x, n):
    d, e = {}, {}
    for v in x:
        if v > 0:
            if "up" not in d:
                d["up"] = [v]
            else:
                d["up"].append(v)
        if "all" not in e:
            e["all"] = []
        e["all"].append(v)
    return d, e


def set_by_default(x, n):
    d = {}
    for v in x:
        d.setdefault("p" if v > 0 else "n", []).append(v)
    items = [1.0, 2.0]
    items.insert(0 if x[0] > 0 else 1, x[1])
    return d, items


FUNCTIONS = [
    *(order_of_keys, order_on_paths, counted, default_of_one_path),
    *(default_that_is_only_read, set_by_default, lists_made_when_first_needed),
]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("given", GIVEN)
def test_the_keys_are_those_of_python(function, given):
    x, n = given
    assert_same_as_python(function, np.array(x), np.int64(n))


def test_counts_of_data_that_are_put_into_an_order_are_pythons():
    def most_common(x):
        c = collections.Counter()
        for v in x:
            c["p" if v > 0 else "n"] += 1
        return c.most_common(1)

    given = np.array([1.0, -2.0, 3.0])
    staged = ag.function(most_common)
    assert staged(given) == most_common(given) == [("p", 2)]
    assert staged.concrete_functions == []


def added_once(x, n):
    d = {"a": n, "b": 1}
    for v in x:
        if v > 0:
            d["c"] = 1
    return d


def added_with_a_name(x, n):
    d, b = {"a": n}, None
    for v in (v for v in x if v > 0):
        d["c"], b = 1, n
        if v > 2:
            d["a"] = n
    return d, b


@pytest.mark.parametrize("function", [added_once, added_with_a_name])
def test_what_is_put_again_under_a_key_changes_nothing(function):
    rows = ([-1.0, 2.0, -3.0], [1.0, 2.0, 3.0], [-1.0, -2.0, -3.0], [4.0, -1.0, 5.0])
    check(function, tuple((np.array(x), np.int64(3)) for x in rows))


def test_the_oldest_item_of_a_dict_in_order_is_taken_away():
    def recently(keys, size):
        cache, hits = collections.OrderedDict(), 0
        for k in keys:
            if k in cache:
                hits += 1
            else:
                cache[k] = k * k
            if len(cache) > size:
                cache.popitem(last=False)
        return hits, cache

    keys = [k * k % 23 % 7 for k in range(40)]
    staged = ag.function(recently)
    assert staged(keys, 3) == recently(keys, 3)
