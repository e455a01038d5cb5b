"""Calls by machine code with keywords, and with containers among the arguments."""

import sys
import warnings
from collections import namedtuple
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import autograph as ag
from tests.tracer.entered import (
    at_once,  # noqa: F401 # a fixture
    entries_of,
    takes,
    warm,
)
from tests.tracer.outside_calls import told
from tests.tracer.warm_calls import X, Y, i

pytestmark = [
    pytest.mark.usefixtures("at_once"),
    pytest.mark.filterwarnings("ignore:.*has been traced"),
]
Pair = namedtuple("Pair", "a b")


@dataclass
class Layer:
    w: Any
    b: Any


@dataclass(slots=True)
class Slim:
    w: Any
    b: Any


def parts(p):
    if isinstance(p, dict):
        a, b = p["w"], p["b"]
    elif isinstance(p, (tuple, list)):
        a, b = p
    else:
        a, b = p.w, p.b
    return a * 2 - b, type(p).__name__


ALL = [
    *((X, Y), [X, Y], Pair(X, Y), {"w": X, "b": Y}, {"b": Y, "w": X}),
    *(Layer(X, Y), Slim(X, Y)),
]
OTHERS = [
    *((X, Y, X), [X], [], (), {}, {"w": X}, {"w": X, "b": Y, "c": X}, {"w": X, 1: Y}),
    *((X, 2.0), [X.astype("f4"), Y], (X, X), [X, None], (X[:2], Y[:2]), "ab", None, 3),
    *({"w": X, "b": i(3)}, Layer(X, 1), Slim(Y, Y), Layer([X], Y), ((X,), Y), {1: X}),
    *(Pair(X, (X, Y)), type("Mine", (list,), {})([X, Y]), {"w": [X], "b": Y}),
]


@pytest.mark.parametrize("first", ALL, ids=lambda p: type(p).__name__)
def test_containers_of_every_kind_mean_what_they_mean(first):
    f = ag.function(parts)
    warm(f, first)
    assert takes(f, first)
    for other in (*ALL, *OTHERS):
        assert repr(told(f, other)) == repr(told(parts, other))


def test_containers_in_containers_are_opened():
    @ag.function
    def f(x, ps):
        (first, second), last = ps["layers"], ps["last"]
        return first.w * x + second["b"] + last[0] + ps["n"]

    def model(k):
        layers = [Layer(X + k, Y), {"a": X, "b": Y * k}]
        return {"last": (Y, "last"), "layers": layers, "n": 3}

    warm(f, X, model(1))
    assert takes(f, X, model(2))
    assert list(f(X, model(2))) == list((X + 2) * X + Y * 2 + Y + 3)
    other = model(2)
    other["layers"][1]["b"] = 2.5
    assert not takes(f, X, other)
    assert list(f(X, other)) == list((X + 2) * X + 2.5 + Y + 3)


def test_keywords_are_told_by_their_names_and_order():
    def f(x, y=2.0, *, z=1.0):
        return x * 100 + y * 10 + z

    staged = ag.function(f)
    x, y, z = i(3), i(4), i(5)
    warm(staged, x, z=z, y=y)
    assert takes(staged, x, z=z, y=y)
    assert not takes(staged, x, y=y, z=z)
    for kwargs in ({"z": z, "y": y}, {"y": y, "z": z}, {"z": z}, {"y": y}, {}):
        assert staged(x, **kwargs) == f(x, **kwargs)
    # A name that is another object, and names that are not known.
    assert staged(x, **{"".join(["z"]): z, "".join(["", "y"]): y}) == 345
    with pytest.raises(TypeError, match="unexpected keyword argument 'w'"):
        staged(x, z=z, w=y)
    with pytest.raises(TypeError, match="multiple values"):
        staged(x, y, z=z, y=y)


def test_keywords_that_a_function_takes_all_are_in_their_order():
    f = ag.function(lambda **named: (list(named), named["a"] - named["b"]))
    warm(f, a=X, b=Y)
    assert takes(f, a=X, b=Y)
    assert f(b=X, a=Y)[0] == ["b", "a"]
    assert list(f(b=X, a=Y)[1]) == list(Y - X)


