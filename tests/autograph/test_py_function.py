"""ag.py_function with functions that use what the function around them has computed."""

import functools

import numpy as np
import pytest

import autograph as ag

SCALAR = ag.TensorSpec((), np.float64)
seen = []


def closure(x, y):
    k = y * 2
    return ag.py_function(lambda v: v * k, x, result=SCALAR)


def default(x, y):
    return ag.py_function(lambda v, w=y: v * w, x, result=SCALAR)


def partly(x, y):
    return ag.py_function(functools.partial(np.subtract, y), x, result=SCALAR)


def round_of_a_loop(x, y):
    total = 0.0
    for i in range(int(y)):
        total = total + ag.py_function(lambda v: v * i, x, result=SCALAR)
    return total


def on_a_path(x, y):
    def note(v):
        seen.append((v, y))

    if y > 3:
        ag.py_function(note, x, result=None)
    return x


@pytest.mark.parametrize(
    "program", [closure, default, partly, round_of_a_loop, on_a_path]
)
def test_it_gets_the_values_of_the_run(program):
    f = ag.function(program)
    for y in (3.0, 4.0):
        seen.clear()
        ours = f(np.float64(2.0), np.float64(y))
        ours_seen = list(seen)
        seen.clear()
        assert ours == program(np.float64(2.0), np.float64(y))
        assert ours_seen == seen


def test_a_call_inside_of_a_call_of_one_function():
    @ag.function
    def down(x, n):
        if n > 0:
            return ag.py_function(lambda v: down(v, n - 1), x, result=SCALAR) + 1
        return x

    assert [down(np.float64(1.0), n) for n in (3, 5, 5)] == [4.0, 6.0, 6.0]
    assert len(down.traces()) == 3


def test_a_variable_that_it_changes_is_refused():
    @ag.function
    def counted(x):
        count = x

        def add(v):
            nonlocal count
            count = count + v
            return count

        return ag.py_function(add, x, result=SCALAR), count

    with pytest.raises(NotImplementedError) as caught:
        counted(np.float64(2.0))
    assert str(caught.value) == (
        "a function that is called by ag.py_function changes a variable or a container "
        "of the decorated function, which would not be seen there"
    )
