"""Lists: Python lists whose length is found when the graph runs, as immutable values.

An op that changes a list gives a new one. MUTATES has the function that changes it in
place instead: an executor calls that where nobody else can see the list. Errors are
those of Python's own list, since the values are Python's own lists.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import Any

import numpy as np

from runtime import spec as specs
from runtime.errors import UnforeseenValueError
from runtime.op import op, outputs
from runtime.ops.basic import WEAK_BOOL, WEAK_INT, cast
from runtime.ops.template import Input, fill
from runtime.shapes import Shape
from runtime.spec import ListSpec, TensorSpec, of_kinds

List = list[Any]
# Whole items, of any structure: what `list_zip` gives.
ANYTHING = ListSpec(TensorSpec(None, None))
INDICES = ListSpec(WEAK_INT)

# For each op that changes its first input: the function that does, and returns it.
MUTATES: dict[str, Callable[..., Any]] = {}


def scalar(x: Any) -> Any:
    """`x` as an item: a 0-d result may be held as an array, users see a scalar."""
    return x[()] if isinstance(x, np.ndarray) and x.ndim == 0 else x


def _mutates(name: str, change: Callable[..., Any]) -> Callable[..., Any]:
    """The kernel of an op that changes a list: `change` on a copy."""
    MUTATES[name] = change
    return lambda xs, *inputs, **attributes: change(list(xs), *inputs, **attributes)


def _joined(xs: TensorSpec, item: TensorSpec) -> TensorSpec:
    assert isinstance(xs, ListSpec), f"{xs!r} is no list"
    return ListSpec(specs.join(xs.item, item))


def _item(xs: TensorSpec) -> TensorSpec:
    assert isinstance(xs, ListSpec), f"{xs!r} is no list"
    return xs.item


# Making lists.


@op(kernel=lambda *items, item: [scalar(x) for x in items])
def list_of(*items: TensorSpec, item: TensorSpec) -> TensorSpec:
    """`[*items]`, a list of what `item` says."""
    return ListSpec(item)


@op(kernel=lambda x: list(x), source="list({0})")
def list_from_array(x: TensorSpec) -> TensorSpec:
    """`list(x)`: the rows of an array, or the numbers in it.

    TypeError: the array is 0-d.
    """
    if x.shape == ():
        raise TypeError("iteration over a 0-d array")
    return ListSpec(TensorSpec(None if x.shape is None else x.shape[1:], x.dtype))


def _zip(*lists: List, item: Any) -> List | None:
    if lists[0] is None:
        # One of several lists, and in this run it is another one.
        return None
    if item == Input(0):
        return list(lists[0])
    return [fill(item, parts) for parts in zip(*lists, strict=True)]


@op(kernel=_zip)
def list_zip(*lists: TensorSpec, item: Any) -> TensorSpec:
    """One list of whole items, their parts from `lists`.

    item: a template of an item, with a place for the part from each list
    """
    return lists[0] if item == Input(0) else ANYTHING


def _cast_items(xs: List, *, item: TensorSpec) -> List:
    if isinstance(item, ListSpec):
        return [_cast_items(x, item=item.item) for x in xs]
    assert cast.kernel is not None
    change = partial(cast.kernel, dtype=item.dtype, weak=item.weak)
    return [change(x) for x in xs]


@op(kernel=_cast_items)
def list_cast(xs: TensorSpec, *, item: TensorSpec) -> TensorSpec:
    """The same list with its items cast to another dtype, or to Python numbers."""
    return ListSpec(item)


# Changing lists.


def _append(xs: List, item: Any) -> List:
    xs.append(scalar(item))
    return xs


@op(kernel=_mutates("list_append", _append))
def list_append(xs: TensorSpec, item: TensorSpec) -> TensorSpec:
    """`xs` with one more item."""
    return _joined(xs, item)


def _extend(xs: List, ys: List) -> List:
    xs.extend(ys)
    return xs


@op(kernel=_mutates("list_extend", _extend))
def list_extend(xs: TensorSpec, ys: TensorSpec) -> TensorSpec:
    """`xs` with the items of `ys` after its own: `xs + ys`."""
    return _joined(xs, _item(ys))


def _insert(xs: List, at: Any, item: Any) -> List:
    xs.insert(at, scalar(item))
    return xs


@op(kernel=_mutates("list_insert", _insert))
def list_insert(xs: TensorSpec, at: TensorSpec, item: TensorSpec) -> TensorSpec:
    """`xs` with `item` before position `at`."""
    return _joined(xs, item)


def _pop(xs: List, at: Any) -> tuple[List, Any]:
    item = xs.pop(at)
    return xs, item


@op(kernel=_mutates("list_pop", _pop))
def list_pop(xs: TensorSpec, at: TensorSpec) -> tuple[TensorSpec, TensorSpec]:
    """`xs` without the item at `at`, and that item.

    IndexError: the list is empty, or has no such item.
    """
    return xs, _item(xs)


def _set(xs: List, content: Any, *dynamic: Any, index: tuple[Any]) -> List:
    (at,) = fill(index, dynamic)
    xs[at] = scalar(content)
    return xs


@op(kernel=_mutates("list_set", _set))
def list_set(
    xs: TensorSpec, content: TensorSpec, *dynamic: TensorSpec, index: tuple[Any]
) -> TensorSpec:
    """`xs` after `xs[index] = content`; for a slice, content is a list.

    index: a template of one index. IndexError: there is no such item.
    """
    return _joined(xs, _item(content) if type(index[0]) is slice else content)


def _delete(xs: List, *dynamic: Any, index: tuple[Any]) -> List:
    (at,) = fill(index, dynamic)
    del xs[at]
    return xs


@op(kernel=_mutates("list_delete", _delete))
def list_delete(xs: TensorSpec, *dynamic: TensorSpec, index: tuple[Any]) -> TensorSpec:
    """`xs` after `del xs[index]`; IndexError: there is no such item."""
    return xs


def _reverse(xs: List) -> List:
    xs.reverse()
    return xs


@op(kernel=_mutates("list_reverse", _reverse))
def list_reverse(xs: TensorSpec) -> TensorSpec:
    """`xs` in the opposite order."""
    return xs


def _sort(xs: List, *dynamic: Any, reverse: Any) -> List:
    xs.sort(reverse=scalar(fill(reverse, dynamic)))
    return xs


@op(kernel=_mutates("list_sort", _sort))
def list_sort(xs: TensorSpec, *dynamic: TensorSpec, reverse: Any) -> TensorSpec:
    """`xs` sorted as `list.sort` does; reverse: a template of a bool."""
    return xs


# Reading lists.


@op(kernel=len, source="len({0})")
def list_len(xs: TensorSpec) -> TensorSpec:
    """`len(xs)`, a Python int."""
    return WEAK_INT


def _get(xs: List, *dynamic: Any, index: tuple[Any]) -> Any:
    (at,) = fill(index, dynamic)
    return xs[at]


@op(kernel=_get)
def list_get(xs: TensorSpec, *dynamic: TensorSpec, index: tuple[Any]) -> TensorSpec:
    """`xs[index]`: an item, or a list for a slice.

    index: a template of one index. IndexError: there is no such item.
    """
    return xs if type(index[0]) is slice else _item(xs)


@cache
def unpacker(before: int, after: int | None) -> Callable[[Iterable[Any]], Any]:
    """Python's own unpacking, for its own errors."""
    names = [f"x{k}" for k in range(before)]
    if after is not None:
        names += ["*rest", *(f"y{k}" for k in range(after))]
    made: dict[str, Any] = {}
    targets = "".join(f"{name}, " for name in names)
    results = targets.replace("*", "")
    exec(f"def unpack(xs):\n    {targets}= xs\n    return {results}", made)
    return made["unpack"]


