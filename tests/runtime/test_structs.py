"""Structs: what they have of dataclasses, and what they do without."""

import copy
import dataclasses
import inspect
import math
import pickle
from dataclasses import dataclass, is_dataclass
from typing import Any, ClassVar

import pytest

from runtime.structs import field, field_names, replace, struct


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


@struct(frozen=False)
class Path:
    KIND: ClassVar[str] = "path"
    name: str
    points: list[Point] = field(default_factory=list)
    length: int = field(init=False)
    seen: set[str] = field(init=False, default_factory=set)

    def __post_init__(self) -> None:
        self.length = len(self.points)


@struct
class Marked(Point):
    mark: str = "x"


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
    pen: Any = Pen(Point(0.0))
    pen.at = pen
    assert repr(pen) == "Pen(at=...)"


def test_what_a_class_says_itself_stands():
    assert repr(Named("a")) == "<a>"
    assert Named("a") == Named("b")
    assert hash(Named("a")) == 7


def test_it_is_a_dataclass_with_slots_that_is_copied_and_pickled():
    point: Any = Point(1.0, 2.0, "n")
    assert is_dataclass(Point)
    assert dataclasses.replace(point, y=3.0) == Point(1.0, 3.0)
    told = dataclasses.fields(Point)
    assert [one.name for one in told] == ["x", "y", "note"]
    assert dataclasses.asdict(Marked(1.0)) == {
        "x": 1.0,
        "y": 0.0,
        "note": "",
        "mark": "x",
    }
    for again in (copy.copy(point), pickle.loads(pickle.dumps(point))):
        assert again == point
        assert again.note == "n"
    with pytest.raises(AttributeError):
        point.z = 1


@struct(locked=True)
class Locked:
    x: int

    def __init__(self, x: int) -> None:
        object.__setattr__(self, "x", x)


def test_a_locked_one_refuses_to_set_fields_and_is_copied_and_pickled():
    locked: Any = Locked(1)
    for change in (
        lambda: setattr(locked, "x", 2),
        lambda: setattr(locked, "y", 2),
        lambda: delattr(locked, "x"),
    ):
        with pytest.raises(dataclasses.FrozenInstanceError):
            change()
    for again in (copy.copy(locked), pickle.loads(pickle.dumps(locked))):
        assert (again, again.x, hash(again)) == (locked, 1, hash(locked))
    of_users: Any = type("OfUsers", (Locked,), {})(3)
    of_users.mark = "m"
    with pytest.raises(dataclasses.FrozenInstanceError, match="assign to field 'x'"):
        of_users.x = 4
    dataclasses.dataclass(frozen=True)(type("Frozen", (Locked,), {}))


def test_that_it_is_frozen_is_for_the_type_checker_alone():
    point: Any = Point(1.0)
    point.x = 2.0
    assert point.x == 2.0


def test_fields_are_made_for_each_instance_and_what_follows_is_done():
    path, other = Path("a"), Path("b", [Point(1.0)])
    assert (path.length, other.length) == (0, 1)
    path.points.append(Point(2.0))
    path.seen.add("a")
    assert (Path("c").points, Path("c").seen) == ([], set())
    assert Path.KIND == "path"
    assert "KIND" not in Path.__match_args__
    path_of: Any = Path
    with pytest.raises(TypeError, match=r"Path.__init__\(\) .* argument 'length'"):
        path_of("d", length=3)


def test_a_struct_of_a_struct_has_its_fields_first():
    marked = Marked(1.0, mark="y")
    assert repr(marked) == "Marked(x=1.0, y=0.0, mark='y')"
    assert marked == Marked(1.0, 0.0, "", "y") != Marked(1.0)
    assert vars(Marked)["__slots__"] == ("mark",)
    assert not hasattr(marked, "__dict__")


def test_the_arguments_have_the_names_of_the_fields():
    assert str(inspect.signature(Point)) == "(x, y=0.0, note='')"
    assert Point(y=2.0, x=1.0) == Point(1.0, 2.0)
    point: Any = Point
    with pytest.raises(TypeError) as caught:
        point()
    message = "Point.__init__() missing 1 required positional argument: 'x'"
    assert str(caught.value) == message


def test_a_field_without_a_default_comes_before_those_with_one():
    with pytest.raises(TypeError, match="a field of Late has no default, and follows"):

        @struct
        class Late:
            x: int = 0
            y: int  # type: ignore[misc] # it is what is refused


def test_replace_gives_another_one_of_structs_and_of_dataclasses():
    @dataclass(frozen=True)
    class Frozen:
        x: int
        y: int = 1

    assert replace(Frozen(1), y=2) == Frozen(1, 2)
    point = Point(1.0, 2.0, "n")
    other = replace(point, x=3.0)
    assert (other.x, other.y, other.note, point.x) == (3.0, 2.0, "n", 1.0)
    assert replace(Path("a"), points=[Point(1.0)]).length == 1
    with pytest.raises(TypeError, match="unexpected keyword argument 'z'"):
        replace(point, z=1)


def test_names_of_fields_are_told_without_what_dataclasses_would_make():
    @struct
    class Pair:
        one: int
        other: int = 0

    @dataclass
    class Three(Pair):
        third: int = 0

    made = vars(Pair)["__dataclass_fields__"]
    assert field_names(Pair) == ("one", "other")
    assert vars(Pair)["__dataclass_fields__"] is made
    assert field_names(Three) == ("one", "other", "third")
    assert field_names(int) is None
