"""An `out` of another dtype than the result: NumPy computes in the dtype of that."""

import warnings

import numpy as np
import pytest

import autograph as ag
from tests.conformance.harness import bits, disagreement, observe

RANDOM = np.random.default_rng(3)
MATRIX = RANDOM.random((50, 7)) * 9
NAMES = """
sum prod mean var std ptp median nansum nanprod nanmean nanvar nanstd nanmedian max min
cumsum cumprod nancumsum add.reduce multiply.accumulate maximum.reduce
""".split()
DTYPES = [("f4", "f8"), ("f8", "f4"), ("f2", "f4"), ("F", "D"), ("i4", "f8")]


def named(name):
    function = np
    for part in name.split("."):
        function = getattr(function, part)
    return function


def same(program, *arguments):
    staged = ag.function(program)
    for _ in range(2):
        found = disagreement(observe(program, arguments), observe(staged, arguments))
        assert found is None, found.sentence


@pytest.mark.parametrize("dtypes", DTYPES, ids="-".join)
@pytest.mark.parametrize("name", NAMES)
def test_what_is_put_into_it_is_computed_in_its_dtype(name, dtypes):
    function, (given, wanted) = named(name), dtypes

    def program(x, y):
        return function(x, axis=0, out=y), y, x

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        x = MATRIX.astype(given)
        size = np.shape(function(x, axis=0))
        same(program, x, np.zeros(size, wanted))


def test_parts_methods_and_sizes_of_the_run():
    def program(x, y, n):
        x[:n].sum(0, out=y[0])
        np.mean(x[:, :n], axis=0, out=y[1, :n])
        np.add.reduce(x[:n], 0, out=y.T[:, 2])
        for k in range(n):
            x[k:].var(axis=0, out=y[3])
            y[4] += y[3]
        return y

    for backend in ("auto", "native", "numpy"):
        with ag.config(backend=backend):
            same(program, MATRIX.astype("f4"), np.zeros((5, 7)), np.int64(4))


def test_what_is_cast_alone_is_as_without_an_out():
    def program(x, y):
        np.clip(x, 1, 5, out=y)
        return y, np.take(x, [0, 1], axis=0, out=y[:2].copy(), mode="clip")

    same(program, MATRIX.astype("f4"), np.zeros((50, 7)))


def test_nothing_is_warned_of_that_numpy_does_not_compute():
    @ag.function
    def program(x, y):
        return np.prod(x, axis=0, out=y)

    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        for _ in range(2):
            program(np.full((9, 2), 100, "f2"), np.zeros(2, "f4"))
    assert said == []


@pytest.mark.parametrize("dtypes", DTYPES, ids="-".join)
@pytest.mark.parametrize("decimals", [0, 1, 2, -1])
def test_numbers_rounded_into_it_are_multiplied_and_divided_in_its_dtype(
    decimals, dtypes
):
    given, wanted = dtypes

    def program(x, y):
        return np.round(x, decimals, out=y)

    x = (MATRIX * 7).astype(given)
    expected = program(x, np.empty(x.shape, wanted))
    made = ag.function(program)(x, np.empty(x.shape, wanted))
    assert bits(made) == bits(expected)
