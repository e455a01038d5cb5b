"""What is one list in Python is one in what a call returns and leaves outside."""

import collections
import dataclasses
from typing import Any

import numpy as np
import pytest

import autograph as ag
from tests.conformance.harness import agree

one, minus = np.float64(1.0), np.float64(-1.0)


@dataclasses.dataclass
class Record:
    items: Any
    other: Any = None


class Holder:
    def __init__(self, items):
        self.items = items


def identities(thing: Any, numbers: dict[int, int]) -> Any:
    """The shape of a result, with a number for each object in it that can change."""
    if dataclasses.is_dataclass(thing) or isinstance(thing, Holder):
        inside = list(vars(thing).values())
    elif isinstance(thing, dict):
        inside = list(thing.values())
    elif isinstance(thing, (list, tuple, collections.deque)):
        inside = list(thing)
    elif isinstance(thing, (set, bytearray, np.ndarray)):
        inside = []
    else:
        return None
    number = 0
    if not isinstance(thing, tuple):
        number = numbers.setdefault(id(thing), len(numbers))
    return number, [identities(part, numbers) for part in inside]


def twice(x):
    made = [x]
    return made, made


def nested(x):
    made = [x]
    return [made, made], {"a": made}


def inside_a_tuple(x):
    pair = ([x], 1)
    return pair, pair


def made_of_constants(x):
    made = ["a", 1]
    return made, (made, x)


def changed_in_a_branch(x):
    made = [x]
    both = (made, [made])
    if x > 0:
        made.append(2.0)
    return both


def grown(x):
    made = []
    while x < 3:
        made.append(x)
        x = x + 1
    return made, {"k": [made]}


def of_several_kinds(x):
    made = {"a": 1}
    if x > 0:
        made["b"] = x
    return made, [made]


def chosen(x):
    a, b = [1, x], [2, x]
    c = a if x > 0 else b
    return a, b, c


def records(x):
    made = Record([x])
    made.other = made.items
    return made, made


def objects_and_lists(x):
    made = [x]
    return Holder(made), Holder(made), made


def deques_and_sets(x):
    made, some, raw = collections.deque([x]), {1, 2}, bytearray(b"ab")
    if x > 0:
        some.add(3)
    return made, made, some, [some], raw, (raw,)


def slices_are_new(x):
    made = [[x], [2.0]]
    return made, made[:1], list(made)


PROGRAMS = [
    *(twice, nested, inside_a_tuple, made_of_constants, changed_in_a_branch, grown),
    *(of_several_kinds, chosen, records, objects_and_lists, deques_and_sets),
    slices_are_new,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
@pytest.mark.parametrize("x", [one, minus])
def test_one_list_in_python_is_one_in_the_result(program, x):
    staged = ag.function(program)
    for _ in range(2):
        found = staged(x)
        assert identities(found, {}) == identities(program(x), {})


def test_a_shared_list_is_new_at_each_call():
    staged = ag.function(twice)
    staged(one)[0].append("mine")
    assert agree(twice(one), staged(one))


@pytest.mark.parametrize("make", [set, bytearray, collections.Counter])
def test_a_set_is_new_at_each_call(make):
    @ag.function
    def give(x):
        made = make(b"ab")
        return made, x

    first = give(one)[0]
    first.clear()
    assert give(one)[0] == make(b"ab")


SEEN = {1, 2}


def test_a_set_of_the_users_is_returned_itself():
    @ag.function
    def give(x):
        return SEEN, x

    assert give(one)[0] is SEEN
    assert give(minus)[0] is SEEN


def test_a_list_that_is_left_in_two_places_outside_is_one():
    first, second = [], []

    @ag.function
    def leave(x):
        made = [x]
        first.append(made)
        second.append(made)

    leave(one)
    leave(minus)
    assert first[0] is second[0]
    assert first[1] is second[1]
    assert first[0] is not first[1]


def test_a_list_put_into_an_argument_is_the_one_returned():
    @ag.function
    def put(given, x):
        made = [x]
        given.append(made)
        given.append(made)
        return made

    given: list[Any] = []
    made = put(given, one)
    assert given[0] is made
    assert given[1] is made
