"""Operators of tensors beside what is no number: text and None."""

import numpy as np
import pytest

import autograph as ag

WORDS = np.array(["a", "b", "c"])
PROGRAMS = {
    "equal to a str": lambda x: x == "b",
    "str on the left": lambda x: "b" == x,
    "unequal": lambda x: x != "b",
    "less": lambda x: x < "b",
    "less, str on the left": lambda x: "b" < x,
    "joined": lambda x: x + "!",
    "element": lambda x: x[1] == "b",
    "chosen": lambda x: 1 if x[0] == "a" and x[1] != "a" else 2,
    "None": lambda x: x == None,  # noqa: E711
    "not None": lambda x: x != None,  # noqa: E711
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_array_of_text_is_compared_and_joined_as_in_numpy(program):
    expected, result = program(WORDS), ag.function(program)(WORDS)
    assert np.array_equal(result, expected)
    assert getattr(result, "dtype", bool) == getattr(expected, "dtype", bool)


@pytest.mark.parametrize("other", ["a", b"a", None], ids=repr)
def test_numbers_are_elementwise_unequal_to_text_and_none(other):
    x = np.array([1.0, np.nan])
    assert ag.function(lambda x: x == other)(x).tolist() == [False, False]
    assert ag.function(lambda x: x != other)(x).tolist() == [True, True]


def test_array_of_bytes_is_compared_with_bytes():
    x = np.array([b"a", b"b"])
    assert ag.function(lambda x: x == b"b")(x).tolist() == [False, True]


def test_number_is_unequal_to_none():
    assert ag.function(lambda x: x == None)(np.float64(1.0)) is False  # noqa: E711
