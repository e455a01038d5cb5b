"""Loops whose turns are independent run several at once, and nobody can tell."""

import math
import signal
import warnings

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import wide
from tests.runtime.backends.llvm.compiling import cases, loops_of
from tests.runtime.backends.llvm.random_lanes import (
    agree_in_lanes,
    has_lanes,
    program,
    tried,
)

n = np.int64
rng = np.random.default_rng(3)
x100 = rng.random(100) * 40
odd = np.array([0.0, -0.0, np.nan, np.inf, -np.inf, 1e308, 5e-324, -3.5] * 12)
CASES, case = cases(lanes=True)


def halved(x, y, count):
    for i in range(count):
        a, k = float(x[i]), 0
        while a > 1 and k < 500:
            a = a * 0.5
            k += 1
        y[i] = a + k
    return y


case(
    (x100, np.zeros(100), n(100)),
    (x100, np.zeros(100), n(61)),
    (x100, np.zeros(100), n(3)),
    (x100, np.zeros(100), n(0)),
    (odd, np.zeros(96), n(96)),
    (x100[::-3], np.zeros(34), n(34)),
    (x100.astype("f4"), np.zeros(100, "f4"), n(100)),
    (np.arange(100), np.zeros(100), n(100)),
)(halved)


@case((*np.linspace([-2, -1.5], [1, 1.5], 40).T.copy(), n(60), np.zeros((40, 40), int)))
def pixels(real, imag, limit, out):
    for i in range(len(imag)):
        for j in range(len(real)):
            c, z, k = complex(real[j], imag[i]), 0j, 0
            while k < limit and abs(z) < 2:
                z = z * z + c
                k += 1
            out[i, j] = k
    return out


@case(
    (*np.linspace([-2, -1.5], [1, 1.5], 40).T.copy(), n(60), np.zeros((40, 40), "i4"))
)
def pixels_that_begin_as_python_numbers(real, imag, limit, out):
    for i in range(len(imag)):
        for j in range(len(real)):
            x = y = 0.0
            k = 0
            while k < limit and x * x + y * y <= 4.0:
                x, y = x * x - y * y + real[j], 2 * x * y + imag[i]
                k += 1
            out[i, j] = k
    return out


@case((x100, n(100)))
def sums_keep_their_order(x, count):
    total, turns, best, at = 0.1, 0, -1.0, -1
    for i in range(count):
        a = float(x[i])
        while a > 0.3:
            a = a / 3 if turns % 2 < 5 else a
        total = total + a
        if a > best:
            best, at = a, i
    return total, best, at


@case((x100, np.zeros(100), 0.1), (x100[::2], np.zeros(50), -0.1))
def particles(place, speed, step):
    for i in range(len(place)):
        p, v, k = float(place[i]), float(speed[i]), 0
        while abs(p) > 1e-3 and k < 200:
            v = v - p * step
            p = p * 0.9 + v * 1e-3
            k += 1
        place[i] = p
        speed[i] = v + k
    return place, speed


@case((x100, n(100)), lanes=False)
def reads_what_the_turn_before_wrote(x, count):
    for i in range(1, count):
        a = float(x[i - 1])
        while a > 1:
            a = a * 0.75
        x[i] = x[i] + a
    return x


@case((np.arange(200) % 37, n(200), np.zeros(200, int)))
def whole_numbers(x, count, out):
    for i in range(count):
        a, steps = int(x[i]) + 1, 0
        while a != 1:
            a = a // 2 if a % 2 == 0 else 3 * a + 1
            steps += 1
        out[i] = steps
    return out


@case((x100, np.zeros(100), n(4)), (odd, np.zeros(96), n(5)))
def functions(x, out, turns):
    for i in range(len(x)):
        a, k = x[i], 0
        while k < turns:
            a = np.exp(-abs(a)) + np.sqrt(abs(a)) - np.sin(a)
            k += 1
        out[i] = a
    return out


@case((x100, np.zeros(100), n(4)))
def functions_of_the_c_library(x, out, turns):
    for i in range(len(x)):
        a, k = float(x[i]), 0
        while k < turns:
            a = math.exp(-abs(a)) + math.sqrt(abs(a)) + a % 0.7 + a // 3.0
            k += 1
        out[i] = a
    return out


@case((x100 > 7, x100, np.zeros(100)))
def only_where_a_flag_is_set(flags, x, out):
    for i in range(len(x)):
        if flags[i]:
            a, k = float(x[i]), 0
            while a > 0.1:
                a = a * a * 0.02 if a > 2 else a - 0.05
                k += 1
            out[i] = a + k
    return out


@case((x100, np.zeros(100), n(100)))
def goes_on_with_the_next(x, out, count):
    for i in range(count):
        a = float(x[i])
        if a < 5:
            continue
        while a > 0.1:
            a = a * 0.7
        if a > 0.08:
            out[i] = a
        else:
            out[i] = -a
    return out


@case((np.arange(100) * 31 % 100, x100, np.zeros(100), n(100)))
def chases_indices(following, x, out, count):
    for i in range(count):
        at, k, total = i, 0, 0.0
        while at > 9 and k < 30:
            total = total + x[at]
            at = following[at]
            k += 1
        out[i] = total
    return out


