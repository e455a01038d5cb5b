"""Arguments that a path changes which then raises, and other paths change as well."""

import random

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import Programs, check

X = np.array([0.0, 1.0, 2.0, 3.0])
PROGRAMS = Programs()
ARGUMENTS = [(X, np.int64(k)) for k in (-5, 0, 2, 3, 4)]


@PROGRAMS(*ARGUMENTS)
def in_a_branch(x, n):
    if n > 2:
        x *= 2
        y = x + 1
        x[0] = y[n]
        raise ValueError(x.sum(), y[1])
    x[n] = 1


@PROGRAMS(*ARGUMENTS)
def in_a_branch_of_one(x, n):
    if x[1] == 1:
        x[0] = 5
        if n > 2:
            x[1] = 8
            raise KeyError(n)
        x[2] = 9
    else:
        x[3] = 1
        raise RuntimeError("r")
    x += 1


@PROGRAMS(*ARGUMENTS)
def in_all_of_them(x, n):
    if n > 2:
        x[1] = 7
        raise ValueError
    elif n < 0:
        x[2] = 4
        raise KeyError
    elif n:
        x[3] = 1
        raise OSError
    x[0] = 2
    if n > -1:
        x[1] = 3
        raise ValueError
    x[2] = 5
    raise KeyError(x[0])


@PROGRAMS(*ARGUMENTS)
def in_a_round(x, n):
    k = 0
    while True:
        x[k] += 1
        if x[k] > n:
            x[0] = -1
            raise KeyError(k)
        k += 1


@PROGRAMS(*ARGUMENTS)
def in_each_round(x, n):
    for k in range(n):
        x[k] += 1
        if x[k] > 2:
            x[0] = 4
            raise ValueError(k)
        else:
            x[1] = 5
            raise KeyError(k)
    x[2] = 9


@PROGRAMS(*ARGUMENTS)
def in_the_first_round(x, n):
    for k in range(n):
        x[k] = 7
        raise ValueError(k)
    x += 1


@PROGRAMS(*ARGUMENTS)
def in_a_recursion(x, n):
    if x[0] > 3:
        x[1] = 8
        raise ValueError(n)
    if n <= 0:
        return 0
    x[0] += 1
    return in_a_recursion(x, n - 1) + 1


@PROGRAMS(*ARGUMENTS)
def by_a_handler(x, n):
    try:
        try:
            x[n] = 1
        except IndexError:
            x[1] = 2
            raise KeyError("a") from None
        x += 1
        if n:
            raise ValueError("b")
    except KeyError:
        x[2] = 3
        raise RuntimeError("c") from None
    except ValueError:
        x[3] = 4
        if n > 2:
            x[0] = 10
            raise
    x *= 3


@PROGRAMS(*ARGUMENTS)
def by_a_finally(x, n):
    for k in range(n):
        try:
            x[k] += x[k + 1]
        except IndexError:
            x[0] = k
            raise
        finally:
            x *= 2
    return x.sum()


@PROGRAMS(*[(X, X * 2, np.int64(k)) for k in (-5, 0, 3, 4)])
def one_of_two(x, y, n):
    z = x if n > 0 else y
    try:
        z += 1
        z[n] = 4
    except IndexError:
        z[0] = 3
        raise ValueError from None
    z[1] = 2


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_the_arguments_are_what_python_leaves(function, arguments, backend):
    with ag.config(backend=backend):
        check(function, arguments)


def test_what_is_read_only_may_be_passed_where_no_path_taken_changes_it():
    def checked(x, n):
        if n > 2:
            x[1] = 7
            raise ValueError(n)
        return x.sum()

    staged, x = ag.function(checked), X.copy()
    x.flags.writeable = False
    for _ in range(3):
        assert staged(x, np.int64(1)) == 6
        with pytest.raises(ValueError, match="read-only"):
            staged(x, np.int64(3))


class Model:
    def __init__(self):
        self.rates = [1.0]


def drawn_by_numpy(model, x, source):
    model.first = np.random.random(2) + x
    model.rates.append(model.first[0])
    raise ValueError("after two draws")


def drawn_by_python(model, x, source):
    model.first = random.random() + x
    random.shuffle(model.rates)
    raise ValueError("after two draws")


def drawn_of_a_source(model, x, source):
    model.first = source.random() + x
    model.rates = [source.integers(9)]
    raise ValueError("after two draws")


def drawn_and_looked_at(model, x, source):
    model.first = source.random() + x
    model.rates.append(np.random.random())
    if model.first > 0:
        raise ValueError("after two draws")


@pytest.mark.parametrize("x", [2.0, np.float64(2.0)])
@pytest.mark.parametrize(
    "function",
    [drawn_by_numpy, drawn_by_python, drawn_of_a_source, drawn_and_looked_at],
)
def test_what_raises_after_draws_leaves_what_it_has_set(function, x):
    staged = ag.function(function)
    found = []
    for call in function, staged:
        np.random.seed(1)
        random.seed(1)
        source = np.random.default_rng(1)
        for _ in range(4):
            model = Model()
            with pytest.raises(ValueError, match="after two draws") as caught:
                call(model, x, source)
            shown = [np.random.random(), random.random(), source.random()]
            found.append(repr([str(caught.value), vars(model), shown]))
    assert found[:4] == found[4:]
