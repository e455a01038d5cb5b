"""A StopIteration that a generator's body raises is a RuntimeError, as in Python."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import check


def raises(x):
    yield x[0]
    raise StopIteration("no more")


def asks_for_more(x):
    it = iter([x[0], x[1]])
    while True:
        yield next(it) * 2


def raises_by_data(x):
    yield x[0]
    if x[0] > 0:
        raise StopIteration
    yield x[1]


def raises_in_a_loop(x):
    for v in x:
        if v > 1:
            raise StopIteration
        yield v


def asks_by_data(x):
    it = iter(x)
    for v in it:
        if v > 0:
            yield v + next(it)


def takes_it(x):
    it = iter([x[0]])
    while True:
        try:
            yield next(it)
        except StopIteration:
            return


def goes_on(x):
    yield from raises(x)


def returns(x):
    if x[0] > 0:
        return
    yield x[1]


BODIES = (
    *(raises, asks_for_more, raises_by_data, raises_in_a_loop),
    *(asks_by_data, takes_it, goes_on, returns),
)


@pytest.mark.parametrize("body", BODIES)
def test_what_ends_a_generator_ends_it_as_in_python(body):
    def total(x):
        found = []
        for v in body(x):
            found.append(v)
        return found

    def handled(x):
        found = []
        try:
            for v in body(x):
                found.append(v)
        except RuntimeError as error:
            print(error, repr(error.__cause__))
        return found

    def summed(x):
        return sum(v for v in body(x))

    def listed(x):
        return list(body(x))

    for function in (total, handled, summed, listed):
        check(function, tuple((np.array([k, 2.0, 0.5]),) for k in (1.0, -1.0, 3.0)))


def two(x):
    yield x[0]
    yield x[1]


def raised_by_the_loop(x):
    for v in two(x):
        x = x + v
        if len(x) == 2:
            raise StopIteration("of the loop")
    return x


def raised_by_the_loop_where_data_say_so(x):
    for v in two(x):
        x = x + v
        if v > 0:
            raise StopIteration("of the loop")
    return x


def raised_after_the_loop(x):
    for v in two(x):
        x = x + v
    if x[0] > 0:
        raise StopIteration("of none")
    return x


LOOPS = (
    *(raised_by_the_loop, raised_by_the_loop_where_data_say_so),
    raised_after_the_loop,
)


@pytest.mark.parametrize("loop", LOOPS)
def test_one_that_the_loop_raises_is_the_loops(loop):
    check(loop, ((np.array([1.0, 2.0]),), (np.array([-1.0, -2.0]),)))


def takes_what_it_asks_for(x):
    found = 0.0
    for v in takes_it(x):
        found = found + v
    return found


@pytest.mark.parametrize("function", [*LOOPS[1:], takes_what_it_asks_for])
def test_what_does_not_leave_a_generator_is_part_of_the_graph(function):
    assert ag.function(function).get_concrete_function(np.ones(2)).graph
