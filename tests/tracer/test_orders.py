"""Dicts with the same keys in another order, and arrays that are one, are told."""

import numpy as np
import pytest

import autograph as ag
from autograph.same import assert_same_as_python

X, Y = np.ones(2), np.full(2, 2.0)


def keys(d):
    return list(d), sum(d.values())


def inner_keys(p):
    return [list(d) for d in p]


def keys_of_variadic(**named):
    return list(named)


def test_the_keys_of_a_dict_come_in_the_order_of_the_call():
    function = ag.function(keys)
    for d in ({"a": X, "b": Y}, {"b": X, "a": Y}, {"a": Y, "b": X}, {"b": Y, "a": X}):
        assert function(d)[0] == list(d)
    assert len(function.traces()) == 2


def test_keys_inside_and_by_keyword_too():
    inner, variadic = ag.function(inner_keys), ag.function(keys_of_variadic)
    for p in (({"a": X, "b": Y}, {}), ({"b": X, "a": Y}, {})):
        assert inner(p) == inner_keys(p)
    assert variadic(a=X, b=Y) == ["a", "b"]
    assert variadic(b=X, a=Y) == ["b", "a"]
    assert_same_as_python(ag.function(keys), {"b": X, "a": Y})


def test_a_trace_is_strict_about_the_order():
    concrete = ag.function(keys).get_concrete_function({"a": X, "b": Y})
    with pytest.raises(TypeError, match="nested in another way"):
        concrete({"b": X, "a": Y})


def test_the_reason_of_the_trace_is_the_order():
    function = ag.function(keys)
    function({"a": X, "b": Y}), function({"b": X, "a": Y})
    assert function.traces()[1].reason == (
        "argument `d`: a dict of 'a', 'b' -> a dict of 'b', 'a'"
    )


def test_an_input_signature_with_one_array_for_two_arguments():
    def store(x, y):
        x[0] = 7
        return y[0] + x[0]

    spec = ag.TensorSpec([None], float)
    function = ag.function(store, input_signature=[spec, spec])
    for _ in range(2):
        x = np.ones(2)
        assert function(np.ones(2), np.ones(2)) == 8
        assert function(x, x) == 14
        assert x[0] == 7
