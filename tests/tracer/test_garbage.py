"""What a trace leaves behind, and what it sets aside while it lasts."""

import gc

import numpy as np

import autograph as ag
from autograph.same import assert_same_as_python
from tracer.garbage import of_trace


def local_class(x):
    box = {}

    class Point:
        def __init__(self, far):
            self.far = far

        def twice(self):
            box["twice"] = self.far * x
            return box["twice"] + x

    point = Point(x)
    if x > 0:
        point = Point(x + 1)
    return point.twice()


def test_a_class_that_the_function_makes_goes_with_its_trace():
    assert_same_as_python(local_class, np.float64(2.0))
    assert_same_as_python(local_class, np.float64(-2.0))


def frozen_while_traced(seen):
    seen.append(gc.get_freeze_count())
    return seen


def test_what_is_there_is_set_aside_while_a_trace_lasts():
    seen = []

    @ag.function
    def traced(x):
        ag.do_not_convert(frozen_while_traced)(seen)
        return x + 1

    traced(np.float64(1.0))
    assert seen[0] > 10_000
    assert gc.get_freeze_count() == 0


def test_a_trace_inside_another_leaves_it_set_aside():
    with of_trace():
        with of_trace():
            pass
        assert gc.get_freeze_count() > 10_000
    assert gc.get_freeze_count() == 0


def test_what_a_user_set_aside_stays_so():
    gc.freeze()
    try:
        count = gc.get_freeze_count()
        with of_trace():
            assert _are_so_many(count)
        assert _are_so_many(count)
    finally:
        gc.unfreeze()


def _are_so_many(count):
    """Some of what another test has left may die meanwhile, without the collector."""
    return 0 <= count - gc.get_freeze_count() < 1000
