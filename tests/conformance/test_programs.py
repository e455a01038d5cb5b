"""Programs of many kinds do as graphs what they do in Python."""

import copy

import numpy as np
import pytest

import autograph as ag
from tests.conformance.programs import PROGRAMS


def outcome(function, arguments):
    own = copy.deepcopy(arguments)
    with np.errstate(all="ignore"):
        try:
            result = function(*own)
        except Exception as error:
            result = type(error), str(error)
    return result, own


def comparable(thing):
    """Text in which a NumPy number of Python's own dtype is a Python number."""
    if isinstance(thing, dict):
        return {name: comparable(part) for name, part in thing.items()}
    if isinstance(thing, (list, tuple)):
        return type(thing).__name__, [comparable(part) for part in thing]
    if isinstance(thing, np.ndarray):
        return str(thing.dtype), thing.shape, thing.tolist()
    return np.asarray(thing).dtype.str, repr(getattr(thing, "item", lambda: thing)())


@pytest.mark.parametrize(
    ("function", "arguments"),
    PROGRAMS,
    ids=[f"{f.__name__}{i}" for i, (f, _) in enumerate(PROGRAMS)],
)
def test_program_does_as_a_graph_what_it_does_in_python(function, arguments, capsys):
    wanted = comparable(outcome(function, arguments))
    text = capsys.readouterr().out
    staged = ag.function(function)
    for _ in range(2):  # traced, and from the cache
        assert comparable(outcome(staged, arguments)) == wanted
        assert capsys.readouterr().out == text
