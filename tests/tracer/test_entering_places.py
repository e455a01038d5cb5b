"""Calls by machine code that change places outside."""

import gc
import multiprocessing
import sys
import threading
import time
import warnings
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
from tests.tracer.outside_calls import X, both_do, model, told
from tests.tracer.warm_calls import i
from tracer import around

pytestmark = [
    pytest.mark.usefixtures("others_set_aside"),
    pytest.mark.usefixtures("at_once"),
]
COUNT = 0


@pytest.mark.parametrize("name", ["count", "step", "add", "put", "keep"])
def test_what_a_method_changes_is_changed_by_its_entry(name):
    one = model(ag.function)()
    for _ in range(3):
        warm(getattr(one, name), X)
    before = repr(vars(one))
    assert takes(getattr(type(one), name), one, X)
    assert repr(vars(one)) != before


def test_globals_and_variables_around_are_changed_by_an_entry():
    global COUNT
    COUNT, calls = 0, 0

    @ag.function
    def f(x):
        global COUNT
        nonlocal calls
        calls, COUNT = calls + 1, COUNT + 2.5
        return x * calls

    for _ in range(3):
        warm(f, i(2))
    assert takes(f, i(2))
    assert (calls, COUNT) == (10, 25.0)
    assert f(i(2)) == 22
    calls = "text"
    assert not takes(f, i(2))
    with pytest.raises(TypeError):
        f(i(2))
    calls = 5
    assert f(i(2)) == 12
    del COUNT
    assert not takes(f, i(2))
    with pytest.raises(NameError):
        f(i(2))


def test_what_has_no_entry_leaves_it_to_python():
    held, seen = [], {1}

    @ag.function
    def shown(x):
        held.append(x)
        print(len(held))
        return x

    @ag.function
    def kept(x):
        seen.add("a")
        return x

    for f in (shown, kept):
        warm(f, 1.0)
        assert not hasattr(f, "_entries") or entries_of(f) == ()


def test_an_exit_has_done_nothing():
    def steps(decorate):
        one = model(decorate)()

        @decorate
        def f(x, n):
            one.n += 1
            one.pair[0] = x[n]
            one.log.append(x[n] * 2)
            return one.n

        found = [told(f, X, i(k)) for k in (0, 1, 0, 1, 9, 0, -7, 1)]
        return [*found, one.n, one.pair, one.log]

    both_do(steps)


def test_a_warning_comes_before_anything_is_written():
    def steps(decorate):
        one = model(decorate)()

        @decorate
        def f(x):
            one.n += 1
            one.pair[0] = 1 / x
            return one.n

        found = [told(f, np.float64(k)) for k in (1, 2, 1, 2)]
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found.append(told(f, np.float64(0)))
        found += [str(one.message) for one in caught]
        found.append(told(f, np.float64(0)))
        with np.errstate(divide="raise"):
            found.append(told(f, np.float64(0)))
        return [*found, one.n, one.pair]

    both_do(steps)


def test_a_call_waits_for_pythons_calls():
    one = model(ag.function)()
    for _ in range(3):
        warm(one.count, X)
    kind = type(one)
    assert takes(kind.count, one, X)
    with around.LOCK:
        assert not takes(kind.count, one, X)
        found = []
        other = threading.Thread(target=lambda: found.append(one.count(X)))
        other.start()
        time.sleep(0.05)
        assert found == []
        before = one.n
    other.join()
    assert one.n == before + 1


def test_threads_by_python_and_machine_code_lose_nothing():
    one = model(ag.function)()
    for _ in range(3):
        warm(one.count, X)
    python = type(one).count.__call__
    start = one.n

    def many(call, *args):
        for _ in range(300):
            call(*args)

    given = [(one.count, X), (python, one, X)] * 2
    threads = [threading.Thread(target=many, args=args) for args in given]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert one.n == start + 4 * 300


