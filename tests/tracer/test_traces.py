"""One trace per signature: what makes arguments the same for a Function, and what not.

Each case is a list of calls' arguments, and how many traces they make together.
"""

import collections
import dataclasses
import enum
import gc
import math
import re
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag

pytestmark = pytest.mark.usefixtures("others_set_aside")

XY = np.array([1.0, 2.0])
Pair = collections.namedtuple("Pair", "first second")
Other = collections.namedtuple("Other", "first second")


@dataclasses.dataclass
class Layer:
    weight: Any
    bias: Any = 0


@dataclasses.dataclass(frozen=True, slots=True)
class Frozen:
    weight: Any
    bias: Any = 0


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


class Thing:
    """An object without an equality of its own."""


def twice(x: Any) -> Any:
    return x * 2


one, other = Thing(), Thing()
matrix = np.ones((2, 3))
Arguments = tuple[Any, ...]

CASES: dict[str, tuple[int, list[Arguments]]] = {
    "no arguments": (1, [(), ()]),
    "other values of one dtype and shape": (1, [(XY,), (XY + 1,)]),
    "other dtypes": (3, [(XY,), (XY.astype(np.float32),), (XY.astype(int),)]),
    "other byte orders": (2, [(XY,), (XY.astype(">f8"),)]),
    "other shapes": (3, [(XY,), (np.ones(3),), (np.ones((2, 1)),)]),
    "0-d arrays and NumPy scalars": (2, [(np.float64(1),), (np.array(1.0),)]),
    "NumPy scalars of one dtype": (1, [(np.float64(1),), (np.float64(2),)]),
    "arrays laid out otherwise": (
        1,
        [(matrix,), (np.asfortranarray(matrix),), (np.ones((4, 6))[::2, ::2],)],
    ),
    "empty arrays": (1, [(np.ones((0, 3)),), (np.zeros((0, 3)),)]),
    "tuple, list and number of items": (4, [((XY,),), ([XY],), ((XY, XY),), ((),)]),
    "dicts by keys": (2, [({"a": XY},), ({"a": XY + 1},), ({"b": XY},)]),
    "namedtuples by type": (2, [(Pair(XY, 1),), (Pair(XY, 1),), (Other(XY, 1),)]),
    "dataclasses by type": (2, [(Layer(XY),), (Layer(XY + 1),), (Frozen(XY),)]),
    "constants in dataclasses": (2, [(Frozen(XY, 1),), (Frozen(XY, 2),)]),
    "nested structures": (1, [([(XY, {"k": 1})],), ([(XY, {"k": 1})],)]),
    "ints by value": (2, [(1,), (1,), (2,)]),
    "equal numbers of other types": (3, [(1,), (1.0,), (True,)]),
    "signed zeros": (2, [(0.0,), (-0.0,), (0.0,)]),
    "NaN": (1, [(math.nan,), (float("nan"),)]),
    "complex numbers": (2, [(1j,), (1j,), (complex(-0.0, 1),)]),
    "strings and bytes": (3, [("a",), ("a",), ("b",), (b"a",)]),
    "None": (1, [(None,), (None,)]),
    "enums": (2, [(Colour.RED,), (Colour.BLUE,), (Colour.RED,)]),
    "functions": (2, [(twice,), (twice,), (len,)]),
    "types": (2, [(int,), (float,), (int,)]),
    "objects by identity": (2, [(one,), (other,), (one,)]),
    "frozensets by value": (1, [(frozenset([1]),), (frozenset([1]),)]),
    "sets by identity": (2, [({1},), ({1},)]),
    "one array twice": (2, [(XY, XY), (XY, XY + 1), (XY + 1, XY)]),
}


@pytest.mark.parametrize(("traces", "calls"), CASES.values(), ids=list(CASES))
def test_calls_make_as_many_traces_as_they_have_signatures(traces, calls):
    function = ag.function(lambda *args: None)
    kept = [function(*arguments) for arguments in calls]
    assert kept == [None] * len(calls)
    assert len(function.concrete_functions) == traces


def test_keywords_defaults_and_positions_are_one_signature():
    @ag.function
    def scale(x, factor=2, *, plus=1):
        return x * factor + plus

    calls: list[Callable[[], Any]] = [
        lambda: scale(XY),
        lambda: scale(XY, 2),
        lambda: scale(x=XY, factor=2),
        lambda: scale(factor=2, x=XY, plus=1),
    ]
    assert [call().tolist() for call in calls] == [[3.0, 5.0]] * 4
    assert len(scale.concrete_functions) == 1
    assert scale(XY, plus=0).tolist() == [2.0, 4.0]
    assert len(scale.concrete_functions) == 2


