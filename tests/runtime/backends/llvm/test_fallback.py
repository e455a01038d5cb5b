"""Loops with steps that have no machine code: machine code calls Python for those."""

import gc
import math
import sys
import tracemalloc
import warnings
from unittest.mock import Mock

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import hot, rests
from tests.conformance.harness import disagreement, observe
from tests.runtime.backends.llvm.compiling import agreeing, cases, loops_of

pytestmark = pytest.mark.usefixtures("others_set_aside")

CASES, case = cases()
n = np.int64
rng = np.random.default_rng(1)
x7 = rng.random(7)
FIRST = rests._first.__code__
i5 = np.arange(5)
a4, b4 = rng.random((4, 4)), rng.random(4)


@case((a4, b4, n(5)), (a4, b4, n(0)))
def power_iteration(a, b, count):
    last = 0.0
    for k in range(count):
        b = a @ b
        norm = np.sqrt(np.sum(b * b))
        b = b / norm
        if abs(norm - last) < 1e-3:
            break
        last = norm
        k += 1
    return b, last


@case((x7, n(3)))
def views_go_out_and_come_in(x, count):
    total = 0.0
    for k in range(count):
        total += np.sum(x[1:]) + x[::2].max() - x[k] * k
        y = x.reshape(7, 1)
        y[k, 0] = total
        x[:2] += 1.5
        z = x[::-1]
        total = total * 0.5 + z[0] - z[1] + k
    return total


@case((x7, n(3)), (x7 - 5, n(2)))
def sizes_that_data_make(x, count):
    total = 0.0
    for k in range(count):
        y = x[x > 0.5]
        total += len(y) + k * 2.0 - 1
        if len(y) > 2:
            total += y[0] * y[1] + y[-1]
        x = x * 0.9 + 0.01
    return total


@case((a4, n(3)), (np.zeros((4, 4)), n(3)))
def raises_what_python_raises(a, count):
    for k in range(count):
        a[0, 0] += k * 2 + 1 - k
        a[1, 1] = a[0, 0] * 2 + a[2, 2] - a[1, 2] * k
        a = np.linalg.inv(a)
        a[2, 2] = a[0, 0] - a[1, 1] + a[3, 3] * 0.5
    return a


@case((x7, n(4)))
def sorts(x, count):
    for k in range(count):
        x = np.sort(x) * (k + 1) - np.cumsum(x)
        x[k] += x[k + 1] * 2 - 1
        x[0] -= x[-1] + k
    return x


@case((i5, np.array([0, 2, 2]), n(3)), (i5, np.array([0, 9]), n(3)))
def stores_by_an_array(x, places, count):
    first = x
    for k in range(count):
        x[k] = k * 2 + 1
        x[places] = k + 7
        x[k] += first[0] * 2
    return x, first


@case((np.zeros(3, "u1"), n(1)), (np.zeros(3, "u1"), n(3)))
def a_number_of_two_kinds_is_stored(x, count):
    """300 of Python's raises; what was stored before is stored."""
    value = np.int64(300)
    for i in range(count):
        x[i] = value
        value = 300 if i == 0 else np.int64(5)
    return x


@pytest.fixture(autouse=True)
def _call_as_often_as_need_be(monkeypatch):
    monkeypatch.setattr(hot, "CALLS", 1)


@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_fallback(function, arguments):
    with ag.config(backend="native"), np.errstate(all="ignore"):
        staged = agreeing(function, arguments)
        loops = loops_of(staged, arguments[0])
        assert loops
        assert all(one.function is not None for one in loops), [
            loop.refused for loop in loops
        ]


