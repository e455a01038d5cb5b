"""Sets, dicts and lists in dicts with keys of data, and changes of them."""

from collections import Counter, defaultdict

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import Programs, check

ROWS = [(np.array(row),) for row in ([1, 2, 3, 4, 5], [7, 7], [2, 4, 2, 9])]
PROGRAMS = Programs()


@PROGRAMS(*ROWS)
def sets_of_a_defaultdict(x):
    found = defaultdict(set)
    for v in x:
        found[int(v) % 2].add(int(v))
    return found


@PROGRAMS(*ROWS)
def dicts_in_a_dict(x):
    found = {}
    for v in x:
        k = int(v) % 2
        if k not in found:
            found[k] = {}
        found[k][int(v)] = 1.5
    return found


@PROGRAMS(*ROWS)
def counters_in_a_dict(x):
    found = defaultdict(Counter)
    for v in x:
        found[int(v) % 2][int(v)] += 1
    return found, sum(found[int(x[0]) % 2].values())


@PROGRAMS(*ROWS)
def one_of_a_list_of_dicts(x):
    found = [{}, {}]
    for v in x:
        found[int(v) % 2][int(v)] = v
    return found


@PROGRAMS(*ROWS)
def which_set_it_is(x):
    sets = [set() for v in x if v > 1]
    for v in x:
        sets[int(v) % len(sets)].add(int(v))
    return sets, sets[0] is sets[-1], sets[int(x[0]) % len(sets)] is sets[0]


@pytest.mark.filterwarnings("ignore:.*is run as Python, without a graph")
@pytest.mark.parametrize(("program", "calls"), PROGRAMS)
def test_they_are_changed_as_in_python(program, calls):
    with ag.config(strict=False):
        check(program, calls)


def test_a_graph_that_is_asked_for_says_what_it_cannot_change():
    with pytest.raises(TypeError, match="this changes an item of a list"):
        ag.function(sets_of_a_defaultdict).get_concrete_function(*ROWS[0])


def nans_asked_for_again(x):
    found, seen = defaultdict(int), set()
    for k in range(len(x)):
        found[x[k]] += 2
        v = x[k] * 1.0
        seen.add(v)
        if v in seen:
            seen.add(v)
    return len(found), len(seen), list(found.values())


def test_a_nan_is_found_by_the_object_that_it_is():
    nan = np.nan
    check(
        nans_asked_for_again, ((np.array([nan, 1.0, nan]),), (np.array([nan] * 2000),))
    )
