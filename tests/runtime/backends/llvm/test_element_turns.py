"""Loops that come to elements, turn by turn: what a turn need not do is not in it."""

import re

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import dense
from tests.runtime.backends.llvm.compiling import agreeing, loops_of

n = np.int64
rng = np.random.default_rng(5)


def shown(function, given, stage):
    """The text of the outermost loop, which has done what Python does."""
    with ag.config(backend="native"):
        staged = agreeing(function, [given])
        text = staged.get_concrete_function(*given).inspect(stage)
    return re.split("\n; (HotLoop|Entry|Region) at", text)[0]


def counts(x, bins):
    found = np.zeros(bins, np.int64)
    for i in range(len(x)):
        found[int(x[i])] += 1
    return found


def sieve(count):
    flags = np.ones(count, np.bool_)
    for i in range(2, count):
        if flags[i]:
            j = i * i
            while j < count:
                flags[j] = False
                j += i
    return flags


def inserted(x):
    a = x.copy()
    for i in range(1, len(a)):
        v, j = a[i], i - 1
        while j >= 0 and a[j] > v:
            a[j + 1] = a[j]
            j -= 1
        a[j + 1] = v
    return a


def closest(x, y):
    best = np.inf
    for i in range(len(x)):
        d = x[i] * x[i] + y[i] * y[i]
        if d < best:
            best = d
    return best


def picked(x, places):
    total = 0
    for i in range(len(places)):
        total += x[places[i]]
    return total


def last_of(x, low, high):
    i, k = low, 0
    while i < high:
        x[k] += 1
        k, i = k + 1, i + 1
    return k


def waits(flag):
    turns = 0
    while flag[0] == 0:
        turns += 1
    return turns


def test_turns_between_two_looks_are_a_loop():
    text = shown(counts, (rng.random(500) * 9, n(9)), "loops")
    turn = text.split("while chunk(")[1]
    assert "poll(" not in turn


@pytest.mark.parametrize("low", [0, -(2**62) - 2**61, 2**62])
def test_chunks_of_any_counters(low):
    """As many turns as there are between the least and the greatest int."""
    agreeing(last_of, [(np.zeros(700, int), n(low), n(2**63 - 1))])
    agreeing(last_of, [(np.zeros(700, int), n(low), n(low + 600))])


def test_an_index_within_is_compared_once():
    given = (rng.integers(0, 99, 40), rng.integers(-40, 40, 30))
    assert "if seldom(" in shown(picked, given, "loops")
    agreeing(picked, [given, (given[0], np.array([0, 3, 40])), (given[0], [-41, 2])])


def test_an_array_that_is_changed_in_place_is_held_once():
    text = shown(sieve, (n(300),), "loops")
    assert "while" in text
    assert "hold(" not in text


def test_what_a_turn_has_read_is_not_read_again():
    text = shown(inserted, (rng.random(600),), "llvm")
    assert text.count("call fastcc i64 @look") == 2 * 2  # in C's order, and in others
    assert text.count(" load double") == 2 * (1 + 4)


def test_short_turns_whose_test_reads_are_written_several_times():
    text = shown(inserted, (rng.random(600),), "llvm")
    assert text.count(" fcmp ogt double") == 2 * 4
    flags = shown(sieve, (n(300),), "llvm")
    assert flags.count("store i8 0") == 2


def test_a_loop_that_writes_nothing_reads_each_time():
    """Another thread may write what it waits for."""
    text = shown(waits, (np.array([1]),), "llvm")
    assert "inaccessiblemem" not in text
    assert "inaccessiblemem" in shown(inserted, (rng.random(600),), "llvm")


def test_a_choice_by_floats_is_a_branch():
    text = shown(closest, (rng.random(30), rng.random(30)), "llvm")
    assert "call void asm sideeffect" in text
    assert not re.search(r"select i1 [^\n]*, double", text)


def test_a_float_that_becomes_an_int_is_compared_once():
    text = shown(counts, (rng.random(500) * 9, n(9)), "loops")
    # In each of the turns that are written.
    written = text.count("store i64(")
    assert written >= 1
    assert text.count("fcmp ") == text.count(" = fptosi ") == written
    edge = [2.0**63, -(2.0**63), np.nan, np.inf, -1.5, 8.99, 9.0, -9.5]
    agreeing(counts, [(np.array([1.0, value]), n(9)) for value in edge])


def test_strides_are_numbers_where_all_lies_in_order():
    given = (rng.integers(0, 9, (200, 5)), n(3))

    def total(x, k):
        s = 0
        for i in range(x.shape[0]):
            s += x[i, k] - x[x[i, 1], 0]
        return s

    with ag.config(backend="native"):
        staged = agreeing(total, [given, (np.asfortranarray(given[0]), n(3))])
        (loop, *_) = loops_of(staged, given)
        strides = dense.strides_in_order(loop.function)
        assert sorted(strides.values()) == [8, 40]
        agreeing(total, [(given[0][::-1, ::-1], n(1)), (given[0][:1], n(0))])


def test_what_is_seldom_is_told_so():
    with ag.config(backend="native"):
        staged = agreeing(closest, [(rng.random(30), rng.random(30))])
    (loop, *_) = loops_of(staged, (rng.random(30), rng.random(30)))
    text = loop.text(*loop.lowered()).write()
    assert '!1 = !{!"branch_weights", i32 100000, i32 1}' in text
    assert text.count("!prof !1") > 5
