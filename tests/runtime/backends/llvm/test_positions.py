"""`argmax` and `argmin` in machine code: NumPy's positions, without Python."""

import warnings

import numpy as np
import pytest

import autograph as ag
from tests.conformance.harness import disagreement, observe
from tests.runtime.backends.llvm.compiling import agreeing, loops_of

TWICE = np.int64(2)
AXES = {
    (7,): [None, 0],
    (3, 4): [None, 0, 1],
    (2, 3, 4): [None, 0, 1, -1],
    (1, 1): [0],
    (1, 5): [0, 1],
}
LAYOUTS = {
    "C": np.ascontiguousarray,
    "F": np.asfortranarray,
    "backwards": lambda x: np.ascontiguousarray(x[..., ::-1])[..., ::-1],
}


def searched(name, axis, keepdims):
    function = getattr(np, name)

    def turns(x, count):
        found = function(x, axis=axis, keepdims=keepdims)
        for _ in range(count):
            found = found + function(x * x, axis=axis, keepdims=keepdims)
            found = found + function(x, axis=axis, keepdims=keepdims)
        return found

    return turns


@pytest.mark.parametrize("dtype", ["f8", "f4", "i4", "u2"])
@pytest.mark.parametrize("name", ["argmax", "argmin"])
def test_each_is_the_first_one(name, dtype):
    rng = np.random.default_rng(0)
    for shape, axes in AXES.items():
        for axis in axes:
            function = searched(name, axis, axis is not None and dtype != "f8")
            with ag.config(backend="native"):
                staged = ag.function(function)
                for lay in LAYOUTS.values():
                    x = lay(rng.integers(0, 4, shape).astype(dtype))
                    for special in (None, np.nan, np.inf, -np.inf):
                        if special is not None and x.dtype.kind != "f":
                            continue
                        if special is not None:
                            x = np.where(rng.random(shape) < 0.3, special, x)
                        given = [x.astype(dtype), TWICE]
                        wanted, found = function(*given), staged(*given)
                        assert type(found) is type(wanted)
                        assert np.array_equal(found, wanted)
                        assert found.dtype == wanted.dtype
                (loop,) = loops_of(staged, given)
            assert "python" not in str(loop.function)


@pytest.mark.parametrize("name", ["argmax", "argmin"])
def test_truths_are_searched(name):
    def turns(x, count):
        total = 0
        for _ in range(count):
            total = total + getattr(np, name)(x > 0)
        return total

    with ag.config(backend="native"):
        for x in ([1, -1, 1], [-1, -1], [1, 1], [-1, 2]):
            given = [np.array(x), TWICE]
            staged = ag.function(turns)
            assert disagreement(observe(turns, given), observe(staged, given)) is None


def test_nothing_is_left_to_python_which_raises():
    with ag.config(backend="native"):
        agreeing(searched("argmax", None, False), [[np.zeros(0), TWICE]])
        agreeing(searched("argmin", 1, False), [[np.zeros((2, 0)), TWICE]])
        agreeing(searched("argmin", 0, False), [[np.zeros((2, 0)), TWICE]])


def nearest(x, centres, count):
    for _ in range(count):
        far = x[:, None, :] - centres[None, :, :]
        found = np.argmin(np.sum(far * far, 2), 1)
        mine = np.where(found[:, None] == np.arange(centres.shape[0])[None], 1.0, 0.0)
        centres = (mine.T @ x) / (np.sum(mine, 0) + 1.0)[:, None]
    return centres


@pytest.mark.parametrize("dims", [2, 9])
def test_the_nearest_of_points_is_found_without_python(dims):
    x = np.random.default_rng(0).standard_normal((40, dims))
    given = x, x[:5].copy(), TWICE
    with ag.config(backend="native"):
        staged = ag.function(nearest)
        assert staged(*given).tobytes() == nearest(*given).tobytes()
        (loop,) = loops_of(staged, given)
    assert "python" not in str(loop.function)
    made = [one.args for one in loop.function.body.walk() if one.op == "new"]
    assert all(len(dims) < 3 for dims in made)


@pytest.mark.parametrize("shape", [(1, 1), (3, 1), (33, 1)])
def test_rows_of_one_element_are_warned_of(shape):
    def least(x):
        return np.argmin(x - x, 1)

    x = np.ones(shape)
    x[0] = np.inf
    with ag.config(backend="native"):
        staged = ag.function(least)
        for function in (least, staged):
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                assert not function(x).any()
            expected = ["invalid value encountered in subtract"]
            assert [str(one.message) for one in told] == expected
