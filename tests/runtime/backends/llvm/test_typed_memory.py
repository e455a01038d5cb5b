"""What loops leave of lists that they have had in memory: nothing."""

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import kept_by

n = np.int64


@pytest.fixture(autouse=True)
def _at_once():
    with ag.config(backend="native"):
        yield


def changing(turns):
    xs, ys = [0.5, 1.5], [1, 2**40]
    for k in range(turns):
        for j in range(2):
            xs[j] = xs[1] * 0.5 + k
            ys.append(ys[j] % 1009 + k * 2**33)
        zs = xs[1:]
        zs.append(2.5)
        xs[0] += zs.pop()
        ys.pop(0)
        ys.pop()
        ys = ys[:]
    return xs, ys


def test_many_turns_leave_nothing():
    staged = ag.function(changing)
    for _ in range(2):
        assert staged(n(10)) == changing(10)

    def run():
        staged(n(300_000))
        for _ in range(300):
            staged(n(3))

    assert kept_by(run, 1000) < 1000


def leaving(turns):
    xs = [0]
    for k in range(turns):
        for j in range(3):
            xs.append(k)
            xs[j] += 3 // (k - 50)
    return xs


def test_errors_amid_changes_leave_nothing():
    staged = ag.function(leaving)

    def fail():
        with pytest.raises(ZeroDivisionError):
            staged(n(400))

    def run():
        for _ in range(30):
            fail()

    run()
    assert kept_by(run, 1000) < 1000
