"""An element of a structured array, gone through field by field."""

import numpy as np
import pytest

from tests.conformance.trying import Programs, check

ROWS = np.array([(1, 2.0), (3, 4.5)], dtype=[("a", "i4"), ("b", "f8")])
PROGRAMS = Programs()


@PROGRAMS((ROWS,), (ROWS[::-1],))
def in_a_comprehension(rows):
    return [item for item in rows[0]], list(rows[1])


@PROGRAMS((ROWS,), (ROWS[:1],))
def in_loops(rows):
    total = 0
    for row in rows:
        for item in row:
            total += item
    return total


@PROGRAMS((ROWS,), (ROWS[::-1],))
def beside_their_names(rows):
    return dict(zip(rows.dtype.names, rows[0], strict=True)), sum(rows[1])


@PROGRAMS((ROWS,), (ROWS[::-1],))
def whether_one_holds_a_number(rows):
    return 2.0 in rows[0], 7 in rows[0]


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_the_items_are_the_fields(function, arguments):
    check(function, arguments)
