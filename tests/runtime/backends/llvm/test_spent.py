"""Machine code's share of a call is without the steps that it calls as Python."""

from time import perf_counter, sleep

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm.switch import Native, Spent

pytest.importorskip("llvmlite")
PAUSE = 0.02


def slowly(x, y):
    sleep(PAUSE)
    return np.convolve(x, y)


def convolved(xs):
    found, least = 0.0, 0.0
    for i in range(len(xs)):
        y = np.convolve(xs[i], xs[i])
        for k in range(len(y)):
            found += y[k] * xs[i, k % 3]
            least = min(least, found - y[k] * 2)
    return found, least


XS = np.arange(12.0).reshape(4, 3) + 1


def compiled():
    """The program of a call, whose loop is machine code that calls Python."""
    with ag.config(backend="native"):
        staged = ag.function(convolved)
        assert staged(XS) == convolved(XS)
    run = staged.concrete_functions[0].compiled
    parts = [one for one in run.__globals__.values() if isinstance(one, Native)]
    (part,) = [one for one in parts if one.called]
    return run, part


def codes_of(part):
    return [function.__code__ for function in part.called.values()]


def test_what_is_called_as_python_is_not_machine_codes():
    run, part = compiled()
    spent, before = Spent(perf_counter), codes_of(part)
    (step,) = part.called.values()
    convolve = next(
        name for name, one in step.__globals__.items() if one is np.convolve
    )
    step.__globals__[convolve] = slowly
    start = perf_counter()
    with spent.of(run):
        assert run(XS) == convolved(XS)
    took = perf_counter() - start
    assert took > len(XS) * PAUSE
    assert 0.0 < spent.seconds < took - len(XS) * PAUSE
    # Nothing is timed behind it.
    assert codes_of(part) == before


def test_a_step_that_raises_is_not_timed_for_ever():
    run, part = compiled()
    before = codes_of(part)
    with pytest.raises(ValueError, match="too deep"), Spent(perf_counter).of(run):
        run(XS.reshape(3, 2, 2))
    assert codes_of(part) == before


def test_a_step_that_is_made_meanwhile_stays_what_it_is():
    run, part = compiled()
    (step,) = part.called.values()
    with Spent(perf_counter).of(run):
        step.__code__ = made = (lambda *given: given).__code__
    assert step.__code__ is made
