"""Inner loops that break, and names that have what they had a turn before."""

import numpy as np
import pytest

from tests.runtime.backends.llvm.compiling import cases
from tests.runtime.backends.llvm.random_lanes import agree_in_lanes

n = np.int64
x100 = np.random.default_rng(3).random(100) * 40
CASES, case = cases(lanes=True)


def escape(a, b, limit):
    x = y = 0.0
    for k in range(limit):
        x, y = x * x - y * y + a, 2 * x * y + b
        if x * x + y * y > 4:
            return k
    return limit


@case((*np.linspace([-2, -1.5], [1, 1.5], 40).T, n(60), np.zeros((40, 40), int)))
def pixels_with_a_break(real, imag, limit, out):
    for i in range(len(imag)):
        for j in range(len(real)):
            out[i, j] = escape(real[j], imag[i], limit)
    return out


@case((*np.linspace([-2, -1.5], [1, 1.5], 40).T, n(60), np.zeros((40, 40), int)))
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


@pytest.mark.parametrize(("function", "arguments", "lanes"), CASES)
def test_lanes_take_no_result_of_a_turn_before(function, arguments, lanes):
    agree_in_lanes(function, arguments, lanes)
