"""How long it takes to see what compiling costs."""

import time

import numpy as np

import autograph as ag
from runtime.backends.llvm import hot
from tests.runtime.backends.llvm.compiling import loops_of


def smoothed(x, count):
    for _ in range(count):
        x = x * 0.5 + x * x * 0.25
    return x


def test_looking_at_a_timed_loop_is_not_time_that_it_has_run(monkeypatch):
    """Long looks, on a busy machine, would put off what is soon compiled."""
    found = hot.Compilable._found

    def slowly(self):
        time.sleep(0.8)
        made = found(self)
        made.cost = 0.3
        return made

    monkeypatch.setattr(hot.Compilable, "_found", slowly)
    with ag.config(cache_dir=None):
        staged = ag.function(smoothed)
        x = np.linspace(0.0, 1.0, 10_000)
        staged(x, np.int64(3))
        (loop,) = loops_of(staged, (x, np.int64(3)))
        while not loop.looking:
            staged(x, np.int64(30))
    assert loop.looking >= 0.8
    assert loop.looking + 0.3 <= loop._due < loop.looking + 0.5
