"""Calls whose time a test tells: by the graph, and as Python, which is counted."""

import autograph as ag
from tracer.either_way import MOST_LONG, ORDER, EitherWay

# A call by the graph takes a second, between two looks at the clock, and so does the
# search for its leaves.
GRAPH = 2.0


class Clock:
    """Each look at it takes a second."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        self.now += 1.0
        return self.now


class Counted:
    """The Python function of a Function, whose calls are counted and take `seconds`."""

    def __init__(self, staged, clock, seconds):
        self.python, self.clock, self.seconds = staged.python_function, clock, seconds
        self.__name__, self.__code__ = staged.__name__, self.python.__code__
        self.calls = 0
        staged.python_function = self

    def __call__(self, *args, **kwargs):
        self.calls += 1
        self.clock.now += self.seconds - 1.0
        return self.python(*args, **kwargs)


def total(xs, y):
    found = y
    for x in xs:
        found = found + x
    return found


def tried(function, clock, seconds, *args, **kwargs):
    """A Function, called until its first trial is over; and its Python function."""
    staged = ag.function(function)
    staged(*args, **kwargs)
    counted = Counted(staged, clock, seconds)
    for _ in range(1 + MOST_LONG + len(ORDER)):
        staged(*args, **kwargs)
    return staged, counted


def runs_of(staged):
    return list(staged._short.runs.values())


def calls_as_python(staged, counted, *args, calls=1, **kwargs):
    """How many of so many calls are made as Python."""
    before = counted.calls
    for _ in range(calls):
        staged(*args, **kwargs)
    return counted.calls - before


def until_kept(staged, *args):
    """How many calls it takes until none is timed any more."""
    for calls in range(5_000):
        if not any(isinstance(run, EitherWay) for run in runs_of(staged)):
            return calls
        staged(*args)
    raise AssertionError("calls are timed for ever")
