"""`np.linalg.solve`, `inv`, `det` of small matrices, by NumPy's loops, not Python."""

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import LAYOUTS, agreeing, loops_of

TWICE = np.int64(2)


def solved(a, b, count):
    found = np.linalg.solve(a, b)
    for _ in range(count):
        found = np.linalg.solve(a, found) + np.linalg.solve(a * 2, b)
        found = np.linalg.solve(a.T, found)
    return found


def turned(a, b, count):
    found = np.linalg.inv(a)
    for _ in range(count):
        found = np.linalg.inv(found) + np.linalg.inv(a.T) * 0.5
    return found


def sized(a, b, count):
    total = np.linalg.det(a)
    for _ in range(count):
        total = total * 0.5 + np.linalg.det(a) + np.linalg.det(a.T - 1.0)
    return total


def halved(a, b, count):
    x = a @ a.T
    found = np.linalg.cholesky(x)
    for _ in range(count):
        found = np.linalg.cholesky(x * 2.0) + np.linalg.cholesky(x, upper=True)
    return found


def stretched(a, b, count):
    found = np.linalg.eigvalsh(a)
    for _ in range(count):
        found = found + np.linalg.eigvalsh(a) + np.linalg.eigvalsh(a * 3, UPLO="U")
        found = found + np.linalg.eigvalsh(a.T, "L")
    return found


FUNCTIONS = [solved, turned, sized, halved, stretched]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_each_is_numpys(function, layout):
    rng, given = np.random.default_rng(0), []
    for n in (1, 2, 3, 7, 40):
        a = rng.standard_normal((n, n)) + n * np.eye(n)
        given += [(a, rng.random(n), TWICE), (a, rng.random((n, 2)), TWICE)]
    with ag.config(backend="native"):
        staged = agreeing(function, given, LAYOUTS[layout])
        for one in given[:2]:
            (loop,) = loops_of(staged, one)
            assert "python" not in str(loop.function)


def test_ints_are_floats_and_complex_numbers_stay_complex():
    a, b = np.array([[2, 1], [1, 3]]), np.array([1, 2])
    with ag.config(backend="native"):
        for function in (solved, turned, sized, stretched):
            staged = agreeing(function, [(a, b, TWICE)])
            assert "python" not in str(loops_of(staged, (a, b, TWICE))[0].function)
        for function in (solved, turned, sized):
            given = a + 1j * a.T, b * 1j, TWICE
            staged = agreeing(function, [given])
            assert "python" not in str(loops_of(staged, given)[0].function)
        agreeing(solved, [(a.astype("f4"), b.astype("f4"), TWICE)])
        agreeing(solved, [(a * 1.0, b * 1j, TWICE)])


@pytest.mark.parametrize("function", FUNCTIONS)
def test_what_numpy_refuses_it_refuses_in_its_words(function):
    b, huge = np.array([1.0, 2.0]), np.full((2, 2), 1e300)
    wrong = [np.zeros((2, 2)), -np.eye(2), np.full((2, 2), np.nan), huge, huge * 1j]
    wrong += [np.array([[np.inf, 1], [0, 1]]), np.zeros((2, 3)), np.ones((3, 3))]
    wrong += [np.diag([1e300, 1e300]), np.zeros((0, 0)), np.zeros((2, 2, 2))]
    with ag.config(backend="native"):
        for a in wrong:
            agreeing(function, [(a, b, TWICE)])


def test_what_is_noted_before_and_after_is_warned_of():
    def turns(a, x, count):
        total = 0.0
        for k in range(count):
            if k == 1:
                total = total + (x * x).sum()
            total = total + np.linalg.solve(a, x)[0] + np.linalg.det(a)
        return total

    a = np.array([[2.0, 1.0], [1.0, 3.0]])
    far = np.array([1e200, 1.0])
    with ag.config(backend="native"):
        agreeing(turns, [(a, far / 1e200, TWICE), (a, far, TWICE), (a * 0, far, TWICE)])
        agreeing(turns, [(np.diag(far), far, TWICE)])
