"""Loops over elements by index are run in vectors where nobody can tell."""

import warnings

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm.vectors import lanes
from tests.runtime.backends.llvm.compiling import LAYOUTS, agreeing

LONG = np.linspace(0.0, 1.0, 9_000)  # more than two stretches
TABLE = np.arange(3_600.0).reshape(60, 60)


def smooth(x, y):
    for i in range(1, x.shape[0] - 1):
        y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3
    return y


def product(a, b, c):
    for i in range(a.shape[0]):
        for k in range(a.shape[1]):
            for j in range(b.shape[1]):
                c[i, j] += a[i, k] * b[k, j]
    return c


def counted(x):
    for i in range(x.shape[0]):
        x[i] = i * 0.5 + i
    return x


def halves(x, y):
    for i in range(x.shape[0]):
        y[i] = x[i] * x[i] - 3
    return y


def radii(p, r):
    for i in range(p.shape[0]):
        r[i] = np.sqrt(p[i, 0] * p[i, 0] + p[i, 1] * p[i, 1] + p[i, 2] * p[i, 2])
    return r


def turned(p, q):
    for i in range(p.shape[0]):
        q[i, 0] = p[i, 1] * 2.0
        q[i, 2] = -p[i, 0]
    return q


def sums(x, y):
    total = 0.0
    for i in range(x.shape[0]):
        total += x[i]
        y[i] = total
    return y


def gathered(x, y):
    for i in range(y.shape[0]):
        y[i] = x[int(y[i]) % 5]
    return y


def questioned(x, y):
    for i in range(x.shape[0]):
        if x[i] > 0.5:
            y[i] = x[i]
    return y


def clipped(x, y):
    for i in range(x.shape[0]):
        if x[i] > 0.75:
            y[i] = 0.75
        elif x[i] < 0.25:
            y[i] = 0.25
        else:
            y[i] = x[i]
    return y


def divided_where_read(x, y):
    for i in range(1, x.shape[0]):
        if x[i] > 0.5:
            y[i] = y[i - 1] / x[i]
    return y


def exchanged(x, y):
    for i in range(x.shape[0] - 1):
        if y[i] > y[i + 1]:
            y[i] = y[i + 1]
    return y


def scaled_by_sign(x, y):
    for i in range(x.shape[0]):
        if x[i] > 0.5:
            y[i] = x[i] * 1e300 - 1e305
        else:
            y[i] = x[i] * 0.25
    return y


def nested(x, y):
    for i in range(x.shape[0]):
        v = y[i]
        if x[i] > 0.25:
            v = v / (x[i] - 0.25)
            if x[i] < 0.75:
                v = v + np.sqrt(x[i] - 0.25)
            y[i] = v * v
    return y


def halved_or_marked(x, y):
    places = np.zeros(x.shape[0], np.int64)
    for i in range(x.shape[0]):
        places[i] = i * 5 - 90
    for i in range(x.shape[0]):
        if places[i] % 2 == 0:
            places[i] = places[i] // 2
        else:
            places[i] = 7
    return places


def last_place_above(x, y):
    last = 0
    for i in range(x.shape[0]):
        if x[i] > 0.5:
            last = i
        y[i] = last
    return y


def tallied(x, y):
    above = between = 0
    for i in range(x.shape[0]):
        if x[i] > 0.75:
            above += 1
        elif x[i] > 0.25 and y[i] != 0.5:
            between += 2
        else:
            between -= 1
    return above, between


def marked(x, y):
    marks = y > 2.0
    count = 0
    for i in range(x.shape[0]):
        marks[i] = x[i] >= 0.5
    for i in range(x.shape[0]):
        if marks[i]:
            count += 1
    return marks, count


def shown(function, *arguments):
    staged = ag.function(function)
    concrete = staged.get_concrete_function(*arguments)
    return [concrete.inspect(stage) for stage in ("loops", "llvm")]


