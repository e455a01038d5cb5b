"""What a function does to its arguments and to outer arrays happens to the caller's.

Each program is run plain and decorated, on arguments made anew by one function, and
must leave the same in them and give the same.
"""

import collections
import copy
import dataclasses
import heapq
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
from tracer import tree


@dataclasses.dataclass
class State:
    position: Any
    speed: Any = 0.0


def append(items, x):
    items.append(x * 2)
    return len(items)


def append_twice(items, x):
    items.append(x)
    items.append(items[-1] + 1)
    return items


def set_item(items, x):
    items[0] = items[0] + x


def set_in_place(items, x):
    items[0] += x
    for item in items:
        item *= 2


def delete_and_insert(items, x):
    del items[0]
    items.insert(0, x.sum())
    items.extend([1, "a"])
    return items.pop()


def sort_by_c(items, x):
    items.clear()
    for number in (3, 1, 2):
        heapq.heappush(items, number)


def nested(items, x):
    inner = [x]
    items.append(inner)
    inner.append(x + 1)
    items.append(items[0])


def in_a_branch(items, x):
    if x.sum() > 2:
        items[0] = x * 3
    else:
        items[0] = x


def in_a_loop(items, x):
    while x.sum() < 100:
        x = x * 2
        items[0] = items[0] + x


def set_key(table, x):
    table["new"] = x * 2
    table["count"] = table.get("count", 0) + 1
    del table["x"]


def order_of_keys(table, x):
    table["z"], table["a"] = 1, 2
    first = table.pop("x")
    table["x"] = first


def update_and_default(table, x):
    table.update(y=x, x=x + 1)
    table.setdefault("list", []).append(x)


def inner_list(table, x):
    table["x"].append(x)


def attribute(state, x):
    state.position = state.position + x
    state.speed += 1.5


def deque(queue, x):
    queue.append(x)
    queue.rotate(1)


def list_of_states(states, x):
    for state in states:
        state.position = x
    states.append(State(x + 1))


def kept_as_it_is(items, x):
    return items, x


Make = Callable[[], Any]
XY = np.array([1.0, 2.0])


def arrays() -> Any:
    return [np.ones(2), np.zeros(2)]


def table() -> Any:
    return {"x": np.ones(2), "y": 3}


CASES: list[tuple[Callable[..., Any], Make]] = [
    (append, arrays),
    (append, list),
    (append_twice, arrays),
    (set_item, arrays),
    (set_in_place, arrays),
    (delete_and_insert, arrays),
    (sort_by_c, arrays),
    (nested, arrays),
    (in_a_branch, arrays),
    (in_a_loop, arrays),
    (set_key, table),
    (order_of_keys, table),
    (update_and_default, table),
    (inner_list, lambda: {"x": [np.ones(2)]}),
    (attribute, lambda: State(np.ones(2))),
    (deque, lambda: collections.deque([np.ones(2)])),
    (list_of_states, lambda: [State(np.ones(2))]),
    (kept_as_it_is, arrays),
]
NAMES = [f"{program.__name__}-{i}" for i, (program, _) in enumerate(CASES)]


def shown(thing: Any) -> str:
    """The structure with each leaf's type and content."""
    leaves, structure = tree.flatten(thing)
    texts = [f"{type(leaf).__name__} {leaf!r}" for leaf in leaves]
    return f"{structure} {texts} {thing!r}"


@pytest.mark.parametrize(("program", "make"), CASES, ids=NAMES)
def test_a_changed_argument_is_changed_as_in_python(program, make):
    function = ag.function(program)
    for _ in range(2):
        plain, staged, x = make(), make(), XY.copy()
        expected = program(plain, x.copy())
        assert shown(function(staged, x)) == shown(expected)
        assert shown(staged) == shown(plain)


@pytest.mark.parametrize(("program", "make"), CASES, ids=NAMES)
def test_a_trace_by_itself_changes_its_arguments_too(program, make):
    plain, staged = make(), make()
    traced = ag.function(program).get_concrete_function(make(), XY)
    expected = program(plain, XY.copy())
    assert shown(traced(staged, XY.copy())) == shown(expected)
    assert shown(staged) == shown(plain)


def test_an_argument_that_is_returned_is_the_callers_own():
    items, x = arrays(), XY.copy()
    same, same_x = ag.function(kept_as_it_is)(items, x)
    assert same is items
    assert same_x is x
    assert ag.function(append_twice)(items, x) is items


def test_one_list_passed_twice_is_one_list():
    def both(first, second, x):
        first.append(x)
        return len(second)

    items: list[Any] = []
    assert ag.function(both)(items, items, XY) == 1
    assert len(items) == 1


def test_getting_a_trace_changes_nothing():
    items = arrays()
    ag.function(append).get_concrete_function(items, XY)
    assert len(items) == 2


def test_arrays_passed_twice_or_overlapping_change_as_in_python():
    def program(x, y):
        x += 1
        y *= 2
        return x[0]

    for pick in (lambda a: (a, a), lambda a: (a[:3], a[1:]), lambda a: (a, a[::-1])):
        plain, staged = np.arange(4.0), np.arange(4.0)
        expected = program(*pick(plain))
        assert ag.function(program)(*pick(staged)) == expected
        assert staged.tolist() == plain.tolist()


def test_arrays_within_containers_change_in_place():
    a, b = np.ones(2), np.ones(2)
    kept = {"a": [a], "b": (b,)}

    @ag.function
    def program(p):
        p["a"][0] += 1
        p["b"][0][0] = 5

    program(kept)
    assert (a.tolist(), b.tolist()) == ([2.0, 2.0], [5.0, 1.0])
    assert kept["a"][0] is a


weights = np.ones(2)
counts = {name: np.zeros(2) for name in ("seen", "found", "double")}


def test_globals_and_closure_arrays_are_read_at_each_call_and_written_back():
    local = np.zeros(2)

    @ag.function
    def program(x):
        local[0] += x.sum()
        counts["seen"] += x
        found = counts["found"]
        found += x
        np.multiply(x, 2, out=counts["double"])
        return x + weights

    assert program(XY).tolist() == [2.0, 3.0]
    weights[0] = 10
    assert program(XY).tolist() == [11.0, 3.0]
    assert local.tolist() == [6.0, 0.0]
    left = {name: array.tolist() for name, array in counts.items()}
    assert left == {"seen": [2.0, 4.0], "found": [2.0, 4.0], "double": [2.0, 4.0]}


def test_a_copy_of_an_argument_is_not_the_argument():
    items = arrays()

    @ag.function
    def program(items, x):
        mine = copy.copy(items)
        mine.append(x)
        other = list(items)
        other.append(x)
        return len(items), len(mine), len(other)

    assert program(items, XY) == (2, 3, 3)
    assert len(items) == 2
