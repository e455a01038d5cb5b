"""f.traces(): why each trace was needed, told from the nearest earlier one."""

import gc
from collections import OrderedDict, namedtuple
from dataclasses import dataclass

import numpy as np
import pytest

import autograph as ag

pytestmark = pytest.mark.usefixtures("others_set_aside")

X, Y = np.ones(3), np.ones(3)
Pair = namedtuple("Pair", "a b")


@dataclass
class Options:
    rate: object
    steps: object = 1


def called(*calls):
    """The last reason after calls of one function, each (args, kwargs) or args."""

    @ag.function(reduce_retracing=False)
    def f(x, n=2, *rest, key=None, **more):
        return x

    for args, kwargs in calls:
        f(*args, **kwargs)
    assert len(f.traces()) == len(calls)
    return f.traces()[-1].reason


def keys(first, second):
    return called(((X,), {"key": first}), ((X,), {"key": second}))


@pytest.mark.parametrize(
    ("args", "kwargs", "told"),
    [
        ((X, 3), {}, "argument `n`: 2 -> 3"),
        ((X, 2.0), {}, "argument `n`: 2 -> 2.0"),
        ((X, True), {}, "argument `n`: 2 -> True"),
        ((X, "two"), {}, "argument `n`: 2 -> 'two'"),
        ((X, np.int64(2)), {}, "argument `n`: 2 -> int64[]"),
        ((np.ones(4),), {}, "argument `x`: float64[3] -> float64[4]"),
        ((np.ones((3, 1), "f"),), {}, "argument `x`: float64[3] -> float32[3,1]"),
        ((1.0,), {}, "argument `x`: float64[3] -> 1.0"),
        ((X, 2, Y), {}, "argument `rest` is new"),
        ((X,), {"z": 1}, "argument `more` is new"),
        ((X,), {"key": (Y, Y)}, "argument `key`: None -> a tuple of 2"),
        (
            (np.ones(4), 3),
            {},
            "argument `x`: float64[3] -> float64[4]; argument `n`: 2 -> 3",
        ),
    ],
)
def test_a_second_trace_is_told_from_the_first(args, kwargs, told):
    assert called(((X,), {}), (args, kwargs)) == told


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        ([X], [X, 1], "argument `key`: a list of 1 -> a list of 2"),
        ([X], (X,), "argument `key`: a list of 1 -> a tuple of 1"),
        ([["a"]], [["a", "b"]], "argument `key[0]`: a list of 1 -> a list of 2"),
        ({"a": 1}, {"a": 1, 2: 3}, "argument `key`: a dict of 'a' -> a dict of 'a', 2"),
        ({"a": 1}, {}, "argument `key`: a dict of 'a' -> an empty dict"),
        ({"a": [1]}, {"a": [2]}, "argument `key['a'][0]`: 1 -> 2"),
        (Pair(1, 2), Pair(1, X), "argument `key.b`: 2 -> float64[3]"),
        (Options(1), Options(2), "argument `key.rate`: 1 -> 2"),
        (Options(1), Pair(1, 1), "argument `key`: an Options -> a Pair"),
        (OrderedDict(), {}, "argument `key`: an empty OrderedDict -> an empty dict"),
        (1, 1.0, "argument `key`: 1 -> 1.0"),
        (0.0, -0.0, "argument `key`: 0.0 -> -0.0"),
    ],
)  # fmt: skip
def test_structures_are_told_apart_in_words(first, second, told):
    assert keys(first, second) == told


def test_a_zero_dim_array_is_told_from_a_scalar():
    told = called(((np.float64(1),), {}), ((np.array(1.0),), {}))
    assert told == "argument `x`: a scalar float64[] -> an array float64[]"


def test_one_array_passed_twice_is_told_from_two():
    once, twice = ((X, 2, Y), {}), ((X, 2, X), {})
    told = "arguments `x` and `rest[0]`: "
    assert called(once, twice) == told + "two arrays -> one array passed twice"
    assert called(twice, once) == told + "one array passed twice -> two arrays"


