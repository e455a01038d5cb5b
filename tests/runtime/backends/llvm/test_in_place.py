"""Whole arrays that are changed in place, of sizes that the trace does not know."""

import itertools

import numpy as np
import pytest

import autograph as ag
from tests.conformance.harness import disagreement, observe
from tests.runtime.backends.llvm.compiling import LAYOUTS, agreeing, cases
from tests.runtime.backends.llvm.test_block_turns import BLOCKS

CASES, case = cases(blocks=False, calls=False)
n = np.int64
rng = np.random.default_rng(7)
SIZES = (5, 5000, 6001)


def given(*kinds):
    """Arguments of each of the sizes: an array for a dtype, of two dims for "2"."""
    for size in SIZES:
        yield tuple(
            array(kind, size) if isinstance(kind, str) else kind for kind in kinds
        )


def array(kind, size):
    shape = (size, 4) if kind.endswith("2") else size
    return (rng.random(shape) * 50).astype(kind.removesuffix("2"))


@case("f8", "f8", n(6), blocks=True)
def two_that_read_one_another(x, v, count):
    for _ in range(count):
        v -= x * 0.01
        x += v * 0.01
    return x


@case("f4", "f8", n(3), blocks=True)
def of_a_wider_dtype(x, y, count):
    for _ in range(count):
        x += y
        x *= 0.5
    return x


@case("int16", "int64", n(3), blocks=True)
def of_ints_that_wrap_round(x, y, count):
    for _ in range(count):
        x += y
        x *= x
    return x


@case("f8", "f8", n(3), blocks=True)
def powers_of_numbers(x, y, count):
    for _ in range(count):
        x **= 2
        x /= y + 1.0
    return x


@case("f8", "f8", n(3))
def parts(x, y, count):
    for k in range(count):
        x[k:-1] += y[1 + k :]
        x[1:] -= x[:-1]
        x[::2] *= 0.5
        x += x[::-1]
    return x


@case("f82", "f8", n(3))
def columns(x, y, count):
    for k in range(count):
        x[:, k] -= y
        x[:, 1:] += x[:, :-1]
    return x


@case("f82", np.arange(4.0), n(3))
def rows_that_are_repeated(x, row, count):
    for _ in range(count):
        x += row
        x -= x[0]
        x *= x[:, :1]
    return x


@case("f8", "f8", n(3), blocks=True)
def told_where(x, y, count):
    z = np.empty(len(x))
    for _ in range(count):
        np.subtract(x, y, out=z)
        np.sqrt(np.abs(z), out=x)
        np.maximum(z, 0, out=y)
    return z


@case("f82", "f8", n(3))
def by_sums_of_rows(x, y, count):
    for _ in range(count):
        y += x.sum(1)
        x -= y[:, None] * 0.25
    return x, y


@case("f8", "f8", n(3), blocks=True)
def names_of_one_array(x, y, count):
    z = x
    for _ in range(count):
        z += y
        x -= 1.0
    return x.sum() + z.sum()


@case("f8", "f8", n(3))
def where_a_branch_is_taken(x, y, count):
    for k in range(count):
        if k > 0:
            x += y
    return x


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize(("function", "arguments", "blocks", "calls"), CASES)
def test_it_is_what_numpy_makes_of_it(function, arguments, blocks, calls, layout):
    with ag.config(backend="native"), np.errstate(all="ignore"):
        staged = ag.function(function)
        for one in (*given(*arguments), *given(*arguments)):
            own = [layout(a) if isinstance(a, np.ndarray) else a for a in one]
            found = disagreement(observe(function, own), observe(staged, own))
            assert found is None, f"{own}: {found.sentence}"
        text = staged.inspect("loops")
    assert ("python(" in text) == calls
    assert bool(BLOCKS.search(text)) == blocks


def test_what_does_not_fit_raises_in_numpys_words():
    with ag.config(backend="native"):
        staged = ag.function(two_that_read_one_another)
        for one in given("f8", "f8", n(3)):
            staged(*one)
        for sizes in ((5000, 4999), (5000, 1), (1, 5000), (0, 5)):
            own = [np.ones(size) for size in sizes]
            found = disagreement(
                observe(two_that_read_one_another, [*own, n(2)]),
                observe(staged, [*own, n(2)]),
            )
            assert found is None, f"{sizes}: {found.sentence}"


def test_a_read_only_array_is_refused():
    with ag.config(backend="native"):
        staged = ag.function(two_that_read_one_another)
        for one in given("f8", "f8", n(3)):
            staged(*one)
        x = np.ones(5000)
        x.flags.writeable = False
        with pytest.raises(ValueError, match="output array is read-only"):
            staged(x, np.ones(5000), n(3))


def test_arguments_that_overlap():
    with ag.config(backend="native"):
        staged = ag.function(two_that_read_one_another)
        for one in given("f8", "f8", n(3)):
            staged(*one)
        for first, second in itertools.product((0, 1, 2500), repeat=2):
            mine, plain = np.arange(8000.0), np.arange(8000.0)
            for function, whole in ((staged, mine), (two_that_read_one_another, plain)):
                function(whole[first:][:5000], whole[second:][:5000], n(3))
            np.testing.assert_array_equal(mine, plain)


def powers(x, y):
    x **= y
    return x


def test_a_power_that_does_not_fit_names_the_array_that_is_written():
    staged = ag.function(powers)
    for one in given("f8", "f8"):
        staged(*one)
    with pytest.raises(ValueError, match=r"shapes \(5,\) \(4,\) \(5,\)"):
        staged(np.ones(5), np.ones(4))


def neither_fits_nor_is_cast(x, y, count):
    try:
        x[:count] += y
    except ValueError:
        return "does not fit"
    except TypeError:
        return "is not cast"
    return "is fine"


def test_what_is_not_cast_is_said_before_what_does_not_fit():
    staged = ag.function(neither_fits_nor_is_cast)
    for size in (3, 2):
        given = np.arange(5), np.ones(size), n(3)
        assert staged(*given) == neither_fits_nor_is_cast(*given) == "is not cast"


def test_a_change_of_a_view_is_there_when_a_later_step_raises():
    def negated(a, b, i):
        v = b.reshape(-1)
        v[i] = 9
        b *= -1
        a[i + 90] += 1
        return a

    given = (np.arange(5.0), np.arange(4.0).reshape(2, 2), np.int64(1))
    with ag.config(backend="native"):
        agreeing(negated, [given])


def roots_into_more_rows(x, y):
    return np.sqrt(x, out=y)


def test_what_numpy_does_not_cast_to_an_out_is_refused():
    arguments = np.arange(6).reshape(2, 3), np.zeros((2, 2, 3), int)
    with ag.config(backend="native"):
        agreeing(roots_into_more_rows, [arguments] * 4)