@op(kernel=lambda xs, *, before, after: outputs(unpacker(before, after)(xs)))
def list_unpack(
    xs: TensorSpec, *, before: int, after: int | None
) -> tuple[TensorSpec, ...]:
    """The items for `a, b = xs`, or for `a, *rest, b = xs` where after is not None.

    ValueError: the list has too many items, or not enough.
    """
    item = _item(xs)
    if after is None:
        return (item,) * before
    return (*[item] * before, xs, *[item] * after)


@op(kernel=operator.mul, source="{0} * {1}")
def list_repeat(xs: TensorSpec, n: TensorSpec) -> TensorSpec:
    """`xs * n`."""
    return xs


@op(kernel=lambda xs, order: [xs[i] for i in order])
def list_take(xs: TensorSpec, order: TensorSpec) -> TensorSpec:
    """The items of `xs` at the indices in the list `order`."""
    return xs


def _order(xs: List, *dynamic: Any, reverse: Any) -> List:
    is_reversed = scalar(fill(reverse, dynamic))
    return sorted(range(len(xs)), key=xs.__getitem__, reverse=is_reversed)


@op(kernel=_order)
def list_order(xs: TensorSpec, *dynamic: TensorSpec, reverse: Any) -> TensorSpec:
    """The indices that sort `xs`, equal items in the order that they stand in."""
    return INDICES


