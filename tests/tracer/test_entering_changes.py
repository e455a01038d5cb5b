"""Calls by machine code that change arguments, or of which Python does a part."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.harness import disagreement, observe
from tests.tracer.entered import (
    at_once,  # noqa: F401 # a fixture
    takes,
    usual_warnings,  # noqa: F401 # a fixture
    warm,
)
from tests.tracer.warm_calls import X, Y, i

pytestmark = pytest.mark.usefixtures("at_once", "usual_warnings")
A, B = np.arange(6.0).reshape(2, 3), np.ones((3, 2))


def store(x, y):
    x[0] = y[1] * 2


def add_to(x, y):
    x += y
    return x


def turned(x, y):
    x[:] = x[::-1] + y
    return x[1:], y


def grown(x, n):
    x[1] = 5.0
    x[n] = 7.0
    return x * 2


def loop(x, n):
    for k in range(n):
        x[k] = x[k] * 2 + k
    return x.sum() > 3


def product(a, b):
    return a @ b + np.sum(a)


def told(x, n):
    print("n is", n)
    return {"twice": x * 2, "parts": [x, (n, "text")]}


def settled(x, n):
    with np.errstate(divide="ignore"):
        return x / n


def fails(x, n):
    return np.sort(x)[n] + np.arange(3).reshape(n, 3).sum()


CASES = [
    (store, [(X, Y), (X, X), (X, Y[:1]), (Y, X * 3)]),
    (add_to, [(X, Y), (X, np.ones(1)), (A, A[0]), (X, 2.0)]),
    (turned, [(X, Y), (X, 1.0)]),
    (grown, [(X, i(2)), (X, i(-3)), (X, i(7)), (X, i(0))]),
    (loop, [(X, i(3)), (X, i(0)), (X, i(5))]),
    (product, [(A, B), (A, A), (A * 2, B)]),
    (told, [(X, i(3)), (Y, i(4))]),
    (settled, [(X, i(0)), (X, i(2)), (X, np.float64(0))]),
    (fails, [(X, i(1)), (X, i(9)), (X, i(0))]),
]


@pytest.mark.parametrize(("function", "calls"), CASES, ids=lambda x: str(x)[:16])
def test_calls_leave_what_python_leaves(function, calls):
    staged = ag.function(function)
    for _ in range(4):
        for call in calls:
            own = [np.array(a) if isinstance(a, np.ndarray) else a for a in call]
            found = disagreement(observe(function, own), observe(staged, own))
            assert found is None, f"{call}: {found.sentence}"
    first = [np.array(a) if isinstance(a, np.ndarray) else a for a in calls[0]]
    assert takes(staged, *first)


def test_the_array_that_is_changed_is_the_one_that_is_given():
    f = ag.function(add_to)
    x = X.copy()
    warm(f, x, Y)
    assert takes(f, x, Y)
    before = x.copy()
    assert f(x, Y) is x
    assert x.tolist() == (before + Y).tolist()


def test_arrays_that_share_memory_or_are_locked_go_by_python():
    f = ag.function(store)
    x = np.arange(5.0)
    warm(f, x.copy(), x.copy())
    assert takes(f, x.copy(), x.copy())
    assert not takes(f, x[1:], x[:-1])
    f(x[1:], x[:-1])
    assert x.tolist() == [0.0, 2.0, 2.0, 3.0, 4.0]
    locked = x.copy()
    locked.flags.writeable = False
    assert not takes(f, locked, x)
    with pytest.raises(ValueError, match="read-only"):
        f(locked, x)


def test_a_view_that_is_changed_alone_changes_its_base():
    @ag.function
    def first(x):
        x[0] = 9.0

    warm(first, X.copy())
    base = np.zeros(6)
    assert takes(first, base[::2])
    first(base[3:])
    assert base.tolist() == [9.0, 0.0, 0.0, 9.0, 0.0, 0.0]


def test_a_failure_after_a_change_is_made_again_as_python():
    def change(x, n):
        x[0] = x[1] + 1
        y = np.sort(x) * 2
        return y[n]

    f = ag.function(change)
    warm(f, X.copy(), i(1))
    python, graph = X.copy(), X.copy()
    errors = []
    for function, x in ((change, python), (f, graph)):
        with pytest.raises(IndexError) as caught:
            function(x, i(9))
        errors.append((str(caught.value), caught.traceback[-1].lineno))
    assert errors[0] == errors[1]
    assert python.tolist() == graph.tolist()


def test_an_error_of_a_part_by_python_is_at_the_users_line():
    f = ag.function(fails)
    warm(f, X, i(1))
    assert takes(f, X, i(1))
    with pytest.raises(ValueError, match="cannot reshape"):
        f(X, i(0))
    with pytest.raises(IndexError, match="out of bounds") as caught:
        f(X, i(9))
    assert caught.traceback[-1].name == "fails"
    assert caught.value.__context__ is None


def test_variables_go_on():
    total = ag.Variable(0.0)

    @ag.function
    def count(x):
        total.assign_add(1.0)
        return x + total.read()

    for n in range(1, 8):
        assert count(i(1)) == 1 + n
    assert takes(count, i(1))
    assert total.read() == 8.0
