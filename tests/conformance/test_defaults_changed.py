"""Defaults of the decorated function that are set anew after a trace was made."""

import inspect
import types

import numpy as np
import pytest

import autograph as ag

x = np.float64(3)


@pytest.fixture
def scaled():
    @ag.function
    def scaled(x, n=2, *, k=3):
        return x * n + k

    return scaled


def test_a_changed_default_is_seen_by_the_next_call(scaled):
    assert [scaled(x), scaled(x)] == [9, 9]
    scaled.python_function.__defaults__ = (5,)
    assert [scaled(x), scaled(x)] == [18, 18]
    assert scaled(x, 2) == 9


def test_a_changed_keyword_default_is_seen_by_the_next_call(scaled):
    assert scaled(x) == 9
    scaled.python_function.__kwdefaults__ = {"k": 7}
    assert scaled(x) == 13


def test_defaults_of_a_function_are_those_of_its_python_function(scaled):
    scaled(x)
    scaled.__defaults__ = (9,)
    assert scaled.python_function.__defaults__ == (9,)
    assert (scaled.__defaults__, scaled.__kwdefaults__) == ((9,), {"k": 3})
    assert str(inspect.signature(scaled)) == "(x, n=9, *, k=3)"
    assert scaled(x) == 30


def test_a_default_that_is_taken_away_is_asked_for(scaled):
    scaled(x)
    scaled.__kwdefaults__ = None
    with pytest.raises(TypeError) as caught:
        scaled(x)
    assert str(caught.value).endswith(
        "scaled() missing 1 required keyword-only argument: 'k'"
    )


def test_a_default_of_a_method_is_seen():
    class Scale:
        @ag.function
        def of(self, x, n=2):
            return x * n

    scale = Scale()
    assert scale.of(x) == 6
    Scale.of.__defaults__ = (7,)
    assert scale.of(x) == 21


def test_reason_names_the_defaults(scaled):
    scaled(x)
    scaled(x, 5)
    scaled.__defaults__ = (5,)
    scaled(x)
    assert scaled.traces()[-1].reason == "`scaled.__defaults__`: (2,) -> (5,)"


def test_a_decorated_function_is_copied_as_a_function_is():
    step = 3.0

    @ag.function
    def stepped(x, k=2.0):
        return x * k + step

    parts = stepped.__code__, stepped.__globals__, "copied", stepped.__defaults__
    copied = types.FunctionType(*parts, stepped.__closure__)
    assert copied(1.0) == stepped(1.0) == 5.0
    with pytest.raises(AttributeError):
        stepped.__globals__ = {}