def test_an_object_of_the_same_text_is_another_one():
    class Model:
        def __repr__(self):
            return "Model()"

    first, second = Model(), Model()
    assert keys(first, second) == "argument `key`: Model() -> another Model()"


def test_the_trace_for_an_object_goes_with_it():
    @ag.function(reduce_retracing=False)
    def f(x, key):
        return x

    class Model:
        pass

    kept = Model()
    f(X, Model())
    gc.collect()
    assert repr(f.traces()) == "no traces"
    f(X, kept)
    assert [row.reason for row in f.traces()] == ["the first call"]


def test_the_nearest_trace_is_the_latest_of_those_with_fewest_differences():
    @ag.function(reduce_retracing=False)
    def f(x, n, m):
        return x

    for args in ((X, 1, 1), (X, 2, 2), (np.ones(4), 1, 2), (X, 2, 1)):
        f(*args)
    assert [(row.reason, row.since) for row in f.traces()] == [
        ("the first call", None),
        ("argument `n`: 1 -> 2; argument `m`: 1 -> 2", 1),
        ("argument `x`: float64[3] -> float64[4]; argument `n`: 2 -> 1", 2),
        ("argument `m`: 2 -> 1", 2),
    ]


def test_many_differences_are_not_all_told():
    @ag.function(reduce_retracing=False)
    def f(*items):
        return items[0]

    f(1, 2, 3, 4, 5)
    f(5, 4, 3, 2, 1)
    assert f.traces()[1].reason == (
        "argument `items[0]`: 1 -> 5; argument `items[1]`: 2 -> 4; "
        "argument `items[3]`: 4 -> 2; and 1 more"
    )


def test_the_list_and_its_entries_are_readable():
    @ag.function(reduce_retracing=False)
    def scaled(x, n):
        return x * n

    assert repr(scaled.traces()) == "no traces"
    scaled(X, 2)
    scaled(np.ones(4), 2)
    assert repr(scaled.traces()) == (
        "scaled: 2 traces\n"
        "  1. (x: float64[3], n: 2)\n"
        "     the first call\n"
        "  2. (x: float64[4], n: 2)\n"
        "     argument `x`: float64[3] -> float64[4] (trace 1)"
    )
    second = scaled.traces()[1]
    assert (second.number, second.signature) == (2, "(x: float64[4], n: 2)")
    assert second.concrete is scaled.concrete_functions[1]


def test_a_method_tells_its_instances_apart():
    class Model:
        @ag.function(reduce_retracing=False)
        def step(self, x):
            return x

        def __repr__(self):
            return "Model()"

    first, second = Model(), Model()
    first.step(X)
    second.step(X)
    assert Model.step.traces()[1].reason == (
        "argument `self`: Model() -> another Model()"
    )


def test_an_input_signature_needs_one_trace():
    @ag.function(input_signature=[ag.TensorSpec((None,), np.float64)])
    def f(x):
        return x

    f(np.ones(2))
    f(np.ones(3))
    assert [(t.signature, t.reason) for t in f.traces()] == [
        ("(x: float64[?])", "the first call")
    ]


class Silent:
    def __repr__(self):
        raise RuntimeError("no repr")


class Long:
    def __repr__(self):
        return "Long(\n" + "  1,\n" * 99


def test_objects_are_told_of_in_one_line_also_where_their_repr_fails():
    @ag.function
    def f(x, thing):
        return x

    things = [kind() for kind in (Silent, Long)]
    for thing in things:
        f(X, thing)
    assert f.traces()[0].signature == "(x: float64[3], thing: <Silent object>)"
    assert f.traces()[1].reason.startswith(
        "argument `thing`: <Silent object> -> Long(   1,   1, "
    )
    assert len(repr(f.traces()).splitlines()) == 5


def test_many_traces_for_objects_whose_repr_fails_are_warned_of():
    @ag.function
    def f(x, thing):
        return x

    *things, last = [Silent() for _ in range(20)]
    for thing in things:
        f(X, thing)
    with pytest.warns(RuntimeWarning, match="for its argument `thing`"):
        f(X, last)
