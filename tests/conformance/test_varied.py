"""Containers that hold one of several contents, and items picked by what data says."""

import numpy as np
import pytest

from autograph.same import assert_same_as_python


class Model:
    """An object with attributes."""


def attribute_on_one_path(x):
    model = Model()
    if x > 0:
        model.weight = x
    return model.weight


def one_of_two_sets(t):
    small, large = {1}, {1}
    chosen = small if t > 0 else large
    chosen.add(2)
    return len(small), len(large)


def key_on_one_path(x):
    d = {"a": 1.0}
    if x > 0:
        d["b"] = x
    d["a"] += 1
    return d


def other_keys(x):
    d = {}
    if x > 0:
        d["b"] = x
    else:
        d["c"] = 1
    return "b" in d, len(d), list(d), d.get("b", x * 2)


def function_from_a_table(x, i):
    fs = [np.sin, np.cos, abs]
    return fs[i](x)


def word_by_number(i):
    return ["zero", "one", "two"][i]


def word_by_key(x, k):
    d = {0: "a", 1: "b"}
    return d[k]


def item_of_a_pair_by_number(x, i):
    return [("a", 1), ("b", 2)][i][0]


def function_by_name(x, i):
    table = {"s": np.sin, "c": np.cos}
    k = "s" if i > 0 else "c"
    return table[k](x)


def state_machine(xs):
    state = "idle"
    n = 0
    for x in xs:
        if state == "idle":
            if x > 0:
                state = "run"
        elif state == "run":
            n += 1
            if x < 0:
                state = "idle"
    return state, n


def counted_by_word(xs):
    d = {"pos": 0, "neg": 0}
    for x in xs:
        k = "pos" if x > 0 else "neg"
        d[k] += 1
    return d


def asked_in_every_way(x):
    d = {"a": x}
    if x > 0:
        d["b"] = 1
    keys = [k for k in d]
    for k in d:
        d[k] = d[k] + 1
    same = d == {"a": x + 1, "b": 2}
    if "b" in d and len(d) == 2:
        del d["a"]
    merged = {**d, "z": 0}
    return keys, d, same, merged, not d, f"{len(d)}", list(d.items())


def emptied_in_a_loop(x):
    d = {}
    while x > 0:
        d["last"] = x
        x = x - 1
    return d, bool(d)


def argument_changed(d, x):
    if x > 0:
        d["new"] = x
    else:
        d.pop("old")
    return len(d)


ONE = [
    *(attribute_on_one_path, one_of_two_sets, key_on_one_path, other_keys),
    *(asked_in_every_way, emptied_in_a_loop),
]
BY_NUMBER = [function_from_a_table, item_of_a_pair_by_number, function_by_name]
OVER = [state_machine, counted_by_word]


@pytest.mark.parametrize("program", ONE, ids=lambda program: program.__name__)
@pytest.mark.parametrize("number", [2.0, -3.0])
def test_a_container_on_two_paths_is_what_python_has(program, number):
    if program is attribute_on_one_path and number < 0:
        with pytest.raises(AttributeError):
            assert_same_as_python(program, np.float64(number))
    else:
        assert_same_as_python(program, np.float64(number))


@pytest.mark.parametrize("program", BY_NUMBER, ids=lambda program: program.__name__)
@pytest.mark.parametrize("at", [0, 1, -1])
def test_what_a_number_picks_is_what_python_picks(program, at):
    assert_same_as_python(program, np.float64(0.5), np.int64(at))


@pytest.mark.parametrize("at", [0, 2, -3])
def test_a_word_by_number(at):
    assert_same_as_python(word_by_number, np.int64(at))


@pytest.mark.parametrize("at", [3, -4])
def test_a_number_that_is_no_index_is_pythons_error(at):
    with pytest.raises(IndexError, match="list index out of range"):
        assert_same_as_python(word_by_number, np.int64(at))


def test_a_key_that_is_not_there_is_pythons_error():
    assert_same_as_python(word_by_key, 1.0, np.int64(1))
    with pytest.raises(KeyError):
        assert_same_as_python(word_by_key, 1.0, np.int64(7))


@pytest.mark.parametrize("program", OVER, ids=lambda program: program.__name__)
def test_a_word_that_changes_in_a_loop(program):
    assert_same_as_python(program, np.array([1.0, 2.0, -1.0, 3.0, 4.0]))


@pytest.mark.parametrize("number", [2.0, -3.0])
def test_a_dict_of_the_callers_is_changed(number):
    assert_same_as_python(argument_changed, {"old": 1.5}, np.float64(number))
