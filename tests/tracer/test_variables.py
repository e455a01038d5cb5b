"""Variables: made outside or at the first call, shared, read and assigned in order."""

import gc
import weakref
from typing import Any

import numpy as np
import pytest

import autograph as ag
from tracer.log import VARIABLES

pytestmark = pytest.mark.usefixtures("others_set_aside")

x3 = np.arange(3.0)


class Layer:
    w: Any = None

    @ag.function
    def __call__(self, x):
        if self.w is None:
            self.w = ag.Variable(np.ones(len(x)) * 2)
        self.w.assign_add(x)
        return x * self.w


def test_a_variable_is_made_at_the_first_call_of_each_instance():
    for _ in range(2):
        staged, plain = Layer(), Layer()
        for _ in range(3):
            expected = Layer.__call__.python_function(plain, x3)
            assert staged(x3).tolist() == expected.tolist()
        assert np.array_equal(staged.w, plain.w)


def test_a_variable_that_is_kept_in_a_list_is_made_once():
    made = []

    @ag.function
    def total(x):
        if not made:
            made.append(ag.Variable(0.0))
        return made[0].assign_add(x)

    assert [total(2.0) for _ in range(3)] == [2.0, 4.0, 6.0]
    assert len(made) == 1


def test_a_variable_that_is_new_at_each_call_is_never_shared_by_them():
    @ag.function
    def total(x):
        v = ag.Variable(1.0)
        v.assign_add(x)
        return v.value

    assert total(2.0) == 3.0
    with pytest.raises(TypeError, match="a Variable is made here at each call"):
        total(2.0)
    with pytest.raises(TypeError, match="a Variable is made here at each call"):
        total.get_concrete_function(np.float64(2.0))


def test_the_call_that_makes_variables_is_logged(caplog):
    layer = Layer()
    with ag.config(log="exec"), caplog.at_level("INFO", logger="autograph"):
        layer(x3)
    assert f"run as Python, as {VARIABLES}" in caplog.text


def test_functions_share_variables_in_the_order_of_the_program():
    v = ag.Variable(1.0)
    double = ag.function(lambda: v.assign(v * 2))
    add = ag.function(lambda x: (double(), v.assign_add(x), v.value, v + v))
    assert [float(part) for part in add(3.0)] == [2.0, 5.0, 5.0, 10.0]
    assert double() == 10.0
    assert v == 10.0


def part_set(v, x):
    v[1] = x
    v[2:] += 10
    v[v.value > 8] -= 1
    return v.value


def test_parts_are_assigned_as_in_python():
    v, w = ag.Variable(np.arange(5.0)), ag.Variable(np.arange(5.0))
    staged = ag.function(lambda x: part_set(v, x))
    for x in (3.5, 7.0):
        assert staged(x).tolist() == part_set(w, x).tolist()
    assert np.array_equal(v, w)
    number = ag.Variable(1.5)
    number[()] = 2.5
    assert number == 2.5


def test_a_wrong_part_leaves_the_variable():
    v = ag.Variable(np.arange(3))
    with pytest.raises(IndexError):
        v[5] = 1
    with pytest.raises(ValueError, match="could not broadcast"):
        v[:2] = [1, 2, 3]
    assert v.value.tolist() == [0, 1, 2]


def test_a_variable_is_a_number_where_it_holds_one():
    v = ag.Variable(2)
    assert (int(v), float(v), complex(v), range(5)[v], bool(v)) == (2, 2.0, 2, 2, True)


def test_variables_go_with_their_last_user():
    layer = Layer()
    layer(x3)
    layer(x3)
    reference = weakref.ref(layer.w)
    del layer
    gc.collect()
    assert reference() is None
