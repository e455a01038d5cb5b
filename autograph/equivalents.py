"""Iterators of itertools and NumPy as Python would write them, converted as a user's.

A trace calls these instead, so what they do with items that depend on data is staged as
a generator function of the user's is.
"""

# Only the bodies run, in their converted form, with operators of the user's trace.
from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np


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


def repeat(object: Any, times: Any = ...) -> Iterator[Any]:
    """`itertools.repeat`."""
    if times is not ...:
        for _ in range(times):
            yield object
    while times is ...:
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


def pairwise(iterable: Any, /) -> Iterator[Any]:
    """`itertools.pairwise`."""
    items = iter(iterable)
    first = True
    for item in items:
        if first:
            before = item
            first = False
        else:
            yield before, item
            before = item


def zip_strict(zipped: Any, sizes: list[Any]) -> Iterator[Any]:
    """`zip(strict=True)`: the items, and what is raised after the last one."""
    yield from zipped
    shortest = min(sizes)
    for at in range(1, len(sizes)):
        before = "argument 1" if at == 1 else f"arguments 1-{at}"
        if sizes[0] == shortest:
            if sizes[at] > shortest:
                raise ValueError(f"zip() argument {at + 1} is longer than {before}")
        elif sizes[at] == shortest:
            raise ValueError(f"zip() argument {at + 1} is shorter than {before}")


def product(*iterables: Any, repeat: int = 1) -> Iterator[Any]:
    """`itertools.product`."""
    pools = [_pool(iterable) for iterable in iterables]
    yield from _product(pools * repeat, ())


def _pool(iterable: Any) -> Any:
    """What the items are when the function is called."""
    if isinstance(iterable, np.ndarray):
        return iterable.copy()
    return iterable if isinstance(iterable, range) else list(iterable)


def _product(pools: list[Any], items: tuple[Any, ...]) -> Iterator[Any]:
    if not pools:
        yield items
    else:
        for item in pools[0]:
            yield from _product(pools[1:], (*items, item))


def combinations(iterable: Any, r: int) -> Iterator[Any]:
    """`itertools.combinations`."""
    if r < 0:
        raise ValueError("r must be non-negative")
    yield from _combinations(_pool(iterable), 0, r, ())


def _combinations(
    pool: Any, start: Any, r: int, items: tuple[Any, ...]
) -> Iterator[Any]:
    if r == 0:
        yield items
    else:
        for at in range(start, len(pool)):
            yield from _combinations(pool, at + 1, r - 1, (*items, pool[at]))


def zip_longest(*iterables: Any, fillvalue: Any = None) -> Iterator[Any]:
    """`itertools.zip_longest`."""
    pools = [_indexed(iterable) for iterable in iterables]
    sizes = [len(pool) for pool in pools]
    for at in range(max(sizes, default=0)):
        pairs = zip(pools, sizes, strict=True)
        yield tuple([pool[at] if at < size else fillvalue for pool, size in pairs])


def _indexed(iterable: Any) -> Any:
    return iterable if isinstance(iterable, (np.ndarray, list)) else list(iterable)


def ndindex(*shape: Any) -> Iterator[tuple[Any, ...]]:
    """`np.ndindex`."""
    given = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape
    sizes = tuple([operator.index(size) for size in given])
    for at in range(math.prod(sizes)):
        yield index_at(at, sizes)


def ndenumerate(arr: Any) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """`np.ndenumerate`."""
    array = np.asarray(arr)
    flat = array.ravel()
    for at in range(flat.size):
        yield index_at(at, array.shape), flat[at]


def index_at(at: Any, sizes: tuple[Any, ...]) -> tuple[Any, ...]:
    """The index in an array of these sizes of its element number `at`."""
    index: tuple[Any, ...] = ()
    for size in reversed(sizes):
        index = (at % size, *index)
        at = at // size
    return index


# With staged bounds only: Python's own does the rest, and takes no item too many.
def by_items(of: Any) -> Iterator[Any]:
    """`iter(of)`, where the class of `of` has items and no `__iter__`."""
    at = 0
    while True:
        try:
            item = of[at]
        except IndexError:
            break
        yield item
        at += 1


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
    itertools.pairwise: pairwise,
    itertools.product: product,
    itertools.combinations: combinations,
    itertools.zip_longest: zip_longest,
    np.ndindex: ndindex,
    np.ndenumerate: ndenumerate,
}
