"""Inner loops that break, and names that have what they had a turn before."""

import subprocess
import sys

import numpy as np
import pytest

from runtime.backends.llvm import lanes
from tests.runtime.backends.llvm import within
from tests.runtime.backends.llvm.compiling import cases
from tests.runtime.backends.llvm.random_lanes import agree_in_lanes

n = np.int64
x100 = np.random.default_rng(3).random(100) * 40
AXES = np.linspace([-2, -1.5], [1, 1.5], 40).T
CASES, case = cases(lanes=True)


def escape(a, b, limit):
    x = y = 0.0
    for k in range(limit):
        x, y = x * x - y * y + a, 2 * x * y + b
        if x * x + y * y > 4:
            return k
    return limit


@case((*map(np.array, AXES), n(60), np.zeros((40, 40), int)))
def pixels_with_a_break(real, imag, limit, out):
    for i in range(len(imag)):
        for j in range(len(real)):
            out[i, j] = escape(real[j], imag[i], limit)
    return out


@case((*map(np.array, AXES), n(60), np.zeros((40, 40), int)))
def pixels_with_the_turn_of_the_break(real, imag, limit, out):
    for i in range(len(imag)):
        for j in range(len(real)):
            c, z = complex(real[j], imag[i]), 0j
            for k in range(limit):
                z = z * z + c
                if abs(z) > 2:
                    break
            out[i, j] = k
    return out


turns = np.arange(100) * 7 % 12


@case((x100, turns + 1, np.zeros(100)), (x100, turns[3:], np.zeros(97)))
def what_the_turn_before_left_where_there_is_none(x, turns, out):
    for i in range(len(turns)):
        a = float(x[i])
        for k in range(turns[i]):
            a, last = a * 0.5, a
            if a < 3:
                break
        out[i] = k + last
    return out


@case((x100, turns + 1, np.zeros(100)), lanes=False)
def goes_on_from_the_turn_before(x, turns, out):
    last = 0.0
    for i in range(len(turns)):
        for _ in range(turns[i]):
            last = last * 0.5 + x[i]
        out[i] = last
    return out


@case((x100, turns, np.zeros(100)), lanes=False)
def looks_at_what_the_turn_before_left(x, turns, out):
    last = 0.0
    for i in range(len(turns)):
        a, k = float(x[i]) + last, 0
        while k < turns[i]:
            last = a
            a = a * 0.5
            k += 1
        out[i] = a
    return out


@case((np.arange(1, 90) % 40, np.zeros(89)))
def divides_before_the_while(v, out):
    for i in range(len(v)):
        a, k = 700 // int(v[i]), 0
        while a > 1:
            a //= 2
            k += 1
        out[i] = k
    return out


@case((np.arange(40, 0, -1), np.zeros(40)), (np.arange(39, -1, -1), np.zeros(40)))
def divides_by_zero_before_a_while_that_divides(v, out):
    for i in range(len(v)):
        a, k = 1000 // int(v[i]), 0
        while a > 0:
            a //= 3
            k += 1
        out[i] = k
    return out


def halved(a):
    k = 0
    while a > 0.01:
        a *= 0.5
        k += 1
    return k


@case((x100, 39.0, np.zeros(100)), (x100, 99.0, np.zeros(100)), (x100[:0], 9.0, x100))
def breaks_before_the_while(x, most, out):
    found = 0
    for i in range(len(x)):
        if x[i] > most:
            break
        out[i] = halved(float(x[i]))
        found += 1
    return out, found


@case(
    *((x100, n(100), most, np.zeros(100)) for most in (11, 12, 99)),
    (x100, n(200), 99, np.zeros(100)),
    (x100, n(0), 9, x100),
)
def breaks_behind_the_while(x, end, most, out):
    i = -1
    for i in range(end):
        k = halved(float(x[i]))
        out[i] = k
        if k > most:
            break
    else:
        out[0] = -1
    return out, i


@case((x100, n(200), np.zeros(100)), (x100, n(50), np.zeros(100)))
def breaks_where_the_array_ends(x, end, out):
    for i in range(end):
        if i >= len(x):
            break
        out[i] = halved(float(x[i]))
    return out


@case((np.resize(x100, (30, 40)), np.zeros((30, 40))))
def breaks_in_a_loop_of_many_rows(x, out):
    for i in range(30):
        for j in range(40):
            out[i, j] = halved(float(x[i, j]))
            if j > i:
                break
    return out


@case((x100, np.zeros(100)), lanes=False)
def goes_on_by_two_where_it_does_not_break(x, out):
    i = 0
    while i < len(x):
        out[i] = halved(float(x[i]))
        if x[i] > 39:
            break
        i += 2
    return out


@pytest.mark.parametrize("alone", [0, 64])
@pytest.mark.parametrize(("function", "arguments", "has_lanes"), CASES)
def test_lanes_take_no_result_of_a_turn_before(
    function, arguments, has_lanes, alone, monkeypatch
):
    monkeypatch.setattr(lanes, "ALONE", alone)
    agree_in_lanes(function, arguments, has_lanes)


def test_lanes_read_nothing_beyond_an_array():
    command = [sys.executable, "-m", within.__name__]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 12 * len(within.PROGRAMS)
