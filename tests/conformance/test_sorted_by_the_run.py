"""Lists that are sorted one way or the other, and merged, by what a run knows."""

import heapq

import numpy as np
import pytest

from tests.conformance.trying import Programs, check

i = np.int64
x3 = np.array([3.0, 1.0, 2.0])
PROGRAMS = Programs()
WAYS = [(x3, np.float64(1.0)), (x3, np.float64(5.0))]


@PROGRAMS(*WAYS, (-x3, np.float64(0.0)))
def of_some(x, b):
    r = []
    for v in x:
        if v > 0:
            r.append(v)
    r.sort(reverse=bool(x[0] > b))
    return r, sorted(r, reverse=bool(x[1] > b))


@PROGRAMS(*WAYS)
def of_as_many(x, b):
    r = [x[0], x[1], x[2]]
    r.sort(reverse=bool(x[0] > b))
    return r, sorted([3, 1, 2], reverse=bool(x[0] > b))


@PROGRAMS(*WAYS)
def by_a_key(x, b):
    r = []
    for v in x:
        if v > 0:
            r.append((v, "a" if v > 1 else "b"))
    r.sort(key=lambda p: p[1], reverse=bool(x[0] > b))
    return r


@PROGRAMS(*WAYS)
def lists_in_a_list(x, b):
    r = [[v] for v in x]
    r.sort(reverse=bool(x[0] > b))
    return r


@PROGRAMS(*WAYS, (-x3, np.float64(5.0)))
def by_a_count(x, b):
    k = 0
    while k < 3 and x[k] > 2:
        k += 1
    r = [v for v in x if v < b]
    r.sort(reverse=k)
    return r


@PROGRAMS(*WAYS)
def by_what_a_branch_leaves(x, b):
    r = [v for v in x if v > 0]
    backwards = False
    if b > 3:
        backwards = True
    r.sort(reverse=backwards)
    s = r.copy()
    s.sort(key=lambda v: -v, reverse=not backwards)
    return r, s


@PROGRAMS(*WAYS)
def by_a_bool_of_numpys(x, b):
    r = [v for v in x if v > 0]
    r.sort(reverse=x[0] > b)
    return r


@PROGRAMS((x3, x3), (x3, -x3), (-x3, np.sort(x3)))
def merged(x, y):
    p = [v for v in x if v > 0]
    q = [v for v in y if v < 3]
    return list(heapq.merge(p, q)), [v for v in heapq.merge(q, p, [2.0], reverse=True)]


@PROGRAMS((x3, np.array([2.0, 9.0])))
def merged_arrays(x, y):
    total = 0.0
    for v in heapq.merge(x, y, [2.5]):
        total = total * 2 + v
    return total, list(heapq.merge([x[0], x[1]], [y[0]], key=lambda v: -v))


@PROGRAMS((x3, np.array([1.0, 9.0])), (x3, np.array([3.0, 9.0])))
def merged_pairs(x, y):
    some = [(v, 1) for v in y if v > 2]
    pairs = heapq.merge([(x[0], 3), (x[1], 2)], some)
    return next(pairs), list(pairs), next(heapq.merge([y[0]], some[:0]), None)


@PROGRAMS((x3, i(1)), (x3, i(0)))
def merged_one_way_or_the_other(x, n):
    return list(heapq.merge([x[0], 1.0], [x[2]], reverse=bool(n > 0)))


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_it_is_sorted_as_python_sorts(function, arguments):
    check(function, arguments)
