"""Decorated functions from wherever Python functions come from."""

import functools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
from tests.autograph.decorated import load, positive

ROOT = Path(__file__).resolve().parents[2]
two = np.float64(2)


@ag.function
def below(x):
    if x < 0:
        return -x
    return x


def double(function: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator."""

    @functools.wraps(function)
    def doubled(*args: Any) -> Any:
        return 2 * function(*args)

    return doubled


@double
@ag.function
def decorator_above(x):
    if x < 0:
        return -x
    return x


@ag.function
@double
def decorator_below(x):
    if x < 0:
        return -x
    return x


@ag.function(python_effects="run")
def with_parentheses(x):
    if x < 0:
        return -x
    return x


class Base:
    def __init__(self, scale=1.0):
        self.scale = scale
        self.__secret = 1.0

    @ag.function
    def method(self, x):
        if x < 0:
            x = -x
        return x * self.scale

    @ag.function
    def __private(self, x, *, __factor=1.0):
        if x < 0:
            x = -x
        return x * self.__secret * __factor

    def through_private(self, x):
        return self.__private(x)

    @classmethod
    @ag.function
    def class_below(cls, x):
        if x < 0:
            x = -x
        return x * cls.unit()

    @ag.function
    @classmethod
    def class_above(cls, x):
        if x < 0:
            x = -x
        return x * cls.unit()

    @staticmethod
    @ag.function
    def static_below(x):
        return -x if x < 0 else x

    @ag.function
    @staticmethod
    def static_above(x):
        return -x if x < 0 else x

    @staticmethod
    def unit():
        return 1.0

    @property
    @ag.function
    def area(self):
        if self.scale > 0:
            return self.scale * self.scale
        return 0.0

    @ag.function
    def __call__(self, x):
        return -x if x < 0 else x


class Derived(Base):
    @ag.function
    def method(self, x):
        if x < -100:
            return x
        return super().method(x)

    @staticmethod
    def unit():
        return 2.0


def test_decorators_above_and_below() -> None:
    positive(below)
    positive(with_parentheses)
    assert decorator_above(-two) == decorator_below(-two) == 4.0


def test_methods_and_their_inheritance() -> None:
    positive(Base().method)
    positive(Base.method, Base())
    positive(Derived().method)
    assert Derived(3.0).method(-two) == 6.0


def test_another_object_in_the_place_of_one_that_is_gone_is_another() -> None:
    results = [Base(float(scale)).method(two) for scale in range(20)]
    assert results == [2.0 * scale for scale in range(20)]


def test_private_names() -> None:
    positive(Base().through_private)


@pytest.mark.parametrize("name", ["class_below", "class_above"])
def test_class_methods_with_the_decorator_on_either_side(name) -> None:
    positive(getattr(Base, name))
    positive(getattr(Base(), name))
    assert getattr(Derived, name)(-two) == 4.0


@pytest.mark.parametrize("name", ["static_below", "static_above"])
def test_static_methods_with_the_decorator_on_either_side(name) -> None:
    positive(getattr(Base, name))
    positive(getattr(Base(), name))


def test_properties_and_callable_objects() -> None:
    assert Base(3.0).area == 9.0
    positive(Base())
    plain = type("Plain", (), {"__call__": lambda self, x: -x if x < 0 else x})()
    positive(ag.function(plain))


def test_a_bound_method_is_decorated() -> None:
    class Plain:
        def method(self, x):
            return -x if x < 0 else x

    positive(ag.function(Plain().method))


def test_closures_see_later_assignments_before_the_trace() -> None:
    scale = 1.0

    @ag.function
    def scaled(x):
        return -x * scale if x < 0 else x * scale

    scale = 2.0
    assert scaled(-two) == 4.0


def test_parameters_of_every_kind() -> None:
    @ag.function
    def f(x, /, y=1.0, *rest, z, w=1.0, **more):
        total = x * y * z * w
        for r in rest:
            total = total * r
        for name in sorted(more):
            total = total * more[name]
        return -total if total < 0 else total

    positive(f, z=1.0)
    assert f(-two, z=3.0) == 6.0
    assert f(two, 2.0, 3.0, 4.0, z=1.0, v=5.0) == 240.0


def test_a_default_that_is_an_array() -> None:
    @ag.function
    def f(x, scale=np.array([1.0, 2.0])):
        return x * scale if x > 0 else scale

    assert f(two).tolist() == [2.0, 4.0]


def test_lambdas_on_one_line_are_told_apart() -> None:
    f, g = ag.function(lambda x: -x if x < 0 else x), ag.function(lambda x: x + 1)
    positive(f)
    assert g(two) == 3.0
    made = [ag.function(h) for h in (lambda x: x if x > 0 else 7, lambda x: x * 2)]
    assert [h(two) for h in made] == [2.0, 4.0]


def test_partials() -> None:
    def f(a, x, *, b=1.0):
        return -x * a * b if x < 0 else x * a * b

    positive(ag.function(functools.partial(f, 1.0)))
    positive(ag.function(functools.partial(functools.partial(f, 2.0), b=0.5)))


def test_recursion_ends_by_a_plain_number() -> None:
    @ag.function
    def power(x, n):
        if n == 0:
            return 1.0
        return x * power(x, n - 1)

    assert power(two, 5) == 32.0


count = 0


def test_globals_and_nonlocals() -> None:
    calls = 0

    @ag.function
    def f(x):
        global count
        nonlocal calls
        count = 5
        calls += 1
        return -x if x < 0 else x

    positive(f)
    assert (count, calls) == (5, 2)


def test_a_function_of_a_function_factory_is_converted_for_each() -> None:
    def scaled(k):
        @ag.function
        def f(x):
            return x * k if x > 0 else x

        return f

    assert [scaled(k)(two) for k in (1.0, 2.0, 3.0)] == [2.0, 4.0, 6.0]


@pytest.mark.parametrize(
    ("program", "line"),
    [
        ("def f(x):\n    ag__ = x\n    return ag__\n", 2),
        ("def f(ag__):\n    return ag__\n", 1),
        ("def outer(ag__):\n    return lambda x: x + ag__\nf = outer(1)\n", 2),
    ],
    ids=["variable", "parameter", "closure"],
)
def test_the_name_of_our_operators_is_refused(tmp_path, program, line) -> None:
    f = ag.function(load(tmp_path / "program.py", program)["f"])
    with ag.config(strict=True), pytest.raises(ag.UnsupportedError) as caught:
        f(two)
    assert str(caught.value) == (
        "a function that uses the name `ag__` cannot be converted"
    )
    place, remedy = caught.value.__notes__
    assert f"program.py line {line}:" in place
    assert remedy == "  Rename it: converted code calls its operators by that name."


NEWER = """\
def generic[T](x: T) -> T:
    kind = T
    return -x if x < 0 else x

class Box[S]:
    def method[U](self, x: U, y: S = None) -> U:
        if x < 0:
            return -x
        return x

type Alias = int

def f_strings(x):
    name = {"a": "b"}
    assert f"{name["a"]} {f"{1 + 1}"}" == "b 2"
    return -x if x < 0 else x
"""


@pytest.mark.skipif(sys.version_info < (3, 12), reason="syntax of Python 3.12")
def test_type_parameters_and_nested_f_strings(tmp_path) -> None:
    names = load(tmp_path / "newer.py", NEWER)
    positive(ag.function(names["generic"]))
    positive(ag.function(names["Box"]().method))
    positive(ag.function(names["f_strings"]))


def test_exception_groups_are_handled_in_a_trace() -> None:
    @ag.function
    def f(x):
        try:
            raise ExceptionGroup("several", [KeyError("k"), ValueError("v")])
        except* KeyError:
            x = x + 0
        except* ValueError:
            x = x + 0
        if x < 0:
            return -x
        return x

    positive(f)


def test_what_has_no_attributes_is_marked_by_a_function_around_it():
    class Scale:
        def by(self, x):
            return x if x > 0 else -x

    marked = [ag.do_not_convert(one) for one in (abs, Scale().by, float)]
    assert [one(-2) for one in marked] == [2, 2, -2.0]
    assert marked[0].__name__ == "abs"
    by = marked[1]
    with pytest.raises(TypeError, match="the truth value of this tensor"):
        ag.function(lambda x: by(x)).get_concrete_function(np.float64(2.0))