def test_other_settings_of_numpys_errors_are_looked_at():
    one = model(ag.function)()
    for _ in range(3):
        warm(one.step, X)
    step, huge = type(one).step, np.full(2, 1.7e308)
    with np.errstate(over="ignore"):
        assert takes(step, one, X)
        one.w = -huge
        assert not takes(step, one, huge)  # which of the settings counts, NumPy says
        assert np.isinf(one.step(huge)).all()
    one.w = -huge
    with np.errstate(over="raise"):
        assert not takes(step, one, X)
        with pytest.raises(FloatingPointError):
            one.step(huge)
    assert (one.w == -huge).all()


def test_an_object_with_a_place_goes():
    one = model(ag.function)()
    for _ in range(3):
        warm(one.count, X)
    assert takes(type(one).count, one, X)
    reference = weakref.ref(one)
    del one
    gc.collect()
    assert reference() is None


def test_calls_leave_no_reference():
    one = model(ag.function)()
    kept = np.float64(1.5)

    @ag.function
    def f(x):
        one.last = x
        one.n += 1
        one.table["a"] = x
        return one.n

    for _ in range(3):
        warm(f, kept)
    assert takes(f, kept)
    counts = sys.getrefcount(kept), sys.getrefcount(one), sys.getrefcount(one.table)
    for _ in range(100):
        f(kept)
        takes(f, "other")
    now = sys.getrefcount(kept), sys.getrefcount(one), sys.getrefcount(one.table)
    assert now == counts


def test_arrays_in_places_are_checked():
    def steps(decorate):
        one = model(decorate)()
        found = [one.step(X) for _ in range(5)]
        for w in (np.ones(2, "f4"), np.ones(1), np.ones((2, 2)), 2.0, np.float64(3)):
            one.w = w
            found += [told(one.step, X), one.w]
        one.w = one.other = np.ones(2)
        found += [one.swap() is one.other, one.step(one.w), one.other]
        return found

    both_do(steps)


def test_keywords_and_constants_beside_places():
    def steps(decorate):
        one = model(decorate)()
        one.mode = "add"

        @decorate
        def f(x, *, by=2.0):
            one.n += by if one.mode == "add" else -by
            return x * one.n

        found = [f(i(2), by=i(3)) for _ in range(5)]
        one.mode = "take"
        found += [f(i(2), by=i(3)) for _ in range(5)]
        return [*found, f(i(2)), one.n]

    both_do(steps)


def test_a_loop_in_which_other_threads_run_loses_nothing():
    one = model(ag.function)()

    @ag.function
    def f(k):
        while k > 0:
            k = k - 1
        one.n += 1
        one.last = k
        return k

    for _ in range(3):
        warm(f, i(10))
    assert takes(f, i(10))
    start = one.n
    # Long enough for the loop to let others run.
    threads = [threading.Thread(target=f, args=(i(10_000_000),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert one.n == start + 4


def test_large_arrays_outside_are_put_by_an_entry():
    one = model(ag.function)()
    one.w = np.zeros(300_000)
    g = np.ones(300_000)
    for _ in range(3):
        warm(one.step, g)
    before = one.w[0]
    assert takes(type(one).step, one, g)
    assert one.w[0] == one.w[-1] == before - 0.5


def test_a_child_that_is_forked_while_python_holds_the_lock_goes_on():
    one = model(ag.function)()
    for _ in range(3):
        warm(one.count, X)
    held, over = threading.Event(), threading.Event()

    def hold():
        with around.LOCK:
            held.set()
            over.wait(20)

    def count(results):
        one.n = 2.5  # a form that is traced, by Python, under the lock
        one.count(X)
        results.put(one.n)

    other = threading.Thread(target=hold)
    other.start()
    held.wait(20)
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    child = context.Process(target=count, args=[results])
    with warnings.catch_warnings():
        # Python 3.12 warns of forks beside threads.
        warnings.simplefilter("ignore")
        child.start()
    try:
        assert results.get(timeout=20) == 3.5
    finally:
        over.set()
        other.join()
        child.terminate()
        child.join()
