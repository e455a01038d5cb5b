"""What raises in a loop is raised as Python does, and the loop is machine code.

PYTEST_DONT_REWRITE: the assertions of these programs are Python's own.
"""

import traceback

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import agreeing, cases, loops_of

CASES, case = cases()
n = np.int64
FAULT = ValueError("one for all")


class OfItsOwn(Exception):
    """Tells which."""

    def __init__(self, place, value):
        super().__init__(f"{value} at {place}")
        self.place = place


def with_one(at, value=-1.0, size=90):
    x = np.arange(1.0, size + 1)
    if at is not None:
        x[at] = value
    return x


PLACES = [(with_one(at),) for at in (None, 0, 40, -1)]


@case(*PLACES, (np.zeros(0),))
def of_a_known_text(x):
    total = 0.0
    for k in range(len(x)):
        if x[k] < 0:
            raise ValueError("a negative number")
        total += x[k]
    return total


@case(*PLACES)
def of_a_text_of_the_run(x):
    total = 0.0
    for k in range(len(x)):
        if x[k] < 0:
            raise ValueError(f"{x[k]} at {k} after {total}")
        total += x[k]
    return total


@case(*PLACES)
def of_a_class_of_its_own(x):
    for k in range(len(x)):
        if x[k] < 0:
            raise OfItsOwn(k, x[k])
        x[k] *= 2
    return x


@case(*PLACES)
def after_stores(x):
    found = np.zeros(len(x), int)
    for k in range(len(x)):
        x[k] += 1
        found[k] = k
        if x[k] <= 0:
            raise ArithmeticError("too small", k)
        x[0] = x[k]
    return x, found


@case(*PLACES, (np.array([np.nan]),))
def asserted(x):
    total = 0.0
    for k in range(len(x)):
        assert x[k] > 0
        total += x[k]
    return total


@case(*PLACES)
def asserted_with_a_text(x):
    total = 0.0
    for k in range(len(x) - 1, -1, -1):
        assert x[k] > 0, f"{k}: {x[k]}"
        total += x[k]
    return total


@case(*PLACES)
def asserted_with_a_number(x):
    for k in range(len(x)):
        assert x[k], k
        assert x[k] > 0, (k, x[k])
    return len(x)


@case(*PLACES)
def of_an_exception_outside(x):
    for k in range(len(x)):
        if x[k] < 0:
            raise FAULT
    return 1


@case((with_one(None), n(1)), (with_one(None), n(0)), (with_one(3), n(-2)))
def a_step_of_the_run(x, step):
    total = 0.0
    for i in range(9):
        for k in range(i * i, len(x), step + i):
            total += x[k]
    return total


@case(*PLACES)
def from_another(x):
    for k in range(len(x)):
        if x[k] < 0:
            raise KeyError(k) from FAULT
    return 0


@case(*((x.reshape(9, 10),) for (x,) in PLACES))
def within_loops(x):
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            if x[i, j] < 0:
                raise IndexError("row", i)
            total += x[i, j]
        while total > 1e3:
            total /= 3
            if total == i:
                raise RuntimeError
    return total


def root_of(v):
    if v < 0:
        raise ValueError("root of a negative number")
    return v**0.5


@case(*PLACES)
def in_a_helper(x):
    total = 0.0
    for k in range(len(x)):
        total += root_of(x[k])
    return total


@case(*PLACES)
def caught_around(x):
    total, k = 0.0, 0
    try:
        while k < len(x):
            if x[k] < 0:
                raise ValueError(k)
            total += x[k]
            k += 1
    except ValueError as error:
        total += error.args[0]
    return total, k


@case(*PLACES)
def with_a_list_beside(x):
    found = []
    for k in range(len(x)):
        if x[k] < 0:
            raise ValueError(len(found))
        found.append(k * 2)
    return found


@case(*PLACES, (with_one(0, -9e9),))
def each_turn_raises(x):
    total = 0
    while x.sum() > 0:
        raise ValueError(x[0])
    while x[1] > 0:
        total += 1
        raise KeyError(total)
    return total


@case(*PLACES)
def both_raise(x):
    for k in range(len(x)):
        if x[k] < 0:
            raise ValueError("here")
        else:
            if x[k] > 80:
                raise ValueError("there")
            x[k] = 3
    return x


@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_what_raises_raises_as_python_does(function, arguments):
    with ag.config(backend="native"):
        agreeing(function, [*arguments, *arguments])


NATIVE = [of_a_known_text, after_stores, asserted, within_loops, in_a_helper]


@pytest.mark.parametrize("function", NATIVE)
def test_a_loop_that_may_raise_is_machine_code(function):
    given = [x.reshape(9, 10) if function is within_loops else x for (x,) in PLACES[:1]]
    with ag.config(backend="native"):
        staged = agreeing(function, [given])
        loops = loops_of(staged, given)
    assert loops
    assert all(loop.is_made for loop in loops[:1])
    assert loops[0].lowered()[0].calls == 0


def test_the_traceback_names_the_line_that_raises():
    with ag.config(backend="native"):
        staged = ag.function(of_a_known_text)
        staged(with_one(None))
        frames = []
        for function in (of_a_known_text, staged):
            with pytest.raises(ValueError, match="a negative number") as raised:
                function(with_one(5))
            found = traceback.extract_tb(raised.value.__traceback__)
            frames.append((found[-1].filename, found[-1].lineno))
    assert frames[0] == frames[1]


def test_each_raise_makes_an_exception_of_its_own():
    with ag.config(backend="native"):
        staged = ag.function(of_a_known_text)
        staged(with_one(None))
        found = []
        for _ in range(3):
            with pytest.raises(ValueError, match="negative") as raised:
                staged(with_one(1))
            found.append(raised.value)
    assert len({*map(id, found)}) == 3
