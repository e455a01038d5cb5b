"""Tuples and deques of a length that the run finds: lists until they leave the graph.

They are made, joined and gone through by the ops of lists. Here is what differs: how
one leaves the graph, and what it says of an item that it has not.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from runtime.op import op
from runtime.ops.basic import WEAK_INT
from runtime.ops.lists import ANYTHING, MUTATES
from runtime.ops.template import fill
from runtime.spec import ListSpec, TensorSpec, join


@op(kernel=lambda xs: tuple(xs), source="tuple({0})")
def list_tuple(xs: TensorSpec) -> TensorSpec:
    """`tuple(xs)`: the items in a tuple, as it leaves the graph."""
    return ANYTHING


@op(kernel=lambda xs: deque(xs))
def list_deque(xs: TensorSpec) -> TensorSpec:
    """`deque(xs)`: the items in a deque, as it leaves the graph."""
    return ANYTHING


def _get(xs: list[Any], *dynamic: Any, index: tuple[Any], word: str) -> Any:
    (at,) = fill(index, dynamic)
    try:
        return xs[at]
    except IndexError:
        raise IndexError(f"{word} index out of range") from None


@op(kernel=_get)
def tuple_get(
    xs: TensorSpec, *dynamic: TensorSpec, index: tuple[Any], word: str
) -> TensorSpec:
    """`t[index]` of a tuple or deque with these items.

    word: what it is. IndexError: there is no such item, said of a tuple or deque.
    """
    assert isinstance(xs, ListSpec)
    return xs.item


def _pop(xs: list[Any], at: Any) -> tuple[list[Any], Any]:
    if not xs:
        raise IndexError("pop from an empty deque")
    item = xs.pop(at)
    return xs, item


MUTATES["deque_pop"] = _pop


@op(kernel=lambda xs, at: _pop(list(xs), at))
def deque_pop(xs: TensorSpec, at: TensorSpec) -> tuple[TensorSpec, TensorSpec]:
    """What `q.pop()` or `q.popleft()` leaves, and the item; at: -1 or 0.

    IndexError: there is no item.
    """
    assert isinstance(xs, ListSpec)
    return xs, xs.item


def _saying(change: Callable[..., Any]) -> Callable[..., Any]:
    """The change of a list, as a deque says where it has no such item."""

    def changed(xs: list[Any], *inputs: Any, **index: Any) -> Any:
        try:
            return change(xs, *inputs, **index)
        except IndexError:
            raise IndexError("deque index out of range") from None

    return changed


MUTATES["deque_set"] = _saying(MUTATES["list_set"])
MUTATES["deque_delete"] = _saying(MUTATES["list_delete"])


@op(kernel=lambda xs, *inputs, index: MUTATES["deque_set"]([*xs], *inputs, index=index))
def deque_set(
    xs: TensorSpec, content: TensorSpec, *dynamic: TensorSpec, index: tuple[Any]
) -> TensorSpec:
    """As `list_set` of one item. IndexError: in a deque's words."""
    assert isinstance(xs, ListSpec)
    return ListSpec(join(xs.item, content))


@op(kernel=lambda xs, *at, index: MUTATES["deque_delete"]([*xs], *at, index=index))
def deque_delete(xs: TensorSpec, *dynamic: TensorSpec, index: tuple[Any]) -> TensorSpec:
    """As `list_delete`. IndexError: in a deque's words."""
    return xs


def _rotated(xs: list[Any], n: Any) -> list[Any]:
    held = deque(xs)
    held.rotate(n)
    return list(held)


@op(kernel=_rotated)
def deque_rotate(xs: TensorSpec, n: TensorSpec) -> TensorSpec:
    """The items after `q.rotate(n)`."""
    return xs


@op(kernel=lambda xs, *dynamic, sought: tuple(xs).index(*fill(sought, dynamic)))
def tuple_index(xs: TensorSpec, *dynamic: TensorSpec, sought: Any) -> TensorSpec:
    """`t.index(*sought)` of a tuple. ValueError: in a tuple's words."""
    return WEAK_INT
