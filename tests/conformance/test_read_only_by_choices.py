"""Names that are a read-only view on one path, or in some rounds of a loop."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import check

row, square = np.arange(4.0), np.arange(9.0).reshape(3, 3)
YES, NO, two = np.True_, np.False_, np.int64(2)


def zeros_of_a_branch(x, c):
    v = x
    if c:
        v = x.imag
    x += 1
    return v * 2


def zeros_of_a_branch_changed(x, c):
    v = x
    if c:
        v = x.imag
    v += 1
    return v


def part_of_what_a_branch_makes(x, c):
    t = x
    if c:
        t = x * 2
        v = t.diagonal()
    else:
        v = x[0]
    x[0] = 5
    t[1] = 8
    return v.copy(), t


def part_of_what_a_branch_makes_changed(x, c):
    v = x[0]
    if c:
        v = np.broadcast_to(x[0] * 2, (3, 3))[1]
    v[0] = 9
    return v


def chosen_twice(x, c):
    v = x
    if c:
        v = x.imag
    if x[0] > 50:
        v = v + 1
    v.partition(1)
    return v


@pytest.mark.parametrize("c", [YES, NO])
@pytest.mark.parametrize(
    ("f", "x"),
    [
        (zeros_of_a_branch, row),
        (zeros_of_a_branch_changed, row),
        (part_of_what_a_branch_makes, square),
        (part_of_what_a_branch_makes_changed, square),
        (chosen_twice, row),
    ],
)
def test_a_branch_that_leaves_a_read_only_view(f, x, c):
    check(f, ((x, c),))


def zeros_of_a_round(x, n):
    v = x
    for _ in range(n):
        v = x.imag
    x += 1
    return v


def zeros_of_a_round_changed(x, n):
    v = x
    for _ in range(n):
        v = x.imag
    x += 1
    v += 1
    return v


def part_of_a_round(x, n):
    v = x[0]
    for _ in range(n):
        v = x.diagonal()
    x[:] = x + 1
    return v


def part_of_a_round_changed(x, n):
    v = x[0]
    for _ in range(n):
        v = x.diagonal()
    x[:] = x + 1
    v[0] = 9
    return v


def view_of_what_a_round_makes(x, n):
    v = x
    for k in range(n):
        v = (x * k)[::-1]
        x[0] += 1
    v[0] = 9
    x[1] = 7
    return v


@pytest.mark.parametrize("n", [two, two - 2])
@pytest.mark.parametrize(
    ("f", "x"),
    [
        (zeros_of_a_round, row),
        (zeros_of_a_round_changed, row),
        (part_of_a_round, square),
        (part_of_a_round_changed, square),
        (view_of_what_a_round_makes, square),
    ],
)
def test_a_loop_that_leaves_a_read_only_view(f, x, n):
    check(f, ((x, n),))


def one_too_many_for_what_a_round_leaves(x, y, n):
    v = x
    for _ in range(n):
        v = v.imag
        y *= 2
    v[...] = np.ones(77)
    return v


@pytest.mark.parametrize("n", [two, two - 2])
def test_read_only_is_asked_before_what_is_stored(n):
    check(one_too_many_for_what_a_round_leaves, ((square, row, n),))


def copied_onto_itself(x, c):
    v = x
    if c:
        v = x.imag
    np.copyto(v, v, where=x > 2)
    return v


@pytest.mark.parametrize("c", [YES, NO])
def test_a_copy_onto_itself_asks_nothing(c):
    check(copied_onto_itself, ((row, c),))


@ag.function
def one_that_may_be_read_only(x, c):
    return x.imag if c else x + 1


@pytest.mark.parametrize("c", [YES, NO])
def test_what_is_returned_is_read_only_on_that_path(c):
    made = one_that_may_be_read_only(row, c)
    plain = one_that_may_be_read_only.python_function(row, c)
    assert made.flags.writeable == plain.flags.writeable
    np.testing.assert_array_equal(made, plain)


def sum_into_a_row_or_an_element(x, n):
    row = x[0]
    for _ in range(n):
        row, x = x, row
    np.sum(row, axis=0, out=row[0])
    return row


@pytest.mark.parametrize("n", [two, two - 1])
def test_an_element_is_no_array_to_write_to(n):
    check(sum_into_a_row_or_an_element, ((square, n),))


@ag.function
def one_that_rounds_make(x, n):
    for _ in range(n):
        y = x.diagonal(1)
        np.negative.at(y, [0])
        made = y
    return made


@pytest.mark.skipif(np.__version__ >= "2.5", reason="NumPy 2.5 writes into none")
def test_what_rounds_make_read_only_is_returned_so():
    assert not one_that_rounds_make(square.copy(), two).flags.writeable


def left_by_one_side_alone(x, n):
    if n > 1:
        y = x.reshape(3, 3)[1:]
    x[:] = x * 2
    y -= 1
    return x, y


def left_where_the_other_side_returns(x, n):
    if n < 0:
        return x
    y = x[n]
    x[:] = x * 2
    y -= 1
    return y


@pytest.mark.parametrize("n", [two, two - 2, two - 3])
@pytest.mark.parametrize(
    "f", [left_by_one_side_alone, left_where_the_other_side_returns]
)
def test_a_view_that_one_side_leaves_alone_is_that_view(f, n):
    check(f, ((square, n),))


def added_to_an_element(x, n):
    rows = x[:n]
    row = np.squeeze(rows)
    row[-1] += row[0]
    return x, rows, row


@pytest.mark.parametrize("n", [two, two - 1])
def test_an_element_may_be_added_to(n):
    check(added_to_an_element, ((square, n),))


def asked_whether_it_is_writable(x, n):
    v = w = x[:2]
    for k in range(n):
        v = w = np.broadcast_to(x[k], (2, 4))
    return v.flags.writeable, w.flags["W"], v, w


@pytest.mark.parametrize("n", [two, two - 2])
def test_what_a_loop_leaves_is_asked_whether_it_is_writable(n):
    check(asked_whether_it_is_writable, ((np.arange(4.0), n),))


def copied_to_itself_by_another_name(x, n):
    v = x.imag
    w = v.T
    for _ in range(n):
        w = np.expand_dims(w, 0)[0]
    np.copyto(w, v)
    return w, x


def copied_to_what_may_be_itself(x, n):
    v = x.imag
    w = v if n > 1 else x * 1
    np.copyto(w, v, where=w > 2)
    return w, x


@pytest.mark.parametrize("n", [two, two - 2])
@pytest.mark.parametrize(
    "function", [copied_to_itself_by_another_name, copied_to_what_may_be_itself]
)
def test_a_read_only_array_may_be_copied_to_itself(function, n):
    check(function, ((np.arange(4.0), n),))
