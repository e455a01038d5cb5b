"""`np.bincount`, `np.nonzero`, `x[truths]`, `np.histogram` without Python."""

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import taking_text
from runtime.backends.llvm.helpers import helper_of
from runtime.backends.llvm.hot import Region
from tests.runtime.backends.llvm.compiling import LAYOUTS, agreeing, loops_of, parts_of

TWICE = np.int64(2)
NAN, INF = np.nan, np.inf


def without_python(function, given, layout=np.array):
    with ag.config(backend="native"):
        staged = agreeing(function, given, layout)
        (loop,) = loops_of(staged, given[0])
    assert "python" not in str(loop.function)


def counted(x, count):
    found = np.bincount(x)
    total = 0
    for _ in range(count):
        found = np.bincount(x, minlength=4)
        total = total + np.bincount(x).size
    return found, total


@pytest.mark.parametrize("dtype", ["i8", "i2", "u1", "u4", "?"])
def test_each_count_is_numpys(dtype):
    rng = np.random.default_rng(0)
    given = [(rng.integers(0, 9, n).astype(dtype), TWICE) for n in (0, 1, 30)]
    for layout in ("own", "steps"):
        without_python(counted, given, LAYOUTS[layout])


def test_counts_of_what_is_negative_are_pythons():
    with ag.config(backend="native"):
        agreeing(counted, [(np.array([1, -1, 2]), TWICE)])
        agreeing(counted, [(np.array([1, 2], "u8"), TWICE)])


def weighed(x, weights, least, count):
    found = np.bincount(x, weights)
    for _ in range(count):
        found = np.bincount(x, weights=weights * 1.0, minlength=least)
    return found, np.bincount(x, weights)


def test_each_sum_of_weights_is_numpys():
    rng, given = np.random.default_rng(0), []
    for n in (1, 30, 40):
        weights = rng.standard_normal(n)
        weights[rng.random(n) < 0.1] = rng.choice([NAN, INF, -0.0, -INF])
        for least in (0, 3, 50):
            given.append((rng.integers(0, 9, n), weights, np.int64(least), TWICE))
    without_python(weighed, given)
    with ag.config(backend="native"):
        x, weights = given[0][:2]
        agreeing(weighed, [(x[:0], weights[:0], np.int64(3), TWICE)])
        agreeing(weighed, [(x, weights, np.int64(-3), TWICE)])
        agreeing(weighed, [(x, rng.random(7), np.int64(3), TWICE)])
        agreeing(weighed, [(x - 9, weights, np.int64(3), TWICE)])


def chosen(x, other, count):
    found, total = x[x > 1], 0
    for _ in range(count):
        found = other[x > 1]
        total = total + np.nonzero(x)[0].sum() + np.flatnonzero(x > 0).size
        total = total + np.count_nonzero(x) + 10 * np.count_nonzero(x > 1)
        total = total + x[x > 2].size + x[x == x].sum()
    return found, total, np.nonzero(x)[0]


@pytest.mark.parametrize("layout", ["own", "steps"])
@pytest.mark.parametrize("dtype", ["f8", "i8", "u1"])
def test_what_is_chosen_by_truths_is_numpys(dtype, layout):
    rng, given = np.random.default_rng(0), []
    for n in (0, 1, 7, 8, 9, 70):
        x = rng.integers(0, 4, n).astype(dtype)
        if dtype[0] == "f":
            x[rng.random(n) < 0.3] = rng.choice([NAN, INF, -0.0])
        for other in (x, np.arange(n) * 1j, x > 0, np.arange(n, dtype="i4")):
            given.append((x, other, TWICE))
    by_kind = {
        one[1].dtype: [g for g in given if g[1].dtype == one[1].dtype] for one in given
    }
    for of_kind in by_kind.values():
        without_python(chosen, of_kind, LAYOUTS[layout])