DEAR = (clipped, turned) if lanes() < 16 else ()  # for vectors, without AVX-512


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (smooth, (LONG, LONG.copy())),
        (product, (TABLE, TABLE, TABLE.copy())),
        (counted, (LONG.copy(),)),
        (questioned, (LONG, LONG.copy())),
        (clipped, (LONG, LONG.copy())),
        (tallied, (LONG, LONG.copy())),
        (marked, (LONG, LONG.copy())),
        (scaled_by_sign, (LONG, LONG.copy())),
        (nested, (LONG, LONG.copy())),
    ],
)
def test_turns_that_only_compute_elements_are_vectors(function, arguments):
    loops, llvm = shown(function, *arguments)
    assert "for turns" in loops
    assert function in DEAR or " x double> " in llvm


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("function", "axes"), [(radii, 1), (turned, 2)])
def test_places_some_elements_apart_are_vectors(function, axes, layout):
    p = np.random.default_rng(0).standard_normal((300, 3))
    arguments = (p, np.zeros((300, 3)[:axes]))
    with ag.config(backend="native"):
        agreeing(function, [arguments], LAYOUTS[layout])
    loops, llvm = shown(function, *arguments)
    assert "for turns" in loops
    assert ", 24)" in loops
    assert function in DEAR or " x double> " in llvm


def test_places_that_meet_some_elements_apart_are_changed_in_order():
    whole = np.random.default_rng(0).standard_normal(1_000)

    def both(whole):
        p, q = whole[:900].reshape(300, 3), whole[4:904].reshape(300, 3)
        with ag.config(backend="native"):
            return ag.function(turned)(p, q)

    expected, found = whole.copy(), whole.copy()
    turned(expected[:900].reshape(300, 3), expected[4:904].reshape(300, 3))
    both(found)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    "function", [sums, gathered, divided_where_read, last_place_above, exchanged]
)
def test_other_turns_are_done_one_by_one(function):
    loops, _ = shown(function, LONG, LONG.copy())
    assert "for turns" not in loops
    agreeing(function, [(LONG[:300].copy(), LONG[300:600].copy())])


def with_nans(size):
    x = np.random.default_rng(size).random(size)
    x[::7], x[3::11] = np.nan, 0.5
    return x


BRANCHES = [questioned, clipped, tallied, marked, scaled_by_sign, nested]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("function", [*BRANCHES, halved_or_marked, divided_where_read])
def test_turns_with_branches_do_what_python_does(function, layout):
    calls = [(with_nans(size), with_nans(size + 1)[1:]) for size in (0, 1, 37, 300)]
    with ag.config(backend="native"):
        agreeing(function, calls, LAYOUTS[layout])


@pytest.mark.parametrize("far", [-9, -8, -3, -1, 0, 1, 2, 4, 7, 8, 16])
def test_arrays_that_meet_are_changed_in_order_by_branches(far):
    whole = with_nans(900)
    first, second = slice(20, 820), slice(20 + far, 820 + far)
    for function in (questioned, clipped, scaled_by_sign, nested):
        expected, found = whole.copy(), whole.copy()
        function(expected[first], expected[second])
        with ag.config(backend="native"):
            ag.function(function)(found[first], found[second])
        np.testing.assert_array_equal(found, expected)


def test_sums_of_ints_go_on_from_stretch_to_stretch():
    with ag.config(backend="native"):
        found = ag.function(tallied)(LONG, LONG[::-1])
    assert found == tallied(LONG, LONG[::-1])


@pytest.mark.parametrize("far", [-9, -8, -3, -1, 0, 1, 2, 4, 7, 8, 16])
def test_arrays_that_meet_are_changed_in_order(far):
    def both(whole, a, b, n):
        x, y = whole[a:], whole[b:]
        for i in range(1, n - 1):
            y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3
        return whole

    plain = np.random.default_rng(0).random(9_100)
    found, given = plain.copy(), (20 + max(-far, 0), 20 + max(far, 0), np.int64(9_000))
    both(plain, *given)
    with ag.config(backend="native"):
        ag.function(both)(found, *given)
    np.testing.assert_array_equal(found, plain)
    mine, other = plain.copy(), plain.copy()
    first, second = slice(20, 9_020), slice(20 + far, 9_020 + far)
    smooth(mine[first], mine[second])
    with ag.config(backend="native"):
        ag.function(smooth)(other[first], other[second])
    np.testing.assert_array_equal(other, mine)


