"""World ops: what they print, raise and call."""

import io
import math
import sys

import numpy as np
import pytest

from runtime.effects import PURE, WRITES_WORLD
from runtime.ops import world
from runtime.ops.template import Input, encode, fill
from runtime.spec import TensorSpec

WEAK_FLOAT = TensorSpec((), float, weak=True)


def test_print_prints_as_python_does(capsys):
    args = ("x =", Input(0), [Input(1), None])
    kwargs = {"sep": "|", "end": ".\n"}
    world.print_.kernel(np.array([1.0, 2.0]), 3, args=args, kwargs=kwargs)
    assert capsys.readouterr().out == "x =|[1. 2.]|[3, None].\n"


def test_print_goes_to_the_present_standard_output(monkeypatch):
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    world.print_.kernel(args=("here",), kwargs={})
    assert sys.stdout.getvalue() == "here\n"


def test_number_held_as_array_is_printed_as_a_number(capsys):
    world.print_.kernel(np.array(1.5), args=([Input(0)],), kwargs={})
    assert capsys.readouterr().out == "[np.float64(1.5)]\n"


def test_assert_raises_its_message():
    world.assert_.kernel(True, message=("no",))
    with pytest.raises(AssertionError) as error:
        world.assert_.kernel(np.False_, 3, message=(("n is", Input(0)),))
    assert error.value.args == (("n is", 3),)


def test_assert_without_message_has_no_arguments():
    with pytest.raises(AssertionError) as error:
        world.assert_.kernel(False)
    assert error.value.args == ()


def test_raise_raises_the_exception_itself():
    error = KeyError("k")
    for _ in range(2):
        with pytest.raises(KeyError) as raised:
            world.raise_.kernel(exception=error)
        assert raised.value is error


def test_undefined_name_raises_as_in_python():
    expected = (
        "cannot access local variable 'y' where it is not associated with a value"
    )
    assert world.require_defined.kernel(True, name="y") == ()
    with pytest.raises(UnboundLocalError) as error:
        world.require_defined.kernel(False, name="y")
    assert str(error.value) == expected
    assert error.value.name is None


def test_python_call_calls_the_function():
    assert world.python_call.kernel(4.0, function=math.sqrt, result=WEAK_FLOAT) == 2.0
    spec = world.python_call.infer(WEAK_FLOAT, function=math.sqrt, result=WEAK_FLOAT)
    assert spec == WEAK_FLOAT


def test_host_call_gives_as_many_results_as_it_declares():
    def call(function, *results):
        return world.host_call.kernel(
            np.arange(3.0),
            function=function,
            args=(Input(0),),
            kwargs={},
            results=results,
        )

    spec = TensorSpec(None, None)
    np.testing.assert_array_equal(call(np.cumsum, spec), [0.0, 1.0, 3.0])
    assert call(lambda x: [x.min(), x.max()], spec, spec) == (0.0, 2.0)
    assert call(lambda x: None) == ()


def test_host_call_writes_only_when_it_is_told_so():
    attributes = {"function": print, "args": (), "kwargs": {}, "results": ()}
    assert world.host_call.effects_of({**attributes, "writes": True}) == WRITES_WORLD
    assert world.host_call.effects_of({**attributes, "writes": False}) == PURE


def test_effects_are_declared():
    for op in (world.print_, world.assert_, world.raise_, world.require_defined):
        assert op.effects_of({}) == WRITES_WORLD
    assert world.python_call.effects_of({}) == PURE


STRUCTURES = [
    (1, [2, ("a", slice(None, 3))], {"k": [4.5, None]}),
    [],
    "text",
    slice(1, 2, 3),
]


@pytest.mark.parametrize("whole", STRUCTURES)
def test_template_is_filled_with_what_was_taken_out(whole):
    template, inputs = encode(whole, lambda part: type(part) is int)
    assert fill(template, tuple(inputs)) == whole
    assert all(type(part) is int for part in inputs)


def test_named_tuple_stays_one_in_a_template():
    whole = sys.version_info[:0], np.linalg.eigh(np.eye(2))
    template, inputs = encode(whole, lambda part: isinstance(part, np.ndarray))
    assert len(inputs) == 2
    assert type(fill(template, tuple(inputs))[1]) is type(whole[1])