def patterns(n):
    """Truths that hold nowhere, everywhere, in one place, in runs, seldom and often."""
    rng, at = np.random.default_rng(n), np.arange(n)
    yield from (at < 0, at >= 0, at == n - 1, at == 0, at % 24 < 8, at // 9 % 2 == 1)
    yield from (rng.random(n) < often for often in (0.03, 0.5, 0.97))


@pytest.mark.parametrize(
    ("layout", "can_pack"), [("own", True), ("own", False), ("steps", True)]
)
@pytest.mark.parametrize("dtype", ["f8", "i4", "u2", "c16"])
def test_words_of_truths_choose_what_each_truth_would(
    dtype, layout, can_pack, monkeypatch
):
    if not can_pack:
        monkeypatch.setattr(taking_text, "features", dict)
    helper_of.cache_clear()

    def turns(x, where, count):
        for _ in range(count):
            found = x[where], np.flatnonzero(where), x[::-1][where]
        return found

    given = [
        (np.arange(1, n + 1).astype(dtype), LAYOUTS[layout](where), TWICE)
        for n in (5, 8, 16, 37)
        for where in patterns(n)
    ]
    without_python(turns, given, LAYOUTS[layout])
    helper_of.cache_clear()


def test_truths_of_another_size_are_pythons():
    def turns(x, where, count):
        for _ in range(count):
            x = x + x[where].sum()
        return x

    x, where = np.arange(4.0), np.array([True, False, True])
    with ag.config(backend="native"):
        agreeing(turns, [(x[:3], where, TWICE), (x, where, TWICE)])


def binned(bins, **known):
    def turns(x, count):
        found = np.histogram(x, bins, **known)
        for _ in range(count):
            found = np.histogram(x, bins, **known)
        return found

    return turns


def samples():
    rng = np.random.default_rng(0)
    for n in (1, 2, 9, 1000):
        x = rng.random(n)
        yield from (x, np.round(x * 10) / 10, x * 1e-300, x * 1e300, x - 0.5)
        yield from (1e16 + np.round(x * 40), np.round(x * 7) / 7 - 0.3, -x, x * 0.0)
    x = x.copy()
    for special in (NAN, INF, -INF, 1.7e308, -1.7e308):
        yield np.append(x, [special, 0.3])
    yield np.append(-x, [0.0, -0.0])
    yield x[:0]


@pytest.mark.parametrize(
    ("bins", "known"),
    [(1, {}), (7, {}), (10, {"range": (0.25, 0.75)}), (10, {"range": (0, 1)})],
)
def test_each_histogram_is_numpys(bins, known):
    given = [(x, TWICE) for x in samples()]
    with ag.config(backend="native"):
        staged = agreeing(binned(bins, **known), given)
        (loop,) = loops_of(staged, given[0])
        assert "python" not in str(loop.function)
        for dtype in ("f4", "i8", "u1", "?"):
            ints = [(np.arange(9.0).astype(dtype) * 7, TWICE)]
            agreeing(binned(bins, **known), ints)


def azimuth(weights, x, bins):
    many, found = np.histogram(x, bins)[0], np.histogram(x, bins, weights=weights)
    return found[0] / (many + 1), found[1]


def test_weights_are_added_block_by_block_as_numpy_adds_them():
    rng = np.random.default_rng(0)
    with ag.config(backend="native"):
        for n in (5, 3000, 150_000):
            x, weights = rng.random(n), rng.standard_normal(n) * 10.0 ** rng.integers(9)
            staged = agreeing(azimuth, [(weights, x, 11), (weights, x, 1000)])
            far = np.where(weights > 0, 1.7e308, weights), np.where(weights > 0, NAN, 1)
            agreeing(azimuth, [(one, x, 2) for one in far])
        (region,) = parts_of(staged, (weights, x, 11), Region)
    assert "python" not in str(region.function)


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_each_element_of_a_long_row_is_in_its_bin(layout):
    rng = np.random.default_rng(0)
    given = []
    for n in (511, 512, 1037):
        x = np.round(rng.standard_normal(n), 1)
        given += [(x, TWICE), (x + np.where(x > 2, NAN, 0), TWICE)]
        given += [(1e16 + np.round(x * 9) * 2, TWICE), (x * 1e-310, TWICE)]
    with ag.config(backend="native"):
        for bins, ends in ((7, (-0.7, 0.7)), (40, None), (6, (1e16 - 20, 1e16 + 20))):
            agreeing(binned(bins, range=ends), given, layout)


def test_wrong_bins_are_pythons():
    with ag.config(backend="native"):
        x = np.arange(5.0)
        agreeing(binned(0), [(x, TWICE)])
        agreeing(binned(3, range=(1.0, 0.0)), [(x, TWICE)])
        agreeing(binned(3, range=(1.0, INF)), [(x, TWICE)])
        agreeing(binned(3, density=True), [(x, TWICE)])
        agreeing(binned(np.array([0.0, 2.0, 3.0])), [(x, TWICE)])