@case((np.full(70, 3), n(25)), (np.array([3] * 40 + [7] * 30), n(25)))
def grows_out_of_64_bits(x, turns):
    total = 0
    for i in range(len(x)):
        a, k = int(x[i]), 0
        while k < turns:
            a = a * int(x[i])
            k += 1
        total += a
    return total


@case((x100, np.zeros(100), n(5)), (np.where(x100 > 39, 0, x100), np.zeros(100), n(5)))
def divides(x, out, turns):
    for i in range(len(x)):
        a, k = float(x[i]), 0
        while k < turns:
            a = 1 / a
            k += 1
        out[i] = a
    return out


@case((np.where(np.arange(100) == 57, 300, 5), x100, np.zeros(100), n(100)))
def leaves_an_array(at, x, out, count):
    for i in range(count):
        k, total = 0, 0.0
        while k < at[i]:
            total = total + x[k]
            k += 1
        out[i] = total
    return out


@case((np.array([5] * 50 + [0] + [-1] * 40), n(91), np.zeros(91)))
def never_ends_behind_an_error(x, count, out):
    for i in range(count):
        a, k = int(x[i]), 0
        while a != 0:
            a -= 1
        while k < count:
            k += 1
        out[i] = 1 / int(x[i]) + a + k
    return out


@case((n(150),), (n(0),))
def sums_of_sums(count):
    # What lanes run ahead becomes no stretch of turns in vectors.
    return sum((sum((j for j in range(count)), count) for i in range(count)), count)


@case((n(90),))
def reads_what_the_test_computed(count):
    found = 0
    for i in range(count):
        k = i
        while k * k < 400 + i * i:
            k += 1
        if k * k == 400 + i * i:
            found += k
    return found


@pytest.mark.parametrize(("function", "arguments", "lanes"), CASES)
def test_lanes_do_what_python_does(function, arguments, lanes):
    agree_in_lanes(function, arguments, lanes)


@pytest.mark.parametrize("shift", [1, -1])
def test_arrays_that_overlap_are_gone_through_one_by_one(shift):
    """Whatever the trace was told: the machine code itself asks where they lie."""
    ends = (slice(1, None), slice(None, -1))[::shift]
    with ag.config(backend="native"):
        staged = ag.function(halved)
        given = x100[1:].copy(), np.zeros(99), n(99)
        staged(*given)
        (loop, *_) = loops_of(staged, given)
        assert has_lanes(staged, given)
        base, own = x100.copy(), x100.copy()
        halved(base[ends[0]], base[ends[1]], 99)
        assert loop.run(0, own[ends[1]], 99, own[ends[0]]) is not None
    assert np.array_equal(base, own)


def infinite_behind_an_error(x, limit):
    total = 0
    for i in range(len(x)):
        a, k = int(x[i]), 0
        while k != a:
            k += 1
        j = 0
        while j < limit:
            j += 2 // a + 1
        total += j + k
    return total


def test_loop_that_python_never_comes_to_does_not_hang(monkeypatch):
    monkeypatch.setattr(wide, "LOOKS", 2)
    x = np.array([3] * 10 + [0] + [-1] * 20)
    with ag.config(backend="native"):
        staged = ag.function(infinite_behind_an_error)
        for _ in range(2):
            with pytest.raises(ZeroDivisionError):
                staged(x, n(0) + 5)


def endless(x, out, count):
    for i in range(count):
        a = float(x[i])
        while a > 0:
            a = a * 1.0
        out[i] = a
    return out


def test_interrupt_ends_lanes():
    def stop(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    try:
        with ag.config(backend="native"):
            staged = ag.function(endless)
            staged(np.zeros(40), np.zeros(40), n(40))
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            with pytest.raises(KeyboardInterrupt):
                staged(np.ones(40), np.zeros(40), n(40))
            assert not staged(np.zeros(40), np.ones(40), n(40)).any()
            assert has_lanes(staged, (np.ones(40), np.zeros(40), n(40)))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def squared(x, limit, out, count):
    for i in range(count):
        a = x[i]
        k = 0
        while a < limit:
            a = a * a
            k += 1
        out[i] = k
    return out


@pytest.mark.parametrize(("start", "warned"), [(3e150, []), (2e160, ["overflow"])])
def test_warnings_are_those_of_lanes_at_work(start, warned):
    """A lane at rest goes on being squared beside those at work."""
    x = np.full(40, 1.0 + 1e-9)
    x[3] = start
    with ag.config(backend="native"), warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        staged = ag.function(squared)
        given = x, np.float64(1e200), np.zeros(40), n(40)
        result = staged(*given)
        assert has_lanes(staged, given)
    assert [str(one.message).split()[0] for one in shown] == warned
    with np.errstate(all="ignore"):
        assert np.array_equal(result, squared(*given))


def test_random_programs_agree():
    faults, lanes = {}, 0
    for seed in range(24):
        words, has = tried(seed)
        lanes += has
        if words is not None:
            faults[seed] = f"{program(seed)}\n{words}"
    assert faults == {}
    assert lanes > 5
