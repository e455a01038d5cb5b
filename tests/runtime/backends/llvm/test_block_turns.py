"""Blocks of elements that take several turns of a loop at once."""

import re

import numpy as np
import pytest

import autograph as ag
from tests.conformance.harness import disagreement, observe
from tests.runtime.backends.llvm.compiling import LAYOUTS, agreeing, cases, loops_of

CASES, case = cases(blocks=True)
# A loop over blocks, and in it one over turns.
BLOCKS = re.compile(r"for\(.*\n\s*\{\n(?:\s*v.*\n)*\s*for\(")
n = np.int64
rng = np.random.default_rng(5)
# More elements than one block has, and a last block that is none.
x, y = rng.random(5000), rng.random(5000) - 0.5
x2, y2 = rng.random((70, 90)), rng.random((70, 90)) - 0.5
z = (x + y * 1j) / 2
f, g = x.astype("f4"), y.astype("f4")


@case((x, y, n(3)), (x, y, n(0)), (x, y, n(1)), (x2, y2, n(70)), (f, g, n(200)))
def chain(x, y, count):
    for _ in range(count):
        x = (x * y + 0.5) / (1.0 + x * x) - y
    return x


@case((x, y, n(5)), (x2, y2, n(2)), (f, y, n(3)), (z, y, n(3)))
def two_that_read_one_another(x, v, count):
    for _ in range(count):
        v, x = v - x * 0.1, x + v * 0.1
    return x, v


@case((x, y, n(5), 0.01), (x, y, n(90), 0.25))
def with_numbers(x, v, count, dt):
    t, half = 0.0, 1.0
    for k in range(count):
        v = v + (x - t) * dt + k
        x, half = x + v * half, half / 2
        t += dt
    return x, v, t, half


@case((x, y, n(5)), (x2, y2, n(66)), (f, g, n(3)))
def in_place(x, v, count):
    for _ in range(count):
        v -= x * 0.5
        x += v
        x *= 0.9
    return x


@case((x, n(4)), (x2, n(3)), (f, n(2)))
def by_functions(x, count):
    i = 0
    while i < count:
        x = np.exp(-x) * np.where(x > 0.5, x, 0.1) + np.tanh(x) * np.sin(x)
        i += 1
    return x, i


@case((x, n(3)), (x2, n(3)))
def in_a_loop(x, count):
    total = 0.0
    for k in range(count):
        u = x * k
        for _ in range(count):
            u = u * 0.5 + x
        total += u.sum()
    return total


@case((x > 0.5, x > 0.2, n(3)), (x2 > 0.5, x2 > 0.2, n(2)))
def of_truths(a, b, count):
    for _ in range(count):
        a = (a & ~b) | (b ^ a)
    return a


@case((x, n(3), n(2)), (x2, n(3), n(2)), blocks=False)
def another_count(x, count, by):
    i = 0
    while i < count:
        x = x * 0.5
        i += by
    return x


@case((x, y, n(3)), blocks=False)
def exchanged(x, v, count):
    for _ in range(count):
        x, v = v, x * 0.5
    return x, v


@case((x, n(3)), blocks=False)
def names_of_one_array(x, count):
    v = x
    for _ in range(count):
        x = v = x * 0.5 + v
    return x, v


@case((x2, x2[0], n(3)), blocks=False)
def rows_that_are_repeated(x, row, count):
    for _ in range(count):
        x = x * 0.5 + row
    return x


@case((x, n(3)), blocks=False)
def elements_of_other_places(x, count):
    for _ in range(count):
        x = x * 0.5 + x[::-1]
    return x


@case((x[:9], n(3)), blocks=False)
def few_elements(x, count):
    for _ in range(count):
        x = x * 0.5 + 1.0
    return x


@case((np.arange(5000), n(70)))
def of_ints(i, count):
    for _ in range(count):
        i = i * 3 + 1
    return i


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize(("function", "arguments", "blocks"), CASES)
def test_block_turns(function, arguments, blocks, layout):
    with ag.config(backend="native"), np.errstate(all="ignore"):
        staged = agreeing(function, arguments, layout)
        (loop, *_) = loops_of(staged, arguments[0])
    assert loop.function is not None
    assert bool(BLOCKS.search(str(loop.function))) == blocks


@pytest.mark.with_entries
def test_a_loop_in_a_call_by_machine_code():
    with ag.config(backend="native"):
        staged = agreeing(two_that_read_one_another, [(x, y, n(3)), (x, y, n(90))])
        _, entry, text = staged.inspect("loops").partition("; Entry")
    assert entry
    assert BLOCKS.search(text)


