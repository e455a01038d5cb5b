"""Heaps and sorted lists: what `heapq` and `bisect` do to lists of the run.

Numbers are moved by `heapq` itself, in the list. What consists of several parts is kept
in a list for each: there the order is found for whole items, and the parts follow it.
"""

from __future__ import annotations

import bisect
import heapq
import itertools
from collections.abc import Callable
from typing import Any

from runtime.op import op
from runtime.ops.basic import WEAK_INT
from runtime.ops.lists import INDICES, MUTATES, List, scalar
from runtime.ops.template import fill
from runtime.spec import ListSpec, TensorSpec, join


def _item(xs: TensorSpec) -> TensorSpec:
    assert isinstance(xs, ListSpec)
    return xs.item


def _changes(name: str, change: Callable[..., Any]) -> Callable[..., Any]:
    MUTATES[name] = change
    return lambda xs, *inputs: change([*xs], *inputs)


def _push(xs: List, item: Any) -> List:
    heapq.heappush(xs, scalar(item))
    return xs


@op(kernel=_changes("heap_push", _push))
def heap_push(xs: TensorSpec, item: TensorSpec) -> TensorSpec:
    """`xs` after `heapq.heappush(xs, item)`."""
    return ListSpec(join(_item(xs), item))


def _pop(xs: List) -> tuple[List, Any]:
    item = heapq.heappop(xs)
    return xs, item


@op(kernel=_changes("heap_pop", _pop))
def heap_pop(xs: TensorSpec) -> tuple[TensorSpec, TensorSpec]:
    """`xs` after `heapq.heappop(xs)`, and the item. IndexError: there is none."""
    return xs, _item(xs)


class _Heap:
    """The places of items in a heap, moved as `heapq` moves the items."""

    def __init__(self, items: List) -> None:
        self.items = items
        self.order = list(range(len(items)))

    def _is_less(self, a: int, b: int) -> bool:
        return bool(self.items[a] < self.items[b])

    def rise(self, at: int, top: int = 0) -> None:
        """Move the item at `at` up, past all that are greater."""
        order, moved = self.order, self.order[at]
        while at > top:
            above = (at - 1) // 2
            if not self._is_less(moved, order[above]):
                break
            order[at], at = order[above], above
        order[at] = moved

    def sink(self, at: int) -> None:
        """Move the item at `at` to the bottom, past the lesser ones, and up again."""
        order, top, moved = self.order, at, self.order[at]
        while (below := 2 * at + 1) < len(order):
            other = below + 1
            if other < len(order) and not self._is_less(order[below], order[other]):
                below = other
            order[at], at = order[below], below
        order[at] = moved
        self.rise(at, top)

    def replace(self, moved: int) -> int:
        """Put another item in the place of the first; which that was."""
        first, self.order[0] = self.order[0], moved
        self.sink(0)
        return first


def _pushed(items: List) -> list[int]:
    heap = _Heap(items)
    heap.rise(len(items) - 1)
    return heap.order


def _popped(items: List) -> list[int]:
    heap = _Heap(items)
    if not heap.order:
        raise IndexError("index out of range")
    last = heap.order.pop()
    first = heap.replace(last) if heap.order else last
    return [first, *heap.order]


def _replaced(items: List) -> list[int]:
    heap = _Heap(items)
    moved = heap.order.pop()
    if not heap.order:
        raise IndexError("index out of range")
    return [heap.replace(moved), *heap.order]


def _pushed_and_popped(items: List) -> list[int]:
    heap = _Heap(items)
    moved = heap.order.pop()
    if heap.order and items[heap.order[0]] < items[moved]:
        moved = heap.replace(moved)
    return [moved, *heap.order]


def _made(items: List) -> list[int]:
    heap = _Heap(items)
    for at in reversed(range(len(items) // 2)):
        heap.sink(at)
    return heap.order


# Of items of which the last one is the new one, if there is one.
STEPS: dict[str, Callable[[List], list[int]]] = {
    "heapify": _made,
    "heappop": _popped,
    "heappush": _pushed,
    "heappushpop": _pushed_and_popped,
    "heapreplace": _replaced,
}


@op(kernel=lambda xs, *, step: STEPS[step](xs))
def heap_order(xs: TensorSpec, *, step: str) -> TensorSpec:
    """The indices of the items as the step of `heapq` leaves them.

    The item that the step gives, if it gives one, is the first. IndexError: as heapq's.
    """
    return INDICES


def _merged(keys: List, *dynamic: Any, lengths: Any, reverse: Any) -> list[int]:
    lengths, is_reversed = fill((lengths, reverse), dynamic)
    ends = [*itertools.accumulate(lengths, initial=0)]
    runs = itertools.starmap(range, itertools.pairwise(ends))
    return [*heapq.merge(*runs, key=keys.__getitem__, reverse=scalar(is_reversed))]


@op(kernel=_merged)
def merge_order(
    keys: TensorSpec, *dynamic: TensorSpec, lengths: tuple[Any, ...], reverse: Any
) -> TensorSpec:
    """The indices of items as `heapq.merge` gives them, of lists one after the other.

    keys: one for each item; lengths, reverse: templates of the lists' lengths, a bool
    """
    return INDICES


def _bisect(xs: List, *dynamic: Any, args: tuple[Any, ...], word: str) -> int:
    return getattr(bisect, word)(xs, *fill(args, dynamic))


@op(kernel=_bisect)
def list_bisect(
    xs: TensorSpec, *dynamic: TensorSpec, args: tuple[Any, ...], word: str
) -> TensorSpec:
    """`bisect.bisect_left(xs, *args)`, or what `word` says; args: a template."""
    return WEAK_INT
