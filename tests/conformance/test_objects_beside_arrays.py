"""Decimals, fractions, dates and other objects beside arrays, as NumPy asks each."""

import datetime
import operator
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import autograph as ag


class Scale:
    """Multiplied from the right, as NumPy asks it: with one element after the other."""

    def __rmul__(self, other):
        return "scaled", type(other).__name__, other

    def __repr__(self):
        return "Scale"


class Mark:
    """Without any operator."""


OBJECTS = {
    "decimal": Decimal("0.5"),
    "fraction": Fraction(1, 2),
    "date": datetime.date(2020, 1, 1),
    "days": datetime.timedelta(1),
    "scale": Scale(),
    "mark": Mark(),
    "class": Mark,
}
BESIDE = {
    "ints": np.array([3, 1, 2]),
    "floats": np.array([3.0, 0.5]),
    "scalar": np.int64(3),
    "no dims": np.array(0.5),
}
OPERATORS = ["add", "mul", "truediv", "lt", "eq", "ne"]


def forward(x, word, other):
    return getattr(operator, word)(x, other)


def reflected(x, word, other):
    return getattr(operator, word)(other, x)


def outcome(function, *args):
    try:
        result = function(*args)
        return type(result).__name__, repr(result)
    except Exception as error:
        return type(error).__name__, str(error)


@pytest.mark.parametrize("way", [forward, reflected])
@pytest.mark.parametrize("name", OBJECTS)
def test_an_object_beside_an_array_is_asked_as_numpy_asks_it(way, name):
    other = OBJECTS[name]
    for word in OPERATORS:
        staged = ag.function(lambda x, word=word: way(x, word, other))
        for x in BESIDE.values():
            python = outcome(way, x, word, other)
            with warnings.catch_warnings(), ag.config(strict=False):
                warnings.filterwarnings("ignore", ".* is run as Python")
                assert [outcome(staged, x) for _ in range(2)] == [python, python]
