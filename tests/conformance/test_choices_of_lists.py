"""Names that hold one of several lists, of which some have a length of data's."""

import numpy as np
import pytest

from tests.conformance.managers import Manager, managed
from tests.conformance.things import Thing
from tests.conformance.trying import check


def truth(x, y):
    held = [x % 97, 3]
    if y > 1:
        held = held[: x % 3]
    return 1 if held else 8


def in_an_if(x, y):
    held = [x % 97, 3]
    if y > 1:
        held = held[: x % 3]
    if held and held[-1] > 2:
        return held
    return not held


def in_a_while(x, y):
    held = [x % 97, 3]
    if y > 1:
        held = held[: x % 3]
    total = 0
    while held:
        total += held.pop()
    return total


def popped(x, y):
    kept, other = [x, 3], [3, 3]
    if y > 1:
        other = [*kept][:3]
        kept = other[: x % 3]
        if len(kept) > 1:
            kept.pop(0)
    return other[-1] if kept else 8


@pytest.mark.parametrize("function", [truth, in_an_if, in_a_while, popped])
def test_what_is_asked_of_one_of_several_lists(function):
    values = [(np.int64(n), np.float64(y)) for n in (0, 1, 2) for y in (0.0, 2.0)]
    check(function, tuple(values))


def kept_by_a_checkpoint(x, p):
    for value in p:
        try:
            if x:
                made = Thing(3)
                found = any(value for each in p)
            else:
                found = any(value)
        except UnboundLocalError:
            print("unbound")
    return made.n, found


def test_a_choice_that_a_checkpoint_keeps_is_told_where_it_stands():
    p = np.ones(3)
    check(kept_by_a_checkpoint, ((np.int64(2), p), (np.int64(0), p)))


def holds(x, y):
    held = [x, 3]
    if y > 1:
        held = [x + 1 for _ in range(x)]
    return x in held, 3 in held, 1.0 not in held, y in held


def test_whether_one_of_several_lists_holds_something():
    values = [(np.int64(n), np.float64(y)) for n in (0, 1, 2) for y in (0.0, 3.0)]
    check(holds, tuple(values))


def with_one_of_two_managers(x, y):
    manager = Manager(x) if y > 1 else managed(x)
    with manager as kept:
        total = kept + 1
    return total


def test_a_with_of_one_of_two_managers():
    values = [(np.int64(n), np.float64(y)) for n in (0, 3) for y in (0.0, 3.0)]
    check(with_one_of_two_managers, tuple(values))


def beside_an_array(x, p):
    found = []
    for number, value in zip([x, 3], p):
        if value > 1:
            found.append(number)
    for word, value in zip(["a", "b", "c"], p[x:]):
        if value > 1:
            print(word, value)
    return found


def test_a_list_beside_an_array_keeps_its_kinds():
    p = np.array([1.0, 2.0, 3.0])
    check(beside_an_array, tuple((np.int64(n), p) for n in (0, 1, 2)))


def sought_in_a_list_of_data(x):
    xs = [v for v in [x, 3] if v]
    y = None if x > 1 else (3 if x else "b")
    pairs = [(v, 1) for v in xs]
    return y in xs, y not in xs, (y, 1) in pairs, ("a" if x > 1 else 3, 1) in pairs


def test_one_of_several_is_sought_in_a_list_of_data():
    check(sought_in_a_list_of_data, tuple((np.int64(n),) for n in (6, 0, 1)))


class Place:
    def __init__(self, at, size):
        self.at = at
        self.size = size


PLACES = [Place(np.array([1, 2]), 100), Place(np.array([1.5, 2]), 3.0)]


def first_of_objects(n):
    places = PLACES
    found = []
    for i in range(n):
        if i == 0:
            found.append(places[i])
            continue
        found.append(Place(places[i].at + n, 3.0))
    return [(place.at, place.size) for place in found]


def test_one_of_several_objects_of_one_type_is_an_item_of_a_list():
    check(first_of_objects, ((np.int64(3),), (np.int64(2),)))


def added_by_an_operator(i, x):
    rows = [["a", "b"], ["c"], []]
    found = []
    same = found
    found += rows[i]
    is_same = found is same
    for k in range(i + 1):
        found += rows[k] + [""]
    return found, is_same, rows


def added_by_a_method(i, x):
    rows = [[1.0, 2.0], (3.0,), []]
    found = [x * 1.5]
    found.extend(rows[i])
    found.append(x)
    found.extend(rows[i])
    return found, len(found)


def added_rows(i, x):
    rows = [[[1], [2]], [[3]], []]
    found = [[0]]
    found += rows[i]
    found[-1].append(4)
    return found, rows


def added_no_list(i, x):
    found = [0]
    found += [[1], 5, "ab"][i]
    return found


@pytest.mark.parametrize(
    "program", [added_by_an_operator, added_by_a_method, added_rows, added_no_list]
)
def test_a_list_grows_by_one_of_several(program):
    check(program, tuple((np.int64(i), np.float64(2.0)) for i in (2, 0, 1)))
