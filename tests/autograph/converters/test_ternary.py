"""Conditional expressions: only the one side is evaluated."""

import pytest

from tests.autograph.converters.samples import Samples, name, say

samples = Samples()


@samples(1, -1)
def one_side_is_evaluated(x):
    return say("yes", x + 1) if x > 0 else say("no", x - 1)


@samples(1, -1)
def the_test_comes_first(x):
    return say("yes", x) if say("test", x > 0) else say("no", -x)


@samples((1, 1), (1, -1), (-1, 1), (-1, -1))
def nested(x, y):
    return (1 if y > 0 else 2) if x > 0 else (3 if y > 0 else 4)


@samples(1, 0, -1)
def chained(x):
    return x * 2 if x > 0 else x - 1 if x < 0 else x


@samples(1, -1)
def in_arguments_and_subscripts(x):
    table = [10, 20]
    return max(x if x > 0 else -x, 0) + table[0 if x > 0 else 1]


@samples(1, -1)
def with_a_walrus_in_the_test(x):
    return y if (y := x * 3) > 0 else y - 1


@samples(1, -1, staged=False)
def with_a_walrus_in_a_side(x):
    y = 0
    z = (y := x + 5) if x > 0 else x
    return y, z


@samples(1, -1)
def a_side_that_raises(x):
    return [1, 2][5] if x > 0 else x


@samples(([1.0, 2.0], 1), ([1.0, 2.0], -1))
def arrays_on_the_sides(x, n):
    return x * 2 if n > 0 else x + 1


@samples(1, -1, staged=False)
def sides_of_different_kinds(x):
    return "text" if x > 0 else None


@pytest.mark.parametrize("sample", samples.all, ids=name)
def test_a_converted_conditional_expression_does_what_python_does(sample) -> None:
    sample.check_converted()


@pytest.mark.parametrize("sample", samples.staged, ids=name)
def test_a_staged_conditional_expression_does_what_python_does(sample) -> None:
    sample.check_staged()
