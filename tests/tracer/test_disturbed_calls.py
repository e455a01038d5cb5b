"""A call that loads machine code, or waits, does not say how others are to be made."""

from contextlib import contextmanager

import numpy as np

from runtime.backends.llvm import switch
from tests.tracer.timed_calls import calls_as_python, total, tried
from tracer import either_way


def test_a_call_that_loads_machine_code_does_not_keep_the_graph(clock, monkeypatch):
    xs, y = np.arange(3.0), 1.0
    late = iter([100.0] + [0.0] * 50)

    class Loaded(switch.Spent):
        """What machine code took of the first call of a trial: most of it."""

        @contextmanager
        def of(self, compiled):
            self.seconds = next(late)
            clock.now += self.seconds
            yield

    monkeypatch.setattr(either_way, "Spent", Loaded)
    staged, counted = tried(total, clock, 0.5, xs, y)
    staged(xs, y)
    assert calls_as_python(staged, counted, xs, y, calls=50) == 50
