"""concrete.profile: a call that also tells how long each node took."""

import re
from collections import Counter

import numpy as np
import pytest

import autograph as ag


@ag.function
def halve(x, limit):
    steps = 0
    while np.sum(x) > limit:
        x *= 0.5
        if steps % 2 == 0:
            x = np.sqrt(x)
        steps += 1
    return steps, x


def test_profile_gives_the_result_and_counts_the_runs_of_each_node():
    x = np.array([6.0, 20.0])
    again, plain = x.copy(), x.copy()
    found = halve.get_concrete_function(x, 3.0).profile(x)
    steps, array = found.result
    wanted = halve.python_function(plain, 3.0)
    assert steps == wanted[0]
    assert array.tolist() == wanted[1].tolist()
    assert x.tolist() == plain.tolist() != again.tolist()
    runs: Counter[str] = Counter()  # `x *= 0.5` is made in one of two arrays
    for node, (_, count) in found.timings.items():
        runs[node.op.name] += count
    assert runs["sum"] == steps + 1
    assert runs["multiply"] == steps
    assert runs["sqrt"] == (steps + 1) // 2
    assert runs["while"] == 1
    assert all(seconds > 0 for seconds, _ in found.timings.values())


def test_calls_after_it_are_not_measured():
    concrete = halve.get_concrete_function(np.ones(2), 0.7)
    run = concrete.run
    found = concrete.profile(np.ones(2))
    runs = {node: count for node, (_, count) in found.timings.items()}
    concrete(np.ones(2))
    assert concrete.run is run
    assert {node: count for node, (_, count) in found.timings.items()} == runs


def test_loop_takes_as_long_as_what_is_in_it():
    found = halve.get_concrete_function(np.ones(2), 0.6).profile(np.ones(2))
    times = {node.op.name: seconds for node, (seconds, _) in found.timings.items()}
    inside = times["sum"] + times["multiply"] + times["add"] + times["greater"]
    assert times["while"] > inside


def test_one_node_is_one():
    found = ag.function(np.sin).get_concrete_function(np.ones(2)).profile(np.ones(2))
    assert repr(found).splitlines()[0] == "sin: 1 node timed"


def test_profile_is_shown_as_a_table_and_as_a_page():
    found = halve.get_concrete_function(np.ones(2), 1.0).profile(np.ones(2))
    head, first, *_ = repr(found).splitlines()
    assert re.fullmatch(r"halve: \d+ nodes timed", head)
    line = halve.python_function.__code__.co_firstlineno + 3
    assert re.fullmatch(
        rf" +[\d.]+ [mµn]?s +1x  while +line {line}: while np.sum\(x\) > limit:", first
    )
    assert re.search(r'\["[\d.]+ [mµn\\u0b5]+s, \d+x  \d+",[\d.]+\]', found.to_html())


def test_error_of_a_profiled_call_is_that_of_the_call():
    @ag.function
    def pick(x, i):
        return x[i] * 2

    concrete = pick.get_concrete_function(np.ones(2), np.int64(5))
    with pytest.raises(IndexError, match="index 5 is out of bounds for axis 0"):
        concrete.profile(np.ones(2), np.int64(5))


def test_programs_with_try_recursion_and_print_are_profiled(capsys):
    def fall(n):
        return n if n <= 0 else fall(n - 1) + 1

    @ag.function
    def risky(x, n):
        try:
            y = x[n]
        except IndexError:
            y = np.float64(-1.0)
        print("at", n)
        return y, fall(n)

    concrete = risky.get_concrete_function(np.ones(2), np.int64(3))
    assert concrete.profile(np.ones(2), np.int64(3)).result == (-1.0, 3)
    assert concrete.profile(np.ones(2), np.int64(1)).result == (1.0, 1)
    assert capsys.readouterr().out == "at 3\nat 1\n"


def test_loop_whose_test_is_its_head_is_timed_with_what_is_in_it():
    @ag.function
    def summed(x, n):
        for i in range(n):
            x = x * 0.5 + i
        return x

    concrete = summed.get_concrete_function(np.ones(3), np.int64(3))
    found = concrete.profile(np.ones(3), np.int64(4))
    assert found.result.tolist() == summed.python_function(np.ones(3), 4).tolist()
    timed = {node.op.name: row for node, row in found.timings.items()}
    assert timed["less"][1] == 5
    assert timed["while"][1] == 1
    assert timed["while"][0] > timed["less"][0] + timed["multiply"][0]
