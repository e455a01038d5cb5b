"""What an exception of the user holds besides its arguments, raised in a branch."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import check


class Held(ValueError):
    def __init__(self, where, why):
        super().__init__(f"at {where}")
        self.where, self.why = where, why


class Slotted(ValueError):
    __slots__ = "where", "why"

    def __init__(self, where, why):
        self.where, self.why = where, why


class OneSlot(Held):
    __slots__ = "more"

    def __init__(self, where, why):
        super().__init__(where, why)
        self.more = [where]


@pytest.mark.parametrize("kind", [Held, Slotted, OneSlot])
@pytest.mark.parametrize("of_data", [False, True])
def test_attributes_are_there_at_each_call(kind, of_data):
    def program(x):
        if x[0] > 0:
            raise kind(3, x.sum() if of_data else "why")
        return x

    def raised(function):
        with pytest.raises(kind) as caught:
            function(np.array([1.0, 2.0]))
        error = caught.value
        return error.args, error.where, error.why, getattr(error, "more", None)

    staged = ag.function(program)
    assert staged(np.array([-1.0, 2.0])).tolist() == [-1.0, 2.0]
    assert raised(staged) == raised(staged) == raised(program)


def arguments_of_a_cause(x, k):
    try:
        for n in range(k):
            try:
                if x[n] > 2:
                    raise KeyError(n)
            except KeyError as error:
                raise ValueError("w") from error
    except ValueError as error:
        return error.__cause__.args
    return "none"


def test_the_arguments_of_a_cause_leave_the_graph():
    x = np.array([1.0, 3.0, 4.0])
    check(arguments_of_a_cause, tuple((x, np.int64(k)) for k in (0, 1, 2, 3)))
