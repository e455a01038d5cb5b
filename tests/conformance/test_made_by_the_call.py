"""What each call of a helper makes for itself: the dict of its keywords, an object of
the class of one that it was given.
"""

import numpy as np
import pytest

from tests.conformance.trying import Programs, check, x3

PROGRAMS = Programs()
i = np.int64


def with_defaults(**given):
    given["step"] = given.get("step", 1.0)
    for name in ("x", "limit"):
        if name not in given:
            given[name] = given["step"] * 2
    return given


@PROGRAMS((np.float64(3),), (np.float64(0),))
def keywords_changed_in_a_loop(limit):
    y, rounds = 0.0, 0
    while y < limit:
        found = with_defaults(x=y)
        y = found["x"] + found["step"]
        rounds += 1
    return y, rounds


@PROGRAMS((x3, i(1)), (x3, i(-1)))
def keywords_changed_in_a_branch(x, n):
    if n > 0:
        found = with_defaults(x=x * 2, step=x[0])
    else:
        found = with_defaults(step=x[1])
    return found["x"] + found["limit"]


def counted(x, **seen):
    while x > 1:
        x = x / 2
        seen["count"] = seen["count"] + 1
    return seen["count"], sorted(seen)


@PROGRAMS((np.float64(9),), (np.float64(0),))
def keywords_changed_by_a_loop_of_the_data(x):
    return counted(x, count=0, other="o")


@PROGRAMS((np.float64(9),), (np.float64(0),))
def keywords_of_a_given_dict(x):
    given = {"count": 5}
    return counted(x, **given), given


class Bag:
    def __init__(self, x, weight=1.0):
        self.x, self.weight = x, weight

    def another(self, **changes):
        for name in ("x", "weight"):
            if name not in changes:
                changes[name] = getattr(self, name)
        return self.__class__(**changes)


class HeavyBag(Bag):
    def __init__(self, x, weight=100.0):
        super().__init__(x, weight)


@PROGRAMS((np.float64(1),), (np.float64(-1),))
def class_of_one_of_two(x):
    if x > 0:
        bag = Bag(x)
    else:
        bag = HeavyBag(x)
    other = bag.__class__(x * 3)
    return type(other).__name__, other.x, other.weight


@PROGRAMS((np.float64(4),), (np.float64(0),))
def another_in_each_round(limit):
    bag = Bag(0.0)
    while bag.x < limit:
        bag = bag.another(x=bag.x + bag.weight)
        bag = bag.another(weight=bag.weight * 2)
    return bag.x, bag.weight


class Signed:
    def __init__(self, x):
        if x > 0:
            self.x = x
        else:
            self.x = -x


@PROGRAMS((np.float64(2),), (np.float64(-2),))
def a_class_that_was_met_before_is_made_as_the_first_time(x):
    made = Signed(x)
    if x > 1:
        made = Signed(x - 3)
    other = Signed(made.x - 1)
    return made.x, other.x


@pytest.mark.parametrize(("program", "arguments"), PROGRAMS)
def test_program_is_that_of_plain_python(program, arguments):
    check(program, arguments)
