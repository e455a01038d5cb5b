"""asked_dicts: long dicts and sets of constants that data ask for a key.

Such a one (primes, the walls of a grid, prices by a number) is one table of the trace,
which no run makes anew. To compare a key with each of those that are there took of each
turn as many steps, and of machine code seconds to be made.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable
from typing import Any

from runtime.ops import tables
from runtime.ops.world import host_call
from runtime.structs import field, struct
from runtime.tensor import Tensor
from tracer.cond import choose
from tracer.staged_dict import key_template
from tracer.staged_list import StagedList
from tracer.tables import at_root, table_of

# With fewer a key is compared, which in machine code is a few instructions, and may be
# in vectors.
LONG = 16
# What is found by Python's own hash and equality, which machine code asks, too.
_PLAIN = frozenset({bool, int, float, complex, str, bytes, type(None)})
_DICTS = (dict, OrderedDict, Counter)
_ASKED = frozenset({*_DICTS, set, frozenset, type({}.keys())})


@struct(locked=True)
class Keys:
    """Gives a table of keys, always the same one, which nothing may change."""

    keys: tuple[Any, ...]
    table: dict[Any, int] = field(compare=False)

    # What asks twice for the same keys has one node: locked ones are equal by fields.
    def __init__(self, of: Iterable[Any]) -> None:
        object.__setattr__(self, "keys", (*of,))
        table = {key: place for place, key in enumerate(of)}
        object.__setattr__(self, "table", table)

    @property
    def __name__(self) -> str:
        return "keys"

    def __call__(self) -> dict[Any, int]:
        """The table."""
        return self.table


def is_long(of: Any) -> bool:
    """Whether it is a dict or set of so many constants that it is asked as a table."""
    return type(of) in _ASKED and len(of) > LONG and all(map(_is_plain, of))


def _is_plain(key: Any) -> bool:
    if type(key) is tuple:
        return all(map(_is_plain, key))
    return type(key) in _PLAIN


def contains(of: Any, key: Any) -> Tensor:
    """`key in of`, of a long one."""
    template, dynamic = key_template(key)
    found: Tensor = tables.table_has(_keys(of), *dynamic, key=template)
    return found


def values_of(of: Any) -> StagedList | None:
    """The numbers of a long dict by the places of its keys; None for any other."""
    if type(of) not in _DICTS or not is_long(of):
        return None
    found: StagedList | None = table_of([*of.values()], lambda _: None)
    return found


def item(of: Any, values: StagedList, key: Any) -> Any:
    """`of[key]`. KeyError: it is not there."""
    if type(of) is Counter:
        return item_or(of, values, key, lambda: 0)
    template, dynamic = key_template(key)
    return values.get(tables.table_at(_keys(of), *dynamic, key=template))


def item_or(of: Any, values: StagedList, key: Any, missing: Callable[[], Any]) -> Any:
    """`of[key]`; `missing()` where the key is not there."""
    template, dynamic = key_template(key)
    at = tables.table_find(_keys(of), *dynamic, key=template)
    return choose(at >= 0, lambda: values.get(at), missing)


def _keys(of: Iterable[Any]) -> Tensor:
    table = Keys(of)
    made: Tensor = at_root(
        lambda: host_call(
            function=table, args=(), kwargs={}, results=(tables.TABLE,), writes=False
        )
    )
    # No operator changes it in place.
    made.scalar = True
    return made
