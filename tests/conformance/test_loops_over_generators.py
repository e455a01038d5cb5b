"""Names of a loop whose generator returns early, or leaves what is never asked for."""

from itertools import islice

import numpy as np

from tests.conformance.trying import check


def early(x, p):
    kept = p.copy()
    if x:
        return
    match x:
        case i if i:
            lazy = (e for e in kept if kept)  # noqa: F841 - never asked
        case i:
            less = np.array([v - w for v, w in zip(p, kept + 1.0, strict=True)])
            kept = np.maximum(less, 2.25) % 16.0
    yield x


def names_of_the_loop(x, p):
    held = p
    for _ in early(x, p):
        before = held  # noqa: F841
        held = np
    return held is np


def test_the_names_of_the_loop_are_no_places_outside():
    row = np.array([0.0, 1.0, 0.1])
    check(names_of_the_loop, ((np.int64(7), row), (np.int64(0), row)))


def of_a_lambda(x):
    def total(made):
        found = 0.0
        for v in made:
            found = found + v
        return found

    twice = lambda n: (yield n * x[0])
    both = lambda n: [(yield n + x[1]), (yield x[0])]
    either = lambda v: (yield v) if v > 0 else (yield -v)
    each = (lambda row: (yield from row))(x)
    return list(twice(2)), total(both(1.0)), total(each), list(either(x[0]))


def test_lambdas_that_yield_are_generators():
    check(of_a_lambda, ((np.array([1.0, 2.0]),), (np.array([-1.0, 3.0]),)))


def pairs_first():
    kept = [2, 3]
    for n, (x, y) in enumerate(zip(kept, [4, 5], strict=True)):
        kept[n] = x * y
    yield kept[0]
    yield kept[1]


def a_part_of(limit):
    return list(islice(pairs_first(), limit))


def left_by_a_branch(limit):
    if limit > 1:
        pairs = pairs_first()
        limit = next(pairs)
    else:
        pairs = None
    return limit, pairs is None


def test_a_generator_that_leaves_a_branch_may_have_gone_through_others():
    inputs = tuple((np.int64(limit),) for limit in (2, 1, 3, 0))
    check(a_part_of, inputs)
    check(left_by_a_branch, inputs)