def test_a_method_is_called_by_keyword():
    class Model:
        def __init__(self, scale):
            self.scale = scale

        @ag.function
        def scaled(self, x, by):
            return x * self.scale * by

    one = Model(3.0)
    warm(one.scaled, x=i(1), by=i(2))
    assert takes(Model.scaled, one, x=i(1), by=i(2))
    assert one.scaled(x=i(1), by=i(4)) == 12.0


def test_a_container_that_is_changed_is_looked_at_again():
    f = ag.function(lambda ps: ps[0] + ps[1])
    held = [X, Y]
    warm(f, held)
    assert takes(f, held)
    held[1] = Y * 2
    assert list(f(held)) == list(X + Y * 2)
    held[0] = i(3)
    assert list(f(held)) == list(3 + Y * 2)
    del held[1]
    with pytest.raises(IndexError):
        f(held)


def test_a_record_without_an_attribute_or_with_another_one_is_missed():
    f = ag.function(lambda p: p.w + p.b)
    for kind in (Layer, Slim):
        one = kind(X, Y)
        warm(f, one)
        assert takes(f, one)
        del one.b
        assert not takes(f, one)
        with pytest.raises(AttributeError, match="b"):
            f(one)
    one = Layer(X, Y)
    one.more = X
    assert list(f(one)) == list(X + Y)


def test_arrays_in_containers_are_written_in_place():
    def f(p, x):
        p["w"][0] = x[1] * 2
        p["b"] += x
        return p["w"].sum()

    staged = ag.function(f)
    with warnings.catch_warnings():
        # Where a warning is an error Python writes.
        warnings.resetwarnings()
        warm(staged, {"w": X.copy(), "b": Y.copy()}, X)
        assert takes(staged, {"w": X.copy(), "b": Y.copy()}, X)
    for change in (
        lambda w, b: {"w": w, "b": b},
        lambda w, b: {"w": w, "b": w},
        lambda w, b: {"w": w, "b": w[:]},
    ):
        python, graph = change(X.copy(), Y.copy()), change(X.copy(), Y.copy())
        assert f(python, X) == staged(graph, X)
        assert {k: list(v) for k, v in python.items()} == {
            k: list(v) for k, v in graph.items()
        }


def test_what_fails_is_raised_as_python_does():
    def f(p, *, n):
        p[0][0] += 1.0
        return p[1][n]

    staged = ag.function(f)
    warm(staged, [X.copy(), Y], n=i(1))
    assert takes(staged, [X.copy(), Y], n=i(1))
    python, graph = X.copy(), X.copy()
    for function, x in ((f, python), (staged, graph)):
        with pytest.raises(IndexError, match="index 7 is out of bounds"):
            function([x, Y], n=i(7))
    assert list(python) == list(graph)


def test_what_a_call_takes_out_of_a_container_stays_while_it_runs():
    held = []

    def clear():
        held.clear()
        np.full(1000, -1.0)

    @ag.function
    def f(ps, x):
        y = ps[0] * 2
        ag.py_function(clear, result=None)
        return ps[1] + y + x

    for k in range(200):
        held[:] = [np.full(1000, 1.0), np.full(1000, 2.0 + k)]
        assert f(held, 1.0)[-1] == 5.0 + k


@pytest.mark.parametrize("first", ALL, ids=lambda p: type(p).__name__)
def test_calls_leave_no_reference(first):
    f = ag.function(parts)
    warm(f, first)
    other = (X, "x")
    counts = sys.getrefcount(X), sys.getrefcount(Y), sys.getrefcount(first)
    for _ in range(100):
        f(first)
        takes(f, other)
        takes(f, {"w": X, "b": Y, "c": X})
    assert (sys.getrefcount(X), sys.getrefcount(Y), sys.getrefcount(first)) == counts


def test_a_container_passed_twice_has_no_entry():
    f = ag.function(lambda a, b: (a[0] + b[0], a is b))
    held = [X]
    warm(f, held, held)
    assert f(held, held)[1] is True
    assert f([X], [X])[1] is False


def test_one_array_in_two_containers_is_told_from_two():
    f = ag.function(lambda a, b: (a[0] + b[0], a[0] is b[0]))
    warm(f, [X], [Y])
    assert len(entries_of(f)) == 1
    assert f([X], [X])[1] is True
    assert f([X], [Y])[1] is False
