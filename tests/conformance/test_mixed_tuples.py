"""An item of a tuple or list that data ask for is of its own type."""

import numpy as np
import pytest

import autograph as ag


class Holder:
    def __init__(self, t):
        self.t = t


def of_attribute(t):
    holder = Holder(t)
    return lambda k: holder.t[k]


def of_closure(t):
    return lambda k: t[k]


def made_inside(t):
    def f(k):
        own = (*t,)
        return own[k]

    return f


@pytest.mark.parametrize("make", [of_attribute, of_closure, made_inside])
@pytest.mark.parametrize(
    "t",
    [
        (1, 2.0),
        (1, 2.0, True),
        (1, 2, 3),
        (np.float32(1), 2.5, 3),
        (1j, 2),
    ],
)
def test_an_item_of_a_tuple_is_of_its_own_type(t, make):
    plain, staged = make(t), ag.function(make(t))
    for k in (*range(len(t)), *range(-len(t), 0)):
        expected, found = plain(np.int64(k)), staged(np.int64(k))
        assert (repr(found), type(found)) == (repr(expected), type(expected))


@pytest.mark.parametrize("k", [2, -3])
def test_an_index_beyond_such_a_tuple_is_pythons_error(k):
    with pytest.raises(IndexError, match=r"^tuple index out of range"):
        ag.function(of_closure((1, 2.0)))(np.int64(k))


def test_an_item_of_such_an_argument_is_of_its_own_type():
    f = ag.function(lambda t, k: t[k])
    found = [f((1, 2.0), np.int64(k)) for k in (0, 1, 0)]
    assert [type(one) for one in found] == [int, float, int]


def test_such_items_in_a_loop_are_what_python_gives():
    def summed(t, n):
        total, kinds = 0, []
        for i in range(n):
            total = total + t[i % 2]
            kinds.append(t[i % 2])
        return total, kinds

    expected = summed((1, 2.5), np.int64(5))
    assert repr(ag.function(summed)((1, 2.5), np.int64(5))) == repr(expected)


def test_a_list_outside_that_comes_to_hold_arrays_is_asked_by_data():
    held = [1.0, 2.0]

    def asked(k):
        held[0] = held[0] + 1
        return held[k]

    staged = ag.function(asked)
    assert [staged(np.int64(k)) for k in (0, 1)] == [2.0, 2.0]
    held[:] = [1, 2.0, np.ones(3), 5]
    found = [staged(np.int64(k)) for k in range(4)]
    assert repr(found) == repr([2, 2.0, np.ones(3), 5])


def test_a_list_outside_that_holds_itself_is_pythons():
    held = [1.0]
    held.append(held)

    def changed(x):
        held[0] = held[0] + x
        return held[0]

    staged = ag.function(changed)
    with pytest.raises(TypeError, match=r"^a list, dict or object holds itself"):
        staged.get_concrete_function(np.float64(1))
    assert held[0] == 1.0
    assert held[1] is held
    assert [staged(np.float64(1)) for _ in range(2)] == [2.0, 3.0]
    assert held[1] is held
