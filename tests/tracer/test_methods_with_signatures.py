"""Methods with an input_signature: the instance has no spec, whatever it is called."""

import numpy as np
import pytest

import autograph as ag

SCALAR = [ag.TensorSpec((), np.float64)]


class Scale:
    by = 3

    @ag.function(input_signature=SCALAR)
    def method(this, x, times=1):
        return x * this.by * times

    @ag.function(input_signature=SCALAR)
    def with_default(this, x=2.0):
        return x * this.by

    @staticmethod
    @ag.function(input_signature=SCALAR)
    def static(x, times=1):
        return x * times

    @ag.function(input_signature=SCALAR)
    @staticmethod
    def static_below(x):
        return x

    @classmethod
    @ag.function(input_signature=SCALAR)
    def of_class(kind, x):
        return x * kind.by

    @ag.function(input_signature=SCALAR)
    @classmethod
    def of_class_below(kind, x):
        return x * kind.by

    @property
    @ag.function(input_signature=[])
    def size(me):
        return me.by


def test_the_specs_are_those_of_the_other_arguments():
    scale = Scale()
    assert [scale.method(2), scale.with_default(), scale.with_default(4)] == [6, 6, 12]
    assert [scale.static(2), Scale.static(2), scale.static_below(2)] == [2, 2, 2]
    assert [scale.of_class(2), Scale.of_class(2), Scale.of_class_below(2)] == [6, 6, 6]
    assert scale.size == 3


def test_the_trace_is_to_be_had_of_the_instance():
    traced = Scale().method.get_concrete_function()
    assert traced.describe_arguments().endswith(", x: float64[], times: 1)")


def test_a_value_that_does_not_fit_is_named():
    with pytest.raises(TypeError) as caught:
        Scale().method("a")
    assert str(caught.value) == (
        "method: `x` is 'a', which does not fit float64[] of the input_signature"
    )


def test_specs_that_fit_neither_way_are_refused_at_once():
    with pytest.raises(TypeError, match="has 3 specs, but the function takes 2"):

        class Wrong:
            @ag.function(input_signature=SCALAR * 3)
            def method(this, x):
                return x


def test_a_nested_function_is_no_method():
    class Maker:
        def made(self):
            @ag.function(input_signature=SCALAR)
            def double(x):
                return x * 2

            return double

    assert Maker().made()(2) == 4.0
