"""Loops that read and write arrays: as machine code they do what Python does."""

import gc
import math
import sys
import traceback

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm.loops import Local
from tests.runtime.backends.llvm.compiling import LAYOUTS, agreeing, cases, loops_of

pytestmark = pytest.mark.usefixtures("others_set_aside")

CASES, case = cases(native=True)
x5 = np.array([3.0, -1.0, 2.5, 0.0, 7.0])
i5 = np.array([3, -1, 2, 0, 7])
x34 = np.arange(12.0).reshape(3, 4)
n = np.int64


@case((x5, n(5)), (x5, n(0)), (x5, n(6)), (i5, n(5)), (x5[::-1], n(4)), (x5[::2], n(3)))
def sums(x, count):
    total = x[0] * 0
    for i in range(count):
        total = total + x[i]
    return total


@case((x5, n(-5)), (x5, n(-6)), (x5, n(-1)))
def from_the_end(x, first):
    total = 0.0
    while first < 0:
        total += x[first]
        first += 1
    return total


@case(
    (x34, n(3), n(4)), (x34.T, n(4), n(3)), (x34, n(4), n(4)), (x34[:, ::2], n(3), n(2))
)
def two_dims(x, rows, columns):
    for i in range(rows):
        for j in range(columns):
            if x[i, j] % 2 == 0:
                continue
            x[i, j] = x[i, j] * 10 + i
    return x[-1, -1]


@case((x34, n(3)), (x34.T, n(4)), (x34, n(5)))
def rows_and_parts(x, rows):
    total = 0.0
    for i in range(rows):
        row = x[i]
        part = row[1:]
        part[0] = 5.0
        row[-1] += part[0] + row[0]
        total += part[-1]
    return total


@case((x5, n(2)), (x5, n(20)), (i5, n(3)))
def fills(x, count):
    for i in range(count):
        x[i::2] = i
        x[:i] = 7
        x[-2:] = 1
    return x


@case((x5, n(-7)), (x5[::2], n(-4)), (x5[:1], n(-2)), (x5[::-1], n(-6)))
def backwards(x, first):
    t = 0.0
    for i in range(first, -first):
        for part in (x[::-1], x[i::-1], x[:i:-2], x[3:i:-1], x[:i:-9]):
            t = t * 1.5 + len(part)
            for j in range(len(part)):
                t = t * 0.5 + part[j]
        x[:] = x[::-1] + i
        x[i::-2] = x[-1]
        x[::-1][:2] *= 0.75
    return t, x


@case((x34, n(2)), (x34.T, n(3)))
def backwards_in_two_dims(x, count):
    t = 0.0
    for i in range(count):
        x += x[::-1, ::-1]
        x[:, ::-1] = x * 0.5 + i
        row = x[i, -2::-1]
        t += row[0] - x[::-2][0, i]
    return t, x


@case((x34, n(2)), (x34.T, n(3)))
def fills_of_two_dims(x, count):
    for i in range(count):
        x[i, 1:] = 3
        x[1:, i] = i
        x[...] = x[0, 0] + 1
    return x


@case((x5, x5 + 1, n(3)), (x5, x5 + 1, n(4)), (x5, x5 + 1, n(0)))
def swaps(a, b, count):
    for k in range(count):
        b[0] = a[0] + 1
        b[1] = a[1] * k
        a, b = b, a
    return a[0], b[1]


@case((np.zeros(5, "i1"), n(3)), (np.zeros(5, "i1"), n(300)), (np.zeros(5, "u1"), n(3)))
def narrow(x, count):
    for i in range(count):
        x[i % 5] = i
    return x


@case((np.zeros(4, bool), n(4)), (np.zeros(4, bool), n(9)))
def bools(x, count):
    for i in range(count):
        x[i] = i % 2 == 0
        if x[i] and not x[0]:
            x[0] = True
    return x


@case((x5, n(5), n(0)), (x5, n(5), n(2)), (x5, n(5), n(9)))
def fails_midway(x, count, wrong):
    for i in range(count):
        x[i] = 10 // (i - int(wrong))
    return x


@case((x5, n(5)), (np.array([0.5, 1e300, -1e300, np.nan, 1.0]), n(5)))
def ints_of_floats(x, count):
    total = 0
    for i in range(count):
        total += int(x[i])
    return total


@case((n(3), n(30)), (n(3), n(50)), (n(3), n(200)))
def outgrows_the_machine(base, count):
    """A Python int of any size, left in a nest of loops and branches."""
    total, seen = 1, 0
    for i in range(count):
        j = 0
        while j < 2:
            if i % 3 != 1:
                total = total * int(base)
            seen += 1
            j += 1
    return total, seen


@case((x5, n(5)), (np.array([1.0]), n(1)))
def complex_numbers(x, count):
    z = 0j
    for i in range(count):
        z = z * z + complex(x[i], -x[i])
        if abs(z) > 1e100:
            break
    return z


@case((x5, n(7)), (i5, n(2)), (x34, n(1)))
def sizes(x, count):
    total = 0
    for i in range(count):
        total += len(x) * i + x.size + x.shape[0]
    return total


@case((np.array([1 + 2j, 3j]), n(2)), (np.array([1 + 2j], "c8"), n(1)))
def complex_arrays(x, count):
    for i in range(count):
        x[i] = x[i] * x[i] + x[i].real
    return x


@case((x5, n(4)), (x5, n(1)))
def loop_with_an_else(x, count):
    i = 0
    while i < count:
        if x[i] == 0:
            break
        i += 1
    else:
        i = -1
    return i


