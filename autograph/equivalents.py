"""The functions of itertools as Python would write them, to be converted like a user's.

A trace calls these instead, so what they do with items that depend on data is staged as
a generator function of the user's is.
"""

# Only the bodies run, in their converted form, with operators of the user's trace.
from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterator
from typing import Any


def takewhile(predicate: Any, iterable: Any, /) -> Iterator[Any]:
    """`itertools.takewhile`."""
    for item in iterable:
        if not predicate(item):
            break
        yield item


def dropwhile(predicate: Any, iterable: Any, /) -> Iterator[Any]:
    """`itertools.dropwhile`."""
    dropping = True
    for item in iterable:
        if dropping:
            dropping = bool(predicate(item))
        if not dropping:
            yield item


def filterfalse(predicate: Any, iterable: Any, /) -> Iterator[Any]:
    """`itertools.filterfalse`."""
    for item in iterable:
        if not (item if predicate is None else predicate(item)):
            yield item


def compress(data: Any, selectors: Any) -> Iterator[Any]:
    """`itertools.compress`."""
    for item, selector in zip(data, selectors):  # noqa: B905 - the shorter one ends it
        if selector:
            yield item


def starmap(function: Any, iterable: Any, /) -> Iterator[Any]:
    """`itertools.starmap`."""
    for items in iterable:
        yield function(*items)


def accumulate(
    iterable: Any, func: Any = operator.add, *, initial: Any = None
) -> Iterator[Any]:
    """`itertools.accumulate`."""
    total = initial
    first = initial is None
    if not first:
        yield total
    for item in iterable:
        if first:
            total = item
            first = False
        else:
            total = func(total, item)
        yield total


def chain(*iterables: Any) -> Iterator[Any]:
    """`itertools.chain`."""
    for iterable in iterables:
        yield from iterable


def chain_from_iterable(iterables: Any, /) -> Iterator[Any]:
    """`itertools.chain.from_iterable`."""
    for iterable in iterables:
        yield from iterable


def count(start: Any = 0, step: Any = 1) -> Iterator[Any]:
    """`itertools.count`."""
    while True:
        yield start
        start = start + step


def repeat(object: Any, *times: Any) -> Iterator[Any]:
    """`itertools.repeat`."""
    if times:
        for _ in range(*times):
            yield object
    while not times:
        yield object


def cycle(iterable: Any, /) -> Iterator[Any]:
    """`itertools.cycle`."""
    items = list(iterable)
    size = len(items)
    at = 0
    while size:
        yield items[at]
        at = (at + 1) % size


def islice(iterable: Any, *bounds: Any) -> Iterator[Any]:
    """`itertools.islice`; it takes no item after the last one that it gives."""
    start, stop, step = 0, bounds[0], 1
    if len(bounds) > 1:
        start, stop = bounds[0] or 0, bounds[1]
    if len(bounds) > 2:
        step = bounds[2] or 1
    if start < 0 or step < 0 or (stop is not None and stop < 0):
        raise ValueError(
            "Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize."
        )
    if stop is None or start < stop:
        at = 0
        for item in iterable:
            if at >= start and (at - start) % step == 0:
                yield item
            at = at + 1
            if stop is not None and at >= stop:
                break


# With staged bounds only: Python's own does the rest, and takes no item too many.
BOUNDED = frozenset({itertools.islice})
EQUIVALENTS: dict[Any, Callable[..., Iterator[Any]]] = {
    itertools.takewhile: takewhile,
    itertools.dropwhile: dropwhile,
    itertools.filterfalse: filterfalse,
    itertools.compress: compress,
    itertools.starmap: starmap,
    itertools.accumulate: accumulate,
    itertools.chain: chain,
    itertools.chain.from_iterable: chain_from_iterable,
    itertools.count: count,
    itertools.cycle: cycle,
    itertools.repeat: repeat,
    itertools.islice: islice,
}
