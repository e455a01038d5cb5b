"""`x[indices]`, reshapes and quotients of ints in machine code, without Python."""

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import LAYOUTS, agreeing

TWICE = np.int64(2)
NUMBERS = {
    "f8": np.array([1.5, -0.0, np.nan, np.inf, 3.25, -7.0]),
    "f4": np.array([1.5, -0.0, 2.5, 9.0, 3.25, -7.0], "f4"),
    "i2": np.array([5, -7, 0, 32767, -32768, 3], "i2"),
    "D": np.array([1 + 2j, -0.0, 3j, 4.0, 5.5, 6 - 1j]),
    "?": np.array([True, False, False, True, True, False]),
}


def taken(x, at, count):
    found = x[at]
    for _ in range(count):
        found = x[at]
    return found


def of_own(x, at, count):
    found = (x + 1.0)[at]
    for k in range(count):
        found = (x + k * 0.5)[at]
    return found


def again(x, at, count):
    for _ in range(count):
        at = at[at]
    return x[at]


def moving(x, at, count):
    found = x[at]
    for k in range(count):
        found = x[at + 3 * k]
    return found


def lines(x, count):
    total = np.zeros(6)
    for _ in range(count):
        total = total + (x * 2.0).reshape(-1) + (x + total.reshape(3, -1)).ravel()
    return total


def of_what_is_given(x, count):
    total = x.reshape(-1)[0]
    for k in range(count):
        row = x[k:].reshape(-1)
        total = total * 3.0 + row[1] + row[-1]
    return total


def stored_after(x, count):
    x = x * 1.0
    for _ in range(count):
        row = x.reshape(-1)
        x[0, 0] += 1.0
        x[1] = row[:3] + x[0]
    return x


def quotients(x, count):
    found = x // 7 + x % 7 + x // 8 + x % 8 + x // 1 + x % 1
    for _ in range(count):
        found = found + x // 7 - x % 7 + x // 8 * (x % 8)
    return found


def of_numbers(n, count):
    found = 0
    for k in range(count):
        a = n - k
        found += a // 2 + a % 2 + 3 * (a // 1024) + a % 1024 + a // 1 + a % 1
    return found


def of_ints(x, count):
    return of_numbers(int(x[0]), count)


def check(function, *arguments, python=False, layout=np.array):
    with ag.config(backend="native"):
        staged = agreeing(function, [arguments], layout)
        given = [layout(a) if isinstance(a, np.ndarray) else a for a in arguments]
        text = staged.get_concrete_function(*given).inspect("loops")
    assert "while" in text
    assert ("python" in text) is python
    return text


@pytest.mark.parametrize(
    ("dtype", "kind"),
    [("f8", "i8"), ("f8", "u1"), ("f4", "i4"), ("i2", "i8"), ("D", "i8"), ("?", "i4")],
)
def test_elements_and_rows_are_taken_by_indices(dtype, kind):
    x = NUMBERS[dtype]
    at = np.array([5, 0, 0, 3] if kind == "u1" else [5, -6, -1, 3, 3], kind)
    check(taken, x, at, TWICE)
    check(taken, x, at[:0], TWICE)
    check(taken, x[::2], np.array([2, 0, 1], kind), TWICE)
    check(taken, x[::-1], at, TWICE, layout=lambda one: one)
    rows = np.arange(24.0).reshape(6, 2, 2).astype(dtype)
    check(of_own, rows.real.astype("f8"), at, TWICE)
    check(taken, rows, at, TWICE, python=True)  # in a branch that is not taken
    check(again, x, np.array([1, 2, 0], kind), TWICE)


@pytest.mark.parametrize("layout", ["F", "steps"])
def test_rows_of_another_order_are_pythons(layout):
    x, at = np.arange(12.0).reshape(6, 2), np.array([5, 0, -1])
    check(taken, x, at, TWICE, python=True, layout=LAYOUTS[layout])


@pytest.mark.parametrize("last", [3, 5, 2])
def test_an_index_outside_raises_as_python(last):
    check(moving, NUMBERS["f8"], np.array([0, 1, last]), TWICE)
    check(moving, np.ones((6, 2)), np.array([last, 1]), TWICE, python=True)
    check(moving, NUMBERS["f8"], np.array([-7, -4]), TWICE)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_reshape_is_the_same_elements_or_a_copy(layout):
    x = np.arange(6.0).reshape(2, 3)
    check(lines, LAYOUTS[layout](x.reshape(3, 2)), TWICE, layout=LAYOUTS[layout])
    check(of_what_is_given, x, TWICE, layout=LAYOUTS[layout])


def test_what_is_changed_after_a_reshape_is_changed_as_in_python():
    check(stored_after, np.arange(6.0).reshape(2, 3), TWICE)


@pytest.mark.parametrize("dtype", ["i8", "i4", "i1", "u1", "u8"])
def test_ints_are_divided_by_known_numbers(dtype):
    known = np.iinfo(dtype)
    x = np.array([0, 1, 6, 7, 8, 9, 100, known.max, known.min, known.min + 1], dtype)
    more = x if known.min == 0 else np.concatenate([x, -x[1:7]])
    check(quotients, np.concatenate([more] * 3), TWICE)


@pytest.mark.parametrize("n", [0, 1, 7, -7, -1, 2**62, -(2**62), 1025, -1025])
def test_numbers_are_divided_by_powers_of_two(n):
    text = check(of_numbers, np.int64(n), np.int64(5))
    check(of_ints, np.array([n]), np.int64(5))
    assert "div" not in text
    assert "rem" not in text
