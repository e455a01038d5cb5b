"""Iterators that are gone on with: by `next`, by a second loop, by the loop over them.

How far one has come is state: branches and loops that depend on data go on with it.
What is gone through once (`zip`, `enumerate`, `map`) has nothing left afterwards.
"""

import contextlib
import heapq
import itertools

import numpy as np
import pytest

import autograph as ag
from autograph.same import assert_same_as_python
from tests.conformance.trying import Programs

THREE, FIVE, ONE = np.array([1.0, 2.0, 3.0]), np.arange(5.0), np.float64(1.0)
N, M = np.int64(3), np.int64(6)
program = Programs()


@program((THREE,), (FIVE,))
def pairs_by_next(x):
    values = iter(x)
    total = 0.0
    for a in values:
        total += a * next(values, 10.0)
    return total


@program((THREE,), (FIVE,))
def after_a_break_once_it_was_asked(x):
    values = iter([x[0], x[1], x[2]])
    first = next(values)
    for a in values:
        if a > 1.5:
            break
    return first, list(values)


@program((N,), (M,))
def pairs_of_a_range(n):
    values = iter(range(n))
    total = 0
    for a in values:
        total += a * next(values, 10)
    return total


def doubled(x):
    for v in x:
        yield v * 2


@program((THREE,), (FIVE,))
def pairs_of_generators(x):
    first, second = doubled(x), (v * 3 for v in x)
    total = 0.0
    for a in first:
        total += a * next(first, 0.0)
    for a in second:
        total -= a * next(second, 0.0)
    return total


@program((THREE,), (FIVE,))
def two_loops_over_one(x):
    values = iter(x)
    total = 0.0
    for a in values:
        for b in values:
            total += a * b
            if b > 1:
                break
    return total, list(values)


@program((THREE, ONE), (FIVE, ONE))
def left_and_gone_on_with(x, c):
    values = iter(x)
    first = next(values)
    total = 0.0
    for v in values:
        if v > c:
            break
        total += v
    return first, total, list(values)


@program((THREE, ONE), (FIVE, ONE))
def items_skipped_by_data(x, c):
    values = iter(x)
    for v in values:
        if v > c:
            next(values, None)
        print(v)


@program((THREE, ONE), (THREE, -ONE))
def next_in_a_branch(x, c):
    values = iter(x)
    a = next(values) if c > 0 else 5.0
    return a, next(values), list(values)


@program((N,), (np.int64(1),))
def next_at_an_end_by_data(n):
    values = iter(range(n))
    a = next(values)
    return a, next(values)


@program((N,), (M,))
def next_with_a_default(n):
    values = iter(range(n))
    return [next(values, 7) for _ in range(4)]


@program((THREE,), (FIVE,))
def next_in_a_test(x):
    values = iter(x)
    total = 0.0
    while (v := next(values, -1.0)) >= 0:
        total += v
    return total


@program((THREE,), (FIVE,))
def next_in_a_try(x):
    values = iter(x)
    total = 0.0
    while True:
        try:
            v = next(values)
        except StopIteration:
            break
        total += v
    return total


@program((THREE,), (FIVE,))
def one_zipped_with_itself(x):
    values = iter(x)
    return [a * b for a, b in zip(values, values)]


class UpTo:
    def __init__(self, n):
        self.n, self.i = n, 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.i >= self.n:
            raise StopIteration
        self.i += 1
        return self.i


@program((THREE, N), (THREE, M))
def zips_of_a_users_iterator(x, n):
    own = UpTo(n)
    both = [a * b for a, b in zip(x, UpTo(n))], [a * b for a, b in zip(UpTo(n), x)]
    return both, [a + b for a, b in zip(own, own)], own.i


