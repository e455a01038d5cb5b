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


def found_of_all(x):
    y = x * 2
    z = y + x
    return np.argmax(z), np.argmin(z), np.argmax(x), np.argmin(x), y


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i4", "u1", "u8"])
def test_long_rows_are_searched_block_by_block(dtype):
    """The first of the most extreme, in whatever block, and of NaN and of zeros."""
    rng = np.random.default_rng(3)
    kinds = [0.0, -0.0, 1.0, np.nan] if dtype[0] == "f" else [0, 3, 100]
    with ag.config(backend="native"):
        for size in (127, 128, 512, 1500):
            of_row, of_rows = ag.function(found_of_all), ag.function(found_of_all)
            for turn in range(8):
                x = rng.choice(kinds[: 1 + turn % len(kinds)], size).astype(dtype)
                x[rng.integers(0, size, 2)] = 2
                rows = x[: size // 4 * 4].reshape(4, -1)
                for staged, given in ((of_row, x), (of_row, x[::-1]), (of_rows, rows)):
                    assert staged(given)[:4] == found_of_all(given)[:4], given
        # Nothing is worse than these.
        staged, least = ag.function(found_of_all), np.full(1500, -np.inf)
        for worst in (least, np.arange(1500.0)) if dtype == "f8" else ():
            for given in (worst, -worst):
                assert staged(given)[:4] == found_of_all(given)[:4]


def test_rows_in_blocks_are_searched_in_vectors():
    with ag.config(backend="native"):
        staged = ag.function(lambda x: np.argmax(x * 2 + 1))
        for _ in range(3):
            staged(np.ones(5000))
        text = staged.inspect("loops")
    assert text.count("for parallel") >= 2, text
