"""How a list is staged whose length depends on data: its uses in converted code.

The list object is the user's; what it holds is a StagedList of the tracer's, which the
operators here ask and replace.
"""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from autograph.operators import dicts
from autograph.operators.items import by_reference, is_mixed, set_picked
from autograph.operators.keys import picks
from autograph.operators.registry import Body, register, staging_of
from autograph.operators.tensors import TENSORS, picked, staged_iterable
from runtime import build, objects
from runtime.errors import StagingTypeError, located
from runtime.numpy_api.operators import set_repeat
from runtime.ops import basic, tuples
from runtime.ops.lists import list_delete
from runtime.tensor import Tensor
from tracer import collecting, mixed_items, places, tree
from tracer.choice import Choice, each, varying
from tracer.dict_objects import is_keyed, staged_dict
from tracer.dict_rows import DictRows, DictView
from tracer.exits import Exit
from tracer.item_type import NoItemType, common_type
from tracer.list_objects import is_staged, made, made_like, put, staged, wholes
from tracer.picking import over
from tracer.rows import want_alike
from tracer.staged_dict import StagedDict
from tracer.staged_list import StagedList
from tracer.state import State
from tracer.tables import table_of
from tracer.words import IF_WORDS, Words

Call = Callable[..., Any]


def asked(value: Any) -> Any:
    """What a condition asks of `value`: of such a list, whether it has items."""
    held = staged_dict(value) if is_keyed(value) else staged(value)
    return value if held is None else held.length() > 0


class ListStaging:
    """Stages what depends on lists whose length is known only when the graph runs."""

    def if_stmt(
        self,
        condition: Any,
        body: Body,
        orelse: Body,
        state: State,
        words: Words = IF_WORDS,
    ) -> Exit:
        """By whether the list has items."""
        return TENSORS.if_stmt(asked(condition), body, orelse, state, words)

    def while_stmt(
        self, test: Callable[[], Any], body: Body, state: State, orelse: Body | None
    ) -> Exit:
        """While the list has items."""
        return TENSORS.while_stmt(lambda: asked(test()), body, state, orelse)

    def for_stmt(
        self,
        iterable: Any,
        body: Callable[[Any], Exit],
        state: State,
        orelse: Body | None,
    ) -> Exit:
        """A `while` node that counts, and looks at the list anew in each turn."""
        return TENSORS.for_stmt(staged_iterable(iterable), body, state, orelse)

    def items(self, iterable: Any) -> Iterator[Any] | None:
        """Not known before the run."""
        return None

    def if_exp(
        self,
        condition: Any,
        body: Callable[[], Any],
        orelse: Callable[[], Any],
        state: State,
    ) -> Any:
        """By whether the list has items."""
        return TENSORS.if_exp(asked(condition), body, orelse, state)

    def not_(self, operand: Any) -> Any:
        """Whether the list is empty."""
        return basic.not_(asked(operand))

    def assert_stmt(
        self, condition: Any, message: Callable[[], Any] | None, state: State
    ) -> None:
        """That the list has items."""
        TENSORS.assert_stmt(asked(condition), message, state)

    def get_item(self, of: Any, key: Any) -> Any:
        """An item, or a new list for a slice; such a list as a key is an array."""
        if dicts.can_be_keyed(of):
            return dicts.get_item(of, key)
        if type(of) in (list, tuple) and not of:
            return places.created(of[at_start(key)])
        if type(of) is not list and not is_staged(of) and not is_mixed(of):
            return TENSORS.get_item(of, _arrays(key))
        if by_reference(of, key):
            return picked(of, key)
        held = table_of(of, held_by)
        if held is None:
            return TENSORS.get_item(of, key)
        if type(key) is slice:
            return made_like(of, held.slice(key))
        return held.get(key, type(of).__name__)

    def set_item(self, value: Any, of: Any, key: Any) -> None:
        """The list with another item, or with others for a slice."""
        if dicts.can_be_keyed(of):
            dicts.set_item(value, of, key)
            return
        if type(of) is deque:
            put(of, require_held(of).set(key, value, tuples.deque_set))
            return
        if type(of) is not list:
            TENSORS.set_item(_arrays(value), of, _arrays(key))
            return
        if not of and type(key) is slice and isinstance(value, list):
            put(of, value if (held := staged(value)) is None else held)
            return
        if not of:
            places.watched(of.__setitem__, (at_start(key), value))
            return
        if by_reference(of, key) or picks(of, key, value):
            set_picked(value, of, key)
            return
        held = require_held(of)
        content = _as_list(items_of(value), held) if type(key) is slice else value
        put(of, held.set(key, content))

    def contains(self, item: Any, container: Any) -> Any:
        """`item in container`, as the list compares."""
        if isinstance(container, (dict, set, frozenset, DictView)):
            return dicts.contains(item, container)
        if not is_staged(container):
            return TENSORS.contains(item, container)
        held = require_held(container)
        return over(lambda one: held.contains(wholes(one)), item)


