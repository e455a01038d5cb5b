"""Texts that are there before a loop: handed on as they are."""

import gc
import sys

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import agreeing, cases, loops_of

CASES, case = cases()
n = np.int64
ROW = np.arange(90.0)


@case((n(40), ROW), (n(0), ROW), (n(90), ROW))
def printed(count, x):
    name = f"row of {count}"
    total = 0.0
    for k in range(count):
        total += x[k]
        if k % 16 == 3:
            print(name, k, total, sep=name, end="!\n")
    return total


@case(("energy", n(40)), ("", n(3)), ("\u00e9n\u20ac\U0001f600", n(40)))
def passed(name, count):
    total = 0
    for k in range(count):
        total += k * k
        if k % 10 == 0:
            print(name, total)
            print(f"{name}: {total:>8} {k}")
    return total


@case((n(40), n(50)), (n(40), n(20)))
def raised(count, limit):
    name = f"{count} turns"
    total = 0
    for k in range(count):
        total += k
        if k > limit:
            raise ValueError(name, total)
        assert total < 10**9, f"{name} are too many"
    return total


@case((n(300), 7), (n(300), 2**70))
def behind_a_way_out(count, factor):
    name = f"of {count}"
    total = 1
    for k in range(count):
        total = total * factor % 2**80
        if k % 50 == 2:
            print(name, total, f"{name} {k}")
    return total, name


@case((n(40), ROW.copy()), (n(95), ROW.copy()))
def in_two_loops(count, x):
    name = f"{count}"
    longer = name + " and more"
    for k in range(count):
        for i in range(3):
            x[k] += i
            if k % 20 == i:
                print(longer, name)
    return x, longer


@case((n(40), np.bool_(True)), (n(40), np.bool_(False)))
def one_of_two(count, is_long):
    name = f"long {count}" if is_long else "short"
    total = 0
    for k in range(count):
        total += k
        if k == 30:
            print(name, total)
    return name


@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_a_text_from_outside_is_told(function, arguments):
    with ag.config(backend="native"):
        agreeing(function, arguments)


@pytest.mark.parametrize(("function", "given"), [(printed, (n(40), ROW))])
def test_such_a_loop_is_machine_code(function, given):
    with ag.config(backend="native"):
        staged = agreeing(function, [given])
        (loop,) = loops_of(staged, given)
    assert loop.is_made


def kept(name, count):
    total = 0
    for k in range(count):
        total += k
        if total < 0:
            print(name)
    return total


def test_a_text_is_referred_to_no_more_and_no_less():
    name = "a name of its own " * 3
    with ag.config(backend="native"):
        staged = ag.function(kept)
        staged(name, n(30))
        gc.collect()
        before = sys.getrefcount(name)
        for _ in range(100):
            staged(name, n(30))
        assert abs(sys.getrefcount(name) - before) < 5


class Name(str):
    """A text of the user's, which shows itself in its own way."""

    def __str__(self):
        return "shown"


def test_a_text_of_the_users_own_class_stays_one():
    with ag.config(backend="native"):
        agreeing(passed, [(Name("n"), n(12)), ("n", n(12)), (Name("m"), n(12))])
