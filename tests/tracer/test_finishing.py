"""What a call gives of what its graph has given, where nothing else is to be done."""

from typing import NamedTuple

import numpy as np
import pytest

import autograph as ag
from tracer import finishing


class Pair(NamedTuple):
    one: object
    other: object


def plain_parts(x):
    return x + 1, np.diagonal(x)


PROGRAMS = {
    "one": lambda x: x + 1,
    "a tuple": lambda x: (x + 1, x * 2),
    "a tuple of one": lambda x: (x + 1,),
    "one twice": lambda x: (x - 1,) * 2,
    "a read-only view": lambda x: np.diagonal(x),
    "one in a tuple": plain_parts,
    "no parts": lambda x: (),
    "numbers": lambda x: (x.sum(), float(x.max())),
}


STRUCTURES = {
    "a dict": lambda x: {"b": x + 1, "a": np.diagonal(x)},
    "a tuple with names": lambda x: Pair(x + 1, x * 2),
    "tuples in a list": lambda x: [(x + 1, x * 2), x.sum()],
    "a tuple in a tuple": lambda x: ((x + 1, x * 2),),
}


@pytest.mark.parametrize("name", STRUCTURES)
def test_other_structures_are_what_python_makes(name):
    program, x = STRUCTURES[name], np.arange(9.0).reshape(3, 3)
    staged = ag.function(program)
    staged(x)
    found, wanted = staged(x), program(x)
    assert type(found) is type(wanted)
    assert str(found) == str(wanted)


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_given_as_it_is_takes_no_second_look(name, monkeypatch):
    program, x = PROGRAMS[name], np.arange(9.0).reshape(3, 3)
    staged = ag.function(program)
    staged(x)
    monkeypatch.setattr(finishing, "Results", None)
    found, wanted = staged(x), program(x)
    assert type(found) is type(wanted)
    assert str(found) == str(wanted)
    if name == "one twice":
        assert found[0] is found[1]
    if name == "one in a tuple":
        assert [part.flags.writeable for part in found] == [True, False]