LISTS = ListStaging()


def at_start(key: Any) -> Any:
    """A key that means in an empty list what `key`, which depends on data, does."""
    return slice(None, None, key.step) if type(key) is slice else 0


def held_by(of: Sequence[Any], mixed: bool = False) -> StagedList | None:
    """What a list holds, mixed or not, as a StagedList; None if none can hold it."""
    held = staged(of)
    if held is not None:
        return held
    try:
        kind = common_type(of, mixed)
    except NoItemType:
        want_alike(of)
        return None
    return None if kind is None else StagedList.of(of, kind)


def require_held(of: Sequence[Any]) -> StagedList:
    """What a list of items holds, as a StagedList. TypeError: none can hold it."""
    held = held_by(of)
    if held is None:
        build.want_references()
        held = held_by(of, mixed=True)
    if held is None:
        raise located(
            StagingTypeError(
                "what a list holds depends on data, and no graph holds its items"
            ),
            mixed_items.ELSE,
        )
    return held


def items_of(iterable: Any) -> Any:
    """The items of an iterable: a StagedList where their number depends on data."""
    held = staged(objects.items(iterable) if objects.is_object(iterable) else iterable)
    if held is not None:
        return held
    rows = staged_iterable(iterable)
    if type(rows) is DictRows:
        return rows.view.listed()
    if staging_of(rows) is None:
        return list(rows)
    return collecting.items_of(rows, iterable)


def _as_list(items: Any, like: StagedList) -> StagedList:
    """Items as such a list; what no items are is told by the list `like`."""
    if isinstance(items, StagedList):
        return items
    return require_held(items) if items else StagedList.of([], like.type)


def _arrays(part: Any) -> Any:
    """Such lists within a key or a value as arrays."""
    held = staged(part)
    if held is not None:
        return held.stack()
    return tuple(map(_arrays, part)) if type(part) is tuple else part


# Methods.


def method(of: Any, name: str) -> Call | None:
    """What the method of a list or tuple becomes, if it is one that is staged."""
    found = _METHODS.get(name)
    return None if found is None else partial(found, of)


def _append(of: list[Any], item: Any, /) -> None:
    put(of, require_held(of).append(item))


def _extend(of: list[Any], iterable: Any, /) -> None:
    if type(iterable) is Choice:  # nothing goes through lists of unlike lengths
        each(iterable, lambda option: call(of.extend, (option,)))
    else:
        _add(of, items_of(iterable))


def _add(of: list[Any], items: Any) -> None:
    """`of += items`."""
    if isinstance(items, StagedList):
        held = require_held(of) if of else StagedList.of([], items.type)
        put(of, held.extend(items))
        return
    held = require_held(of)
    for item in items:
        held = held.append(item)
    put(of, held)


def _insert(of: list[Any], at: Any, item: Any, /) -> None:
    put(of, require_held(of).insert(at, item))


def _pop(of: list[Any], at: Any = -1, /) -> Any:
    if not of:
        return of.pop()
    rest, item = require_held(of).pop(at)
    put(of, rest)
    return item


def _remove(of: list[Any], item: Any, /) -> None:
    put(of, require_held(of).remove(wholes(item)))


def _clear(of: list[Any], /) -> None:
    put(of, [])


