"""Creation functions: with staged sizes, and nested lists that hold tensors."""

import numpy as np
import pytest

from runtime.numpy_api import CREATION
from runtime.tensor import Tensor
from tests.runtime.staging import assert_same, check, stage, trace

N = np.int64(3)
X = np.float32(1.5)
ROW = np.array([1, 2, 3], np.int8)

# As a staged function would call them; `new` is NumPy's function, or its staged form.
PROGRAMS = {
    "zeros(n)": lambda np, n, x, row: np.zeros(n),
    "zeros((2, n))": lambda np, n, x, row: np.zeros((2, n), dtype=np.int32),
    "zeros(())": lambda np, n, x, row: np.zeros(()),
    "zeros([2, 2], bool)": lambda np, n, x, row: np.zeros([2, 2], bool),
    "ones(n, int)": lambda np, n, x, row: np.ones(n, int),
    "full((n,), x)": lambda np, n, x, row: np.full((n,), x),
    "full(2, 7)": lambda np, n, x, row: np.full(2, 7),
    "full((2, 3), row)": lambda np, n, x, row: np.full((2, 3), row, float),
    "arange(n)": lambda np, n, x, row: np.arange(n),
    "arange(1, n)": lambda np, n, x, row: np.arange(1, n),
    "arange(5)": lambda np, n, x, row: np.arange(5),
    "arange(0, 1, 0.25)": lambda np, n, x, row: np.arange(0, 1, 0.25),
    "arange(n, dtype=float)": lambda np, n, x, row: np.arange(n, dtype=float),
    "arange(0.0, n, 2)": lambda np, n, x, row: np.arange(0.0, n, 2),
    "arange(stop=4)": lambda np, n, x, row: np.arange(1, stop=4),
    "arange(start, stop, step)": lambda np, n, x, row: np.arange(8, 0, step=-n),
    "linspace": lambda np, n, x, row: np.linspace(0, x, 4),
    "linspace with a staged num": lambda np, n, x, row: np.linspace(0, 1, n),
    "linspace without its end": lambda np, n, x, row: np.linspace(0, 1, 4, False),
    "eye(n)": lambda np, n, x, row: np.eye(n),
    "eye(2, 3, k=1)": lambda np, n, x, row: np.eye(2, 3, k=1, dtype=int),
    "identity(n)": lambda np, n, x, row: np.identity(n),
    "tri(n)": lambda np, n, x, row: np.tri(n, k=-1),
    "array of numbers": lambda np, n, x, row: np.array([1, 2.5]),
    "array of a staged row": lambda np, n, x, row: np.array(row),
    "array of staged numbers": lambda np, n, x, row: np.array([x, n, 1]),
    "array of rows": lambda np, n, x, row: np.array([row, [4, 5, n]]),
    "array with a dtype": lambda np, n, x, row: np.array([x, 2], dtype=np.int16),
    "array of float32 and float": lambda np, n, x, row: np.array([x, 0.5]),
    "array of a number": lambda np, n, x, row: np.array(x) + np.array(3),
    "array with ndmin": lambda np, n, x, row: np.array(x, ndmin=2),
    "array of arrays": lambda np, n, x, row: np.array([np.zeros(2), [n, x]]),
    "array of nothing": lambda np, n, x, row: np.array([]),
    "array that is ragged": lambda np, n, x, row: np.array([row, [n]]),
    "asarray": lambda np, n, x, row: np.asarray(row, float),
    "asarray of a list": lambda np, n, x, row: np.asarray([row, row]),
    "copy": lambda np, n, x, row: np.copy(row),
    "no copy of an array": lambda np, n, x, row: np.array(row, copy=False, ndmin=2),
    "no copy of a number": lambda np, n, x, row: np.array(x, copy=False),
    "no copy of a list": lambda np, n, x, row: np.asarray([n, x], copy=False),
    "no copy as a dtype": lambda np, n, x, row: np.array(row, float, copy=False),
    "no copy of numbers": lambda np, n, x, row: np.asarray((1, 2), copy=False),
    "zeros_like": lambda np, n, x, row: np.zeros_like(row, shape=(2, n)),
    "full_like": lambda np, n, x, row: np.full_like(row, 4.7, dtype=float),
    "zeros(-1)": lambda np, n, x, row: np.zeros(-1),
    "zeros of a negative size": lambda np, n, x, row: np.zeros(-n),
}


class Staged:
    """NumPy with the creation functions that a trace uses."""

    def __getattr__(self, name):
        function = getattr(np, name)
        try:
            return CREATION.get(function, function)
        except TypeError:
            return function


@pytest.mark.parametrize("program", PROGRAMS)
def test_creation_gives_what_numpy_gives(program):
    create = PROGRAMS[program]

    def function(n, x, row):
        return create(Staged() if isinstance(n, Tensor) else np, n, x, row)

    check(function, N, X, ROW)


def test_created_array_is_new_at_each_run():
    def function(x):
        made = CREATION[np.zeros](3)
        made[0] += x
        table = CREATION[np.array]([1.0, 2.0])
        table[1] += x
        return made, table

    for _ in range(2):
        result, _ = stage(function, X)
        assert_same((np.array([1.5, 0, 0]), np.array([1.0, 3.5])), result)


def test_array_of_text_stays_a_plain_array():
    seen = []

    def function(x):
        seen.append(CREATION[np.array](["a", "b"]))
        return x

    trace(function, X)
    assert isinstance(seen[0], np.ndarray)


def test_asarray_of_an_array_is_the_array_itself():
    def function(row):
        same = CREATION[np.asarray](row)
        same += 1

    check(lambda row: function(row) if isinstance(row, Tensor) else _add(row), ROW)


def _add(row):
    row += 1