@program((THREE, N), (FIVE, N))
def gone_through_once(x, n):
    zipped, numbered = zip(x, x * 2), enumerate(range(n))
    mapped, backwards = map(lambda v: v + 1, x), reversed(x)
    total = 0.0
    for a, b in zipped:
        total += a * b
    for a, b in zipped:
        total += 1000 * a * b
    for i, j in numbered:
        total += i * j
    for _ in numbered:
        total += 1000
    sums = sum(mapped), sum(mapped)
    return total, sums, list(backwards), list(backwards)


@program((THREE,), (FIVE,))
def next_of_what_python_makes(x):
    zipped, numbered = zip(x, x * 2), enumerate(x)
    mapped, backwards = map(lambda v: v + 1, x), reversed(x)
    firsts = next(zipped), next(numbered), next(mapped), next(backwards)
    return firsts, list(zipped), list(numbered), list(mapped), list(backwards)


@program((THREE, ONE), (FIVE, ONE))
def membership(x, c):
    values = iter(x)
    return c + 1 in values, list(values), c in (v * 2 for v in x)


@program((N, np.int64(1)), (N, np.int64(-1)), (N, N), (N, np.int64(-4)))
def item_of_a_range(n, i):
    return range(n)[i]


@program((np.int64(5),), (np.int64(0),))
def until_a_value(n):
    left = n

    def one_less():
        nonlocal left
        left -= 1
        return left

    total = 0
    for v in iter(one_less, -1):
        total += v
    return total


@program((THREE, N), (THREE, np.int64(2)), (THREE, np.int64(5)))
def strictly(x, n):
    total = 0.0
    for a, b in zip(x, range(n), strict=True):
        total += a * b
        print(total)
    return total, [a * b for a, b in zip(range(n), x, strict=True)]


@program((THREE, N), (FIVE, N))
def products(x, n):
    total = 0.0
    for a, b in itertools.product(x, range(n)):
        if a < b:
            continue
        total += a * b
    table = np.zeros((len(x), len(x)))
    for i, j in itertools.product(range(len(x)), repeat=2):
        table[i, j] = x[i] - x[j]
    return total, table, list(itertools.product([1, 2], x)), list(itertools.product())


@program((THREE, N), (np.linspace(0, 1, 20), N))
def combinations(x, n):
    best = np.inf
    for a, b in itertools.combinations(x, 2):
        if abs(a - b) < best:
            best = abs(a - b)
    total = 0
    for i, j in itertools.combinations(range(n + 1), 2):
        total += i * j
    return best, total


@program((THREE, N), (FIVE, np.int64(1)))
def pairwise(x, n):
    steps = [b - a for a, b in itertools.pairwise(range(n))]
    rises = sum(b > a for a, b in itertools.pairwise(x))
    return steps, rises, list(itertools.pairwise(v for v in x if v > 1))


@program((THREE, FIVE, N), (FIVE, THREE, np.int64(0)))
def zip_longest(x, y, n):
    total = 0.0
    for a, b in itertools.zip_longest(x, y):
        if a is None:
            total += b
        elif b is None:
            total -= a
        else:
            total += a * b
    return total, list(itertools.zip_longest(x, range(n), fillvalue=-1.0))


@program((np.int64(5),))
def a_name_bound_by_a_test(k):
    total = 0
    while (v := k * 2 - total) > 0:
        if v == 2:
            break
        total += v // 2
    return total


@pytest.mark.parametrize(("function", "arguments"), program)
def test_a_graph_goes_on_as_python_does(function, arguments):
    for given in arguments:
        with contextlib.suppress(StopIteration, IndexError, ValueError):
            assert_same_as_python(function, *given)


def test_a_library_goes_on_with_an_iterator_from_outside_as_python():
    def nearest(of, x):
        rows = ((np.abs(a - x), b) for a, b in of)
        return heapq.nsmallest(2, rows)

    staged = ag.function(nearest)
    for function in (nearest, staged, staged):
        of, again = (zip(FIVE, range(5), strict=True) for _ in range(2))
        assert function(of, FIVE[1]) == nearest(again, FIVE[1])
        assert next(of, None) is None
