"""Python's own floats overflow in silence, NumPy's numbers beside them do not."""

import math
import warnings

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm.float_errors import MADE_ANEW
from tests.runtime.backends.llvm.compiling import loops_of

n = np.int64


def grown_beside_a_time(x, step, count):
    t = 0.0
    for i in range(count):
        t += step
        x = x * x
    return x, t


def divided_by_elements(xs, count):
    t = 0.5
    s = np.float64(0.0)
    for i in range(count):
        t = t * 0.5
        s = s + t / xs[i]
    return s


def python_overflows(x, count):
    t = 1e300
    for i in range(count):
        t = t * 1e3
        x = x + 1.0
    return x, t


def both_overflow(x, count):
    t = 1e300
    for i in range(count):
        t = t * 1e3
        x = x * x
    return x, t


def stored_in_the_argument(xs, count):
    t = 1.0
    for i in range(count):
        t = t * 0.5
        xs[i] = xs[i] * xs[i] + t
    return t


def python_overflows_in_the_argument(xs, count):
    t = 1e300
    for i in range(count):
        t = t * 1e3
        xs[i] = xs[i] + 1.0
    return t


def python_first_then_numpy(xs, count):
    s = 1e200
    for i in range(count):
        s = s * xs[i]
    return s


def python_in_all_turns_but_the_last(x, count):
    s, last = 1e200, x
    for i in range(count):
        s = s * 1e200 if i + 1 < count else last * 2.0
    return s


def infinite_before(x, count):
    best, t = math.inf, -math.inf
    for i in range(count):
        t = t + 1.0
        best = min(best, t)
        x = x + 1.0
    return x, best


def too_large_for_python(x, count):
    y = 700.0
    for i in range(count):
        y = y + 5.0
        x = x * 0.5
        z = math.exp(y)
    return x, z


def python_in_elements(xs, ys, step):
    for i in range(len(xs)):
        t = i * step
        ys[i] = xs[i] * xs[i] + t
    return ys


def collected(xs, count):
    rows = []
    for i in range(count):
        rows.append(xs[i] / 0.0)
    return rows


def of_the_second(x):
    return np.exp(x * 10)


def of_one_branch(x, count):
    if count > 0:
        return np.log(x)
    return np.sqrt(x) / 0


def two_of_a_line(x, count):
    s = x
    for i in range(count):
        s = s * s - s * 2e200
    return s


def rests_of_ints(x, y, count):
    for _ in range(count):
        r = np.fmod(x, y)
    return r


def parts_of_ints(x, count):
    for _ in range(count):
        r = np.reciprocal(x)
    return r


large = np.full(40, 1e200)
QUIET = [
    (python_overflows, (np.float64(1.0), n(20))),
    (python_overflows_in_the_argument, (np.ones(20), n(20))),
    (infinite_before, (np.float64(1.0), n(20))),
    (too_large_for_python, (np.float64(1.0), n(20))),
    (python_in_all_turns_but_the_last, (np.float64(1.0), n(20))),
    (python_in_elements, (np.ones(40), np.ones(40), 1e308)),
]
TOLD = [
    (grown_beside_a_time, (np.float64(10.0), 0.25, n(20))),
    (divided_by_elements, (np.array([1.0, 0.0, 2.0]), n(3))),
    (both_overflow, (np.float64(10.0), n(20))),
    (stored_in_the_argument, (np.array([1.0, 1e200, 2.0]), n(3))),
    (python_first_then_numpy, (np.array([1.0, 1e200, 2.0]), n(3))),
    (python_in_elements, (large, np.ones(40), 0.5)),
]


SAID_ALL = [
    (of_the_second, (np.full(3, 100.0),)),
    (of_one_branch, (np.array([-1.0, 0.0, 2.0]), n(0))),
    (two_of_a_line, (np.float64(1e200), n(3))),
    (collected, (np.array([[1.0, 0.0], [2.0, 3.0]]), n(2))),
]


def seen(function, arguments, of_all=False):
    """What a call gives or raises, and its warnings with their lines.

    of_all: each as often as it comes
    """
    given = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            result = repr(function(*given))
        except OverflowError as error:
            result = repr(error)
    warned = [(str(w.message), w.lineno) for w in told]
    return result, repr(given), sorted(warned if of_all else {*warned})


@pytest.mark.parametrize(("function", "arguments"), [*QUIET, *TOLD])
def test_numpys_numbers_warn_beside_pythons(function, arguments):
    with ag.config(backend="native"):
        staged, python = ag.function(function), seen(function, arguments)
        for _ in range(3):
            assert seen(staged, arguments) == python
        (loop,) = loops_of(staged, arguments)
        assert loop.function is not None
    assert bool(python[-1]) == any(function is one for one, _ in TOLD) or (
        function is python_in_elements
    )


def test_what_nobody_can_tell_is_made_as_python_each_time():
    """Python's float overflows, and so does NumPy's number."""
    with ag.config(backend="native"):
        staged, arguments = ag.function(both_overflow), (np.float64(10.0), n(20))
        python = seen(both_overflow, arguments)
        assert [message for message, _ in python[-1]] == [
            "overflow encountered in scalar multiply"
        ]
        for _ in range(20):
            assert seen(staged, arguments) == python


@pytest.mark.parametrize(("function", "arguments"), SAID_ALL)
def test_the_first_runs_warn_as_python_does(function, arguments):
    of_all = function is not collected  # machine code has put items into a list
    with ag.config(backend="native"):
        staged, python = ag.function(function), seen(function, arguments, of_all)
        assert python[-1]
        for _ in range(MADE_ANEW):
            assert seen(staged, arguments, of_all) == python


@pytest.mark.parametrize("dims", [(), (3,)])
def test_ints_divided_by_zero_are_warned_of(dims):
    zero = np.zeros(dims, np.int64)[()]
    with ag.config(backend="native"):
        for function, arguments in (
            (rests_of_ints, (zero + 3, zero, n(2))),
            (parts_of_ints, (zero, n(2))),
        ):
            staged, python = ag.function(function), seen(function, arguments, True)
            assert python[-1]
            for _ in range(3):
                assert seen(staged, arguments, True) == python


def test_later_runs_warn_of_what_python_has_warned_of():
    with ag.config(backend="native"), warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("default")
        staged, x = ag.function(of_one_branch), np.array([-1.0, 0.0, 2.0])
        for _ in range(3 * MADE_ANEW):
            staged(x, n(0))
    (line,) = {w.lineno for w in told}
    assert line == of_one_branch.__code__.co_firstlineno + 3


def test_threads_tell_of_pythons_floats_that_overflowed():
    with ag.config(backend="native", num_threads=2):
        staged = ag.function(python_in_elements)
        xs = np.full(300_000, 3.0)
        for step in (1e307, 0.5):
            arguments = xs, np.ones(300_000), step
            assert seen(staged, arguments) == seen(python_in_elements, arguments)
