"""Elements that lie far apart are written from vectors only where that is worth it."""

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import LAYOUTS, agreeing


def transposed(a, b):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            b[j, i] = a[i, j]
    return b


def quotients(a, b):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            b[j, i] = np.sqrt(a[i, j]) / (1.0 + a[i, j] * a[i, j])
    return b


def pairs(a, b):
    for i in range(a.shape[0]):
        for j in range(a.shape[1] // 2):
            b[i, 2 * j] = a[i, j]
    return b


def both(a, b):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            b[j, i] = a[i, j]
        for j in range(a.shape[1]):
            a[i, j] = a[i, j] * 2.0
    return a, b


def shown(function, *arguments):
    concrete = ag.function(function).get_concrete_function(*arguments)
    return [concrete.inspect(stage) for stage in ("loops", "llvm")]


@pytest.mark.parametrize(("function", "many"), [(transposed, False), (quotients, True)])
def test_only_what_takes_long_is_computed_in_vectors(function, many):
    a = np.random.default_rng(0).random((210, 180))
    loops, llvm = shown(function, a, np.zeros((180, 210)))
    assert ("for turns" in loops) is many
    assert (" x double> " in llvm) is many


def test_no_vectors_are_made_of_them_beside_other_loops():
    a = np.random.default_rng(0).random((210, 180))
    _, llvm = shown(both, a, np.zeros((180, 210)))
    assert " x double> " in llvm
    assert "masked.scatter" not in llvm


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("function", [transposed, quotients, pairs])
def test_it_is_what_python_does(function, layout):
    a = np.random.default_rng(1).random((110, 110))
    b = np.zeros((110, 110))
    with ag.config(backend="native"):
        agreeing(function, [(a, b), (a[:0], b), (a[:1, :5], b)], LAYOUTS[layout])


def test_an_array_that_is_read_is_changed_in_order():
    expected = np.random.default_rng(2).random((120, 120))
    found = expected.copy()
    transposed(expected, expected)
    with ag.config(backend="native"):
        staged = ag.function(lambda x: transposed(x, x))
        staged(found.copy())
        staged(found)
    np.testing.assert_array_equal(found, expected)