def _reverse(of: list[Any], /) -> None:
    put(of, require_held(of).reverse())


def _sort(of: list[Any], *, key: Any = None, reverse: Any = False) -> None:
    put(of, sorted_items(of, key, reverse))


def sorted_items(of: Any, key: Any, reverse: Any) -> StagedList:
    """What `sorted(of, key=key, reverse=reverse)` holds."""
    held = require_held(of)
    by = (
        None
        if key is None
        else collecting.collected(held, lambda item: call(key, (item,)))
    )
    is_known = not isinstance(reverse, Tensor)
    return held.sort(by, bool(operator.index(reverse)) if is_known else reverse)


def call(function: Any, args: tuple[Any, ...], kwargs: Any = None) -> Any:
    """`function(*args)`, as converted code calls it."""
    return _call[0](function, args, kwargs)


# How a function of the user's is called: entered by autograph.operators.calls.
_call: list[Call] = []


def set_call(converted_call: Call) -> None:
    """Tell how a function is called that gets the items (done once)."""
    _call[:] = [converted_call]


def _copy(of: list[Any], /) -> list[Any]:
    return made(require_held(of))


def _index(of: Sequence[Any], /, *sought: Any) -> Any:
    found = require_held(of)
    return found.index(*wholes(sought), in_tuple=type(of) is tuple)


def _count(of: Sequence[Any], item: Any, /) -> Any:
    return require_held(of).count(wholes(item))


_METHODS: dict[str, Call] = {
    "append": _append,
    "extend": _extend,
    "insert": _insert,
    "pop": _pop,
    "remove": _remove,
    "clear": _clear,
    "reverse": _reverse,
    "sort": _sort,
    "copy": _copy,
    "index": _index,
    "count": _count,
}
# With these, an argument of the run needs a staged list where the list is plain.
_BY_VALUE = frozenset({"insert", "pop", "remove", "index", "count", "extend"})


def method_of_plain(of: Any, name: str, args: Any) -> Call | None:
    """The method of a list of known length, where data say what it does."""
    by_data = name in _BY_VALUE and args and _is_staged(args[0])
    sorts = name in ("sort", "index", "count", "remove") and tree.holds_tensor(of)
    if name == "extend" and args and not _is_short(args[0]):
        plain = of and type(args[0]) is not Choice and held_by(of) is None
        return None if plain else method(of, name)
    if not of:
        start = name in ("insert", "pop") and args and isinstance(args[0], Tensor)
        first, plain = (0, *args[1:]), getattr(of, name)
        return (lambda *_: places.watched(plain, first)) if start else None
    if not (by_data or sorts):
        return None
    if name == "extend" or (name == "insert" and not isinstance(args[0], Tensor)):
        return None
    return method(of, name) if held_by(of) is not None else None


def _is_staged(part: Any) -> bool:
    return staging_of(part) is not None


def _is_short(part: Any) -> bool:
    """False for what is gone through, and has a length that depends on data."""
    if not _is_staged(part) or type(part) is Choice or varying(part) is not None:
        return type(part) is not Choice
    return not isinstance(staged_iterable(part).length(), Tensor)


# Operators.


def update(of: list[Any], word: str, operand: Any) -> list[Any]:
    """`of += operand`, `of *= operand`."""
    if word == "iadd":
        _extend(of, operand)
    elif word == "imul":
        put(of, require_held(of).repeat(operand))
    else:
        getattr(operator, word)([], operand)  # TypeError: a list has no such operator
    return of


def repeated(left: Any, right: Any) -> Any:
    """`[0] * n` or `n * [0]`, where a run tells n."""
    of, n = (right, left) if isinstance(left, Tensor) else (left, right)
    if not of:
        return of.copy() if type(of) is list else of
    return made_like(of, require_held(of).repeat(n))


def delete(of: Any, at: Any) -> None:
    """`del of[at]`."""
    if not of:
        places.watched(of.__delitem__, (at_start(at),))
        return
    op = tuples.deque_delete if type(of) is deque else list_delete
    put(of, require_held(of).delete(at, op))


register(StagedList, LISTS)
register(StagedDict, LISTS)
set_repeat(repeated)
