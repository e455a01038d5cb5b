"""Lists, dicts and objects of the arguments that what a call leaves behind holds."""

import collections
from dataclasses import dataclass
from functools import partial

import pytest

import autograph as ag

KEPT = []


class Held(Exception):
    """An object, and an exception, that holds what it is given."""

    def __init__(self, held):
        super().__init__("held")
        self.held = held


@dataclass
class Pair:
    number: float
    items: list


def closed_over(given):
    return lambda: given


def by_another_name(given):
    one = given

    def inner():
        return one

    def outer():
        return inner()

    return outer


def in_a_default(given):
    def get(held=given):
        return held

    return get


def in_an_attribute(given):
    def get():
        return get.held

    get.held = given
    return get


def in_a_partial(given):
    return partial(lambda held: held, given)


def in_a_tuple_of_a_closure(given):
    pair = (1, (given, 2))
    return lambda: pair[1][0]


def beside_itself(given):
    return {"given": given, "get": lambda: given}["get"]


def in_a_method(given):
    class Local:
        def __init__(self):
            self.held = given

        def get(self):
            return self.held

    return Local().get


def in_a_list_outside(given):
    KEPT.append(lambda: given)
    return KEPT[-1]


def in_what_was_caught(given):
    try:
        raise Held(given)
    except Held as error:
        return error


PROGRAMS = [
    *(closed_over, by_another_name, in_a_default, in_an_attribute, in_a_partial),
    *(in_a_tuple_of_a_closure, beside_itself, in_a_method, in_a_list_outside),
    in_what_was_caught,
]
GIVEN = {
    "lists": [[1, 2], [3], [4, 5, 6]],
    "of floats": [[1.5] * n for n in (1, 2, 3)],
    "dicts": [{"k": 1}, {"k": 2}, {"j": 3}],
    "sets": [{1}, {2, 3}, set()],
    "deques": [collections.deque([n]) for n in range(3)],
    "records": [Pair(1.0, [2]), Pair(3.0, [4]), Pair(5.0, [])],
    "lists in lists": [[[1], [2]], [[3]], []],
}


@pytest.mark.parametrize("kind", GIVEN)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda one: one.__name__)
def test_what_is_left_behind_holds_the_argument_itself(program, kind):
    staged, left = ag.function(program), []
    for given in GIVEN[kind]:
        left.append(staged(given))
    for found, given in zip(left, GIVEN[kind], strict=True):
        assert (found.held if isinstance(found, Held) else found()) is given


def test_methods_and_views_are_of_the_argument_itself():
    numbers, names = [1], {"k": 1}
    assert ag.function(lambda xs: xs.append)(numbers)(2) is None
    assert numbers == [1, 2]
    view = ag.function(lambda names: names.items())(names)
    names["j"] = 2
    assert [*view] == [("k", 1), ("j", 2)]
    assert ag.function(lambda names: names.get)(names)("j") == 2


def test_a_function_put_into_an_object_holds_the_argument_itself():
    def put(one, given):
        one.get = lambda: given

    staged, one, other = ag.function(put), Held(0), Held(1)
    first, second = [1], [2, 3]
    staged(one, first), staged(other, second)
    assert one.get() is first
    assert other.get() is second
