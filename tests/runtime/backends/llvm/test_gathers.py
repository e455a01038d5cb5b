"""`x[indices]`, reshapes and quotients of ints in machine code, without Python."""

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import LAYOUTS, agreeing, cases

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


AT = np.array([1, -1, 0, 1, 2])
TO = np.array([3, 0, -2, 3, 1], "i4")
SOME, NONE = np.array([True, False, True]), np.zeros(3, bool)
TABLE = np.random.default_rng(3).choice([-0.0, 0.0, 1.5, np.nan, np.inf, -3.0], (3, 4))
CUBE = np.random.default_rng(4).random((3, 4, 5))
KEYS, a_key = cases(x=TABLE)


def turns_of(pick):
    """The parts that one function picks of another array in each turn."""

    def turns(x, a, b, count):
        found = pick(x, a, b)
        for turn in range(count):
            found = pick(x * (turn + 1), a, b) + found
        return found

    def as_it_lies(x, a, b, count):
        found = pick(x, a, b)
        for _ in range(count):
            found = pick(x, a, b)
        return found

    return turns, as_it_lies


@a_key(AT, TO)
def rows_and_columns(x, a, b):
    return x[a, b]


@a_key(np.stack([AT, TO])[:, ::-1], TO)
def taken_by_what_lies_backwards(x, a, b):
    return np.take(x, a)


@a_key(AT, TO)
def columns(x, a, b):
    return x[:, b]


@a_key(AT, TO)
def columns_of_the_first_rows(x, a, b):
    return x[:2, b]


@a_key(AT, TO)
def one_row_of_each(x, a, b):
    return x[-1, b] * x[a, 2]


@a_key(AT, TO)
def rows_beside_an_axis(x, a, b):
    return x[a, None]


@a_key(AT, TO)
def columns_in_front(x, a, b):
    return x[None, :, b]


@a_key(AT, TO)
def both_with_an_axis_between(x, a, b):
    return x[a, None, b]


@a_key(AT, TO)
def rows_of_columns(x, a, b):
    return x[..., b][a]


@a_key(SOME, TO)
def rows_that_hold(x, a, b):
    return x[a]


@a_key(NONE, TO)
def none_that_hold(x, a, b):
    return x[a, 1:]


@a_key(SOME, TO[:2])
def rows_that_hold_and_columns(x, a, b):
    return x[a, b]


@a_key(TABLE > 0, TO)
def elements_that_hold(x, a, b):
    return x[a]


@a_key(AT, np.stack([AT, TO]))
def as_a_table(x, a, b):
    return x[:, 1][np.abs(b) % 3]


@a_key(AT, TO)
def taken_of_all(x, a, b):
    return np.take(x, b)


@a_key(AT, TO)
def taken_along(x, a, b):
    return np.take(x, a, axis=0) + np.take(x, b[:4], axis=1)[1]


@a_key(np.stack([AT, AT]), TO)
def taken_as_a_table(x, a, b):
    return np.take(x, a % 3, axis=-1)


@a_key(AT, TO, x=CUBE)
def parts_of_a_cube(x, a, b):
    return x[a]


@a_key(AT, TO, x=CUBE)
def columns_of_a_cube(x, a, b):
    return x[:, a, b]


@a_key(AT, TO, x=CUBE)
def columns_of_a_cube_apart(x, a, b):
    return x[:, a, None, b] * x[a, :, b, None][0, 0]


@a_key(np.asfortranarray(np.stack([AT, TO])), TO)
def taken_by_what_lies_otherwise(x, a, b):
    return np.take(x, a)


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


@pytest.mark.parametrize(("pick", "given", "x"), KEYS)
def test_keys_of_arrays_pick_as_numpy_does(pick, given, x):
    for function in turns_of(pick):
        for layout in ("own", "steps", "F"):
            text = lays_out(function, LAYOUTS[layout], x, *given, TWICE)
            # What may lie in another order than C's is Python's, in a branch.
            is_known = layout == "own" and given[0].flags.c_contiguous
            if is_known and function.__name__ == "turns":
                assert "python" not in text[text.index("; HotLoop") :]


def lays_out(function, layout, x, *rest):
    """The same elements, with the same strides."""
    with ag.config(backend="native"), np.errstate(all="ignore"):
        staged = agreeing(function, [(x, *rest)], lambda one: one)
        given = (layout(x), *rest)
        found, wanted = staged(*given), function(*given)
        text = staged.get_concrete_function(*given).inspect("loops")
    assert found.tobytes() == wanted.tobytes()
    both = zip(found.shape, found.strides, wanted.strides, strict=True)
    assert not found.size or all(size == 1 or a == b for size, a, b in both)
    assert "while" in text
    return text


@pytest.mark.parametrize("key", [(3, 0), (-4, 0), (0, 4), (0, -5), (2, 3)])
def test_a_key_outside_raises_as_python(key):
    row, column = (np.array([0, one, 1]) for one in key)
    for pick in (rows_and_columns, columns, taken_along, taken_of_all):
        for function in turns_of(pick):
            with ag.config(backend="native"), np.errstate(all="ignore"):
                agreeing(function, [(np.ones((3, 4)), row, column, TWICE)])


def test_truths_of_another_size_raise_as_python():
    for pick in (rows_that_hold, elements_that_hold):
        for truths in (np.ones(4, bool), np.ones((3, 3), bool), np.ones((3, 4), bool)):
            for function in turns_of(pick):
                with ag.config(backend="native"):
                    agreeing(function, [(np.ones((3, 4)), truths, TO, TWICE)])


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
