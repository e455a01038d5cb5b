"""Sequences that hold staged values: compared as Python compares lists and tuples."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from typing import Any

from autograph.operators import dicts, objects
from autograph.operators.logical import and_, not_
from autograph.operators.registry import staging_of
from runtime.tensor import Tensor
from tracer import tree
from tracer.choice import varying
from tracer.cond import choose
from tracer.dict_objects import is_keyed
from tracer.varied import with_all

Comparison = Callable[[Any, Any], Any]
# The word of each of Python's six comparisons.
COMPARISONS: dict[Comparison, str] = {
    plain: word for word, (_, _, plain) in objects.COMPARISONS.items()
}


def compared(comparison: Comparison, a: Any, b: Any) -> Any:
    """`comparison(a, b)`; of two lists or tuples item by item, as Python does."""
    if varying(a) is not None or varying(b) is not None:
        return with_all((a, b), lambda: compared(comparison, a, b))
    if is_keyed(a) or is_keyed(b):
        return dicts.compared(comparison, a, b)
    kind = type(a)
    equality = comparison in (operator.eq, operator.ne)
    if kind is dict and kind is type(b) and equality and tree.holds_tensor((a, b)):
        same = _same_dicts(a, b)
        return same if comparison is operator.eq else not_(same)
    sequences = kind in (list, tuple) and kind is type(b)
    if not sequences or not tree.holds_tensor((a, b)):
        return objects.compared(a, COMPARISONS[comparison], b)
    if equality and len(a) != len(b):
        return comparison is operator.ne
    return _from(0, comparison, a, b)


def _same_dicts(a: dict[Any, Any], b: dict[Any, Any]) -> Any:
    """`a == b`: the same keys, and equal values for each."""
    if a.keys() != b.keys():
        return False
    pairs = [partial(same_item, a[key], b[key]) for key in a]
    return not_(not_(and_(True, *pairs)))


def _from(at: int, comparison: Comparison, a: Any, b: Any) -> Any:
    """The comparison of what follows the first `at` items, which are equal."""
    if at == min(len(a), len(b)):
        return comparison(len(a), len(b))
    same = same_item(a[at], b[at])

    def differ() -> Any:
        if comparison is operator.eq:
            return False
        if comparison is operator.ne:
            return True
        return compared(comparison, a[at], b[at])

    def go_on() -> Any:
        return _from(at + 1, comparison, a, b)

    if staging_of(same) is None:
        return go_on() if same else differ()
    return choose(same, go_on, differ)


def same_item(a: Any, b: Any) -> Any:
    """Whether two items are one object or equal: what `in` and `==` of lists ask."""
    if a is b:
        return True
    equal = compared(operator.eq, a, b)
    return not_(not_(equal)) if isinstance(equal, Tensor) else bool(equal)


def index_of(items: Any, item: Any, missing: Callable[[], Any]) -> Any:
    """The index of the first item that is `item`; `missing()` when there is none."""

    def look(at: int) -> Any:
        if at == len(items):
            return missing()
        same = same_item(items[at], item)
        if staging_of(same) is None:
            return at if same else look(at + 1)
        return choose(same, lambda: at, lambda: look(at + 1))

    return look(0)


def count_of(items: Any, item: Any) -> Any:
    """How many items are `item`."""
    return sum((_one(same_item(one, item)) for one in items), 0)


def _one(same: Any) -> Any:
    return same if isinstance(same, Tensor) else int(same)
