"""Long dicts and sets of constants are asked for keys of data as one table."""

import math
from collections import Counter, OrderedDict, defaultdict

import numpy as np
import pytest

import autograph as ag
from tracer.asked_dicts import LONG

ODD = [*range(1, 100, 2)]
SQUARES = {k: k * k for k in range(0, 100, 3)}
HALVES = {k / 2: float(k) for k in range(60)}
WALLS = {(i, i * i % 7) for i in range(40)}
WORDS = {f"w{k}": k for k in range(40)}
MIXED = {0: 1, True: 2, 2.0: 3, "3": 4, None: 5} | {k: k for k in range(10, 40)}
KEYS = [0, 1, 2, 3, 6, 9, 10, 50, 97, 99, -1, 2**40]


def is_there(keys, of):
    return [key in of for key in keys]


def is_missing(keys, of):
    return sum(1 for key in keys if key not in of)


def get(keys, of):
    return [of.get(key, -1) for key in keys]


def sum_of(keys, of):
    total = 0
    for key in keys:
        if key in of:
            total += of[key]
    return total


def by_try(keys, of):
    total = missing = 0
    for key in keys:
        try:
            total += of[key]
        except KeyError:
            missing += 1
    return total, missing


def asked_by(function, keys, of):
    """Plain Python, NumPy and machine code give the same; the ops of the last graph."""
    wanted = function(keys, of)
    for backend in ("numpy", "native"):
        with ag.config(backend=backend):
            staged = ag.function(function)
            for _ in range(2):
                found = staged(keys, of)
                assert found == wanted
                assert repr(found) == repr(wanted)
    return [node.op.name for node in staged.concrete_functions[-1].graph.walk()]


SETS = {
    "set": {*ODD},
    "frozenset": frozenset(ODD),
    "dict": SQUARES,
    "keys": SQUARES.keys(),
    "ordered": OrderedDict(SQUARES),
    "counter": Counter(ODD),
    "default": defaultdict(int, SQUARES),
    "floats": HALVES,
    "mixed": MIXED,
}
GIVEN = {
    "ints": KEYS,
    "floats": [float(key) for key in KEYS] + [0.5, math.nan, math.inf, -0.0],
    "bools": [True, False, True, False] * 5,
    "numpy": np.array(KEYS),
    "small": np.array([1, 2, 99], np.int8),
    "floats of numpy": np.array([1.0, 2.5, np.nan, 3.0]),
}


@pytest.mark.parametrize("keys", GIVEN)
@pytest.mark.parametrize("of", SETS)
def test_what_is_there_is_there(keys, of):
    for function in (is_there, is_missing):
        asked_by(function, GIVEN[keys], SETS[of])


@pytest.mark.parametrize("keys", GIVEN)
@pytest.mark.parametrize("of", ["dict", "ordered", "counter", "floats"])
def test_items_are_those_of_their_keys(keys, of):
    for function in (get, sum_of, by_try):
        asked_by(function, GIVEN[keys], SETS[of])


def test_tuples_are_keys():
    def walled(n, walls):
        found = 0
        for i in range(n):
            for j in range(7):
                if (i, j) in walls:
                    found += i * j
        return found

    for walls in (WALLS, frozenset(WALLS), dict.fromkeys(WALLS, 2)):
        asked_by(walled, 20, walls)


def test_texts_are_keys():
    asked_by(get, [f"w{k}" for k in range(50)], WORDS)


def test_it_is_one_table_and_no_chain_of_branches():
    names = asked_by(sum_of, KEYS * 4, SQUARES)
    assert names.count("table_has") == names.count("table_at") == 1
    assert "equal" not in names
    # One table for both, and one list.
    assert names.count("host_call") == 2


def test_a_short_one_is_compared():
    few = {*range(LONG)}
    assert "table_has" not in asked_by(is_missing, KEYS * 4, few)


@pytest.mark.parametrize("backend", ["numpy", "native"])
def test_a_key_that_is_not_there_raises_as_in_python(backend):
    def first(keys, of):
        total = 0
        for key in keys:
            total += of[key]
        return total

    for keys in (KEYS * 4, np.array([0, 3, 4])):
        with pytest.raises(KeyError) as wanted:
            first(keys, SQUARES)
        with ag.config(backend=backend), pytest.raises(KeyError) as found:
            ag.function(first)(keys, SQUARES)
        assert repr(found.value) == repr(wanted.value)


@pytest.mark.parametrize("backend", ["numpy", "native"])
def test_what_is_changed_between_calls_is_seen(backend):
    of, outside = {*ODD}, {*ODD}

    def both(keys, of):
        return [(key in of, key in outside) for key in keys]

    with ag.config(backend=backend):
        staged = ag.function(both)
        for change in (0, 2, 9):
            of ^= {change}
            outside ^= {change, 50}
            assert staged(KEYS, of) == both(KEYS, of)


@pytest.mark.parametrize("backend", ["numpy", "native"])
def test_what_the_function_changes_itself_is_seen(backend):
    def grown(n):
        of = {k: k for k in range(30)}
        before = n in of
        of[40] = 41
        return before, n in of, of.get(n, -1)

    with ag.config(backend=backend):
        for n in (3, 40, 50):
            assert ag.function(grown)(np.int64(n)) == grown(np.int64(n))


class Any:
    """Equal to one number, by a hash of its own."""

    def __init__(self, number):
        self.number = number

    def __eq__(self, other):
        return self.number == other

    def __hash__(self):
        return hash(self.number)


def test_an_object_among_the_keys_has_its_own_equality():
    of = {*ODD, Any(2), Any(50)}
    assert "table_has" not in asked_by(is_missing, KEYS * 4, of)


def test_an_array_has_no_hash():
    def asks(x, of):
        return x in of

    with pytest.raises(TypeError) as wanted:
        asks(np.arange(3), {*ODD})
    with pytest.raises(TypeError) as found:
        ag.function(asks)(np.arange(3), {*ODD})
    assert str(found.value) == str(wanted.value)