def _find(xs: List, *dynamic: Any, sought: tuple[Any, ...]) -> int:
    return xs.index(*fill(sought, dynamic))


@op(kernel=_find)
def list_index(
    xs: TensorSpec, *dynamic: TensorSpec, sought: tuple[Any, ...]
) -> TensorSpec:
    """`xs.index(*sought)`; sought: a template of the arguments.

    ValueError: it is not in the list.
    """
    return WEAK_INT


def _locate(xs: List, *dynamic: Any, sought: tuple[Any]) -> int:
    (item,) = fill(sought, dynamic)
    for position, found in enumerate(xs):
        if found is item or found == item:
            return position
    raise ValueError("list.remove(x): x not in list")


@op(kernel=_locate)
def list_locate(xs: TensorSpec, *dynamic: TensorSpec, sought: tuple[Any]) -> TensorSpec:
    """Where the item is that `xs.remove(*sought)` removes.

    ValueError: it is not in the list.
    """
    return WEAK_INT


def _count(xs: List, *dynamic: Any, sought: tuple[Any]) -> int:
    return xs.count(*fill(sought, dynamic))


@op(kernel=_count)
def list_count(xs: TensorSpec, *dynamic: TensorSpec, sought: tuple[Any]) -> TensorSpec:
    """`xs.count(*sought)`."""
    return WEAK_INT


def _contains(xs: List, *dynamic: Any, sought: tuple[Any]) -> bool:
    (item,) = fill(sought, dynamic)
    return item in xs


@op(kernel=_contains)
def list_contains(
    xs: TensorSpec, *dynamic: TensorSpec, sought: tuple[Any]
) -> TensorSpec:
    """`item in xs`, the item a template."""
    return WEAK_BOOL


COMPARISONS = {
    word: getattr(operator, word) for word in ("eq", "ne", "lt", "le", "gt", "ge")
}


@op(kernel=lambda xs, ys, *, word: COMPARISONS[word](xs, ys))
def list_compare(xs: TensorSpec, ys: TensorSpec, *, word: str) -> TensorSpec:
    """`xs == ys` and the like, of two lists of whole items; word: eq, lt, ..."""
    return WEAK_BOOL


def _stack(xs: List, *, spec: TensorSpec, dtype: Any = None) -> Any:
    made = np.array(xs) if dtype is None else np.array(xs, dtype)
    if not xs and not spec.accepts(made):
        # NumPy makes float64[0] of an empty list, whatever its items would be.
        raise UnforeseenValueError(
            "np.array of a list that is empty when the graph runs is float64[0], "
            f"but {spec!r} otherwise: test `if len(...)` first, or use np.stack"
        )
    return made


@op(kernel=_stack)
def list_stack(
    xs: TensorSpec, *, spec: TensorSpec, dtype: np.dtype[Any] | None = None
) -> TensorSpec:
    """`np.array(xs, dtype)`, an array that fits `spec`.

    ValueError: the items differ in shape, as NumPy says it; or the list is empty and
    the array would have another dtype or rank than `spec` says.
    """
    return spec


def stacked_spec(item: TensorSpec, dtype: Any = None) -> TensorSpec:
    """What `np.array` makes of a list of such items, if there is one in it."""
    shape: Shape = None if item.shape is None else (None, *item.shape)
    if item.kinds and dtype is None:
        return of_kinds(shape, [(d, False) for d in _promotions(item)])
    return TensorSpec(shape, item.dtype if dtype is None else dtype)


def _promotions(item: TensorSpec) -> set[np.dtype[Any]]:
    """The dtypes that arrays of some of the item's kinds have."""
    found: set[np.dtype[Any]] = set()
    for dtype, _ in item.kinds:
        found |= {dtype, *(np.result_type(dtype, other) for other in found)}
    return found
