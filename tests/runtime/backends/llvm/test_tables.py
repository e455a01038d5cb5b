"""Dicts and sets with keys of data in machine code: Python's keys, order and errors."""

from collections import defaultdict

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import table_functions
from runtime.ops.tables import Members
from tests.runtime.backends.llvm.compiling import agreeing, loops_of

RANDOM = np.random.default_rng(5)
INTS = RANDOM.integers(-40, 40, 300)
KEYS = {
    "int64": INTS,
    "int32": INTS.astype("int32"),
    "uint8": INTS.astype("uint8"),
    "far": INTS * (2**57 + 1),
    "bool": INTS > 0,
    "float64": INTS / 4,
    "float32": (INTS / 3).astype("float32"),
    "zeros": np.where(INTS > 0, -0.0, 0.0),
}


def counted(x):
    """Counting, by each of three ways of asking."""
    counts, seen, by_default = {}, {}, defaultdict(int)
    for k in range(len(x)):
        key = x[k]
        counts[key] = counts.get(key, 0) + 1
        if key in seen:
            seen[key] += 1
        else:
            seen[key] = 1
        by_default[key] += 2
    return counts, seen, by_default


def compiled(staged, *arguments):
    """The first loop, as text; it is machine code."""
    function = loops_of(staged, arguments)[0].function
    assert function is not None
    return str(function)


@pytest.mark.parametrize("x", KEYS.values(), ids=KEYS)
def test_counting_by_keys_of_each_dtype_is_pythons(x):
    with ag.config(backend="native"):
        staged = agreeing(counted, [(x,), (x[:10],), (x[:0],)])
        text = compiled(staged, x)
    assert "table_add" in text
    assert "python" not in text


def test_keys_are_the_objects_that_python_has():
    def kinds(x, n):
        strong, weak, both = {}, {}, {}
        for k in range(n):
            strong[x[k]] = k
            weak[k % 7] = k
            both[k % 3] = k
            both[x[k] % 3 * 1.0] = -k
        return strong, weak, both

    with ag.config(backend="native"):
        staged = agreeing(kinds, [(INTS, 50)])
        assert "table_add" in compiled(staged, INTS, 50)
        for found, wanted in zip(staged(INTS, 50), kinds(INTS, 50), strict=True):
            assert [*map(type, found)] == [*map(type, wanted)]


def test_each_nan_is_a_key_of_its_own():
    def counted(x):
        counts = {}
        for k in range(len(x)):
            counts[x[k]] = counts.get(x[k], 0) + 1
        return [*map(str, counts)], [*counts.values()]

    with ag.config(backend="native"):
        agreeing(counted, [(np.where(INTS > 20, np.nan, INTS * 1.5),)])


def test_tuples_and_constants_are_keys():
    def places(x, y):
        seen = {(0, 0): 5, 0: 1}
        for k in range(len(x)):
            place = (x[k] % 5, y[k] % 3)
            seen[place] = seen.get(place, 0) + 1
            seen[0] += x[k]
            seen[(x[k] % 2, "odd")[0], 1.5] = k
        return seen

    with ag.config(backend="native"):
        staged = agreeing(places, [(INTS, INTS[::-1].copy())])
        assert "table_find tuple" in compiled(staged, INTS, INTS)


def test_a_key_that_is_not_there_raises_as_python_does():
    def strict(x, y):
        found, total = {}, 0
        for k in range(len(x)):
            found[x[k]] = k
            total += found[y[k]]
        return total

    def taken(x, y):
        left, total = {}, 0
        for k in range(len(x)):
            left[x[k]] = k
            total += left.pop(y[k])
        return total

    other = np.where(np.arange(len(INTS)) < 200, INTS, 1000)
    with ag.config(backend="native"):
        for function in (strict, taken):
            staged = agreeing(function, [(INTS, INTS), (INTS, other)])
            assert "table_find" in compiled(staged, INTS, INTS)


def test_what_is_of_several_kinds_or_not_there_is_pythons():
    def moved(x):
        found = {}
        for k in range(len(x)):
            found[x[k]] = 0.5
            found[k] = k
            value = found.get(k + x[k])
            if value is not None:
                found[1000 + k] = value
        return found

    with ag.config(backend="native"):
        staged = agreeing(moved, [(INTS,)])
        assert "table_find" in compiled(staged, INTS)
        assert [*map(repr, staged(INTS).values())] == [*map(repr, moved(INTS).values())]


def test_a_key_of_several_kinds_is_looked_up_as_each():
    def counted(x):
        counts, found = {}, 0
        for k in range(len(x)):
            counts[x[k]] = counts.get(x[k], 0) + 1
            key = k if x[k] > 0 else k * 0.5
            if key in counts:
                found += counts[key]
        return counts, found

    with ag.config(backend="native"):
        staged = agreeing(counted, [(INTS,)])
        assert "table_find" in compiled(staged, INTS)


def test_deleted_keys_are_put_at_the_end():
    def renewed(x):
        found = {}
        for k in range(len(x)):
            key = x[k] % 10
            if key in found and k % 3 == 0:
                del found[key]
            else:
                found[key] = k
        return found, list(found), len(found)

    with ag.config(backend="native"):
        staged = agreeing(renewed, [(INTS,)])
        assert "table_delete" in compiled(staged, INTS)


def test_sets_keep_pythons_order():
    def members(x):
        seen, twice = set(), 0
        for k in range(len(x)):
            key = x[k] * 7919 % 1000
            if key in seen:
                twice += 1
                seen.discard(key)
            seen.add(key + 1)
        return seen, list(seen), twice

    with ag.config(backend="native"):
        staged = agreeing(members, [(INTS,), (INTS[:7],)])
        assert "table_add" in compiled(staged, INTS)


def test_where_machine_code_is_left_no_key_is_lost():
    def growing(x):
        found, product = {}, 3
        for k in range(len(x)):
            found[x[k]] = found.get(x[k], 0) + 1
            product = product * 7
            found[product % 1000003] = product
        return found, product

    with ag.config(backend="native"):
        agreeing(growing, [(INTS[:60],)])


def test_two_tables_that_were_one_are_changed_apart():
    def forked(x):
        first = {}
        for k in range(len(x)):
            first[x[k]] = k
        second = dict(first)
        for k in range(len(x)):
            second[x[k] + 20] = -k
            if k % 50 == 0:
                first = dict(second)
        return first, second

    with ag.config(backend="native"):
        agreeing(forked, [(INTS,)])


def test_a_table_of_a_set_remembers_what_is_put_and_taken():
    table = Members()
    # As machine code puts keys, which knows a dict.
    table[5], table[6] = 0, 1
    table_functions.take_member(table, 5)
    table[32] = 2
    assert table_functions.copied(table).members() == {6, 32}
    assert [word for word, _ in table.log] == ["add", "add", "discard"]
    table_functions.take_member(table, 6)
    assert [word for word, _ in table.log] == [
        "add",
        "add",
        "discard",
        "add",
        "discard",
    ]
    assert table.members() == {32}


def first_of(x, k):
    for v in x:
        if v == k:
            return {v: v}
        if v > k:
            return 2
    return None


def kept_or_none(x, k):
    found = None
    for v in x:
        if v == k:
            found = {v: v * 2}
            break
    return found


@pytest.mark.parametrize("function", [first_of, kept_or_none])
def test_a_table_that_a_loop_never_makes_is_left(function):
    x = np.arange(30.0)
    with ag.config(backend="native"):
        agreeing(function, [(x, 5.0), (x, 5.5), (x, 90.0), (x, -9.0)])