def in_parts(x, y, count):
    a, b = x[:-1], y[1:]
    for _ in range(count):
        a += b * 0.5
        b *= 0.75
    return x, y


def test_arrays_that_overlap():
    with ag.config(backend="native"):
        staged = ag.function(in_parts)
        for count in (2, 3, 5):
            mine, plain = np.arange(6000.0), np.arange(6000.0)
            staged(mine, mine, n(count))
            in_parts(plain, plain, n(count))
            np.testing.assert_array_equal(mine, plain)


def one_into_the_other(x, y, count):
    for _ in range(count):
        x += y * 0.5
        y *= 0.75
    return x


def test_arguments_that_overlap():
    with ag.config(backend="native"):
        staged = ag.function(one_into_the_other)
        for first, second in ((0, 6000), (0, 1), (1, 0), (0, 0), (0, 2500), (6000, 0)):
            for count in (2, 5):
                mine, plain = np.arange(12_000.0), np.arange(12_000.0)
                for function, array in ((staged, mine), (one_into_the_other, plain)):
                    parts = array[first : first + 5000], array[second : second + 5000]
                    function(*parts, n(count))
                np.testing.assert_array_equal(mine, plain)
        assert BLOCKS.search(staged.inspect("loops"))


def shifted(x, by, count):
    for _ in range(count):
        x = x * 0.5 + (1 << by)
    return x


def divided(x, by, count):
    for _ in range(count):
        x = x * 0.5 + 1.0 / by
    return x


@pytest.mark.parametrize("function", [shifted, divided])
def test_what_leaves_each_turn_is_asked_before(function):
    with ag.config(backend="native"):
        staged = ag.function(function)
        # From the third on it is an input of the trace.
        for by in (2, 3, 5, 7, 62, 63, 64, 0, -1, 9):
            found = disagreement(
                observe(function, [x, by, n(3)]), observe(staged, [x, by, n(3)])
            )
            assert found is None, f"{by}: {found.sentence}"
        assert BLOCKS.search(staged.inspect("loops"))


def test_of_unknown_sizes():
    with ag.config(backend="native"):
        staged = ag.function(chain)
        for size in (5000, 6000, 7000, 8000, 10, 0, 9000):
            arguments = x.repeat(2)[:size], y.repeat(2)[:size], n(4)
            np.testing.assert_array_equal(staged(*arguments), chain(*arguments))
        assert "share" in staged.inspect("loops")
        with pytest.raises(ValueError, match="could not be broadcast"):
            staged(x[:4500], y[:4600], n(4))


def changing(x, v, count):
    t = 1.0
    for k in range(count):
        v = v + x * t - k
        t = t * 0.5 + k
        x = x * 0.5 + v * t
    return x, v, t


def test_turns_in_registers_have_the_numbers_of_each():
    with ag.config(backend="native"):
        staged = ag.function(changing)
        for count in (2, 3, 4, 5, 7, 8, 63, 64, 65, 131):
            found = disagreement(
                observe(changing, [x, y, n(count)]), observe(staged, [x, y, n(count)])
            )
            assert found is None, f"{count}: {found.sentence}"
        text = staged.inspect("loops")
    # A turn has three products of elements, and a block four turns and one.
    assert max(loop.count("fmul") for loop in text.split("for parallel")) >= 12


def exchanged_numbers(x, a, b, count):
    t = 0.25
    for _ in range(count):
        x = x * a + b
        a, b, t = b, a, 2.5
    return x, a, b, t


def numbers_of_before_the_loop(x, a, b, count):
    for _ in range(count):
        now = a
        for _ in range(count):
            x = x * 0.5 + now
            now = b
        x = x + b
    return x, a, b


@pytest.mark.parametrize("function", [exchanged_numbers, numbers_of_before_the_loop])
def test_numbers_that_a_turn_hands_on(function):
    with ag.config(backend="native"):
        staged = ag.function(function)
        for size in (5000, 50, 5001, 51, 5002):
            for count in (3, 4, 0):
                given = x.repeat(2)[:size], np.float64(0.25), np.float64(0.75), n(count)
                wanted, found = function(*given), staged(*given)
                np.testing.assert_array_equal(found[0], wanted[0])
                assert found[1:] == wanted[1:]
        assert BLOCKS.search(staged.inspect("loops"))


def test_numbers_that_overflow_are_told_of():
    def squares(x, count):
        for _ in range(count):
            x = x * x * 2
        return x

    with ag.config(backend="native"):
        staged = ag.function(squares)
        for _ in range(3):
            with pytest.warns(RuntimeWarning, match="overflow encountered in multiply"):
                staged(x * 5, n(20))
