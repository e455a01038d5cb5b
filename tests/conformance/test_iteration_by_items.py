"""Objects that have items and no `__iter__`: Python asks them by 0, 1, 2, ..."""

import numpy as np
import pytest

from tests.conformance.trying import Programs, check

ROW = np.array([1.0, -2.0, 3.0, 0.5])
PROGRAMS = Programs()


class Row:
    def __init__(self, x, n=3):
        self.x, self.n = x, n

    def __getitem__(self, i):
        if i >= self.n:
            raise IndexError(i)
        return self.x[i] if self.x[i] > 0 else 0.0


@PROGRAMS((ROW, np.int64(2)), (ROW, np.int64(9)), (ROW, np.int64(0)))
def gone_through(x, n):
    total = 0.0
    for v in Row(x, n):
        if v > 2:
            break
        total += v
    else:
        total -= 100
    return total


@PROGRAMS((ROW,), (-ROW,))
def made_a_list(x):
    row = Row(x)
    return [v for v in row], sum(row), list(row), max(row), [*row], 0.0 in row


@PROGRAMS((ROW,), (-ROW,))
def counted(x):
    return dict(enumerate(Row(x))), [i for i, v in enumerate(Row(x)) if v > 0]


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_items_are_asked_for_as_in_python(function, arguments):
    check(function, arguments)
