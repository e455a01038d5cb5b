"""How a dict is staged whose keys depend on data: its uses in converted code.

The dict object is the user's; what it holds is a StagedDict of the tracer's, which the
operators here ask and replace. A dict of constant keys becomes one where it gets a key
that is known only when the graph runs.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, KeysView
from functools import partial
from typing import Any

from autograph.operators.slots import call
from runtime import build
from runtime.errors import StagingTypeError, located
from runtime.ops import world
from runtime.ops.basic import WEAK_BOOL
from runtime.tensor import Tensor
from tracer import asked_dicts, places
from tracer.cond import choose, cond
from tracer.dict_objects import MAPPINGS, is_keyed, made_like, now, put
from tracer.dict_rows import KEYS, DictView
from tracer.grown_keys import grows
from tracer.item_type import settled
from tracer.list_objects import wholes
from tracer.picking import holds_choice, over
from tracer.staged_dict import StagedDict
from tracer.state import EMPTY
from tracer.tree import holds_tensor


def can_be_keyed(of: Any) -> bool:
    """True for a dict that may get keys that depend on data."""
    return type(of) in MAPPINGS


def each(key: Any, function: Callable[[Any], Any]) -> Any:
    """`function(key)`, in a branch each where the key is one of several."""
    key = settled(key)
    return over(function, key) if holds_choice(key) else function(key)


def get_item(of: Any, key: Any) -> Any:
    """`of[key]`."""
    return each(key, partial(_get, of))


def _get(of: Any, key: Any) -> Any:
    values = asked_dicts.values_of(of)
    if values is not None:
        return asked_dicts.item(of, values, key)
    if type(of) is Counter:
        return _or(now(of), key, lambda: 0)
    factory = getattr(of, "default_factory", None)
    if factory is not None:
        make_missing(of, key, lambda: places.created(call(factory)))
    return there(now(of), key)


def there(held: StagedDict, key: Any) -> Any:
    """The value of the key. KeyError: it is not there."""
    if held.is_nothing:
        raise KeyError(key)
    return held.values.get(held.at(key))


def _or(held: StagedDict, key: Any, missing: Callable[[], Any]) -> Any:
    """The value of the key; `missing()` where it is not there."""
    if held.is_nothing:
        return missing()
    at = held.find(key)
    return choose(at >= 0, lambda: held.values.get(at), missing)


def make_missing(of: Any, key: Any, make: Callable[[], Any]) -> None:
    """Give the dict an item of that key if it has none."""
    held = now(of)

    def fill() -> None:
        put(of, now(of).put(key, make()))

    if held.is_nothing:
        fill()
    else:
        cond(held.has(key), lambda: None, fill, EMPTY)


def set_item(value: Any, of: Any, key: Any) -> None:
    """`of[key] = value`."""
    each(key, lambda one: put(of, now(of).put(one, value)))


def merge(of: Any, other: StagedDict) -> None:
    """`of.update(other)`, of what another dict holds."""
    put(of, now(of).merged(other))


def add(of: Any, item: Any) -> None:
    """`of.add(item)`, whether that depends on data or not."""
    if is_keyed(of) or holds_tensor(item) or grows(of, item):
        require_own(of)
        set_item(None, of, item)
    else:
        places.watched(of.add, (item,))


# The methods of sets that give another one, by their operators.
OF_SETS = {
    "|": "union",
    "&": "intersection",
    "-": "difference",
    "^": "symmetric_difference",
}


def operate(word: str, plain: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    """`left word right`, of which one is a dict or set whose keys depend on data."""
    if type(left) is type(right) is set and word in OF_SETS:
        return combined(left, OF_SETS[word], right)
    kinds = (type(left), type(right))
    if word == "|" and Counter not in kinds and all(k in MAPPINGS for k in kinds):
        return made_like(left, now(left).merged(now(right)))
    # Python's own error; a Counter's `+` goes through its items, and refuses.
    plain(*map(_empty, (left, right)))
    raise _only_sets("an operand")


def _only_sets(what: str) -> StagingTypeError:
    return located(
        StagingTypeError(
            f"a dict or set whose keys depend on data is {what} beside something else"
        ),
        "Make a set of both first: `set(a)`.",
    )


def _empty(of: Any) -> Any:
    return of if type(of) is Counter or not is_keyed(of) else type(of)()


def combined(of: Any, word: str, other: Any) -> Any:
    """What a method of a set gives for another set."""
    return made_like(set(), now(of).combined(word, now(other)))


def require_own(of: Any) -> None:
    """Before a set gets what a run knows. TypeError: it is from outside."""
    frame = build.current()
    if type(of) is set and frame is not None and id(of) not in frame.trace.created:
        raise located(
            StagingTypeError(
                "a set from outside gets an item that is known only when the graph runs"
            ),
            "Return the items, and add them after the call.",
        )


def set_method(word: str, of: Any, other: Any) -> Any:
    """`of.issubset(other)` and the like, of two sets."""
    return _asked(getattr(set, word), of, other)


# The methods of sets that change one, by the words of their operators.
IN_PLACE = {
    "ior": "update",
    "iand": "intersection_update",
    "isub": "difference_update",
    "ixor": "symmetric_difference_update",
}


def take_over(word: str, of: Any, other: Any) -> bool:
    """`of |= other`, if one is a dict whose keys depend on data; False for others."""
    is_set = type(of) is type(other) is set
    if word not in IN_PLACE or (word != "ior" and not is_set):
        return False
    if type(of) is Counter or not (
        is_set or (can_be_keyed(of) and isinstance(other, dict))
    ):
        return False
    if not (is_keyed(of) or is_keyed(other)):
        return False
    if is_set:
        require_own(of)
        put(of, now(of).combined(IN_PLACE[word], now(other)))
    else:
        merge(of, now(other))
    return True


def delete(of: Any, key: Any) -> None:
    """`del of[key]`; a Counter may be without it."""
    each(key, partial(_without if type(of) is Counter else taken, of))


def discard(of: Any, key: Any) -> None:
    """`of.discard(key)`."""
    each(key, partial(_without, of))


def _without(of: Any, key: Any) -> None:
    held = now(of)
    if not held.is_nothing:
        cond(held.has(key), lambda: taken(of, key), lambda: None, EMPTY)


def taken(of: Any, key: Any) -> Any:
    """The value of a key, which is no more there."""
    held = now(of)
    if held.is_nothing:
        raise KeyError(key)
    rest, at = held.delete(key)
    put(of, rest)
    return held.values.get(at)


def contains(item: Any, of: Any) -> Any:
    """`item in of`, of a dict or of what a view of it gives."""
    if type(of) is DictView and of.what != KEYS:
        items = of.listed()
        return over(lambda one: items.contains(wholes(one)), item)
    if asked_dicts.is_long(of):
        return each(item, partial(asked_dicts.contains, of))
    held = now(of.of if type(of) is DictView else of)
    return each(item, lambda key: False if held.is_nothing else held.has(key))


def compared(comparison: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
    """`a == b` or `a != b`; other comparisons fail as Python's do."""
    if type(a) is type(b) is set:
        return _asked(comparison, a, b)
    if comparison not in (operator.eq, operator.ne):
        comparison(*map(_empty, (a, b)))
    if any(isinstance(x, (frozenset, KeysView, DictView)) for x in (a, b)):
        raise _only_sets("compared")
    if not (isinstance(a, dict) and isinstance(b, dict)):
        return comparison is operator.ne
    return _asked(comparison, a, b)


def _asked(comparison: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
    return world.python_call(
        *map(_whole, (a, b)), function=comparison, result=WEAK_BOOL
    )


def _whole(of: Any) -> Tensor:
    made = wholes(of)
    return made if isinstance(made, Tensor) else now(of).whole(of)


def get(of: Any, key: Any, default: Any = None, /) -> Any:
    """`of.get(key, default)`."""
    values = asked_dicts.values_of(of)
    if values is not None:
        read = partial(asked_dicts.item_or, of, values)
        return each(key, lambda one: read(one, lambda: default))
    return each(key, lambda one: _or(now(of), one, lambda: default))


def refuse_method(name: str, *_: Any, **__: Any) -> Any:
    """Refuse a method of a dict or set that is not staged."""
    raise located(
        StagingTypeError(f"`.{name}` of a dict or set whose keys depend on data"),
        "Go through its items by a loop.",
    )
