"""Builtins that go through items: range, zip, sum, any, max, sorted, map, reduce ...

Each does what Python's does, item by item in Python's order. A staged iterable (a
tensor, a staged range) becomes a loop of the graph; the items of others are known one
by one while tracing, though what they hold may not be.
"""

from __future__ import annotations

import builtins
import functools
import operator
from collections.abc import Callable, Iterator, Sized
from functools import partial
from itertools import islice
from typing import Any

import numpy as np

from autograph.equivalents import zip_strict
from autograph.operators import sums
from autograph.operators.logical import and_, not_, or_
from autograph.operators.number_calls import called, int_, kind_name, number
from autograph.operators.registry import staging_of
from autograph.operators.sequences import compared
from autograph.operators.slots import call, slot
from autograph.operators.tensors import staged_iterable
from runtime import kinds, objects
from runtime import spec as specs
from runtime.errors import StagingTypeError, located
from runtime.spec import TensorSpec, holds_objects
from runtime.tensor import Tensor, tensor_of_array
from tracer import for_loop, tree
from tracer.cond import choose
from tracer.exits import Exit
from tracer.leaves import is_numeric, is_text
from tracer.raising import sure
from tracer.staged_range import StagedRange
from tracer.state import EMPTY, Box, State, with_boxes

_NOTHING = object()


def range_(*bounds: Any) -> StagedRange:
    """A range with staged bounds or step."""
    start, stop, step = {1: (0, *bounds, 1), 2: (*bounds, 1)}.get(len(bounds), bounds)
    if not isinstance(step, Tensor) and step == 0:
        _refuse_zero()
    start, stop, step = map(_index, (start, stop, step))
    if isinstance(step, Tensor):
        choose(step == 0, _refuse_zero, lambda: None)
    return StagedRange(start, stop, step)


def _refuse_zero() -> None:
    raise ValueError("range() arg 3 must not be zero")


def _index(x: Any) -> Any:
    if not isinstance(x, Tensor):
        return operator.index(x)
    if kinds.is_mixed(x) and any(dtype.kind not in "iub" for dtype, _ in x.spec.kinds):
        return kinds.split(_index, x)
    known = "iub" if x.spec.may_be_weak else "iu"  # NumPy's bools are no integers
    if x.spec.dtype is None or x.spec.dtype.kind not in known:
        raise TypeError(f"{kind_name(x)!r} object cannot be interpreted as an integer")
    return int_(x)


def enumerate_(iterable: Any, start: Any = 0) -> Any:
    """Enumerate over a tensor or another staged iterable."""
    if staging_of(iterable) is None:
        return ((start + i, item) for i, item in builtins.enumerate(iterable))
    return for_loop.Enumerated(staged_iterable(iterable), start)


def zip_(*iterables: Any, strict: bool = False) -> Any:
    """Zip tensors; plain sequences of numbers beside them are captured."""
    if all(staging_of(iterable) is None for iterable in iterables):
        return builtins.zip(*iterables, strict=strict)
    length = _least([i for i in iterables if staging_of(i) is not None])
    zipped = for_loop.Zipped([zippable(iterable, length) for iterable in iterables])
    return _strictly(zipped) if strict else zipped


def _least(staged: list[Any]) -> int | None:
    """The length of the shortest one; None where that depends on data."""
    lengths = [staged_iterable(iterable).length() for iterable in staged]
    known = not any(isinstance(length, Tensor) for length in lengths)
    return min(lengths) if known else None


def _strictly(zipped: for_loop.Zipped) -> Any:
    """The same; it raises at the end of the shortest, if that is not each one's."""
    lengths = [iterable.length() for iterable in zipped.iterables]
    known = not any(isinstance(length, Tensor) for length in lengths)
    if known and len(set(lengths)) == 1:
        return zipped
    return call(zip_strict, zipped, lengths)


def zippable(iterable: Any, length: int | None = None) -> Any:
    """What gives an item for a staged index; of an endless one, `length` items."""
    if staging_of(iterable) is not None:
        return staged_iterable(iterable)
    if isinstance(iterable, range):
        return StagedRange(iterable.start, iterable.stop, iterable.step)
    if isinstance(iterable, np.ndarray) and not holds_objects(iterable.dtype):
        return for_loop.Rows(tensor_of_array(iterable))
    if length is None and not isinstance(iterable, Sized):
        raise located(
            StagingTypeError(
                f"zip of a {type(iterable).__name__} and of what has a length that "
                "depends on data"
            ),
            "Make a list or an array of it first.",
        )
    items = list(islice(iterable, length))
    return for_loop.Listed(items, iterable)


