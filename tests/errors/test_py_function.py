"""What py_function says of a result that is not what was declared."""

import numpy as np
import pytest

import autograph as ag

THREE = ag.TensorSpec([3], np.float64)


def whole(x):
    return x.astype(int)


def pair(x):
    return x, x[:2]


@pytest.mark.parametrize(
    ("called", "result", "message"),
    [
        (whole, THREE, "whole returned int64[3], which does not fit float64[3]"),
        (
            pair,
            (THREE, THREE),
            "pair returned (float64[3], float64[2]), which does not fit "
            "(float64[3], float64[3])",
        ),
        (
            pair,
            [THREE],
            "pair returned (float64[3], float64[2]), which does not fit [float64[3]]",
        ),
    ],
)
def test_a_result_that_does_not_fit_its_spec_is_refused(called, result, message):
    @ag.function
    def program(x):
        return ag.py_function(called, x, result=result)

    with pytest.raises(TypeError) as caught:
        program(np.ones(3))
    assert str(caught.value) == message


def test_a_sequence_of_one_spec_gives_a_tuple_of_one_array():
    @ag.function
    def program(x):
        (made,) = ag.py_function(lambda v: (v * 2,), x, result=[THREE])
        return made

    assert program(np.ones(3)).tolist() == [2.0, 2.0, 2.0]


log = []


def test_a_function_that_may_use_what_the_call_changes_is_named():
    @ag.function
    def program(x):
        ag.py_function(note, x, result=None)
        log.append(x)

    def note(v):
        log.append(v)

    with pytest.raises(NotImplementedError) as caught:
        program.get_concrete_function(np.ones(3))
    assert str(caught.value) == (
        "`note` is called as Python, and may use the list that is changed here, too"
    )
    assert caught.value.__notes__[-1] == (
        "  Give it what it needs as arguments, and let it return the rest."
    )
