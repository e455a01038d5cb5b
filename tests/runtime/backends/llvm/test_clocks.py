"""Loops that ask for the time are machine code, and are told the time."""

import time
import warnings

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm.clocks import CLOCKS, number_of
from tests.runtime.backends.llvm.compiling import loops_of

n = np.int64
KNOWN = [one for one, (name, _) in CLOCKS.items() if number_of(name) is not None]


def told_by(clock):
    def asked(count):
        least = clock()
        last = least
        for k in range(count):
            last = clock()
            if last < least:
                return k, least, last
        return count, least, last

    return asked


@pytest.mark.parametrize("clock", KNOWN, ids=lambda one: one.__name__)
def test_each_clock_tells_pythons_time(clock):
    with ag.config(backend="native"):
        staged = ag.function(told_by(clock))
        for _ in range(3):
            before = clock()
            turns, first, last = staged(n(1000))
            assert before <= first <= last <= clock()
            assert turns == 1000
            assert type(first) is type(last) is type(clock())
        (loop,) = loops_of(staged, (n(1000),))
    assert loop.is_made


def until(seconds):
    begin = time.perf_counter()
    turns = 0
    while time.perf_counter() - begin < seconds:
        turns += 1
    return turns


def test_a_loop_ends_when_its_time_is_over():
    with ag.config(backend="native"):
        staged = ag.function(until)
        for _ in range(3):
            begin = time.perf_counter()
            turns = staged(np.float64(0.02))
            assert 0.02 <= time.perf_counter() - begin < 5
        (loop,) = loops_of(staged, (np.float64(0.02),))
        assert staged(np.float64(0.0)) == 0
    assert loop.is_made
    assert turns > 1000


def by_a_deadline(x, limit):
    total = 0.0
    for k in range(len(x)):
        if k % 10 == 0 and time.monotonic() > limit:
            return -1.0
        total += x[k]
    return total


def test_a_look_now_and_then():
    x = np.arange(1000.0)
    with ag.config(backend="native"):
        staged = ag.function(by_a_deadline)
        for _ in range(3):
            assert staged(x, np.float64(time.monotonic() + 100)) == x.sum()
            assert staged(x, np.float64(time.monotonic() - 100)) == -1
        (loop,) = loops_of(staged, (x, np.float64(0.0)))
    assert loop.is_made


def spent(x, count):
    total, found = 0.0, x[0]
    for _ in range(count):
        begin = time.perf_counter()
        y = x * 0.5 + np.sqrt(x)
        total += time.perf_counter() - begin
        found += y.sum()
    return total, found


def test_what_stands_between_two_looks_is_done_there():
    warnings.resetwarnings()
    x = np.linspace(0.0, 1.0, 100_000)
    with ag.config(backend="native"):
        staged = ag.function(spent)
        for _ in range(3):
            begin = time.perf_counter()
            total, found = staged(x, n(10))
            whole = time.perf_counter() - begin
        assert total > whole / 5
        assert found == spent(x, 10)[1]


def failing(x, count):
    total = 0.0
    for k in range(count):
        begin = time.perf_counter()
        x[k] = 1.0
        total += time.perf_counter() - begin
    return total


def test_what_fails_beside_a_clock_fails_as_in_python():
    for _ in range(3):
        x = np.zeros(5)
        with ag.config(backend="native"), pytest.raises(IndexError) as told:
            ag.function(failing)(x, n(9))
        assert str(told.value) == "index 5 is out of bounds for axis 0 with size 5"
        assert x.tolist() == [1.0] * 5


def replaced(count):
    total = 0
    for _ in range(count):
        total += time.time()
    return total


def test_a_clock_of_the_users_is_called_as_often_as_python_does(monkeypatch):
    seen = []

    def clock():
        seen.append(len(seen))
        return 2

    monkeypatch.setattr(time, "time", clock)
    with ag.config(backend="native"):
        assert ag.function(replaced)(n(50)) == 100
    assert seen == [*range(50)]
