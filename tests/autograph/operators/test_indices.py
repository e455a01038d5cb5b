"""What stands for an int by its `__index__` is asked as converted code."""

import operator

import numpy as np
import pytest

import autograph as ag


class Counted:
    """Stands for the number of its items, and counts how often it is asked."""

    def __init__(self, items):
        self.items = list(items)
        self.asked = 0

    def __index__(self):
        self.asked += 1
        return len(self.items)


class Hinted:
    def __init__(self, items):
        self.items = list(items)

    def __length_hint__(self):
        return len(self.items)


class Is:
    def __init__(self, thing):
        self.thing = thing

    def __index__(self):
        return self.thing


def ranges(items, x):
    found = Counted(items)
    return [*range(found)], range(1, found, 2), range(9, 0, -found.__index__())


def keys(items, x):
    at, numbers = Counted(items), (10, 20, 30, 40, 50, 60)
    part, kept = numbers[at:], list(numbers)
    kept[at] = 0
    del kept[at]
    return numbers[at], "abcdef"[at], part, numbers[:at], kept, at.asked


def of_arrays(items, x):
    at = Counted(items)
    y = x + 1
    y[at] = 9
    return x[at], x[at, 0], x[0, at], x[at, 0:at], y


def hints(items, x):
    asked = Hinted(items)
    return operator.length_hint(asked), operator.length_hint(asked, 1)


def numbers(items, x):
    return operator.index(Counted(items)), operator.index(Is(len(items)))


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize("program", [ranges, keys, of_arrays, hints, numbers])
def test_lists_of_the_runs_length_are_seen(program, backend):
    staged, x = ag.function(program), np.arange(36.0).reshape(6, 6)
    with ag.config(backend=backend):
        for items in ([1, 2], [1, 2, 3], [1, 2, 3, 4], [5, 6]):
            want, found = program(items, x), staged(items, x)
            assert repr(found) == repr(want)


@pytest.mark.parametrize("thing", [1.5, "a", None, np.ones(2)])
def test_what_is_no_int_is_refused_as_in_python(thing):
    def find(thing):
        try:
            return [1, 2, 3][Is(thing)]
        except TypeError as error:
            return str(error)

    want = "__index__ returned non-int (type"
    assert find(thing).startswith(want)
    assert ag.function(find)(thing) == find(thing)


def test_one_from_outside_is_asked_by_each_call():
    at = Counted([1])

    @ag.function
    def find(x):
        return [5, 6, 7][at], x[at]

    for _ in range(3):
        find(np.arange(3.0))
    assert at.asked == 6


class Sub(int):
    def __index__(self):
        return 5


def of_ints_by_class(x):
    at = Sub(1)
    return [10, 20][at], x[at], "abc"[at], range(at), operator.index(at) is at


def of_tuples(x):
    asked, items = [], [1, 2]
    try:
        return items[Told("a", asked, 0), 1]
    except TypeError as error:
        return str(error), asked


class Told:
    def __init__(self, name, asked, number):
        self.name, self.asked, self.number = name, asked, number

    def __index__(self):
        self.asked.append(self.name)
        return self.number


def of_slices(x):
    asked = []
    ends = [Told(name, asked, at + 1) for at, name in enumerate("abc")]
    return x[ends[0] : ends[1] : ends[2]], asked, [*range(*ends)], asked


def of_arrays_by_no_int(x):
    try:
        return x[Is(x[0])]
    except IndexError as error:
        return str(error)


def hints_below_0(x):
    try:
        return operator.length_hint(Hint(-1))
    except ValueError as error:
        return str(error)


def hints_of_texts(x):
    try:
        return operator.length_hint(Hint("a"))
    except TypeError as error:
        return str(error)


class Hint:
    def __init__(self, thing):
        self.thing = thing

    def __length_hint__(self):
        return self.thing


@pytest.mark.parametrize(
    "program",
    [
        *(of_ints_by_class, of_tuples, of_slices, of_arrays_by_no_int),
        *(hints_below_0, hints_of_texts),
    ],
)
def test_they_are_asked_as_c_asks_them(program):
    x = np.arange(4.0)
    assert repr(ag.function(program)(x)) == repr(program(x))
