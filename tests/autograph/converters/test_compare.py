"""Comparisons and chains: each operand once, none after a false one."""

import operator

import pytest

from tests.autograph.converters.samples import Samples, name, say

samples = Samples()


@samples(5, 0, 20)
def a_chain(x):
    return 0 < x < 10


@samples(5, 0, 20)
def a_chain_stops_at_the_first_false(x):
    return say("a", 0) < say("b", x) < say("c", 10) < say("d", 11)


@samples((1, 2, 3), (3, 2, 1), (1, 3, 3), (2, 2, 2))
def long_chains(x, y, z):
    return x <= y <= z, x == y == z, x < y > z, x != y < z >= x


@samples(5, 50)
def a_chain_in_a_test(x):
    if 0 < x <= 10:
        return x
    return -x


@samples(5, 50)
def a_chain_with_a_walrus(x):
    if 0 < (y := x + 1) < 10:
        return y
    return y * 2


@samples(5, -5, staged=False)
def a_walrus_in_a_later_link(x):
    y = 1
    found = 0 < x < (y := 7)
    return found, y


@samples(3, 7)
def membership(x):
    return x in (1, 2, 3), x not in [3, 4], x in {3: "a"}.keys() if x is None else 0


@samples(([1, 2, 3], 2), ([1, 2, 3], 5))
def membership_in_an_array(x, y):
    return y in x, y not in x


@samples(3, staged=False)
def membership_in_plain_containers(x):
    return x in {3}, x in {3: 1}, "a" in "abc", x in range(5), None in [None]


@samples(3)
def identity(x):
    y = x
    return x is None, y is not None


@samples((3, 4))
def all_six(x, y):
    return x == y, x != y, x < y, x <= y, x > y, x >= y


@samples([1, 2], staged=False)
def lists_compare_as_lists(x):
    return x == [1, 2], x < [1, 3], [1] < x < [2]


@samples(1, staged=False)
def the_left_operand_is_asked_first(x):
    class Left:
        def __lt__(self, other):
            print("left", other)
            return "a true string"

    return Left() < x, Left() < x < 2, operator.lt(x, 2)


@samples("a", staged=False)
def a_comparison_that_raises(x):
    return 0 < x < 3


@pytest.mark.parametrize("sample", samples.all, ids=name)
def test_a_converted_comparison_does_what_python_does(sample) -> None:
    sample.check_converted()


@pytest.mark.parametrize("sample", samples.staged, ids=name)
def test_a_staged_comparison_does_what_python_does(sample) -> None:
    sample.check_staged()