def reversed_(iterable: Any) -> Any:
    """Reverse over a tensor or another staged iterable."""
    if staging_of(iterable) is None:
        return builtins.reversed(iterable)
    staged = staged_iterable(iterable)
    return for_loop.Reversed(staged, staged.length())


def map_(function: Any, *iterables: Any) -> Any:
    """Map over staged iterables: applied as the items are asked for."""
    if all(staging_of(iterable) is None for iterable in iterables):
        return builtins.map(function, *iterables)
    return for_loop.Mapped(function, for_loop.Zipped([*map(zippable, iterables)]))


# --- folds ----------------------------------------------------------------------------


def _fold(iterable: Any, start: Any, step: Callable[[Any, Any], Any]) -> Any:
    """Python's left fold over a staged iterable, as a loop of the graph."""
    rows = staged_iterable(iterable)
    length = rows.length()
    if not isinstance(length, Tensor) and length == 0:
        return start
    total = Box(start)

    def body(item: Any) -> Exit:
        total.content = step(total.content, item)
        return None

    state: State = with_boxes(EMPTY, {"the result so far": total})
    for_loop.for_loop(rows, body, state)
    return total.content


def _fold_from_first(
    iterable: Any,
    first: Callable[[Any], Any],
    step: Callable[[Any, Any], Any],
    empty: Callable[[], Any],
) -> Any:
    """A fold that starts with `first(item 0)`; `empty()` when there is no item."""
    rows = staged_iterable(iterable)
    length = rows.length()

    def whole() -> Any:
        return _fold(sums.Rest(rows), first(rows.item(0)), step)

    if isinstance(length, Tensor):
        return choose(length > 0, whole, empty)
    return whole() if length else empty()


def sum_(iterable: Any, /, start: Any = 0) -> Any:
    """The sum, added from the left as Python does."""
    if staging_of(iterable) is not None:
        rows = staged_iterable(iterable)
        if type(start) is int:
            start, rows = sums.begun(rows, start)
        return sums.total(partial(for_loop.for_loop, rows), start)
    items = list(iterable)
    if not tree.holds_tensor((items, start)):
        return builtins.sum(items, start)
    if any(map(kinds.is_mixed, (*items, start))):
        # Python's own sum, of the type that additions have.
        whole = functools.reduce(operator.add, items, start)
        if not whole.scalar:
            return whole
        return called(builtins.sum, (items, start), {}, (whole.spec,))
    found = [sums.python_kind(item) for item in (*items, start)]
    if None not in found:
        kind = type(builtins.sum(kind(0) for kind in found if kind))
        return number(builtins.sum, kind)(items, start)
    return sums.total(lambda body, _: [body(item) for item in items], start)


def prod(iterable: Any, /, *, start: Any = 1) -> Any:
    """`math.prod`."""
    if staging_of(iterable) is not None:
        return _fold(iterable, start, operator.mul)
    return functools.reduce(operator.mul, iterable, start)


def reduce_(function: Any, iterable: Any, /, *initial: Any) -> Any:
    """`functools.reduce`."""
    if staging_of(iterable) is None:
        return functools.reduce(function, iterable, *initial)
    if initial:
        return _fold(iterable, initial[0], function)
    return _fold_from_first(
        iterable,
        lambda item: item,
        function,
        lambda: sure(functools.reduce, function, []),
    )


def any_(iterable: Any) -> Any:
    """True if an item is true."""
    if staging_of(iterable) is not None:
        return _fold(
            iterable, False, lambda found, item: _as_bool(or_(found, lambda: item))
        )
    return _first_that_ends(iterable, ends=True)


def all_(iterable: Any) -> Any:
    """True if no item is false."""
    if staging_of(iterable) is not None:
        return _fold(
            iterable, True, lambda found, item: _as_bool(and_(found, lambda: item))
        )
    return _first_that_ends(iterable, ends=False)


def _first_that_ends(iterable: Any, ends: bool) -> Any:
    """`any` (ends: True) or `all` (False): no item is made after one that decides."""
    items: Iterator[Any] = iter(iterable)
    join = or_ if ends else and_
    result: Any = not ends
    done = False

    def following() -> Any:
        nonlocal done
        for item in items:
            return _as_bool(item)
        done = True
        return not ends

    while not done:
        if isinstance(result, Tensor):
            result = join(result, following)
        elif result is ends:
            return ends
        else:
            result = following()
    return result


def _as_bool(item: Any) -> Any:
    return not_(not_(item))


# --- extremes and order ---------------------------------------------------------------


