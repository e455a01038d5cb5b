"""What an exception that leaves the call has changed before it, as Python leaves it.

In arguments of all kinds, whether the store was made in place or not; what was printed
or warned of before is not said once more.
"""

import contextlib
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph.same import assert_same_as_python
from tests.conformance.trying import Programs

ONE, MINUS, FAR, NEAR = np.float64(1.0), np.float64(-1.0), np.int64(7), np.int64(1)
X = np.array([1.0, 2.0, 3.0])
program = Programs()


@dataclass
class Model:
    w: Any
    step: Any


@program((X, ONE), (X, MINUS))
def in_place(x, c):
    x[0] = 5
    if c > 0:
        raise ValueError("no")
    x[1] = 6
    return x


@program((X.reshape(3, 1), X * 2, X * 3, FAR), (X.reshape(3, 1), X, X, NEAR + NEAR))
def after_a_view_that_one_of_two_arrays_has(x, y, z, n):
    for _ in range(n):
        x, y = y, x
    part = x[:, 0:1]
    z += 1
    return part


@program((X, np.arange(4), FAR), (X, np.arange(4), NEAR))
def after_a_part_of_what_a_branch_makes(x, y, n):
    if n > 3:
        if n > 5:
            y = y[y > 2]
    part = np.split(y[1:], 2)[1]
    x += 1
    return part


@program((X, ONE), (X, MINUS))
def as_a_whole(x, c):
    x += 1
    y = x * 2
    if c > 0:
        raise ValueError("no")
    x[1] = y[0]
    return x


@program((X, X * 2, FAR), (X, X * 2, NEAR))
def one_in_place_and_one_not(x, y, i):
    x[:] = y * 2
    y -= x
    x[0] = 9
    return x[i]


@program((X, np.int64(13)), (X, np.int64(2)))
def in_place_on_one_path_of_a_loop(x, n):
    k = 0
    while k < n:
        x[k] = k * 10
        if k > 1:
            x *= 2
        k += 1
    return x


@program((X, FAR), (X, NEAR))
def by_an_op(x, i):
    for k in range(3):
        x[k] += 1
        x[i + k] = 0
    return x


@program(([1.0, 2.0], ONE), ([1.0, 2.0], MINUS))
def a_list(items, c):
    items.append(c)
    items[0] = 9.0
    if c > 0:
        raise ValueError("no")
    return items


@program(({"a": X}, ONE), ({"a": X}, MINUS))
def a_dict_of_arrays(d, c):
    d["a"][0] = 9
    d["b"] = d["a"] + 1
    d["a"] = d["b"]
    if c > 0:
        raise KeyError("no")
    return d


@program(([X, X * 2], ONE), ([X, X * 2], MINUS))
def arrays_in_a_list(items, c):
    for a in items:
        a *= 2
    items[0] = items[1]
    if c > 0:
        raise KeyError("no")


@program((Model(X, 0), ONE), (Model(X, 0), MINUS))
def a_dataclass(model, c):
    model.w -= c
    model.step += 1
    if c > 0:
        raise ValueError(model.step)
    return model.step


@program((X, ONE), (X, MINUS))
def in_a_handler_and_finally(x, c):
    try:
        x[0] = 5
        if c > 0:
            raise ValueError("no")
    except ValueError:
        x[1] = 3
        raise
    finally:
        x[2] = 11
    return x


@program((X, ONE), (X, MINUS))
def through_a_view_and_a_function(x, c):
    v = x[1:]
    v[0] = 5
    double(v, c)
    v += 1
    return v


def double(v, c):
    v *= 2
    if c > 0:
        raise ValueError("in double")


@program((X, ONE), (X, MINUS))
def methods(x, c):
    x.sort()
    x.fill(3.0)
    np.add(x, c, out=x)
    if c > 0:
        raise ValueError("no")


@program((X, ONE), (X, MINUS))
def after_a_print(x, c):
    print("start", x)
    x += 1
    print("then", x)
    if c > 0:
        raise ValueError("no")


@pytest.mark.parametrize(("function", "arguments"), program)
def test_arguments_are_left_as_python_leaves_them(function, arguments):
    for given in arguments:
        with contextlib.suppress(ValueError, KeyError, IndexError):
            assert_same_as_python(function, *given)


def test_a_loop_of_stores_in_place_keeps_nothing_of_its_argument():
    made = ag.function(by_an_op).get_concrete_function(X, NEAR)
    assert not made.made_again


def test_the_exception_has_no_other_for_its_context():
    with pytest.raises(ValueError, match="no") as caught:
        ag.function(as_a_whole)(X.copy(), ONE)
    assert caught.value.__context__ is None
    assert [entry.name for entry in caught.traceback][1:] == ["__call__", "as_a_whole"]


def test_a_warning_is_given_once():
    def divides(x, c):
        x /= 0
        if c > 0:
            raise ValueError("no")

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        with pytest.raises(ValueError, match="no"):
            ag.function(divides)(X.copy(), ONE)
    assert len(told) == 1


def test_a_warning_that_is_an_error_leaves_what_it_leaves_in_python():
    def divides(x, y):
        x += 1
        x /= y

    left = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for function in (divides, ag.function(divides)):
            x = X.copy()
            with pytest.raises(RuntimeWarning, match="divide by zero"):
                function(x, np.float64(0.0))
            left.append(x.tolist())
    assert left[0] == left[1]


def test_machine_code_whose_warning_is_an_error_leaves_it_to_python():
    pytest.importorskip("llvmlite")

    def divides(x, y):
        x += 1
        x /= y
        y += 5
        x *= 2

    graph = ag.function(divides)
    with ag.config(backend="native"):
        # By a region, and by an entry later; what was usual is not, and is again.
        for way in ("ignore", "error", "error", "ignore", "error"):
            for _ in range(3):
                left = []
                for function in (divides, graph):
                    x, y = X.copy(), np.zeros(X.shape)
                    with warnings.catch_warnings():
                        warnings.simplefilter(way)
                        if way == "error":
                            with pytest.raises(RuntimeWarning, match="divide by zero"):
                                function(x, y)
                        else:
                            function(x, y)
                    left.append((x.tolist(), y.tolist()))
                assert repr(left[0]) == repr(left[1])
