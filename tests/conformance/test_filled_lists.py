"""Lists of None that loops fill by data; what all options of a value would raise."""

import numpy as np
import pytest

from tests.conformance.trying import check

i = np.int64


def merged(left, right):
    out = [None] * (len(left) + len(right))
    p = q = k = 0
    while p < len(left) and q < len(right):
        if left[p] < right[q]:
            out[k] = left[p]
            p += 1
        else:
            out[k] = right[q]
            q += 1
        k += 1
    while p < len(left):
        out[k] = left[p]
        p, k = p + 1, k + 1
    while q < len(right):
        out[k] = right[q]
        q, k = q + 1, k + 1
    return out


def merge_sort(xs):
    if len(xs) <= 1:
        return xs
    half = len(xs) // 2
    return merged(merge_sort(xs[:half]), merge_sort(xs[half:]))


def two_items_compared(xs, n):
    items = [None, None]
    k = n * 0
    while k < 2:
        items[k] = xs[k]
        k += 1
    return items[n] < items[0], items[0] >= items[n], items[n] == items[0]


def failing_message(n, x):
    y = None
    if x > 2:
        y = "a"
    assert n < 5, y + 3
    return n


ROWS = [4, 2, 3, 1], [1, 2, 7, 4], [9, 8, 7, 6]
ARGUMENTS = {
    merge_sort: [(list(map(i, row)),) for row in ROWS]
    + [(row,) for row in (*ROWS, [1, 2, 3, 3])]
    + [(np.array(row),) for row in ROWS],
    two_items_compared: [(np.array(ROWS[0]), i(0)), (np.array(ROWS[1]), i(1))],
    failing_message: [(i(1), i(1)), (i(1), i(3)), (i(9), i(3)), (i(9), i(1))],
}


@pytest.mark.parametrize("function", ARGUMENTS, ids=lambda one: one.__name__)
def test_only_what_the_option_of_the_run_raises_is_raised(function):
    check(function, tuple(ARGUMENTS[function]))