def extreme(plain: Callable[..., Any], better: Callable[[Any, Any], Any]) -> Any:
    """`min` or `max`: the first item than which none is better."""

    def found(*args: Any, key: Any = None, default: Any = _NOTHING) -> Any:
        if not args or (len(args) > 1 and default is not _NOTHING):
            # Python's own refusal.
            return plain(1, 2, default=default) if args else plain()

        def empty() -> Any:
            return sure(plain, []) if default is _NOTHING else default

        def paired(item: Any) -> Any:
            return item, item if key is None else key(item)

        def step(best: Any, other: Any) -> Any:
            return _pick(compared(better, other[1], best[1]), other, best)

        def keyed_step(best: Any, item: Any) -> Any:
            return step(best, paired(item))

        items = args[0] if len(args) == 1 else args
        if staging_of(items) is None:
            return _among(plain, list(map(paired, items)), step, empty)
        if key is None:
            # Without pairs, the graph is as small as can be.
            one = lambda best, item: _pick(better(item, best), item, best)  # noqa: E731
            return _fold_from_first(items, lambda item: item, one, empty)
        return _fold_from_first(items, paired, keyed_step, lambda: (empty(), None))[0]

    return found


def _among(
    plain: Callable[..., Any],
    pairs: list[Any],
    step: Callable[[Any, Any], Any],
    empty: Callable[[], Any],
) -> Any:
    """The extreme of items known one by one; pairs: each item with its key."""
    if not pairs:
        return empty()
    keys = [key for _, key in pairs]
    if tree.holds_tensor(keys) or any(map(_has_order, keys)):
        return functools.reduce(step, pairs)[0]
    return plain(pairs, key=operator.itemgetter(1))[0]


def _has_order(key: Any) -> bool:
    """Whether the user's methods say which is less."""
    return any(slot(type(key), name) for name in ("__lt__", "__gt__"))


def _pick(condition: Any, a: Any, b: Any) -> Any:
    if not isinstance(condition, Tensor):
        return a if condition else b
    return choose(condition, lambda: a, lambda: b)


def sorted_(iterable: Any, /, *, key: Any = None, reverse: Any = False) -> Any:
    """The items in a list, in the order that Python's own sort finds."""
    if isinstance(iterable, Tensor) and iterable.ndim == 1 and key is None:
        ordered = called(_sorted_array, (iterable, reverse), {}, (iterable.spec,))
        return list(ordered)
    items = list(iterable)
    keys = items if key is None else list(map(key, items))
    if tree.holds_tensor((keys, reverse)):
        return _in_order(items, keys, reverse)
    order = builtins.sorted(range(len(items)), key=keys.__getitem__, reverse=reverse)
    return [items[at] for at in order]


def _sorted_array(array: Any, reverse: Any) -> Any:
    return np.array(builtins.sorted(array, reverse=reverse), array.dtype)


def _in_order(items: list[Any], keys: list[Any], reverse: Any) -> Any:
    """The items by keys that are known when the graph runs."""
    flat = [tree.flatten(item) for item in items]
    if any(structure != flat[0][1] for _, structure in flat):
        raise _unsortable()
    columns = [
        _column(list(leaves))
        for leaves in zip(*(leaves for leaves, _ in flat), strict=True)
    ]
    specs = tuple(spec for _, spec in columns for _ in items)
    leaves = [column for column, _ in columns]
    made = called(_ordered, (leaves, keys, reverse), {}, specs)
    parts = made if isinstance(made, tuple) else (made,)
    for part in parts:
        part.scalar = True
    count = len(items)
    return [tree.unflatten(flat[0][1], parts[at::count]) for at in range(count)]


def _ordered(columns: Any, keys: Any, reverse: Any) -> Any:
    order = builtins.sorted(range(len(keys)), key=keys.__getitem__, reverse=reverse)
    parts = [column[at] for column in columns for at in order]
    return parts[0] if len(parts) == 1 else parts


def _column(leaves: list[Any]) -> tuple[list[Tensor], TensorSpec]:
    """What stands at one place of all items, and the spec that serves all of it."""
    if not all(is_numeric(leaf) or is_text(leaf) for leaf in leaves):
        raise _unsortable()
    tensors = list(map(objects.held, leaves))
    if any(not made.scalar for made in tensors):
        raise _unsortable()
    try:
        return tensors, functools.reduce(specs.join, [made.spec for made in tensors])
    except TypeError:
        raise _unsortable() from None


def _unsortable() -> Exception:
    return located(
        StagingTypeError(
            "sorted puts other things than numbers, texts, or tuples of them, into an "
            "order that is known only when the graph runs"
        ),
        "Sort the numbers with np.argsort, and index an array with it.",
    )
