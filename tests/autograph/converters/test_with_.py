"""with: managers of the user's, entered, left and told of failures as in Python."""

import contextlib
import threading
import unittest
import warnings

import numpy as np
import pytest

import autograph as ag
from tests.autograph.converters.samples import Samples, name, say

samples = Samples()


class Depth:
    """Counts how deep it is, and how it was left."""

    def __init__(self, x):
        self.x, self.depth, self.failures = x, 0, 0

    def __enter__(self):
        if self.x > 0:
            self.depth += 1
        else:
            self.depth -= 1
        return self.x * 2

    def __exit__(self, kind, error, traceback):
        if kind is not None:
            self.failures += 1
            print("failed", kind.__name__)
            return kind is ZeroDivisionError
        if self.x > 5:
            self.depth += 10
        return None


@contextlib.contextmanager
def scaled(state, factor):
    old = state["scale"]
    if factor > 2:
        state["scale"] = old * factor
    else:
        state["scale"] = old + factor
    yield state["scale"] + 1
    if old > 0:
        state["scale"] = old


@contextlib.contextmanager
def guarded(x):
    say("enter")
    try:
        yield x if x > 0 else -x
    except ValueError as error:
        print("swallowed", error)
    say("leave")


@contextlib.contextmanager
def closing(x):
    try:
        yield x
    finally:
        if x > 0:
            say("closed")


@samples((3, 1), (-3, 1), (7, 2))
def a_manager(x, y):
    d = Depth(x)
    with d as doubled:
        r = doubled + y if d.depth > 0 else y
    return r, d.depth, d.failures


@samples((3, 1), (-3, 1), (7, 2))
def in_a_branch(x, y):
    d = Depth(y)
    r = y
    if x > 0:
        with d as r:
            r += 1
            d.depth += 100
    else:
        print("else")
    return r, d.depth


@samples((3, 1), (-3, 1), (7, 2))
def left_by_return(x, y):
    d = Depth(y)
    with d as r:
        if x > 0:
            return r, d.depth
        r += x
    return r, d.depth


@samples((6, 1), (-3, 1), (4, 2))
def in_a_loop_with_break_and_continue(n, y):
    d = Depth(y)
    total = n * 0
    while n > 0:
        with d as r:
            n -= 1
            if n == 4:
                continue
            if n < 2:
                break
            total += r
        total += 100
    return total, d.depth, n


@samples((3, 1), (0, 1))
def told_of_a_failure_that_it_swallows(x, y):
    d = Depth(y)
    r = 0
    with d:
        r = 10 // int(x)
        print("not reached for zero")
    return r, d.failures, d.depth


@samples((1, 5), (7, 5))
def told_of_a_failure_that_it_lets_out(x, y):
    d = Depth(y)
    items = np.arange(5)
    try:
        with d:
            r = items[x]
    except IndexError:
        r = -1
    return r, d.failures, d.depth


@samples((3, 1), (-3, 1))
def told_of_a_raise(x, y):
    d = Depth(y)
    with d:
        if x > 0:
            raise ZeroDivisionError("zero")
        y += 1
    return y, d.failures


@samples((3, 1), (1, 5), (-1, 1))
def a_generator(x, y):
    state = {"scale": y}
    with scaled(state, x) as s:
        r = s * state["scale"]
    return r, state["scale"]


@samples((3, 1), (1, 5), (-1, 1))
def a_generator_in_a_branch_and_a_loop(x, y):
    state = {"scale": y}
    r = x * 0
    for i in range(3):
        if x > i:
            with scaled(state, x + i) as s:
                r += s
                if r > 20:
                    break
    return r, state["scale"]


@samples((3, 1), (-1, 1), (0, 1))
def a_generator_with_handlers(x, y):
    with guarded(y) as r:
        if x > 0:
            raise ValueError("positive")
        if x < 0:
            return r
        r += 100
    return x


@samples((3, 1), (1, 9), (-1, 9))
def a_generator_with_a_finally(x, y):
    items = np.arange(5)
    with closing(x) as z:
        r = items[y] + z
    return r


@samples((3, 1), (-3, 2))
def several_at_once(x, y):
    a, b = Depth(x), Depth(y)
    items = [0, 0]
    with a as items[0], b as (items[1]), guarded(x) as z:
        r = items[0] + items[1] + z
    return r, a.depth, b.depth


@samples((1, 1), (9, 1))
def suppressed(i, y):
    items = np.arange(5)
    r = y
    with contextlib.suppress(IndexError, KeyError):
        r = items[i] + 10
        print("found")
    return r