@pytest.mark.parametrize("fails_first", [False, True])
def test_what_is_called_is_made_when_it_is_called(fails_first, monkeypatch):
    own, made, codes = rests.called, [], Mock(wraps=rests.alone)

    def called(steps, ties):
        before = codes.call_count
        functions = own(steps, ties)
        assert codes.call_count == before
        made.extend(functions.values())
        return functions

    monkeypatch.setattr(rests, "alone", codes)
    monkeypatch.setattr(rests, "called", called)
    calls = [(i5, np.array([0, 2, 2]), n(3))] * 3
    if fails_first:
        calls.insert(0, (i5, np.array([0, 9]), n(3)))
    with ag.config(backend="native"):
        staged = ag.function(stores_by_an_array)
        for x, *given in calls:
            one = x.copy(), *given
            found = disagreement(observe(stores_by_an_array, one), observe(staged, one))
            assert found is None, found.sentence
    # Each is made once, and is that from then on.
    own_code = [one.__code__ for one in made if one.__code__ is not FIRST]
    assert codes.call_count == len(own_code) > 0


def halved_beside_a_logarithm(x, count):
    found = 0.0
    for k in range(count):
        x = x * 0.5
        found = math.lgamma(k + 3)
    return x, found


def test_pythons_floats_overflow_in_silence_in_a_call_too():
    """What a call of Python leaves in the processor's flags is no fault of NumPy's."""
    with ag.config(backend="native"):
        staged = ag.function(halved_beside_a_logarithm)
        given = np.float64(1.0), n(3)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            assert staged(*given) == halved_beside_a_logarithm(*given)
        (loop,) = loops_of(staged, given)
        assert loop.function.warns
        assert not told


def parts(x, count):
    for k in range(count):
        x = np.partition(x, 2) * (k + 1)
        x[k] += x[k + 1] * 2 - 1
    return x


def test_few_steps_of_the_machine_are_not_worth_it(monkeypatch):
    monkeypatch.setattr(hot, "CALLS", 0)
    with ag.config(backend="native"):
        staged = ag.function(parts)
        assert np.array_equal(staged(x7.copy(), n(2)), parts(x7.copy(), n(2)))
        (loop,) = loops_of(staged, (x7, n(2)))
    assert loop.refused == "too few steps are the machine's"


def test_no_reference_is_lost_or_kept():
    x = x7.copy()
    with ag.config(backend="native"):
        staged = ag.function(views_go_out_and_come_in)
        for _ in range(3):  # the call itself becomes machine code, too
            staged(x, n(3))
        gc.collect()
        before = sys.getrefcount(x), len(gc.get_objects())
        for _ in range(50):
            staged(x, n(3))
            with pytest.raises(IndexError):
                staged(x, n(9))
    gc.collect()
    assert sys.getrefcount(x) == before[0]
    assert len(gc.get_objects()) < before[1] + 200


def shapes_that_differ(x, count):
    for k in range(count):
        x = (x * 2) // x[:, k:]
    return x


def test_memory_is_given_back_when_a_call_fails():
    x = np.ones((50, 50), int)
    with ag.config(backend="native"):
        staged = ag.function(shapes_that_differ)
        for _ in range(3):  # the call itself becomes machine code, too
            run_in_vain(staged, x)
        gc.collect()
        tracemalloc.start()
        for _ in range(20):
            run_in_vain(staged, x)
        gc.collect()  # once: it goes through all that other tests have left, too
        left, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert left < x.nbytes


def run_in_vain(staged, x):
    with pytest.raises(ValueError, match="broadcast") as raised:
        staged(x, n(3))
    raised.value.__traceback__ = None


def last_of_range(turns, out):
    for i in range(len(turns)):
        for k in range(turns[i]):
            out[i] += k * 0.5
        out[i] += k
    return out


def test_name_that_no_round_may_bind_is_no_call_of_python():
    """Where it is not bound Python raises, at its line."""
    turns, out = np.array([3, 0, 5]), np.zeros(3)
    with ag.config(backend="native"):
        staged = ag.function(last_of_range)
        for given in ((turns, out), (turns[1:], out), (turns, out)):
            expected = observe(last_of_range, given)
            difference = disagreement(expected, observe(staged, given))
            assert difference is None, difference.sentence
        loop, *_ = loops_of(staged, (turns, out))
    assert loop.function is not None
    assert not any(one.op == "python" for one in loop.function.body.walk())
