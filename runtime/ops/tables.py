"""Tables: the keys of a dict or set, each with its place in lists of keys and values.

What a key is found by is Python's own hash and equality, so 1, 1.0 and True are one key
here, and the errors are those of a dict. A place is never given twice: what is deleted
leaves one behind that nobody asks for any more. As for lists, an op that changes a
table gives a new one, and MUTATES has the function that changes it in place.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

from runtime.op import op, outputs
from runtime.ops.basic import WEAK_BOOL, WEAK_INT
from runtime.ops.lists import ANYTHING, INDICES, MUTATES, List, scalar
from runtime.ops.template import Input, fill
from runtime.spec import ListSpec, ObjectSpec, TensorSpec, join
from runtime.table_spec import TableSpec

Table = dict[Any, int]
# In the past of a set: it was given itself, which Python does otherwise.
ITSELF = object()


class Members(Table):
    """The table of a set, which knows in which order Python goes through that.

    That depends on all that was added and taken away before. What is added stands in
    the dict in its order, until something is taken away: so it is put there plainly,
    by whoever has a dict.
    """

    __slots__ = ("log", "noted", "real")

    def __init__(self) -> None:
        # The methods that were called on it, with what they were given.
        self.log: list[tuple[str, tuple[Any, ...]]] = []
        # How many of the keys, from the first on, are there by these.
        self.noted = 0
        self.real: set[Any] | None = None

    def copy(self) -> Members:
        """Another table of the same keys, with the same past."""
        made = Members()
        made.update(self)
        made.log, made.noted = [*self.log], self.noted
        return made

    def __deepcopy__(self, memo: Any) -> Members:
        # Keys do not change, and a copy of `real` would have another order.
        return self.copy()

    def members(self) -> set[Any]:
        """The set itself."""
        self.note_added()
        if self.real is None:
            real: set[Any] = set()
            for word, given in self.log:
                made = getattr(real, word)(*(real if x is ITSELF else x for x in given))
                real = made if type(made) is set else real
            self.real = real
        return self.real

    def pop(self, key: Any, *default: Any) -> Any:
        """Take the key away. KeyError: it is not there."""
        self.note_added()
        found = super().pop(key, *default)
        self._note("discard", key)
        self.noted = len(self)
        return found

    def popitem(self) -> tuple[Any, int]:
        """Take the key away that a set gives. KeyError: it is empty."""
        key = self.members().pop()
        self.log.append(("pop", ()))
        at = super().pop(key)
        self.noted = len(self)
        return key, at

    def note_added(self) -> None:
        """Note the keys that were put into the table since this was asked."""
        if self.noted < len(self):
            for key in islice(self, self.noted, None):
                self._note("add", key)
            self.noted = len(self)

    def _note(self, word: str, key: Any) -> None:
        self.log.append((word, (key,)))
        if self.real is not None:
            getattr(self.real, word)(key)


def copied(table: Table) -> Table:
    """Another table of the same keys."""
    return table.copy()


TABLE = TableSpec()
# A set that nobody else has: no list, which would be copied where it leaves.
MEMBERS = ObjectSpec(set)
# The ops that change a table.
CHANGES: set[str] = set()


def key_of(dynamic: tuple[Any, ...], key: Any) -> Any:
    """The key that a template means; a 0-d result may be held as an array."""
    if type(key) is Input:
        return scalar(dynamic[0])
    return fill(key, tuple(map(scalar, dynamic)))


def _changes(name: str, change: Callable[..., Any]) -> Callable[..., Any]:
    """The kernel of an op that changes a table: `change` on a copy."""
    CHANGES.add(name)
    MUTATES[name] = change
    return lambda table, *inputs, **named: change(table.copy(), *inputs, **named)


@op(kernel=lambda *, of_set: Members() if of_set else {})
def table_of(*, of_set: bool) -> TensorSpec:
    """A table without keys, of a dict or of a set."""
    return TABLE


def _put(table: Table, new: int, *dynamic: Any, key: Any) -> tuple[Table, int]:
    return table, table.setdefault(key_of(dynamic, key), new)


@op(kernel=_changes("table_put", _put))
def table_put(
    table: TensorSpec, new: TensorSpec, *dynamic: TensorSpec, key: Any
) -> tuple[TensorSpec, TensorSpec]:
    """The table with the key, at the place `new` if it is new, and its place.

    key: a template. TypeError: it has no hash.
    """
    return TABLE, WEAK_INT


def _put_all(table: Table, new: int, keys: List) -> tuple[Table, List]:
    found = []
    for key in keys:
        at = table.setdefault(key, new)
        new += at == new
        found.append(at)
    return table, found


@op(kernel=_changes("table_put_all", _put_all))
def table_put_all(
    table: TensorSpec, new: TensorSpec, keys: TensorSpec
) -> tuple[TensorSpec, TensorSpec]:
    """The table with all keys of a list, and their places; the new ones from `new` on.

    TypeError: one has no hash.
    """
    return TABLE, INDICES


def _delete(table: Table, *dynamic: Any, key: Any) -> tuple[Table, int]:
    return table, table.pop(key_of(dynamic, key))


@op(kernel=_changes("table_delete", _delete))
def table_delete(
    table: TensorSpec, *dynamic: TensorSpec, key: Any
) -> tuple[TensorSpec, TensorSpec]:
    """The table without the key, and the place that it had. KeyError: it is not there.

    key: a template
    """
    return TABLE, WEAK_INT


def _delete_last(table: Table) -> tuple[Table, int]:
    return table, table.popitem()[1]


@op(kernel=_changes("table_delete_last", _delete_last))
def table_delete_last(table: TensorSpec) -> tuple[TensorSpec, TensorSpec]:
    """The table without its last key, and the place of that.

    KeyError: it has none, as `popitem` says it.
    """
    return TABLE, WEAK_INT


@op(kernel=lambda table, *dynamic, key: table[key_of(dynamic, key)])
def table_at(table: TensorSpec, *dynamic: TensorSpec, key: Any) -> TensorSpec:
    """The place of a key. KeyError: it is not there."""
    return WEAK_INT


@op(kernel=lambda table, *dynamic, key: table.get(key_of(dynamic, key), -1))
def table_find(table: TensorSpec, *dynamic: TensorSpec, key: Any) -> TensorSpec:
    """The place of a key, -1 where it is not there."""
    return WEAK_INT


@op(kernel=lambda table, *dynamic, key: key_of(dynamic, key) in table)
def table_has(table: TensorSpec, *dynamic: TensorSpec, key: Any) -> TensorSpec:
    """Whether the key is there."""
    return WEAK_BOOL


@op(kernel=len, source="len({0})")
def table_len(table: TensorSpec) -> TensorSpec:
    """How many keys there are, a Python int."""
    return WEAK_INT


def _combined(
    table: Table, other: Table, new: int, *, word: str
) -> tuple[Members, List]:
    assert isinstance(table, Members)
    made = Members()
    given: Any = ITSELF
    if table is not other:
        given = dict.fromkeys(other)
        if isinstance(other, Members):
            given = other.copy().members()
    table.note_added()
    made.log = [*table.log, (word, (given,))]
    mine = {id(key): at for key, at in table.items()}
    theirs = {id(key): at + new for key, at in other.items()}
    order = [mine.get(id(k), theirs.get(id(k), 0)) for k in made.members()]
    made.update(zip(made.members(), range(len(order)), strict=True))
    made.noted = len(made)
    return made, order


@op(kernel=lambda *inputs, word: outputs(_combined(*inputs, word=word)))
def table_combined(
    table: TensorSpec, other: TensorSpec, new: TensorSpec, *, word: str
) -> tuple[TensorSpec, TensorSpec]:
    """What a method of a set gives for another, or for a dict: a table, and old places.

    word: the method. The places of `other` are those from `new` on.
    """
    return TABLE, INDICES


def _order(table: Table) -> List:
    if type(table) is Members:
        return [table[key] for key in table.members()]
    return list(table.values())


@op(kernel=_order)
def table_order(table: TensorSpec) -> TensorSpec:
    """The places of all keys, in the order in which Python goes through them."""
    return INDICES


def _size(table: Table, order: List, *, word: str) -> int:
    if len(table) != len(order):
        raise RuntimeError(f"{word} changed size during iteration")
    if word != "Set" and list(table.values()) != order:
        raise RuntimeError("dictionary keys changed during iteration")
    return len(order)


@op(kernel=_size)
def table_same(table: TensorSpec, order: TensorSpec, *, word: str) -> TensorSpec:
    """How many keys there are, while it is gone through in `order`.

    RuntimeError: it has others than when that began; word: what it is
    """
    return WEAK_INT


@op(kernel=lambda table, values, *, make: make(table, values))
def table_whole(table: TensorSpec, values: TensorSpec, *, make: Any) -> TensorSpec:
    """The dict, as it leaves the graph; make: of a table and its values."""
    return ANYTHING


def _members(table: Table) -> set[Any]:
    # What is no set's stands for one of several, and in this run it is another one.
    return table.copy().members() if type(table) is Members else set()


@op(kernel=_members)
def table_members(table: TensorSpec) -> TensorSpec:
    """The set, as it leaves the graph."""
    return MEMBERS


# Lists of what stands at the places.


def _set_or_add(xs: List, at: int, item: Any) -> List:
    # One slice for an item that is there and for a new one.
    xs[at : at + 1] = [scalar(item)]
    return xs


def _add(xs: List, at: int, item: Any) -> List:
    if at == len(xs):
        xs.append(scalar(item))
    return xs


def _all(change: Callable[[List, int, Any], List]) -> Callable[..., List]:
    def changed(xs: List, places: List, items: List) -> List:
        for at, item in zip(places, items, strict=True):
            change(xs, at, item)
        return xs

    return changed


def _count_all(xs: List, places: List) -> List:
    for at in places:
        if at == len(xs):
            xs.append(1)
        else:
            xs[at] = xs[at] + 1
    return xs


_CHANGES: dict[str, Callable[..., List]] = {
    "list_put": _set_or_add,
    "list_put_new": _add,
    "list_put_all": _all(_set_or_add),
    "list_put_all_new": _all(_add),
    "list_count_all": _count_all,
}
MUTATES |= _CHANGES
CHANGES_LISTS = frozenset(_CHANGES)


def _on_a_copy(name: str) -> Callable[..., List]:
    return lambda xs, *inputs: _CHANGES[name]([*xs], *inputs)


def _with(xs: TensorSpec, item: TensorSpec) -> TensorSpec:
    assert isinstance(xs, ListSpec)
    return ListSpec(join(xs.item, item))


@op(kernel=_on_a_copy("list_put"))
def list_put(xs: TensorSpec, at: TensorSpec, item: TensorSpec) -> TensorSpec:
    """After `xs[at] = item`, where `at` may be the place behind the last one."""
    return _with(xs, item)


@op(kernel=_on_a_copy("list_put_new"))
def list_put_new(xs: TensorSpec, at: TensorSpec, item: TensorSpec) -> TensorSpec:
    """The same, but an item that is there stays."""
    return _with(xs, item)


def _with_all(xs: TensorSpec, items: TensorSpec) -> TensorSpec:
    assert isinstance(items, ListSpec)
    return _with(xs, items.item)


@op(kernel=_on_a_copy("list_put_all"))
def list_put_all(xs: TensorSpec, at: TensorSpec, items: TensorSpec) -> TensorSpec:
    """`list_put` of each of `items` at each of the places `at`."""
    return _with_all(xs, items)


@op(kernel=_on_a_copy("list_put_all_new"))
def list_put_all_new(xs: TensorSpec, at: TensorSpec, items: TensorSpec) -> TensorSpec:
    """`list_put_new` of each of `items` at each of the places `at`."""
    return _with_all(xs, items)


@op(kernel=_on_a_copy("list_count_all"))
def list_count_all(xs: TensorSpec, at: TensorSpec) -> TensorSpec:
    """`xs[at] = xs[at] + 1` at each of the places, from 0 behind the last one."""
    return _with(xs, WEAK_INT)
