"""A range that data tell is Python's own: as a result, in a text and beside another."""

import numpy as np
import pytest

from tests.conformance.trying import Programs, check

i = np.int64
ONCE = (np.array([1, 2, 0]), i(3)), (np.array([2, 2, 1]), i(1))
PROGRAMS = Programs()


class Kept:
    of = None


@PROGRAMS(*ONCE)
def results(x, n):
    r = range(n)
    if n > 2:
        r = range(2, n)
    return r, {"a": range(n)}, [range(k) for k in (n, n + 1)], (range(0, n, 2),)


@PROGRAMS(*ONCE)
def in_lists_of_data(x, n):
    rs = [range(v) for v in x if v >= 0]
    t = 0
    for r in rs:
        for k in r:
            t += k
    return t, rs, rs[1], rs[0] == range(1), len(rs[1])


@PROGRAMS(*ONCE)
def texts(x, n):
    r = range(n)
    print(r, f"{r}", [r], repr(range(1, n, 2)))
    return r[1] if n > 1 else 0, len(r), list(r), str(r)


@PROGRAMS(*ONCE)
def compared(x, n):
    r = range(n)
    same = r == range(3), r in [range(3)], r != range(n), r == range(0, n, 1), r == 3
    return same, range(n - n) == range(2, 0), type(r).__name__, r.start, r.stop


@PROGRAMS(*ONCE)
def slices(x, n):
    r = range(n)
    return r[1:], r[::-1], r[n:], list(range(2, 9)[n:]), n in r


@PROGRAMS(*ONCE)
def kept_outside(x, n):
    Kept.of = range(n)
    by_value = {}
    for v in x:
        by_value[v] = range(v)
    return by_value, Kept.of


@PROGRAMS(*ONCE)
def of_the_last_round(x, n):
    r = s = range(n)
    while n > 0:
        s = range(n)
        n -= 1
    return s, r


@PROGRAMS(*ONCE)
def asked_where_a_number_is(x, n):
    r = range(2, n + 2)
    return r.index(2), r.count(3), r.count(n), (r.index(9) if x[2] > 5 else -1)


@PROGRAMS(*ONCE)
def keys(x, n):
    by_range = {range(n): 1}
    return by_range, hash(range(n)) == hash(range(0, n)), {range(n), range(3)}


@PROGRAMS(*ONCE, (np.array([2]), i(0)))
def asked_whether_it_has_items(x, n):
    r, d = range(n), {}
    for v in x:
        d[int(v)] = 1
    asked = not r, bool(r), r and 1, not zip(r), not d.keys(), 1 if d.items() else 2
    k = 0
    while r:
        r, k = r[1:], k + 1
    return asked, k, bool(enumerate(r))


@PROGRAMS(*ONCE)
def asked_for_what_is_no_int(x, n):
    r = range(n)
    texts = "a" in r, b"a" in r, None in r, (1,) in r, str(n) in r
    return texts, (1 + 0j) in r, 1.0 in r, 0.5 in r, np.float32(0) in r, x[0] / 2 in r


@PROGRAMS((np.array([1], np.uint8), i(900)), (np.array([1], np.int8), i(4)))
def asked_for_what_has_few_bits(x, n):
    return x[0] in range(3, n), x[0] in range(0, n, 300), np.uint8(1) in range(2, n)


@PROGRAMS((np.arange(6.0).reshape(2, 3), i(2)), (np.ones((2, 3)), i(0)))
def as_an_index(x, n):
    x[range(n)] += 1
    x[0, range(n)] = 7
    return x[range(n)], x[:, range(n)], x[range(n), range(n)], x


@PROGRAMS((np.arange(6), i(2)), (np.ones(1), i(0)))
def given_to_numpy(x, n):
    r = range(n)
    found = (
        np.take(x, r),
        x.take(r),
        np.isin(x, r),
        np.concatenate([r, r]),
        np.add(1, r),
    )
    return found, np.sum(r), np.ix_(r, r)


@PROGRAMS((np.arange(2), i(2)), (np.ones(1), i(1)))
def beside_arrays(x, n):
    r = range(n)
    return x + r, r * x, x == r, r < x


@PROGRAMS(*ONCE)
def of_a_list_of_ranges(x, n):
    rs = [range(n), range(n + 1)]
    return rs.index(range(n + 1)), rs.count(range(n)), range(1, n) in rs


@PROGRAMS(*ONCE)
def told_by_its_own_name(x, n):
    said = []
    for wrong in (lambda: range(n) + range(n), lambda: range(n) < 1, lambda: -range(n)):
        try:
            wrong()
        except TypeError as error:
            said.append(str(error))
    return said


@PROGRAMS((np.array([1, 2, 1]),), (np.array([3]),))
def views_and_iterators_are_one_object_to_numpy(x):
    d = {}
    for v in x:
        d[int(v)] = 1
    shapes = np.array(map(abs, x)).shape, np.array(zip(x, x)).shape
    return shapes, np.array(d.values()).dtype, np.shape(d.keys())


@pytest.mark.parametrize(("program", "calls"), PROGRAMS)
def test_a_range_is_pythons_own(program, calls):
    check(program, calls)