def test_variadic_arguments_are_a_tuple_and_a_dict():
    @ag.function
    def gather(first, *rest, **named):
        return first, rest, named

    first, rest, named = gather(XY, XY, 3, k=XY, name="n")
    assert first is XY
    assert rest[0] is XY
    assert (rest[1], named["k"] is XY, named["name"]) == (3, True, "n")
    assert list(named) == ["k", "name"]
    assert list(gather(XY, XY, 3, name="n", k=XY)[2]) == ["name", "k"]
    assert len(gather.concrete_functions) == 2


def test_constants_are_told_apart_in_the_result():
    function = ag.function(lambda x: x)
    given = [1, 1.0, True, 0.0, -0.0, "a", None, 2**70, Colour.RED, (1, [2.0])]
    for constant in given:
        made = function(constant)
        assert (type(made), repr(made)) == (type(constant), repr(constant))


def test_functions_share_no_traces():
    first, second = ag.function(twice), ag.function(twice)
    first(XY)
    assert (len(first.concrete_functions), len(second.concrete_functions)) == (1, 0)


def test_an_object_is_not_kept_alive_by_its_trace():
    function = ag.function(lambda thing, x: x * 2)
    thing = Thing()
    function(thing, XY)
    reference = weakref.ref(thing)
    del thing
    gc.collect()
    assert reference() is None


def test_a_new_object_in_the_place_of_a_collected_one_gets_its_own_trace():
    function = ag.function(lambda thing, x: x * thing.factor)
    made = []
    for factor in range(5):
        thing = Thing()
        thing.factor = factor
        made.append(function(thing, XY)[1])
        del thing
    assert made == [0.0, 2.0, 4.0, 6.0, 8.0]
    assert len(function.concrete_functions) == 0


def test_an_instance_is_not_kept_alive_by_its_methods_trace():
    class Model:
        @ag.function
        def double(self, x):
            return x * 2

    model = Model()
    model.double(XY)
    reference = weakref.ref(model)
    del model
    gc.collect()
    assert reference() is None


def test_an_array_subclass_is_an_array():
    class Special(np.ndarray):
        pass

    made = ag.function(lambda x: x * 2)(XY.view(Special))
    assert made.tolist() == [2.0, 4.0]


def test_a_read_only_array_may_be_read_and_not_written():
    frozen = XY.copy()
    frozen.flags.writeable = False

    @ag.function
    def first_to_zero(x):
        x[0] = 0
        return x

    assert ag.function(twice)(frozen).tolist() == [2.0, 4.0]
    with pytest.raises(ValueError, match="assignment destination is read-only"):
        first_to_zero(frozen)
    assert frozen.tolist() == [1.0, 2.0]


def test_an_object_without_a_hash_is_told_by_which_it_is_and_looked_at():
    class Settings:
        __hash__ = None

        def __init__(self, rate):
            self.rate = rate

        def __eq__(self, other):
            return True

    f = ag.function(lambda x, settings: x * settings.rate)
    one, other, x = Settings(2.0), Settings(3.0), np.float64(1)
    found = [f(x, one), f(x, one), f(x, other)]
    one.rate = 5.0
    assert [*found, f(x, one), f(x, other)] == [2.0, 2.0, 3.0, 5.0, 3.0]
    assert "argument `settings`: " in str(f.traces())


def test_a_method_shows_the_traces_of_its_instance():
    class Scale:
        def __init__(self, by):
            self.by = by

        @ag.function
        def times(self, x):
            return x * self.by

    one, other = Scale(2.0), Scale(3.0)
    for scale in (one, other):
        scale.times(np.float64(1))
    one.times(np.float32(1))
    assert [info.reason for info in one.times.traces()] == [
        "the first call",
        "argument `x`: float64[] -> float32[]",
    ]
    assert [info.reason for info in other.times.traces()] == ["the first call"]
    assert len(Scale.times.traces()) == 3
    assert len(other.times.concrete_functions) == 1
    assert other.times.pretty_printed_concrete_signatures().count("Args:") == 1


def test_the_traces_of_a_method_whose_instance_is_taken_apart_are_all():
    @dataclasses.dataclass
    class Scale:
        by: object

        @ag.function
        def times(self, x):
            return x * self.by

    for by in (np.float64(2), np.float32(3)):
        found = Scale(by).times
        found(np.float64(1))
    assert len(found.traces()) == 2


def test_methods_in_c_that_are_read_outside_are_made_anew_and_the_same():
    class Held:
        matches = re.compile("a+")

    def program(x):
        found = Held.matches.match("aab")
        return x * found.end() * len(Held.__subclasses__()) + len(Held.mro())

    staged = ag.function(program)
    x = np.arange(3.0)
    for _ in range(4):
        assert np.array_equal(staged(x), program(x))
    assert "1 trace>" in repr(staged)

    class More(Held):
        pass

    Held.matches = re.compile("aa+b")
    assert np.array_equal(staged(x), program(x))
    assert program(x)[1] == 5
