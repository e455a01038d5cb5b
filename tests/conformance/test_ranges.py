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


@pytest.mark.parametrize(("program", "calls"), PROGRAMS)
def test_a_range_is_pythons_own(program, calls):
    check(program, calls)
