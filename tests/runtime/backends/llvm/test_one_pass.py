"""Several arrays that steps one after the other give, computed in one loop."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.harness import disagreement, observe
from tests.runtime.backends.llvm.compiling import LAYOUTS, agreeing, cases

CASES, case = cases()
rng = np.random.default_rng(3)
x, y = rng.random(5000), rng.random(5000) - 0.5
x2, y2 = rng.random((70, 90)), rng.random((70, 90)) - 0.5
f, i = x.astype("f4"), np.arange(5000)


@case((x, y), (x2, y2), (f, y), (x[:0], y[:0]))
def unrolled(a, y):
    for _ in range(6):
        a = a * 0.5 - y
        y = y + a
    return a, y


@case((x, y), (x2, y2))
def in_place(a, y):
    for _ in range(5):
        a *= 0.5
        y += a
        a -= y
    return a, y


@case((x, y[:1]), (x2, y2[:, :1]), (x2, y2[:1]), (x2, y2[:1, :1]), (x[:1], y[:1]))
def of_what_is_repeated(a, y):
    for _ in range(3):
        a = 0.5 * a + (y * 3 - a)
    return a


@case((x, y), (f, x))
def what_was_there_is_read_before_it_is_written(a, y):
    b = a + y
    a *= y
    y -= b
    return a, y, b


@case((x[1:], x[:-1]), (y, x))
def of_other_places(a, y):
    b = a[::-1] + y
    a += b
    c = a - y
    return a, b, c


@case((i, i), (i, i * 7))
def of_ints(a, b):
    c = a * b
    d = c ^ a
    b = (d & 255) - c
    return b, c, d


@case((x[:3], 2), (y[:3], 1))
def of_which_some_are_there(p, k):
    a = np.zeros(3)
    p[a * p[0] > a.copy()] = a.sum()
    return p, np.roll(np.zeros(3), k)


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_it_is_what_python_makes(function, arguments, layout):
    with ag.config(backend="native"), np.errstate(all="ignore"):
        agreeing(function, arguments, layout)


def loops_in(function, *arguments):
    with ag.config(backend="native"):
        staged = ag.function(function)
        for _ in range(3):
            staged(*(one.copy() for one in arguments))
        return staged.inspect("loops").count("for ")


def two_statements(a, y):
    a = a * 0.5 - y
    return a, y + a


def test_it_is_one_loop_however_many_statements_there_are():
    assert loops_in(unrolled, x, y) == loops_in(two_statements, x, y) > 0


def of_two_sizes(a, b):
    c = a * 0.5 - 1.0
    d = b * b + 2.0
    return c, d, c * 2.0


@pytest.mark.parametrize("function", [unrolled, in_place, of_two_sizes])
def test_sizes_that_only_the_run_knows(function):
    with ag.config(backend="native"):
        staged = ag.function(function)
        for size in (5, 6000, 7000, 8, 0):
            more = size + (function is of_two_sizes)
            own = [rng.random(size), rng.random(more)]
            found = disagreement(observe(function, own), observe(staged, own))
            assert found is None, found.sentence
        *_, text = staged.inspect("loops").split("\n; ")
    loop = text.split("for parallel")[1].partition("}")[0]
    assert loop.count("store ") > 1


def overlapping(a, y):
    b = a + y
    a *= 0.5
    y += a
    return b + y, a


def test_arguments_that_overlap():
    with ag.config(backend="native"):
        staged = ag.function(overlapping)
        for first, second in ((0, 5000), (0, 1), (1, 0), (0, 0), (0, 2500)):
            mine, plain = np.arange(12_000.0), np.arange(12_000.0)
            found = disagreement(
                observe(overlapping, [plain[first:][:5000], plain[second:][:5000]]),
                observe(staged, [mine[first:][:5000], mine[second:][:5000]]),
            )
            assert found is None, found.sentence
            np.testing.assert_array_equal(mine, plain)


def that_do_not_fit(a, y, z):
    b = a * 0.5
    c = b + a
    return b, c, (a + y) * z


def test_sizes_that_do_not_fit_raise_at_their_line():
    with ag.config(backend="native"):
        staged = ag.function(that_do_not_fit)
        for sizes in ((5, 5, 5), (7, 7, 7), (9, 9, 9), (9, 8, 9), (9, 9, 8)):
            own = [np.ones(size) for size in sizes]
            found = disagreement(observe(that_do_not_fit, own), observe(staged, own))
            assert found is None, f"{sizes}: {found.sentence}"
