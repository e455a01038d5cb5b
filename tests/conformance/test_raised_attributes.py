"""What an exception of the user holds besides its arguments, raised in a branch."""

import numpy as np
import pytest

import autograph as ag


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