@pytest.mark.parametrize("size", [0, 1, 2, 3, 17, 4_096, 4_099, 9_000])
@pytest.mark.parametrize("kind", ["f8", "f4", "i8", "i4", "c16"])
def test_elements_of_any_kind_and_number(size, kind):
    x = (np.arange(size) % 97).astype(kind)
    with ag.config(backend="native"):
        for layout in (np.array, lambda x: np.repeat(x, 2)[::2], lambda x: x[::-1]):
            expected = halves(layout(x), np.zeros_like(x))
            found = ag.function(halves)(layout(x), np.zeros_like(x))
            assert found.dtype == expected.dtype
            np.testing.assert_array_equal(found, expected)
            if kind != "c16":
                expected, found = counted(layout(x)), ag.function(counted)(layout(x))
                np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("layout", [np.array, np.asfortranarray, lambda x: x[::-1]])
def test_tables_in_any_order(layout):
    a, b = layout(TABLE % 7), layout(TABLE.T % 5)
    with ag.config(backend="native"):
        found = ag.function(product)(a, b, layout(np.zeros((60, 60))))
    np.testing.assert_array_equal(found, a @ b)


def test_warnings_are_numpys():
    def ratios(x, y):
        for i in range(x.shape[0]):
            y[i] = x[i] / y[i]
        return y

    for zeros, count in (([], 0), ([8_000], 1), ([3], 1)):
        y = np.ones(9_000)
        y[zeros] = 0
        with ag.config(backend="native"), warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            ag.function(ratios)(LONG, y)
        assert len(told) == count


def negative_roots(x, y):
    for i in range(x.shape[0]):
        if x[i] < 0.5:
            y[i] = np.sqrt(x[i])
        else:
            y[i] = np.sqrt(0.5 + x[i])
    return y


def quotients(x, y):
    for i in range(x.shape[0]):
        if x[i] > 0.25:
            v = y[i] / (x[i] - 0.25)
            if x[i] < 0.75:
                v = v + 1.0
            y[i] = v - 1.0
    return y


def squares_and_more(x, y):
    for i in range(x.shape[0]):
        if x[i] < 1e160:
            y[i] = x[i] * x[i] + 1.0 - x[i]
    return y


def roots_for_some(x, y):
    for i in range(x.shape[0]):
        root = np.sqrt(x[i])
        if x[i] > 0.5:
            y[i] = root * x[i]
    return y


def roots_of_roots(x, y):
    for i in range(x.shape[0]):
        root = y[i]
        if x[i] < 1.0:
            root = np.sqrt(x[i])
        if x[i] > 0.5:
            y[i] = root * x[i]
    return y


# What is computed of the last element overflows, divides by zero or has no root: where
# its branch is taken, and where another one is.
FAULTS = {
    "overflow": (scaled_by_sign, 1e10, -1e10),
    "square": (squares_and_more, 1e159, 1e161),
    "not wanted": (roots_for_some, -1.0, 1.0),
    "not wanted later": (roots_of_roots, -1.0, 1.0),
    "divide": (quotients, np.nextafter(0.25, 1), 0.25),
    "root": (negative_roots, -1.0, 1.0),
}


def told_of(function, x, y):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        function(x, y)
    return [(str(one.message), one.category) for one in told]


@pytest.mark.parametrize("size", [3, 64, 4_101])
@pytest.mark.parametrize("fault", FAULTS)
def test_only_of_branches_that_are_taken_is_warned(fault, size):
    function, taken, not_taken = FAULTS[fault]
    x, y = np.full(size, 0.3), np.ones(size)
    with ag.config(backend="native"):
        staged = ag.function(function)
        for last, is_told in ((0.3, False), (taken, True), (not_taken, False)):
            x[-1], y[-1] = last, 1e300
            expected, found = y.copy(), y.copy()
            assert bool(told_of(function, x, expected)) is is_told
            assert bool(told_of(staged, x, found)) is is_told
            np.testing.assert_array_equal(found, expected)
