"""Parts that rounds take of parts, in machine code, without Python."""

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import LAYOUTS, agreeing

FIVE, NONE = np.int64(5), np.int64(0)
ROW, TABLE = np.arange(12.0), np.arange(60.0).reshape(5, 12)


def ever_smaller(x, n):
    v = x
    for _ in range(n):
        v = v[1:]
        v += 1
    return v


def from_both_ends(x, n):
    v = x
    for k in range(n):
        v = v[::-1]
        v[k:] *= 0.5
        if v[0] > 2:
            v -= v[-1]
        v = v[: len(v) - 1]
    return x


def rows_of_columns(x, n):
    v = x
    for k in range(n):
        v = v[k % 2 :, 1:]
        v += v[-1, 0]
        v[0] = v[-1, ::-1]
    return v


def new_axes(x, n):
    v = x[None]
    for k in range(n):
        v = v[..., 1:]
        v[0, k] += 2
        v = v[0][None]
    return x


def one_element(x, n):
    v, found = x, 0.0
    while len(v) > n:
        v[0] += found
        found = found * 0.5 + v[-1]
        v = v[1:]
    return found


def of_one_of_two(x, n):
    y = x * 2
    v, w = x, y
    for k in range(n):
        v, w = w[1:], v
        v[k] += w[0]
        w += 1
    return y


@pytest.mark.parametrize("layout", ["own", "given"])
@pytest.mark.parametrize(
    ("function", "x"),
    [
        (ever_smaller, ROW),
        (from_both_ends, ROW),
        (rows_of_columns, TABLE),
        (new_axes, ROW),
        (one_element, ROW),
        (ever_smaller, TABLE.astype("f4")),
        (from_both_ends, ROW.astype("i8")),
    ],
)
def test_parts_of_parts_need_no_python(function, x, layout):
    if x.dtype.kind == "i" and function is from_both_ends:
        x = x * 1.0
    with ag.config(backend="native"):
        arguments = [(x, FIVE), (x, NONE)]
        staged = agreeing(function, arguments, LAYOUTS[layout])
        text = staged.get_concrete_function(x.copy(), FIVE).inspect("loops")
    assert "while" in text or "for" in text
    assert "python" not in text


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("function", [ever_smaller, rows_of_columns, of_one_of_two])
def test_what_lies_otherwise_is_changed_as_in_python(function, layout):
    x = ROW if function is of_one_of_two else TABLE
    with ag.config(backend="native"):
        agreeing(function, [(x, FIVE), (x, NONE)], LAYOUTS[layout])


def turned_to_and_fro(x, n):
    v = x
    for k in range(n):
        v = v[1:] if v[0] > k else v[:-1]
        v += v[::-1]
        v[:-1] += v[1:]
    return v


def test_a_part_that_is_read_while_it_is_changed():
    with ag.config(backend="native"):
        agreeing(turned_to_and_fro, [(ROW, FIVE), (ROW[::2], FIVE), (ROW, NONE)])


def flat_of_a_part(x, n):
    for k in range(n):
        x.flat = x[k:][::-1]
        x[k] += 1
    return x


def test_a_part_that_is_given_to_flat():
    with ag.config(backend="native"):
        agreeing(flat_of_a_part, [(ROW, FIVE), (ROW, NONE)])


def rows_cut_short(x, i, n):
    v = x[0]
    for _ in range(i):
        v = v[:n]
    x += 1
    return v


def test_llvm_is_not_asked_for_what_it_cannot_do(capfd):
    with ag.config(backend="native"):
        agreeing(rows_cut_short, [(TABLE, FIVE, FIVE), (TABLE, NONE, FIVE)])
    assert capfd.readouterr().err == ""
