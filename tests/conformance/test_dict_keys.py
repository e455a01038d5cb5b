"""Dicts asked by a key of the data; annotations inside what depends on data."""

import warnings
from dataclasses import dataclass

import numpy as np
import pytest

import autograph as ag
from autograph.same import assert_same_as_python

NAMES = {1: "one", 2: "two"}


def looked_up(n):
    return NAMES.get(n, "many"), NAMES.get(n), {1: 2.5}.get(n, 0.0)


def annotated(x):
    y: float
    if x > 0:
        z: int
        y: float = x * 2
        z: int = 3
    else:
        y = -x
        z: int = 4
    return y, z


def class_on_a_path(x):
    y = x
    if x > 0:

        @dataclass
        class Point:
            a: float
            b: float = 2.0

        y = Point(x).a + Point(x).b
    return y


@pytest.mark.parametrize("n", [1, 2, 7])
def test_get_by_a_key_of_the_data_finds_what_python_finds(n):
    assert_same_as_python(looked_up, np.int64(n))


@pytest.mark.parametrize("x", [1.0, -1.0])
@pytest.mark.parametrize("program", [annotated, class_on_a_path])
def test_annotations_in_branches_bind_as_in_python(program, x):
    assert_same_as_python(program, np.float64(x))


@pytest.mark.parametrize("name", ["pop", "setdefault"])
@pytest.mark.parametrize("n", [1, 2])
def test_a_dict_of_constants_is_changed_by_a_key_of_the_data(name, n):
    def asked(n):
        table = {1: 2.0}
        return getattr(table, name)(n, 5.0), table

    assert_same_as_python(asked, np.int64(n))


def sets_of_keys(x):
    pairs, ones = {(x[0], 1.0)}, {(1.0,)}
    ones.discard((x[0],))
    return len({x[0], x[0]}), pairs, ones, {1} | {x[0]}


@pytest.mark.parametrize("first", [1.0, 2.0])
def test_sets_of_the_data_and_of_tuples(first):
    assert_same_as_python(sets_of_keys, np.array([first, 2.0]))


def made_of_keys(x):
    pairs = dict([((x[0],), 1)])
    shown = {x[0]: 1}, {(x[0],): 1, "k": 2}, {**pairs, x[1]: 3}
    table = {(1.0,): 2}
    return *shown, dict.fromkeys([x[0]]), table.get((x[0],)), table.pop((x[0],), 0)


@pytest.mark.parametrize("first", [1.0, 2.0])
def test_displays_and_pairs_with_keys_of_the_data(first):
    assert_same_as_python(made_of_keys, np.array([first, 2.0]))


def test_an_array_is_no_key_as_in_python():
    with pytest.raises(TypeError, match="unhashable type: 'numpy"):
        ag.function(lambda x: {x: 1})(np.array([1.0, 2.0]))


def chosen_keys(x):
    word = "a" if x[0] > 0 else "b"
    return {word: 1, "a": 2}, {(word, 1): 2}, sorted({word, "b"})


@pytest.mark.parametrize("first", [1.0, -1.0])
def test_keys_are_chosen_as_in_python(first):
    assert_same_as_python(chosen_keys, np.array([first]))


class Named:
    def __init__(self, name):
        self.name = name

    @ag.function
    def __repr__(self):
        print("asked for its text")
        return f"Named({self.name})"


def kept_by_an_object(x, key):
    found = {}
    found[key] = x * 2
    found[key, 1] = x + found[key]
    return found[key, 1]


def test_a_key_is_not_asked_for_its_text_where_something_is_kept_by_it():
    x = np.array([1.0, 2.0])
    assert_same_as_python(kept_by_an_object, x, Named("a"))
    assert_same_as_python(kept_by_an_object, x, Named(x))


class Graph:
    def __init__(self):
        self.edges = {}

    def add(self, one, other):
        if one in self.edges:
            self.edges[one].append(other)
        else:
            self.edges[one] = [other]


EDGES = [(0, 1), (0, 1), (0, 2), (1, 2), (2, 0), (2, 3), (3, 3), (0, 5)]


@pytest.mark.parametrize("kind", [int, np.int64])
def test_a_list_in_a_dict_grows_on_one_path_where_the_other_adds_a_key(kind):
    staged, plain, graph = ag.function(Graph.add), Graph(), Graph()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for one, other in EDGES:
            plain.add(kind(one), kind(other))
            staged(graph, kind(one), kind(other))
    assert repr(graph.edges) == repr(plain.edges)


def added(groups, key, x):
    if key > 0:
        groups[key] = [x]


def taken_out(groups, key, x):
    return groups.pop(key, None)


@pytest.mark.parametrize("function", [added, taken_out])
@pytest.mark.parametrize("held", [[0], {0}, {0: 0}])
def test_lists_in_a_dict_from_outside_stay_the_lists_that_they_are(function, held):
    groups = {7: held}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ag.function(function)(groups, np.int64(3), 1.0)
    assert groups[7] is held
