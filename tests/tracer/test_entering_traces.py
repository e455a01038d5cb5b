"""Traces that are called themselves by machine code: as strict as by Python."""

import gc
import weakref

import numpy as np
import pytest

import autograph as ag
from tests.tracer.entered import (
    at_once,  # noqa: F401 # a fixture
    entries_of,
    takes,
    warm,
)
from tests.tracer.outside_calls import told
from tests.tracer.warm_calls import X, Y, i

pytestmark = [
    pytest.mark.usefixtures("others_set_aside"),
    pytest.mark.usefixtures("at_once"),
]
SCALE = 2.0


def scaled(x, y, mode="plain"):
    return x * SCALE + y, mode


def of(function, *args, **kwargs):
    return ag.function(function).get_concrete_function(*args, **kwargs)


def test_a_trace_has_an_entry():
    trace = of(scaled, X, Y)
    assert list(warm(trace, X, Y)[0]) == list(X * 2 + Y)
    assert takes(trace, X, Y)
    by_name = of(scaled, X, Y)
    warm(by_name, y=Y, x=X)
    assert takes(by_name, y=Y, x=X)
    assert list(by_name(X, Y)[0]) == list(by_name(y=Y, x=X)[0]) == list(X * 2 + Y)


OTHERS = [
    *((X,), (X, Y, "plain"), (X, Y, "other"), (X, Y, "plain", 1), (X, Y.astype("f4"))),
    *((X, Y[:2]), (X, 2.0), ((X,), Y), (X, Y.reshape(1, 3)), (X.tolist(), Y), (X, X)),
]


@pytest.mark.parametrize("args", OTHERS, ids=lambda args: str(len(args)))
def test_it_refuses_what_it_was_not_made_for(args):
    python, trace = of(scaled, X, Y), of(scaled, X, Y)
    warm(trace, X, Y)
    assert repr(told(trace, *args)) == repr(told(python, *args))


def test_it_refuses_what_has_changed_outside():
    global SCALE
    trace = of(scaled, X, Y)
    warm(trace, X, Y)
    SCALE = 3.0
    try:
        with pytest.raises(TypeError, match="what it reads outside has changed"):
            trace(X, Y)
    finally:
        SCALE = 2.0
    assert list(trace(X, Y)[0]) == list(X * 2 + Y)


def test_a_class_does_not_bind_it():
    trace = of(scaled, X, Y)
    warm(trace, X, Y)

    class Holder:
        held = trace

    assert list(Holder().held(X, Y)[0]) == list(X * 2 + Y)


def test_it_writes_where_it_is_told_to():
    def store(x, n):
        x[n] = 7.0
        return x

    trace = of(store, X, i(1))
    x = X.copy()
    warm(trace, x, i(1))
    assert takes(trace, x, i(1))
    assert trace(x, i(0)) is x
    assert list(x) == [7.0, 7.0, 3.0]
    with pytest.raises(IndexError, match="index 9 is out of bounds"):
        trace(x, i(9))


def test_containers_are_opened():
    trace = of(lambda p: p["a"] + p["b"][0], {"a": X, "b": [Y]})
    warm(trace, {"a": X, "b": [Y]})
    assert takes(trace, {"a": X, "b": [Y]})
    with pytest.raises(TypeError, match="nested in another way"):
        trace({"a": X, "b": (Y,)})


def test_a_trace_that_is_dropped_goes_at_once():
    trace = of(lambda x: x + 1, X)
    warm(trace, X)
    assert len(entries_of(trace)) == 1
    gone = weakref.ref(trace)
    gc.collect()
    gc.disable()
    try:
        del trace
        assert gone() is None
    finally:
        gc.enable()


def test_it_becomes_part_of_another_trace():
    trace = of(lambda x: x * 2, X)
    warm(trace, X)
    outer = ag.function(lambda x: trace(x) + 1)
    assert list(warm(outer, X)) == [3.0, 5.0, 7.0]
    assert np.array_equal(trace(X), X * 2)