@case((x5, n(4)), (i5, n(4)))
def returns_midway(x, count):
    for i in range(count):
        for j in range(count):
            if x[i] + x[j] == 2:
                return i, j
    return None


@case((x5, n(2), 2**63 - 1), (x5, n(3), 2))
def long_steps(x, count, step):
    for i in range(count):
        x[::step] = i + 1
        x[1 :: 2**63 - 1] = 7
    return x


@case((x5, n(0)), (np.array([5, 2, 0, 1]), n(0)), (np.array([5, 2, 1, -1]), n(0)))
def leaves_in_a_test(x, i):
    """Python's own division by zero, and an index outside, in the test of a loop."""
    while 10 // int(x[i]) > 0 if i % 2 == 0 else int(x[i]) ** 40 > 0:
        x[i] = i
        i += 1
    return i


@case((np.zeros(3, "f4"), n(3), 2**60 + 2**36 + 1))
def ints_that_are_rounded_twice(x, count, value):
    total = x[0]
    for i in range(count):
        x[i] = value
        total = total + value
        value += i
    return x, total


@case((np.array([2**63 + 5, 3], "u8"), n(2)))
def ints_of_64_bits(x, count):
    total = 0
    for i in range(count):
        total += int(x[i])
    return total


@case((x5, n(5)), (abs(x5) + 0.5, n(5)))
def powers_and_logarithms(x, count):
    total = 0.0
    for i in range(count):
        total += x[i] ** math.inf if x[i] < 1 else x[i] ** 0.5
        total += math.log(x[i] + 2.0, 3.0)
    return total


@case((np.zeros(3, "i1"), np.array([5, -5, 300]), n(3)))
@case((np.zeros(3, "i8"), np.array([5, 7, 2**63], "u8"), n(3)))
@case((np.zeros(3, "i4"), np.array([5, 7, 2**64 - 5], "u8"), n(3)))
@case((np.zeros(3, "u1"), np.array([5, 7, 300]), n(3)))
def ints_that_do_not_fit(x, values, count):
    """A signed dtype raises, an unsigned one wraps round."""
    for i in range(count):
        x[i:] = values[i]
        x[i] = values[i]
    return x


@case((np.float32(3.5), np.int8(5), n(3)))
def functions_of_a_number_and_a_constant(x, i, count):
    found = x, x, i, x
    for _ in range(count):
        found = np.power(x, 2), np.maximum(x, 1.5), np.minimum(i, 3), np.hypot(4, x)
        x = x * np.float32(1.5)
    return found


@case((np.array([1, 2], "u8"), np.array([-1, 2]), n(2)))
def ints_that_no_dtype_holds_both(x, y, count):
    for _ in range(count):
        found = np.where(x > y, x, y), x == y, x < y
    return found


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize(("function", "arguments", "native"), CASES)
def test_arrays(function, arguments, native, layout):
    with ag.config(backend="native"):
        staged = agreeing(function, arguments, layout)
        loops = loops_of(staged, arguments[0])
        assert (loops[0].function is not None) == native


def test_arrays_that_cannot_be_written():
    x = x5.copy()
    x.flags.writeable = False
    with ag.config(backend="native"), pytest.raises(ValueError, match="read-only"):
        ag.function(bools)(x, n(3))


def test_one_array_under_two_names():
    def run(function):
        a = x5.copy()
        return function(a, a, n(3)), a

    with ag.config(backend="native"):
        assert repr(run(ag.function(swaps))) == repr(run(swaps))


def test_no_reference_is_lost_or_kept():
    x, y = x5.copy(), x5.copy()
    before = sys.getrefcount(x), sys.getrefcount(y)
    with ag.config(backend="native"):
        swap, fail = ag.function(swaps), ag.function(fails_midway)
        for count in range(50):
            swap(x, y, n(count))
            with pytest.raises(ZeroDivisionError):
                fail(x, n(5), n(count % 5))
    gc.collect()  # a traceback and its frames are a cycle
    assert (sys.getrefcount(x), sys.getrefcount(y)) == before


def too_large(x, count):
    for i in range(count):
        y = x * 2
        z = np.zeros(count * 2**50)
        x = y + z[i]
    return x


def test_memory_error_is_raised_at_its_line():
    with ag.config(backend="native"):
        staged = ag.function(too_large)
        with pytest.raises(MemoryError, match="Unable to allocate") as raised:
            staged(x5.copy(), n(3))
    line = traceback.extract_tb(raised.value.__traceback__)[-1].lineno
    assert line == too_large.__code__.co_firstlineno + 3


def drawn_together(x, count):
    total = 0.0
    for _ in range(count):
        y = x * 2.0
        for _ in range(count):
            y = y - 0.01 * np.sum(y[None, :] - y[:, None], 1)
        y = y if total < 1.0 else y * 0.5
        total += np.sum(y[:-1] * y[1:])
    return total


def test_sizes_that_are_known_stay_so_in_inner_loops_and_after_branches():
    # What is of a known size is put together without a loop, and without a second
    # version for others: by their number N-body of 8 took 47 us in place of 17.
    with ag.config(backend="native"):
        staged = agreeing(drawn_together, [(np.arange(6.0), n(3))])
        (loop, *_) = loops_of(staged, (np.arange(6.0), n(3)))
    made = [one for one in loop.function.body.walk() if one.op == "new"]
    sizes = [size for one in made for size in one.args]
    assert made
    assert not any(isinstance(size, Local) for size in sizes), sizes
