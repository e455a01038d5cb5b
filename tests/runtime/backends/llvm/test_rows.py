"""Loops that read and change lists in lists as machine code."""

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import agreeing, cases, kept_by, loops_of

CASES, case = cases()
n = np.int64


@case((n(7),), (n(1),))
def a_table(size):
    """The longest common subsequence of two texts, by the whole table."""
    size = int(size)
    rows = [[0] * (size + 1) for _ in range(size + 1)]
    for i in range(1, size + 1):
        for j in range(1, size + 1):
            if i * 7 % 5 == j * 3 % 4:
                rows[i][j] = rows[i - 1][j - 1] + 1
            else:
                rows[i][j] = max(rows[i - 1][j], rows[i][j - 1])
    return rows


@case((n(6),), (n(0),))
def neighbours(count):
    """Rows of other lengths, which a walk empties again."""
    rows = [[] for _ in range(int(count) + 1)]
    for k in range(count):
        rows[k // 2].append(k * 1.5)
        rows[k].append(-k * 0.5)
    total = 0.0
    for k in range(count):
        while len(rows[k]) > 1:
            total += rows[k].pop() - rows[k][-1]
    return rows, total


@case((n(5),))
def one_row_under_two_names(count):
    rows = [[1, 2] for _ in range(int(count))]
    first = rows[0]
    for k in range(count):
        row = rows[k]
        row[0] = row[0] + k
        first.append(row[0])
        rows.append(first)
    rows[-1][1] = 7
    return rows


@case((n(4),))
def rows_made_anew(count):
    rows = [[0.5] * 3 for _ in range(int(count))]
    for k in range(count):
        rows[k] = [x + k for x in rows[k - 1]]
        row = rows[k][:]
        row[0] = 9.0
        rows.append(row)
    return rows


@case((n(4), n(9)), (n(4), n(-1)), (n(0), n(0)))
def a_row_that_is_not_there(count, at):
    rows = [[k, k + 1] for k in range(int(count))]
    total = 0
    for k in range(3):
        rows[k % 4][1] = k
        total += rows[at][0]
        rows[at].append(total)
    return rows


@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_rows_are_what_python_makes_them(function, arguments):
    with ag.config(backend="native"):
        agreeing(function, arguments)


@pytest.mark.parametrize("function", [a_table, neighbours])
def test_nothing_is_left_to_python(function):
    with ag.config(backend="native"):
        staged = ag.function(function)
        staged(n(6))
        made = [one.function for one in loops_of(staged, (n(6),)) if one.function]
    assert made
    for one in made:
        assert "python" not in [inner.op for inner in one.body.walk()]


def changing(turns):
    rows = [[float(k)] for k in range(3)]
    for k in range(turns):
        row = rows[k % 3]
        row.append(k * 0.5)
        row[0] = row[-1] + rows[0][0] * 0.5
        if len(row) > 4:
            row.pop(1)
        rows[(k + 1) % 3] = row[:2]
        rows.append([0.5])
        rows.pop()
    return rows


def test_many_turns_leave_nothing():
    with ag.config(backend="native"):
        staged = ag.function(changing)
        assert staged(n(10)) == changing(10)
        assert kept_by(lambda: staged(n(3000)), 1000) < 1000
