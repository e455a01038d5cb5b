"""Structs: what they have of dataclasses, and what they do without."""

import copy
import math
import pickle
from dataclasses import FrozenInstanceError, is_dataclass, replace

import pytest

from runtime.structs import field, struct


@struct
class Point:
    x: float
    y: float = 0.0
    note: str = field(default="", repr=False, compare=False)


@struct(frozen=False)
class Pen:
    at: Point


@struct(eq=False)
class Thing:
    name: str


@struct
class Named:
    name: str

    def __repr__(self) -> str:
        return f"<{self.name}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Named)

    def __hash__(self) -> int:
        return 7


@struct
class Nothing:
    """Without fields."""


def test_the_fields_tell_equals_apart_and_give_the_hash():
    assert Point(1.0) == Point(1.0, 0.0, "here") != Point(2.0)
    assert len({Point(1.0), Point(1.0, note="there"), Point(2.0)}) == 2
    assert Point(1.0) != (1.0, 0.0)
    assert Nothing() == Nothing()
    assert hash(Nothing()) == hash(Nothing())


def test_what_is_itself_is_equal_as_in_tuples():
    nan = math.nan
    assert Point(nan) == Point(nan)
    assert Thing("a") != Thing("a")
    assert Pen(Point(nan)) == Pen(Point(nan))
    with pytest.raises(TypeError, match="unhashable type: 'Pen'"):
        hash(Pen(Point(1.0)))


def test_it_shows_its_fields():
    assert repr(Pen(Point(1.0, 2.0, "n"))) == "Pen(at=Point(x=1.0, y=2.0))"
    assert repr(Nothing()) == "Nothing()"
    pen = Pen(Point(0.0))
    pen.at = pen  # type: ignore[assignment] # on purpose: it holds itself
    assert repr(pen) == "Pen(at=...)"


def test_what_a_class_says_itself_stands():
    assert repr(Named("a")) == "<a>"
    assert Named("a") == Named("b")
    assert hash(Named("a")) == 7


def test_it_is_a_dataclass_with_slots_that_is_copied_and_pickled():
    point = Point(1.0, 2.0, "n")
    assert is_dataclass(Point)
    assert replace(point, y=3.0) == Point(1.0, 3.0)
    for again in (copy.copy(point), pickle.loads(pickle.dumps(point))):
        assert again == point
        assert again.note == "n"
    with pytest.raises(AttributeError):
        point.z = 1  # type: ignore[attr-defined] # on purpose: there is no such field


def test_that_it_is_frozen_is_for_the_type_checker_alone():
    point = Point(1.0)
    try:
        point.x = 2.0  # type: ignore[misc] # on purpose
    except FrozenInstanceError:  # pragma: no cover
        pytest.fail("a struct asks at each field that is set")
    assert point.x == 2.0
