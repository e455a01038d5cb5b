"""np.errstate: holds for what is computed inside of it, at each run."""

import warnings

import numpy as np
import pytest

import autograph as ag
from tests.autograph.converters.samples import Samples, name

samples = Samples()


@samples(([1.0, 0.0], 1), ([1.0, 2.0], -1))
def raises_inside(x, y):
    with np.errstate(divide="raise"):
        r = 1.0 / x
    return r if y > 0 else -r


@samples(([1.0, 0.0], 1), ([1.0, 2.0], -1))
def in_a_branch(x, y):
    r = x
    if y > 0:
        with np.errstate(all="ignore"):
            r = 1.0 / x
    return r


@samples(([0.0, 1.0], 3), ([2.0, 1.0], 3))
def in_a_loop_and_left(x, n):
    r = x * 0
    for i in range(n):
        with np.errstate(divide="raise"):
            if i == 2:
                break
            if i == 1:
                r = r + 1.0 / x
    return r


@pytest.mark.parametrize("sample", samples.all, ids=name)
def test_errstate_holds_at_each_run(sample):
    with np.errstate(divide="ignore"):
        sample.check_converted()
        sample.check_staged()


def test_nothing_is_warned_of_inside_and_all_of_it_outside():
    @ag.function
    def f(x):
        with np.errstate(divide="ignore"):
            quiet = 1.0 / x
        return quiet + 1.0 / (x * 1)

    @ag.function
    def quiet(x):
        with np.errstate(divide="ignore"):
            return 1.0 / x

    x = np.zeros(2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isinf(quiet(x)).all()
        assert np.isinf(quiet(x)).all()
    with pytest.warns(RuntimeWarning, match="divide by zero") as caught:
        f(x)
    assert len(caught) == 1


def test_a_failure_leaves_the_settings_of_the_caller():
    @ag.function
    def f(x):
        with np.errstate(divide="raise"):
            return 1.0 / x

    before = np.geterr()
    with pytest.raises(FloatingPointError):
        f(np.zeros(2))
    assert np.geterr() == before


def test_what_raises_in_a_try_is_told_to_its_handlers():
    def f(x):
        try:
            with np.errstate(divide="raise"):
                r = 1 / x
                return r[int(r[0])]
        except FloatingPointError as error:
            print(error)
            return x[0]

    for x in (np.zeros(2), np.ones(2)):
        assert ag.function(f)(x) == f(x)


def _is_caught(x, n):
    found = []
    try:
        with np.errstate(divide="ignore"):
            found.append(x[n])
            x[n] = 1.0 / x[0]
    except IndexError:
        found.append(n)
    return 1.0 / x, found


def test_settings_are_left_where_what_fails_in_them_is_caught():
    staged, x = ag.function(_is_caught), np.array([0.0, 1.0])
    for n in (np.int64(1), np.int64(7), np.int64(9)):
        told = []
        for function in (_is_caught, staged):
            with warnings.catch_warnings(record=True) as found:
                warnings.simplefilter("always")
                function(x.copy(), n)
            told.append([str(one.message) for one in found])
        assert told[0] == told[1]
        assert told[0]
