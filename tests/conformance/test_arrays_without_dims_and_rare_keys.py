"""What NumPy does of rare keys, options and sizes that have rules of their own."""

import warnings

import numpy as np
import pytest

import autograph as ag


def outcome(function, *args):
    """What a call gives, warns of and leaves in its arguments, as text."""
    args = tuple(np.copy(arg) if type(arg) is np.ndarray else arg for arg in args)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            made = function(*args)
        except Exception as error:
            made = type(error).__name__, str(error)
    kinds = [getattr(one, "dtype", type(one)) for one in np.atleast_1d(made)]
    words = [str(one.message) for one in told if "Python" not in str(one.message)]
    return repr(made), kinds, type(made), words, repr(args)


def check(function, *args):
    staged = ag.function(function)
    for _ in range(2):
        assert outcome(staged, *args) == outcome(function, *args)


KEYS = [1.5, True, (1, 2), slice(1.5, 3), "a", [1.5], [True, False, True], [], None]


@pytest.mark.parametrize("key", KEYS, ids=repr)
def test_rare_keys_of_a_flat_iterator_mean_what_they_do_to_numpy(key):
    def read(x):
        return x.flat[key]

    def written(x):
        x.flat[key] = 7

    check(read, np.arange(3.0))
    check(written, np.arange(3.0))


@pytest.mark.parametrize("backend", ["numpy", "native"])
def test_a_clip_of_one_element_gives_the_zero_that_numpy_gives(backend):
    def signs(x, low):
        return np.signbit(np.clip(low, x, x + 1)), np.signbit(np.clip(x, low, x + 1))

    def in_place(x, low):
        np.clip(low, x, x + 1, out=low)
        return np.signbit(low)

    with ag.config(backend=backend):
        for shape in (1, (1, 1), 3):
            check(signs, np.full(shape, -0.0), np.zeros(shape))
            check(in_place, np.full(shape, -0.0), np.zeros(shape))


@pytest.mark.parametrize("axis", [0, -1, None, ()])
@pytest.mark.parametrize("function", [np.nanmax, np.nanmin])
def test_an_array_without_dims_that_is_nan_warns_of_a_slice(function, axis):
    check(lambda x: function(x, axis=axis), np.array(np.nan))


def test_an_array_without_dims_is_one_to_dlpack():
    def changed(x):
        view = np.from_dlpack(x)
        view += 1
        return view * 2

    check(changed, np.array(3.0))
    check(lambda x: np.from_dlpack(x) + 1, np.array(3.0))
    check(lambda x: np.from_dlpack(np.array(x.sum())), np.arange(3.0))
    check(lambda x: np.from_dlpack(x.sum()), np.arange(3.0))


@pytest.mark.parametrize("dtype", [float, np.float16, int, bool])
@pytest.mark.parametrize("decimals", [0, 1, -1])
def test_truths_are_rounded_into_what_is_given(dtype, decimals):
    def rounded(x, out):
        np.round(x, decimals, out)
        return out

    check(rounded, np.array([True, False]), np.zeros(2, dtype))


@pytest.mark.parametrize("subscripts", ["ii", "i->i", "ij->ji", "iij"])
def test_an_optimized_einsum_has_its_own_words(subscripts):
    def summed(x):
        return np.einsum(subscripts, x, optimize=True)

    check(summed, np.arange(6.0).reshape(2, 3))


def test_einsum_knows_no_other_letters():
    def turned(x):
        return np.einsum("aä->äa", x)

    check(turned, np.arange(6.0).reshape(2, 3))
