"""and, or, not: the operands that Python evaluates, and the one it gives."""

import pytest

from tests.autograph.converters.samples import Samples, name, say

samples = Samples()


@samples((1, 1), (1, -1), (-1, 1), (-1, -1))
def and_stops_at_the_first_false(x, y):
    if say("x", x > 0) and say("y", y > 0):
        return x + y
    return x - y


@samples((1, 1), (1, -1), (-1, 1), (-1, -1))
def or_stops_at_the_first_true(x, y):
    if say("x", x > 0) or say("y", y > 0):
        return x + y
    return x - y


@samples((0, 3), (2, 3), (2, 0))
def the_operand_is_given(x, y):
    return x and y, x or y


@samples((0, 0, 3), (2, 0, 3), (2, 1, 3), (0, 1, 0))
def three_operands(x, y, z):
    return x and y and z, x or y or z, (x and y) or z


@samples(0, 2)
def not_gives_a_bool(x):
    return not x, not not x


@samples((1, 2), (-1, 2), (-1, -2))
def mixed(x, y):
    return not (x > 0 and y > 0) or (say("last", x > y) and not say("very last", x))


@samples(0, 2)
def a_guard_for_a_division(x):
    if x != 0 and 4 // x > 1:
        return x
    return x - 1


@samples(0, 3)
def an_operand_that_raises(x):
    return x > 0 and [1][5]


@samples((1, 1), (0, 1), staged=False)
def a_walrus_in_a_later_operand(x, y):
    z = 5
    if x > 0 and (z := y + 1) > 0:
        return z
    return z * 10


@samples((1, 1), (0, 1), staged=False)
def a_walrus_that_may_not_have_run(x, y):
    if x > 0 and (z := y + 1) > 0:
        print("both")
    return z


@samples([1, 2, 3], [0, 0], staged=False)
def lists_and_none(x):
    return x and None, x or [], [] or x, None and x, not x


@samples(1, staged=False)
def an_object_whose_truth_is_asked_once(x):
    class Answer:
        def __bool__(self):
            print("asked")
            return False

    answer = Answer()
    return (answer and x) is answer, (answer or x), not answer


@samples(1, -1)
def staged_beside_plain(x):
    flag = True
    return flag and x > 0, x > 0 and flag, not flag or x > 0


@pytest.mark.parametrize("sample", samples.all, ids=name)
def test_a_converted_logical_operator_does_what_python_does(sample) -> None:
    sample.check_converted()


@pytest.mark.parametrize("sample", samples.staged, ids=name)
def test_a_staged_logical_operator_does_what_python_does(sample) -> None:
    sample.check_staged()
