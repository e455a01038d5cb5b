"""A recursion that is left to Python: its levels are not unrolled for long first."""

import numpy as np

import autograph as ag
from tracer import recursion


def level(x, n):
    if n <= 0:
        return
    try:
        x[n] += 1
        level(x, n - 1)
        x[n + 4] = 2
    except IndexError:
        x[0] += 10


def program(x, n):
    level(x, n)
    return x


def test_few_levels_are_traced_before_python_goes_on(monkeypatch):
    levels = []
    own = recursion._refuse_endless

    def counted(inner, trace):
        levels.append(inner)
        own(inner, trace)

    monkeypatch.setattr(recursion, "_refuse_endless", counted)
    found = ag.function(program)(np.arange(6.0), np.int64(3))
    assert found.tolist() == program(np.arange(6.0), np.int64(3)).tolist()
    assert recursion.MOST_UNROLLED_LEFT < len(levels) < recursion.MOST_UNROLLED
