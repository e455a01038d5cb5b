"""A `try` in a loop around a key of a dict or set of data asks whether it is there."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.harness import disagreement, observe

INTS = [int(one) for one in np.random.default_rng(0).integers(-4, 9, 200)]
ARRAY = np.array(INTS)
NAN = float("nan")


def counts(keys):
    d = {}
    for k in keys:
        try:
            d[k] += 1
        except KeyError:
            d[k] = 1
    return d


def halves(keys):
    """Which are one key: 1, 1.0 and True."""
    d, missing = {}, 0
    for k in keys:
        try:
            missing += d[k / 2] == 7
        except KeyError:
            missing += 1
            d[k // 2] = k
    return d, missing


def pairs(keys):
    d = {}
    for i in range(1, len(keys)):
        try:
            d[keys[i - 1], keys[i]] += keys[i] * 0.5
        except LookupError:
            d[keys[i - 1], keys[i]] = 0.0
    return d


def half_done(keys):
    """What was changed before the key was asked for stays changed."""
    d, e, n, seen = {}, {}, 0, []
    for k in keys:
        try:
            d[k % 3] = d.get(k % 3, 0) + 1
            seen.append(k)
            e[k] += 1
            n += 1
        except KeyError:
            seen.append(-k)
            e[k // 2] = n
    return d, e, n, seen


def taken_away(keys):
    d, s, missing = {}, set(), 0
    for k in keys:
        try:
            if k % 2:
                del d[k]
            else:
                s.remove(k)
        except Exception:
            missing += 1
            d[k + 1] = s.add(k) or missing
    return d, sorted(s), missing


def items_or_keys(keys):
    d, xs, n = {}, [1, 2, 3], 0
    for k in keys:
        try:
            n += xs[d[k]]
        except KeyError:
            d[k] = k
        except IndexError:
            n -= 1
    return d, n


def not_caught(keys):
    d = {}
    for k in keys:
        try:
            d[k] = d[k - 1] + 1 if k > 5 else 1
        except ZeroDivisionError:
            return -1
    return d


def unused(keys):
    """A key that nobody uses what it stands for is missing all the same."""
    d, missing = {}, 0
    for k in keys:
        try:
            d[k]
        except KeyError:
            missing += 1
            d[k] = k
    return d, missing


FUNCTIONS = [
    counts,
    halves,
    pairs,
    half_done,
    taken_away,
    items_or_keys,
    not_caught,
    unused,
]


def names_of(staged, given):
    graph = staged.get_concrete_function(given).graph
    return {node.op.name for node in graph.walk()}


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("keys", [INTS, ARRAY, [], [5], ARRAY * 0.5])
def test_a_key_that_may_be_missing_is_asked_for(function, keys):
    for backend in ("native", "numpy"):
        with ag.config(backend=backend):
            staged = ag.function(function)
            for _ in range(3):
                found = disagreement(
                    observe(function, (keys,)), observe(staged, (keys,))
                )
                assert found is None, f"{backend}: {found.sentence}"


# A constant list of the trace is asked by Python.
@pytest.mark.parametrize("function", [f for f in FUNCTIONS if f is not items_or_keys])
def test_such_loops_have_no_try(function):
    names = names_of(ag.function(function), ARRAY)
    assert "try" not in names
    assert not {"table_at", "table_delete"}.isdisjoint(names)


def of_floats(keys):
    d, missing = {}, 0
    for k in keys:
        try:
            d[k] += 1
        except KeyError:
            missing += 1
            d[k] = 1
    return len(d), missing


def test_nan_is_found_as_it_was_put():
    keys = np.array([NAN, 1.0, NAN, -0.0, 0.0])
    assert ag.function(of_floats)(keys) == of_floats(keys)


def no_hash_sought(keys):
    d, n = {0: 1}, 0
    for k in range(len(keys)):
        d[k] = n
        try:
            n += d[keys[k:]]
        except TypeError:
            n += 1
    return d, n


def no_hash_put(keys):
    d, n = {0: 1}, 0
    for k in range(len(keys)):
        d[k] = n
        try:
            d[keys[k:]] = n
        except TypeError:
            n += 1
    return d, n


def lists_have_none(keys):
    d, n = {0: 1}, 0
    for k in range(len(keys)):
        d[int(keys[k])] = n
        try:
            n += d[[int(keys[k])]]
        except TypeError:
            n += 1
    return d, n


@pytest.mark.parametrize("function", [no_hash_sought, no_hash_put, lists_have_none])
def test_what_has_no_hash_is_no_key(function):
    for _ in range(2):
        found = disagreement(
            observe(function, (ARRAY,)), observe(ag.function(function), (ARRAY,))
        )
        assert found is None, found.sentence
