"""What `heapq` does with a heap, as Python would write it, converted as a user's.

A loop calls these instead where a heap holds numbers, or tuples of them: the parts of
an item stand in a list each, and what moves an item moves all of them.
"""

# Only the bodies run, in their converted form, with operators of the user's trace.
from __future__ import annotations

from typing import Any


def heappush(heap: Any, item: Any, /) -> None:
    """`heapq.heappush`."""
    heap.append(item)
    _rise(heap, len(heap) - 1)


def heappop(heap: Any, /) -> Any:
    """`heapq.heappop`."""
    if len(heap) == 0:
        raise IndexError("index out of range")
    last = heap.pop()
    first = last
    if len(heap) > 0:
        first = heap[0]
        heap[0] = last
        _sink(heap)
    return first


def heapreplace(heap: Any, item: Any, /) -> Any:
    """`heapq.heapreplace`."""
    if len(heap) == 0:
        raise IndexError("index out of range")
    first = heap[0]
    heap[0] = item
    _sink(heap)
    return first


def heappushpop(heap: Any, item: Any, /) -> Any:
    """`heapq.heappushpop`."""
    if len(heap) > 0 and heap[0] < item:
        first = heap[0]
        heap[0] = item
        _sink(heap)
        item = first
    return item


def _rise(heap: Any, at: Any) -> None:
    """Move the item at `at` up, past all that are greater."""
    item = heap[at]
    while at > 0 and item < heap[(at - 1) >> 1]:
        heap[at] = heap[(at - 1) >> 1]
        at = (at - 1) >> 1
    heap[at] = item


def _sink(heap: Any) -> None:
    """Move the first item to the bottom, past the lesser ones, and up again."""
    at, below, count = 0, 1, len(heap)
    item = heap[0]
    while below < count:
        if below + 1 < count and not heap[below] < heap[below + 1]:
            below += 1
        heap[at] = heap[below]
        at, below = below, 2 * below + 1
    heap[at] = item
    _rise(heap, at)
