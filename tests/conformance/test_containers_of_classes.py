"""Arguments that are lists, dicts and sets of a class of their own: what they hold."""

import gc
import types
import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag

pytestmark = pytest.mark.usefixtures("others_set_aside")

x = np.float64(5)


class Row(list):
    @ag.function
    def first(self, x):
        return self[0] * x

    @ag.function
    def add(self, x):
        self.append(x)
        return len(self), sum(self)


class Table(dict):
    @ag.function
    def at(self, x):
        return self["a"] * x


class Words(set):
    pass


def test_a_list_that_is_self_and_has_changed_is_read_again():
    row = Row([2])
    assert row.first(x) == 10
    row[0] = 9
    assert [row.first(x), row.first(x)] == [45, 45]
    row.insert(0, np.float64(1))
    assert row.first(x) == 5


def test_a_dict_that_is_self_and_has_changed_is_read_again():
    table = Table(a=2)
    assert table.at(x) == 10
    table["a"] = 9
    assert [table.at(x), table.at(x)] == [45, 45]


def swap(held: Any) -> None:
    held[0] = 9


CHANGES: dict[str, tuple[Any, Callable[..., Any], Callable[[Any], None]]] = {
    "list": (Row([2, 3]), lambda held, x: held[0] * x, swap),
    "dict": (Table({0: 2}), lambda held, x: held[0] * x, swap),
    "set": (Words({1}), lambda held, x: len(held) * x, lambda held: held.add(2)),
    "plain set": ({1}, lambda held, x: len(held) * x, lambda held: held.add(2)),
    "inside": (Row([[2]]), lambda held, x: held[0][0] * x, lambda held: swap(held[0])),
}


@pytest.mark.parametrize("kind", CHANGES)
def test_an_argument_that_has_changed_is_read_again(kind):
    held, python, change = CHANGES[kind]
    f = ag.function(python)
    assert f(held, x) == python(held, x)
    change(held)
    assert f(held, x) == python(held, x)
    assert len(f.traces()) == 2


def test_a_view_of_a_dict_that_has_changed_is_read_again():
    held = {"a": 2}
    f = ag.function(lambda view, x: view["a"] * x)
    assert f(types.MappingProxyType(held), x) == 10
    held["a"] = 9
    assert f(types.MappingProxyType(held), x) == 45


def test_a_list_that_the_call_changes_needs_few_traces():
    row = Row()
    assert [row.add(x) for _ in range(3)] == [(1, 5), (2, 10), (3, 15)]
    assert row == [5, 5, 5]


def test_an_argument_that_has_not_changed_needs_one_trace():
    row = Row([2])
    f = ag.function(lambda held, x: held[0] * x)
    assert [f(row, x), f(row, x)] == [10, 10]
    row[0] = 2
    assert f(row, x) == 10
    assert len(f.traces()) == 1


def test_the_argument_is_not_kept_alive():
    row = Row([2])
    row.first(x)
    gone = weakref.ref(row)
    del row
    gc.collect()
    assert gone() is None


def test_the_trace_says_what_has_changed():
    row = Row([2, 3])
    f = ag.function(lambda held, x: held[0] * x)
    f(row, x)
    row[0] = 9
    f(row, x)
    row.append(1)
    f(row, x)
    reasons = [trace.reason for trace in f.traces()]
    assert reasons == [
        "the first call",
        "what a Row holds, `[0]`: 2 -> 9",
        "what a Row holds: Row(9, 3) -> Row(9, 3, 1)",
    ]


class Checked(dict):
    """A dict that takes floats, and is filled in no other way."""

    def __setitem__(self, key, value):
        dict.__setitem__(self, key, float(value))

    def update(self, other):
        raise NotImplementedError

    clear = copy = update


class Bag(list):
    def extend(self, items):
        raise NotImplementedError

    clear = copy = extend


def test_methods_that_a_class_refuses_are_not_called_while_tracing():
    table, bag = Checked(a=1.0), Bag([1])

    def counted(x):
        table["a"] = table["a"] + 1
        bag.append(2)
        if x[0] > 2:
            bag.append(4)
            table["b"] = 4
        return x * table["a"] * len(bag)

    told = []
    for f in counted, ag.function(counted):
        dict.clear(table)
        table["a"], bag[:] = 1, [1]
        told.append([f(np.arange(3.0) + i).tolist() for i in range(5)])
        told[-1] += [dict(table), list(bag)]
    assert told[0] == told[1]
    assert told[0][-1] == [1, 2, 2, 2, 2, 4, 2, 4]


