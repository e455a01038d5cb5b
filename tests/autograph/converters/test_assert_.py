"""assert: the message is made only when the assertion fails.

PYTEST_DONT_REWRITE: the assertions of the samples are to be Python's own.
"""

import pytest

from tests.autograph.converters.samples import Samples, name, say

samples = Samples()


@samples(1, -1)
def without_a_message(x):
    assert x > 0
    return x


@samples(1, -1)
def with_a_message(x):
    assert x > 0, "too small"
    return x


@samples(1, -1)
def the_message_is_made_late(x):
    assert say("test", x > 0), say("message", "too small")
    return x


@samples(1, -1)
def the_message_raises(x):
    assert x > 0, [1][x]
    assert x > 0, {}["a"]
    return x


@samples(1, -1)
def the_message_is_a_value(x):
    assert x > 0, x
    return x


@samples(1, -1)
def the_message_is_a_tuple(x):
    assert x > 0, ("x is", x)
    return x


@samples([1, 2, 3], [1, -2, 3])
def in_a_loop(x):
    for v in x:
        print(v)
        assert v > 0, "negative"
    return x


@samples((1, 1), (1, -1), (-1, -1))
def in_a_branch(x, y):
    if x > 0:
        assert y > 0, "y"
    return x


@samples(1, [], staged=False)
def of_any_object(x):
    assert x, "empty"
    return x


@samples(1, -1, staged=False)
def caught(x):
    try:
        assert x > 0, "small"
    except AssertionError as error:
        return str(error)
    return x


@pytest.mark.parametrize("sample", samples.all, ids=name)
def test_a_converted_assert_does_what_python_does(sample) -> None:
    sample.check_converted()


@pytest.mark.parametrize("sample", samples.staged, ids=name)
def test_a_staged_assert_does_what_python_does(sample) -> None:
    sample.check_staged()
