"""Stretches of turns that look at ints before them do what Python does."""

import warnings

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.compiling import LAYOUTS, agreeing
from tests.runtime.backends.llvm.random_grown import looks_once, program, tried

ENDS = np.iinfo(np.int64)
SIZES = [3, 31, 32, 40, 5_000]


def largest_part(x, y, k):
    here, best = 0, 0
    for i in range(x.shape[0]):
        here += x[i]
        if here < 0:
            here = 0
        if here > best:
            best = here
    return here, best


def counted(x, y, k):
    t = np.zeros(8, np.int64) + k
    for i in range(x.shape[0]):
        t[x[i] & 7] += k
    return t


def distances(x, y, k):
    for i in range(1, x.shape[0]):
        best = x[i - 1] + k
        if x[i] + 1 < best:
            best = x[i] + 1
        if y[i - 1] + 1 < best:
            best = y[i - 1] + 1
        y[i] = best
    return y


def cheapest(x, y, k):
    for i in range(1, x.shape[0]):
        if y[i - 1] + k < y[i] + x[i]:
            y[i] = y[i - 1] + k
        else:
            y[i] = y[i] + x[i]
    return y


def reads_behind(x, y, k):
    s = 0
    for i in range(x.shape[0]):
        if i > 2:
            s = max(s, x[i - 3] + y[i])
        y[i] = s + k
    return s, y


def added_twice(x, y, k):
    for i in range(2, x.shape[0]):
        y[i] = y[i - 1] + y[i - 2]
    return y


PROGRAMS = (largest_part, counted, distances, cheapest, reads_behind)
program_of = pytest.mark.parametrize("function", [*PROGRAMS, added_twice])


def _drawn(size, large=()):
    """Small ints, and such in given places."""
    x, y = np.random.default_rng(size).integers(-50, 50, (2, size))
    for place, value in large:
        x[place % size] = value
    return x, y


@program_of
@pytest.mark.parametrize(
    "large",
    [
        (),
        ((37, ENDS.max),),
        ((0, -ENDS.max), (30, 2**62), (31, 2**62)),
        ((4_097, 2**62),),
    ],
    ids=["small", "end", "begin", "late"],
)
def test_it_is_what_python_computes(function, large):
    with ag.config(backend="native"):
        calls = [(*_drawn(size, large), np.int64(5)) for size in SIZES]
        agreeing(function, calls)


@program_of
@pytest.mark.parametrize("k", [ENDS.max - 3, ENDS.min + 3, 2**61, 2**45])
def test_what_it_begins_with_may_be_large(function, k):
    with ag.config(backend="native"):
        agreeing(function, [(*_drawn(5_000), np.int64(k))])


@program_of
@pytest.mark.parametrize("layout", [LAYOUTS["steps"], lambda x: x[::-1]])
def test_it_is_so_however_arrays_lie(function, layout):
    with ag.config(backend="native"):
        agreeing(function, [(*_drawn(300, ((99, ENDS.max),)), np.int64(9))], layout)


def _parts(z, k):
    return cheapest(z[2:], z[:-2], k)


def test_parts_that_overlap_are_read_as_they_become():
    z = np.arange(400) * 2**38
    with ag.config(backend="native"):
        agreeing(_parts, [(z, np.int64(1)), (z[::-1], np.int64(2**40))])


def largest_so_far(x, y, k):
    here = k
    for i in range(x.shape[0]):
        here += x[i]
        if here < 0:
            here = k
        if here > y[i]:
            y[i] = here
    return here


def products_added(x, y, k):
    s = k
    for i in range(x.shape[0]):
        s += x[i] * y[i]
        if s < 0:
            s = k
    return s


def told(function, *given):
    """What a call gives, and what NumPy says meanwhile."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = function(*given)
    return found, {str(one.message) for one in caught}


def largest_beside_itself(z, k):
    return largest_so_far(z[:-1], z[1:], k)


def test_what_is_read_where_it_was_written_may_outgrow_the_machine():
    given = np.ones(200, np.int64), np.int64(1)
    with ag.config(backend="native"):
        staged = ag.function(largest_beside_itself)
        found = [told(staged, given[0].copy(), given[1]) for _ in range(2)]
    assert found == [told(largest_beside_itself, given[0].copy(), given[1])] * 2
    assert found[0][1]


@pytest.mark.parametrize("bits", [4, 21, 25, 29, 31, 43])
def test_products_may_outgrow_the_machine(bits):
    given = (*(abs(one) * 2**bits for one in _drawn(300)), np.int64(1))
    with ag.config(backend="native"):
        staged = ag.function(products_added)
        found = [told(staged, *given) for _ in range(2)]
        assert looks_once(staged, given)
    assert found == [told(products_added, *given)] * 2


@pytest.mark.parametrize("function", PROGRAMS)
def test_turns_do_not_look(function):
    with ag.config(backend="native"):
        staged = ag.function(function)
        call = (*_drawn(300), np.int64(5))
        staged(*call)
        assert looks_once(staged, call)


@pytest.mark.parametrize("seed", range(12))
def test_random_programs_agree(seed):
    assert tried(seed)[0] is None, program(seed)
