"""Methods of sets by data that take lists, tuples, arrays and several of them."""

from collections import defaultdict

import numpy as np
import pytest

from autograph.operators.set_calls import OF_ITERABLES
from tests.conformance.trying import Programs, check

PROGRAMS = Programs()
SOME = ([5, 1, 34, 2], [2, 8, 1, 1, -3])
NONE = ([], [7])
MANY = ([33, 1, 65, 97, 2, -1, -2, 12], [65, 1, 500, 2, 33, 18, 34])
ONE_EACH = "update union difference intersection symmetric_difference".split()


def numbers(rows):
    return [np.int64(n) for n in rows]


def members(word, other, b, c):
    a = set(b)
    for v in c:
        if v > 30:
            a.discard(v)
    gives = getattr(a, word)(other(c))
    return gives, a, list(a), len(a)


OTHERS = {
    "a list": lambda c: c,
    "a tuple": tuple,
    "a set": set,
    "a list made": lambda c: [v * 2 for v in c],
    "an array": lambda c: np.array(c, np.int64),
    "a generator": lambda c: (v + 1 for v in c),
}


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("word", OF_ITERABLES)
def test_a_method_of_a_set_takes_any_iterable(word, other):
    def program(b, c):
        return members(word, OTHERS[other], b, c)

    check(program, tuple((numbers(b), numbers(c)) for b, c in (SOME, NONE, MANY)))


@PROGRAMS((numbers(SOME[0]), numbers(SOME[1])), (numbers(MANY[0]), numbers(MANY[1])))
def of_several(b, c):
    a = {1, 2, 34}
    a.update(b, {5}, c)
    two = set(b).union(c, [100], (b[0],))
    less = set(b).difference({1}, c)
    common = set(b).intersection(c, b)
    same = set(c).union()
    a.difference_update(c, b[:1])
    a.intersection_update(b, {5, 34})
    return a, two, less, common, same, set(c).difference(), set(c).intersection()


@PROGRAMS((numbers(SOME[0]), np.int64(2)), (numbers(SOME[0]), np.int64(3)))
def of_the_type(b, x):
    """Asked of the type, not of the set."""
    a = set(b)
    set.add(a, x)
    set.discard(a, x + 3)
    xs = list(b)
    list.append(xs, x)
    return a, list.count(xs, x), list.index(xs, x), dict.get({1: 2.0, 3: 4.0}, x)


@PROGRAMS((numbers(SOME[0]),))
def items_are_the_others(b):
    """Of what is in both, the one that Python keeps."""
    a = {float(v) for v in b}
    return a.intersection(b), a.intersection(set(b)), a.union(b)


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_sets_by_data_do_what_sets_do(function, arguments):
    check(function, arguments)


@pytest.mark.parametrize("other", [[2, 1, 100, 3], (3, 2, 2), [7], [], {1: 2}])
@pytest.mark.parametrize("word", OF_ITERABLES)
def test_a_method_of_a_set_takes_constants(word, other):
    def program(b):
        a = set(b)
        gives = getattr(a, word)(other)
        return gives, a, list(a), list(gives or ())

    if word.startswith("is"):

        def program(b):
            return getattr(set(b), word)(other)

    rows = [1, 2, 3], [5, 6], [300, 1, 2, 18, 33, 65]
    check(program, tuple((numbers(b),) for b in rows))


def with_gaps(x):
    s = {16, 100}
    s.discard(16)
    s.update([7, 2, 10, 2, 33, 7, 33])
    s -= {7}
    return s, x


def with_room(x):
    s = {9, 1}
    s.update([2, 17, 25, 33, 7])
    s &= {1, 17, 7, 9}
    s ^= {33, 41}
    return [s, s], x


@pytest.mark.parametrize("function", [with_gaps, with_room])
def test_a_set_of_constants_keeps_the_order_that_gaps_have_left(function):
    check(function, ((np.ones(2),),))


def of_dicts(x, n):
    d, counts, s = {}, defaultdict(int), {int(x[0])}
    for k in range(n):
        d[int(x[k])] = k
        counts[int(x[k])] += 1
    known = {3: "a", 8: "b", 64: "c", 1: "d"}
    s.update(d)
    other = set(d)
    other.update(known)
    return list(s), list(set(d)), list(set(counts)), list(other | set(d)), s, other


def test_dicts_are_added_in_the_order_of_a_set_with_room_for_all():
    x = np.random.default_rng(1).integers(0, 200, 30)
    check(of_dicts, tuple((x, np.int64(n)) for n in (0, 3, 5, 9, 12, 20, 30)))
