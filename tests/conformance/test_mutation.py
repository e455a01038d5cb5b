"""Containers and objects that a branch changes, in whatever way Python can."""

import bisect
import collections
import heapq

import numpy as np
import pytest

import autograph as ag


def appended(t):
    items = collections.deque([0], maxlen=2)
    if t > 0:
        items.append(1)
    else:
        items.appendleft(2)
    return list(items)


def pushed(t):
    heap = [5]
    if t > 0:
        heapq.heappush(heap, 1)
    else:
        bisect.insort(heap, 9)
    return heap


def by_its_class(t):
    items = [1]
    if t > 0:
        list.append(items, 2)
    else:
        list.append(items, 3)
    return items


def extended(t):
    items = [1]
    if t > 0:
        items += [2]
    else:
        items += [3]
    return items


def one_sided(t):
    items, known = [1, 2], {1: 1}
    if t > 0:
        items += [9]
        items.pop()
        known |= {1: 3}
    return items, known


def in_a_loop(t):
    items = [0.0, 0.0]
    while t < 3:
        items.reverse()
        items[0] += t
        t = t + 1
    return items


def deleted(t):
    items, known = [1, 2], {"a": 1, "b": 2}
    if t > 0:
        del items[0], (known["b"])
        known["b"] = 5
    else:
        del items[-1:]
    return items, known


def ordered(t):
    known = collections.OrderedDict(a=1)
    if t > 0:
        known.update(a=3)
    return dict(known)


class Thing:
    """Has attributes."""


def by_name(t):
    thing = Thing()
    thing.kind = 0
    if t > 0:
        setattr(thing, "ki" + "nd", 1)
    else:
        setattr(thing, "ki" + "nd", 2)
    return thing.kind


def only_asked(t):
    known, names = {"n": 2, "flag": True}, ["a", "b"]
    while t < 10:
        if known.get("flag"):
            t = t + np.zeros(known.get("n")).sum() + names.index("b")
    return t


def mapped(t):
    return list(map(absolute, [t, t * 2]))


def absolute(v):
    if v < 0:
        return -v
    return v


def counted(t):
    return next(enumerate([t, t * 2]))


def one_of_two_sets(t):
    small, large = {1}, {1}
    chosen = small if t > 0 else large
    chosen.add(2)
    return len(small), len(large)


def by_position(t):
    found = {}
    for i, v in enumerate(np.array([1.0, 2.0]) * t):
        found[i] = v
    return found


PROGRAMS = [
    *(appended, pushed, by_its_class, extended, one_sided, in_a_loop, deleted),
    *(ordered, by_name, only_asked, mapped, counted, by_position, one_of_two_sets),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
@pytest.mark.parametrize("number", [1.0, -1.0])
def test_branches_change_what_they_change_in_python(program, number):
    traced = ag.function(program)
    for _ in range(2):
        found = traced(np.float64(number))
        assert repr(found) == repr(program(np.float64(number)))


def test_a_step_of_zero_is_refused_as_by_python():
    def steps(n):
        total = 0
        for i in range(0, n, 0):
            total += i
        return total

    with pytest.raises(ValueError, match=r"^range\(\) arg 3 must not be zero$"):
        ag.function(steps)(np.int64(3))


def test_arrays_of_libraries_are_made_anew_by_each_call():
    @ag.function
    def made():
        return made_by_a_library()

    made()[0] = 9
    assert made().tolist() == [0.0, 0.0]


@ag.do_not_convert
def made_by_a_library():
    return np.zeros(2)


def test_one_code_object_reads_an_array_where_another_closure_has_a_number():
    def scaled_by(weight):
        @ag.function
        def scaled(x):
            return x + weight * 2

        return scaled

    weight = np.ones(2)
    scaled_by(1.0)(np.zeros(2))
    scaled = scaled_by(weight)
    scaled(np.zeros(2))
    weight[:] = 5
    assert scaled(np.zeros(2)).tolist() == [10.0, 10.0]


def test_a_refused_trace_leaves_objects_as_they_were():
    thing, items = Thing(), []
    thing.last = None

    @ag.function
    def program(x):
        thing.last = x
        items.append(x)
        return (v for v in items)

    with pytest.raises(TypeError):
        program.get_concrete_function(np.float64(1))
    assert thing.last is None
    assert items == []


@pytest.mark.parametrize("taking", [np.asarray, np.array, np.stack])
def test_numpy_takes_a_variable_as_it_is_at_each_call(taking):
    variable = ag.Variable([1.0, 2.0])

    @ag.function
    def program(x):
        return x + taking(variable if taking is not np.stack else [variable])

    program(np.zeros(2))
    variable.assign([5.0, 6.0])
    assert program(np.zeros(2)).ravel().tolist() == [5.0, 6.0]


class Table(dict):
    pass


def test_a_key_of_a_dict_of_a_class_cannot_depend_on_data():
    @ag.function
    def program(x):
        found = Table()
        found[x] = 1
        return len(found)

    with pytest.raises(TypeError) as caught:
        program(np.int64(1))
    assert str(caught.value) == (
        "an item of a dict is set by a key that is known only when the graph runs"
    )
    (note,) = caught.value.__notes__[1:]
    assert note == "  Use a dict itself, or an array with an index as the key."
