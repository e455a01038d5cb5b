"""What calls by machine code leave: warnings, memory, other threads, interruptions."""

import copy
import gc
import inspect
import os
import pickle
import signal
import sys
import threading
import time
import warnings
import weakref

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm.float_errors import MADE_ANEW
from runtime.vectored import MISS
from tests.conformance.harness import disagreement, observe
from tests.tracer.entered import (
    at_once,  # noqa: F401 # a fixture
    linear,
    takes,
    warm,
)
from tests.tracer.warm_calls import X, Y, i
from tracer.function import Function

pytestmark = [
    pytest.mark.usefixtures("others_set_aside"),
    pytest.mark.usefixtures("at_once"),
]


def test_warnings_and_errstate_are_numpys():
    def work(x):
        return x / (x - 1.0)

    f = ag.function(work)
    warm(f, Y)
    assert takes(f, Y)
    for state in ({}, {"divide": "ignore"}, {"all": "raise"}, {"all": "call"}):
        seen = []
        with np.errstate(**state, call=lambda *told: seen.append(told)):
            results = [observe(one, [X]) for one in (work, f)]
        assert disagreement(*results) is None, state
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(
            RuntimeWarning, match="divide by zero encountered in divide"
        ):
            f(X)


def test_an_underflow_is_told_where_it_is_asked_for():
    def work(x):
        product = 1.0
        for k in range(len(x)):
            product = x[k] * product
        return product, x * x

    f, tiny = ag.function(work), np.full(3, 1e-200)
    warm(f, X)
    assert takes(f, tiny)
    with np.errstate(under="warn"):
        for one in (work, f):
            with pytest.warns(RuntimeWarning, match="underflow") as told:
                one(tiny)
            assert len(told) == 2


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="they are not counted there")
def test_what_is_told_of_numbers_keeps_nothing():
    f = ag.function(lambda x: x / (x - 1.0))
    with warnings.catch_warnings(), np.errstate(invalid="ignore"):
        warnings.simplefilter("ignore")
        warm(f, X)
        for _ in range(MADE_ANEW):
            f(X)
        assert takes(f, X)
        names = [None, False]
        before = [sys.getrefcount(one) for one in names]
        for _ in range(2_000):
            f(X)
        after = [sys.getrefcount(one) for one in names]
    assert max(abs(a - b) for a, b in zip(after, before, strict=True)) < 500


@pytest.mark.parametrize("size", range(1, 20))
def test_no_lane_that_is_no_element_warns(size):
    f = ag.function(lambda x, n: x * n - 1)
    x = np.full(size, 1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert warm(f, x, np.inf).tolist() == [np.inf] * size


def test_many_calls_keep_nothing():
    f = ag.function(lambda x, n: (x * n, x, n))
    x, n = X.copy(), np.float64(1234.5)
    warm(f, x, n)
    assert takes(f, x, n)
    names = [x, n, f, MISS, np.dtype(float), None]
    gc.collect()
    before = [sys.getrefcount(one) for one in names]
    for _ in range(20_000):
        f(x, n)
        f(n, x)
    after = [sys.getrefcount(one) for one in names]
    # Of 40,000 calls, one in each form would be 20,000; the second form is traced here.
    assert max(abs(a - b) for a, b in zip(after, before, strict=True)) < 1_000


def test_a_function_with_entries_goes_with_its_last_name():
    f = ag.function(lambda x: x * 2 + 1)
    warm(f, X)
    assert takes(f, X)
    gc.collect()
    gc.disable()
    try:
        gone = weakref.ref(f)
        del f
        assert gone() is None
    finally:
        gc.enable()


def test_functions_are_what_they_were():
    warm(linear, X)
    assert pickle.loads(pickle.dumps(linear)) is linear
    assert copy.deepcopy(linear) is linear
    assert str(inspect.signature(linear)) == "(x)"
    assert weakref.ref(linear)() is linear
    linear.note = "mine"
    assert linear.note == "mine"
    assert callable(linear)
    assert linear.__call__(X).tolist() == [3.0, 5.0, 7.0]


def test_a_subclass_calls_its_own():
    class Loud(Function):
        def __call__(self, /, *args, **kwargs):
            return "loud", super().__call__(*args, **kwargs)

    class Quiet(Function):
        pass

    for kind in (Loud, Quiet):
        f = kind(lambda x: x * 2, convert=lambda f: f)
        result = warm(f, i(2))
        assert result == (("loud", 4) if kind is Loud else 4)


def test_threads_call_at_once():
    f = ag.function(lambda x, n: x * n + 1)
    failures = []

    def work(number):
        for turn in range(300):
            x = np.full(1 + turn % 3, float(number))
            if f(x, 2.0).tolist() != [number * 2.0 + 1] * len(x):
                failures.append(number)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert takes(f, np.ones(1), 2.0)


def test_a_trace_in_another_thread_leaves_calls_right():
    inside, done = threading.Event(), threading.Event()

    def slow(x):
        inside.set()
        done.wait(10)
        return x * 2

    warm(linear, X)
    traced = ag.function(slow, autograph=False, python_effects="trace")
    thread = threading.Thread(target=traced, args=(X,))
    thread.start()
    inside.wait(10)
    try:
        assert not takes(linear, X)
        assert linear(X).tolist() == [3.0, 5.0, 7.0]
    finally:
        done.set()
        thread.join()
    assert takes(linear, X)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_child_calls_by_machine_code():
    warm(linear, X)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        right = takes(linear, X) and linear(X).tolist() == [3.0, 5.0, 7.0]
        os._exit(0 if right else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_an_interrupt_ends_a_long_run():
    def turn(n):
        count = 0
        while count < n:
            count += 1
        return count

    f = ag.function(turn)
    assert warm(f, i(10)) == 10
    assert takes(f, i(10))
    # A shell lets programs in the background ignore it.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.05, signal.raise_signal, [signal.SIGINT])
    timer.start()
    start = time.perf_counter()
    try:
        with pytest.raises(KeyboardInterrupt):
            f(i(10**13))
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.perf_counter() - start < 60
    assert f(i(10)) == 10
