"""heaps: `heapq` and `bisect` of lists whose items or length are known at the run.

Numbers are pushed and popped in the list; of other items the order is found, in which
the parts of all items are taken.
"""

from __future__ import annotations

import bisect
import heapq
from collections.abc import Callable
from functools import partial, reduce
from typing import Any

from autograph import heap_steps
from autograph.operators import lists
from runtime import build
from runtime.ops import heaps
from runtime.ops.lists import list_get
from runtime.ops.template import encode
from runtime.spec import TensorSpec
from runtime.tensor import Tensor
from tracer import collecting, tree
from tracer.item_type import NoItemType, join, type_of_item
from tracer.list_objects import is_staged, made, put, staged, wholes
from tracer.staged_list import StagedList

Call = Callable[..., Any]
# The frame of a loop's turn.
LOOP = "body"


def call(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], again: Call
) -> Call | None:
    """What a call of one of their functions becomes; None where Python's own does.

    again: calls a function that converted code calls
    """
    try:
        found = _CALLS.get(function)
    except TypeError:
        # Unhashable, so it is none of theirs.
        return None
    if found is None or not args or not (type(args[0]) is list or len(args) > 1):
        return None
    if not any(map(_is_of_run, (args, kwargs))):
        return None
    step = _STEPS.get(function)
    if step is not None and _is_by_steps(*args):
        return lambda *given: again(step, given, {})
    return found


def _is_by_steps(heap: Any, *items: Any) -> bool:
    """Whether a loop has a heap of numbers, or tuples of them, which it moves itself.

    Elsewhere what is found for whole items is a step, and these are two loops.
    """
    frame = build.current()
    while frame is not None and frame.name != LOOP:
        frame = frame.parent
    held = staged(heap)
    if frame is None or held is None or held.is_nothing or held.shape.mixed:
        return False
    try:
        kind = reduce(join, map(type_of_item, items), held.type)
    except NoItemType:
        return False
    whole = kind.shape.structure
    inside = [whole] if whole.is_leaf() else whole.children()
    is_flat = whole.is_leaf() or whole.type is tuple
    is_known = all(of.is_leaf() or of.type is tuple for of in inside)
    numbers = all(type(of) is TensorSpec and of.shape == () for of in kind.specs)
    return is_flat and is_known and numbers and None in kind.shape.fixed


def _is_of_run(thing: Any) -> bool:
    if is_staged(thing) or tree.holds_tensor(thing):
        return True
    inside = thing.values() if type(thing) is dict else thing
    return type(thing) in (tuple, dict) and any(map(_is_of_run, inside))


def _heappush(heap: list[Any], item: Any, /) -> None:
    if not heap:
        lists.call(heap.append, (item,))
        return
    held = lists.require_held(heap)
    if _are_numbers(held) and _are_numbers(lists.require_held([item])):
        put(heap, held.put_item(heaps.heap_push, item))
    else:
        put(heap, held.append(item))
        put(heap, _in_order(lists.require_held(heap), "heappush"))


def _heappop(heap: list[Any], /) -> Any:
    if not heap:
        return heapq.heappop(heap)
    held = lists.require_held(heap)
    if held.is_nothing:
        raise IndexError("index out of range")
    if not _are_numbers(held):
        return _taken(heap, held, "heappop")
    rest, item = heaps.heap_pop(held.lists[0])
    put(heap, held.with_parts([rest]))
    return item


def _heapify(heap: list[Any], /) -> None:
    if heap:
        put(heap, _in_order(lists.require_held(heap), "heapify"))


def _heapreplace(heap: list[Any], item: Any, /) -> Any:
    if not heap:
        return heapq.heapreplace(heap, item)
    return _taken(heap, lists.require_held(heap).append(item), "heapreplace")


def _heappushpop(heap: list[Any], item: Any, /) -> Any:
    if not heap:
        return item
    return _taken(heap, lists.require_held(heap).append(item), "heappushpop")


def _are_numbers(held: StagedList) -> bool:
    """True where an item is one part, so that the list of parts is the heap."""
    return held.shape.structure.is_leaf() and held.shape.fixed == (None,)


def _in_order(held: StagedList, step: str) -> StagedList:
    return held.take(heaps.heap_order(held.zipped(), step=step))


def _taken(heap: list[Any], held: StagedList, step: str) -> Any:
    """The item that the step gives, which is the first in its order."""
    order = heaps.heap_order(held.zipped(), step=step)
    put(heap, held.take(list_get(order, index=(slice(1, None),))))
    return held.get(list_get(order, index=(0,)))


def _first(reverse: bool, n: Any, iterable: Any, key: Any = None) -> Any:
    """`nlargest` and `nsmallest`: the first of the items when they are sorted."""
    found = lists.sorted_items(made_list(iterable), key, reverse)
    count = lists.call(max, (n, 0))
    return made(found.slice(slice(None, count)))


def _merge(*iterables: Any, key: Any = None, reverse: Any = False) -> Any:
    """`heapq.merge`, whose items are all known when the first one is asked for."""
    whole: list[Any] = []
    lengths = []
    for iterable in iterables:
        part = made_list(iterable)
        lengths.append(lists.call(len, (part,)))
        lists.call(whole.extend, (part,))
    if not whole:
        return iter(whole)
    held = by = lists.require_held(whole)
    if key is not None:
        by = collecting.collected(held, lambda item: lists.call(key, (item,)))
    template, dynamic = encode(
        (tuple(lengths), reverse), lambda p: isinstance(p, Tensor)
    )
    keys = by.lists[0] if _are_numbers(by) else by.zipped()
    order = heaps.merge_order(
        *(keys, *dynamic), lengths=template[0], reverse=template[1]
    )
    return lists.call(iter, (made(held.take(order)),))


def made_list(iterable: Any) -> Any:
    """The items in a list."""
    return lists.call(list, (iterable,))


def _position(
    word: str, xs: Any, x: Any, lo: Any = 0, hi: Any = None, *, key: Any = None
) -> Any:
    if type(xs) is list and not xs:
        # Nothing is compared.
        return 0
    held = lists.require_held(xs)
    if key is not None:
        held = collecting.collected(held, lambda item: lists.call(key, (item,)))
    (args, dynamic) = encode((wholes(x), lo, hi), lambda part: isinstance(part, Tensor))
    whole = held.lists[0] if _are_numbers(held) else held.zipped()
    return heaps.list_bisect(whole, *dynamic, args=args, word=word)


def _insort(
    word: str, xs: Any, x: Any, lo: Any = 0, hi: Any = None, *, key: Any = None
) -> None:
    sought = x if key is None else lists.call(key, (x,))
    at = _position(word, xs, sought, lo, hi, key=key)
    lists.call(xs.insert, (at, x))


_STEPS: dict[Any, Call] = {
    heapq.heappush: heap_steps.heappush,
    heapq.heappop: heap_steps.heappop,
    heapq.heapreplace: heap_steps.heapreplace,
    heapq.heappushpop: heap_steps.heappushpop,
}
_CALLS: dict[Any, Call] = {
    heapq.heappush: _heappush,
    heapq.heappop: _heappop,
    heapq.heapify: _heapify,
    heapq.heapreplace: _heapreplace,
    heapq.heappushpop: _heappushpop,
    heapq.merge: _merge,
    heapq.nlargest: partial(_first, True),
    heapq.nsmallest: partial(_first, False),
    bisect.bisect_left: partial(_position, "bisect_left"),
    bisect.bisect_right: partial(_position, "bisect_right"),
    bisect.insort_left: partial(_insort, "bisect_left"),
    bisect.insort_right: partial(_insort, "bisect_right"),
}
