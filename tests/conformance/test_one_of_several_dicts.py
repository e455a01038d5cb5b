"""A name that holds one of several dicts whose keys depend on data, and its views."""

import numpy as np
import pytest

from tests.conformance.trying import Programs, check

PROGRAMS = Programs()
n = np.int64(3)
BOTH = ((np.float64(2.0), n), (np.float64(1.0), n))


def two(x, n):
    first, second = {}, {}
    for k in range(n):
        first[k * n] = [x + k, x]
    for k in range(n + 1):
        second[k * n + 1] = [x - k, x]
    return first, second


@PROGRAMS(*BOTH)
def gone_through(x, n):
    first, second = two(x, n)
    one = first if x > 1 else second
    found = []
    for key, value in one.items():
        found.append((key, value[0]))
    for key in one.keys():
        found.append((key, x))
    return found, [v[0] for v in one.values()]


@PROGRAMS(*BOTH)
def chosen_view(x, n):
    first, second = two(x, n)
    view = first.items() if x > 1 else second.items()
    first[100 * n] = [x, x]
    pairs = [(key, i) for (key, _), i in zip(view, range(n), strict=False)]
    return list(view), len(view), sorted(view), bool(view), pairs


@PROGRAMS(*BOTH)
def asked(x, n):
    first, second = two(x, n)
    one = first if x > 1 else second
    keys = one.keys()
    return len(one.values()), n in keys, list(keys), sum(keys), dict(one.items())


@PROGRAMS(*BOTH)
def changed_by_the_loop(x, n):
    first, second = two(x, n)
    one = first if x > 1 else second
    for key, value in one.items():
        value.append(x)
        if key > n:
            break
    else:
        return first, second, n
    for key, value in one.items():
        second[key + 0] = [value[0], x] if x > 1 else value
    return first, second, key


@PROGRAMS(*BOTH)
def grown_by_the_loop(x, n):
    first, second = two(x, n)
    one = first if x > 1 else second
    for key in one.keys():
        if key > n:
            first[key + 1] = [x, x]
    return first, second


class Holder:
    pass


@PROGRAMS(*BOTH)
def made_anew_in_a_loop(x, n):
    holder = Holder()
    holder.table, _ = two(x, n)
    before = holder.table
    found = []
    for i in range(n):
        if x > i:
            holder.table = {}
            holder.table[i * n] = [x, x]
        for key, value in holder.table.items():
            found.append((key, value[0]))
    return found, list(before.items())


@pytest.mark.parametrize(("program", "calls"), PROGRAMS)
def test_one_of_several_dicts_is_gone_through_as_in_python(program, calls):
    check(program, calls)