@samples((3, 1), (-3, 1))
def nothing(x, y):
    with contextlib.nullcontext(x) as z:
        if z > 0:
            y = z
    return y


@pytest.mark.parametrize("sample", samples.all, ids=name)
def test_a_converted_with_does_what_python_does(sample):
    sample.check_converted()


@pytest.mark.parametrize("sample", samples.staged, ids=name)
def test_a_staged_with_does_what_python_does(sample):
    sample.check_staged()


@pytest.mark.parametrize(
    ("i", "told"), [(2, AssertionError("IndexError not raised")), (7, None)]
)
def test_a_manager_of_a_library_is_told_what_the_run_raises(i, told):
    def f(x, i):
        with np.testing.assert_raises(IndexError):
            x[i]
        return x

    @ag.function
    def g(x, i):
        with pytest.raises(IndexError):
            x[i]
        return x

    x = np.arange(5)
    for function in (f, ag.function(f)):
        assert ran(function, x, np.int64(i)) == repr(told or x)
    if told is None:
        assert g(x, np.int64(i)) is x


def test_a_setting_of_a_library_holds_for_its_functions():
    special = pytest.importorskip("scipy.special")

    def f(x, n):
        with special.errstate(all="raise"):
            return special.gammaln(x) if n > 0 else x

    x = np.array([0.0, 1.0])
    for _ in range(3):
        with pytest.raises(special.SpecialFunctionError):
            ag.function(f)(x, np.int64(1))
    assert ag.function(f)(x, np.int64(0)) is x


@contextlib.contextmanager
@ag.do_not_convert  # as a library's
def unwarned():
    before = warnings.filters[:]
    warnings.filters[:0] = [("ignore", None, RuntimeWarning, None, 0)]
    try:
        yield
    finally:
        warnings.filters[:] = before


def test_a_manager_that_sets_filters_holds_for_what_it_is_around():
    def f(x):
        with unwarned():
            return 1 / x

    for function in (f, *[ag.function(f)] * 3):
        with warnings.catch_warnings(record=True) as shown:
            warnings.simplefilter("always")
            assert np.isinf(function(np.array([0.0]))[0])
        assert not shown


class Case(unittest.TestCase):
    def runTest(self):
        """What pytest calls."""


def by_unittest(x, i):
    Case().assertRaises(IndexError, lambda: x[i])  # noqa: PT027 - it is tried


def by_pytest(x, i):
    raises = pytest.raises
    return raises(IndexError, x.__getitem__, i).type


def by_a_function_of_numpy(x, i):
    raises = pytest.raises
    raises(np.linalg.LinAlgError, np.linalg.inv, np.zeros((2, 2)) * x[i])


@pytest.mark.parametrize("sample", [by_unittest, by_pytest, by_a_function_of_numpy])
@pytest.mark.parametrize("i", [0, 9])
def test_a_function_of_a_library_is_told_what_the_run_raises(sample, i):
    def outcome(function):
        try:
            return repr(function(np.arange(5.0), np.int64(i)))
        except BaseException as error:  # pytest's Failed is no Exception
            return f"{type(error).__name__}: {error}"

    function = ag.function(sample)
    for _ in range(2):
        assert outcome(function) == outcome(sample)


def ran(function, *arguments):
    try:
        return repr(function(*arguments))
    except AssertionError as error:
        return repr(error)


lock = threading.Lock()


def test_a_lock_around_the_whole_is_held_while_tracing():
    @ag.function
    def f(x):
        with lock:
            y = x + 1 if x > 0 else x
        return y

    assert f(np.float64(1.0)) == 2.0
    assert not lock.locked()


def test_a_manager_that_yields_twice_is_refused_as_in_python():
    @contextlib.contextmanager
    def twice(x):
        yield x
        yield x

    def f(x):
        with twice(x) as y:
            x = y + 1
        return x

    for function in (f, ag.function(f)):
        with pytest.raises(RuntimeError, match="generator didn't stop"):
            function(np.float64(1.0))


def test_a_manager_that_does_not_yield_is_refused_as_in_python():
    @contextlib.contextmanager
    def never(x):
        if x is None:
            yield x

    def f(x):
        with never(x) as y:
            x = y
        return x

    for function in (f, ag.function(f)):
        with pytest.raises(RuntimeError, match="generator didn't yield"):
            function(np.float64(1.0))