class Last(dict):
    """Several values for a key, of which it shows the last."""

    def __getitem__(self, key):
        return dict.__getitem__(self, key)[-1]

    def __iter__(self):
        return iter(sorted(dict.keys(self), reverse=True))

    def keys(self):
        return list(self)

    def items(self):
        return [(key, self[key]) for key in self]

    def add(self, key, part):
        dict.setdefault(self, key, []).append(part)

    def __delitem__(self, key):
        dict.__delitem__(self, key)
        self.gone = key


class LastInOrder(OrderedDict):
    __getitem__, items, keys = Last.__getitem__, Last.items, Last.keys

    def add(self, key, part):
        if key not in self:
            OrderedDict.__setitem__(self, key, [])
        dict.__getitem__(self, key).append(part)

    def __delitem__(self, key):
        OrderedDict.__delitem__(self, key)
        self.gone = key

    def __setitem__(self, key, part):
        raise AssertionError("nobody stores by it")


def added_and_deleted(held, c, x):
    held.add("a", x)
    held.add("b", x)
    if c:
        held.add("c", 3)
        del held["a"]
    return held["b"]


class Backwards(list):
    def __iter__(self):
        return reversed(list(list.__iter__(self)))

    def __len__(self):
        return 1


def appended(held, c, x):
    held.append(x)
    if c:
        held.append(7)
        del held[0]
    return held[0]


class Lone(set):
    def __iter__(self):
        return iter("x")

    def add(self, part):
        raise AssertionError("nobody adds by it")


def grown(held, c, x):
    set.add(held, 2)
    if c:
        set.discard(held, 1)
    return x


@pytest.mark.parametrize("c", [True, np.True_, np.False_])
@pytest.mark.parametrize(
    ("function", "kind"),
    [
        (added_and_deleted, Last),
        (added_and_deleted, LastInOrder),
        (appended, Backwards),
        (grown, Lone),
    ],
)
@pytest.mark.filterwarnings("ignore:.*is run as Python")
def test_changes_go_past_what_a_class_shows_of_itself(function, kind, c):
    staged = ag.function(function)
    base = kind.__mro__[1]
    for _ in range(3):
        found = []
        for call in function, staged:
            held = kind()
            base.__setitem__(held, "a", [1]) if issubclass(base, dict) else None
            list.append(held, 1) if base is list else None
            set.update(held, {1}) if base is set else None
            given = call(held, c, x)
            whole = base.items(held) if hasattr(held, "items") else base.__iter__(held)
            found.append((given, [*whole], vars(held)))
        assert repr(found[0]) == repr(found[1])


class OneToOne(dict):
    """Each value has one key; `inverse` leads back."""

    def __init__(self, given=()):
        self.inverse = {}
        for key in given:
            self[key] = given[key]

    def __setitem__(self, key, part):
        if part in self.inverse:
            del self[self.inverse[part]]
        dict.__setitem__(self, key, part)
        self.inverse[part] = key

    def same(self):
        return self.__class__(self)


def test_a_dict_of_a_class_that_is_made_is_given_past_its_stores():
    staged = ag.function(OneToOne.same)
    given = OneToOne({1: 2, 3: 4})
    for _ in range(3):
        made = staged(given)
        assert type(made) is OneToOne
        assert made is not given
        assert (dict(made), made.inverse) == ({1: 2, 3: 4}, {2: 1, 4: 3})


class Shy(list):
    def __iter__(self):
        raise RuntimeError("it is not to be gone through")


class ShyKeys(dict):
    def __iter__(self):
        raise RuntimeError("it is not to be gone through")

    keys = __iter__


class Numbered(OrderedDict):
    def __iter__(self):
        return iter([1, 2, 3])


def test_who_must_not_be_gone_through_is_stored_into():
    add = ag.function(lambda held, x: held.append(x))
    name = ag.function(lambda held, x: held.__setitem__("n", x))
    for _ in range(2):
        row, table = Shy(), ShyKeys()
        add(row, x)
        name(table, x)
        assert repr([row[0], *dict.items(table)]) == repr([x, ("n", x)])


def test_an_ordered_dict_outside_may_show_other_keys():
    held = Numbered()
    OrderedDict.__setitem__(held, "a", 2)
    f = ag.function(lambda x: held["a"] * x)
    assert [f(x), f(x)] == [10, 10]
    OrderedDict.__setitem__(held, "a", 3)
    assert f(x) == 15
