"""for_stmt: what a converted `for` calls."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from autograph.operators import iterators
from autograph.operators.generators import Generator
from autograph.operators.loops import MOST_STORED, checkpoint, try_staged
from autograph.operators.registry import VIEWS, Body, Staging, staging_of
from autograph.operators.tensors import TENSORS, plain_range
from runtime import build
from runtime.errors import StagingError, StagingTypeError, located
from runtime.tensor import Tensor
from tracer import only_python, places
from tracer.choice import varying
from tracer.dict_objects import is_keyed
from tracer.exits import BREAK, CONTINUES, NEXT, Exit, Return, StagedExit, tags_of
from tracer.iterated import AskedInside
from tracer.leaks import ITERATORS
from tracer.list_objects import is_staged
from tracer.list_rows import Grown, Items, ListRows
from tracer.state import EMPTY, State, state_of, variables_of

# What most loops go through, and what needs no look at its class.
_PLAIN = frozenset({range, list, tuple, dict, str, Generator, Tensor})


def for_stmt(
    iterable: Any,
    body: Callable[[Any], Exit],
    get_state: Callable[[], tuple[Any, ...]],
    set_state: Callable[[Sequence[Any]], None],
    names: tuple[str, ...],
    n: int,
    orelse: Body | None = None,
    stored: tuple[str, ...] = (),
) -> Exit:
    """`for item in iterable: body(item)`, then `orelse()` unless left by a break.

    Staged for a staged iterable, and for a `range` that is long or may be left
    depending on data; other iterables run as Python. `stored` names what the body
    changes in place.
    """
    state = state_of(names, set_state, n, variables_of(body, stored))
    return iterate(iterable, body, state, orelse)


def iterate(
    iterable: Any,
    body: Callable[[Any], Exit],
    state: State = EMPTY,
    orelse: Body | None = None,
) -> Exit:
    """What `for_stmt` does, with the names as one state."""
    if type(iterable) not in _PLAIN and build.current() is not None:
        iterable = iterators.to_run(iterable)
    if type(iterable) is Generator and iterable.runs:
        return _by_body(iterable, body, state, orelse)
    staging = staging_of(iterable)
    if staging is not None:
        return _staged(staging, iterable, body, state, orelse)
    start = checkpoint(state)
    if start is None:
        return _plain(iterable, body, orelse)
    if type(iterable) is range:
        return _range(iterable, body, state, orelse)
    if type(iterable) is list:
        return _list(iterable, body, state, orelse)
    return _unrolled(_items_of(iterable), body, state, orelse, iterable)


def _items_of(iterable: Any) -> Iterator[Any]:
    """Python's iterator, as long as no data change what is in what it goes through."""
    held = list(_gone_through(iterable))
    return _while_known(iter(iterable), held) if held else iter(iterable)


def _gone_through(iterable: Any) -> Iterator[Any]:
    """The lists, dicts and sets that an iterator or a view asks for its items."""
    if isinstance(iterable, places.CONTAINERS):
        yield iterable
    elif isinstance(iterable, ITERATORS) or type(iterable) in VIEWS:
        for part in gc.get_referents(iterable):
            yield from _gone_through(part)


def _while_known(items: Iterator[Any], held: list[Any]) -> Iterator[Any]:
    while True:
        changed = [one for one in held if _depends(one)]
        if changed:
            kind = type(changed[0]).__name__
            raise located(
                StagingTypeError(
                    f"a {kind} is changed depending on data while something goes "
                    "through it"
                ),
                "Go through a copy: `for k in list(d):`.",
            )
        try:
            item = next(items)
        except StopIteration:
            return
        yield item


def _depends(of: Any) -> bool:
    return is_staged(of) or is_keyed(of) or varying(of) is not None


def _by_body(
    generator: Generator,
    body: Callable[[Any], Exit],
    state: State,
    orelse: Body | None,
) -> Exit:
    """By the generator's body; item by item where the loop's own asks for more."""
    start = checkpoint(state)
    try:
        return generator.go_through(body, state, orelse)
    except AskedInside as error:
        if error.asked is not generator or start is None or not generator.can_be_asked:
            raise
        start.go_back()
    return _unrolled(generator, body, state, orelse)


def _list(
    of: list[Any], body: Callable[[Any], Exit], state: State, orelse: Body | None
) -> Exit:
    """Unrolled; from where the list changes depending on data, a loop of the graph."""
    items, start = Items(of), checkpoint(state)
    assert start is not None
    try:
        return _unrolled(items, body, state, orelse)
    except Grown:
        if not items.grown:
            raise
        if not items.guarded:
            return TENSORS.for_stmt(ListRows(of, items.at), body, state, orelse)
    # It may have been left before, so from its start.
    start.go_back()
    return TENSORS.for_stmt(ListRows(of), body, state, orelse)


def _staged(
    staging: Staging,
    iterable: Any,
    body: Callable[[Any], Exit],
    state: State,
    orelse: Body | None,
) -> Exit:
    """As a loop of the graph; unrolled if that is refused and the items can be told."""
    start = checkpoint(state)
    try:
        return staging.for_stmt(iterable, body, state, orelse)
    except StagingError as error:
        if start is None:
            raise
        start.go_back()
        if isinstance(error, AskedInside) and error.asked is iterable:
            # A loop that asks how far it has come.
            iterable.move(0)
            return staging.for_stmt(iterable, body, state, orelse)
        items = staging.items(iterable)
        if items is None:
            raise
        try:
            return _unrolled(items, body, state, orelse)
        except only_python.IdleError:
            raise  # It has an end, but Python is there sooner.
        except StagingError:
            # What kept the loop from being one of the graph tells more.
            start.go_back()
        raise


def _plain(iterable: Any, body: Callable[[Any], Exit], orelse: Body | None) -> Exit:
    for item in iterable:
        exit_ = body(item)
        if exit_ is BREAK:
            return None
        if type(exit_) is Return:
            return exit_
    return orelse() if orelse else None


def _range(
    numbers: range, body: Callable[[Any], Exit], state: State, orelse: Body | None
) -> Exit:
    """The first iteration tells what the loop would cost when unrolled.

    Of one that stores into arrays in many turns that is known.
    """
    start = checkpoint(state)
    assert start is not None

    known = start.known_dear

    def stage() -> Exit:
        return TENSORS.for_stmt(plain_range(numbers), body, state, orelse)

    code = _code_of(body)
    stores = len(numbers) > MOST_STORED and any(state.arrays_stored())
    if len(numbers) > 1 and (stores or code in known):
        # One inside others is met again by each of their rounds.
        staged, whole = try_staged(start, stage)
        if staged:
            return whole
        known.discard(code)
        return _unrolled(iter(numbers), body, state, orelse)
    for done, item in enumerate(start.turns(numbers), 1):
        exit_ = body(item)
        staged_way_out = type(exit_) is StagedExit
        left = len(numbers) - done
        if left and (staged_way_out or start.is_dear(done, len(numbers))):
            staged, whole = try_staged(start, stage)
            if staged:
                known.add(code)
                return whole
            return _unrolled(iter(numbers), body, state, orelse)
        if staged_way_out:
            return _guarded(exit_, iter(()), body, state, orelse)
        if exit_ is BREAK:
            return None
        if type(exit_) is Return:
            return exit_
    return orelse() if orelse else None


def _code_of(body: Callable[[Any], Exit]) -> Any:
    """The code of a turn; that of a comprehension is given what it fills, too."""
    return getattr(body, "func", body).__code__


def _unrolled(
    items: Any,
    body: Callable[[Any], Exit],
    state: State,
    orelse: Body | None,
    of: Any = None,
) -> Exit:
    """`for item in items`, one after the other; of: the iterator that gives them."""
    frame = build.require_current("a loop")
    for item in only_python.turns(items, frame):
        exit_ = body(item)
        if exit_ is BREAK:
            return None
        if type(exit_) is Return:
            return exit_
        if type(exit_) is StagedExit and tags_of(exit_) - {NEXT, CONTINUES}:
            return _guarded(exit_, items, body, state, orelse, of)
    return orelse() if orelse else None


def _guarded(
    exit_: Exit,
    items: Any,
    body: Callable[[Any], Exit],
    state: State,
    orelse: Body | None,
    of: Any = None,
) -> Exit:
    """The rest of an unrolled loop that may have been left: each body under an if."""
    if isinstance(items, Items):
        items.guarded = True
    for item in items:
        exit_ = TENSORS.go_on(exit_, partial(body, item), state)
        if not tags_of(exit_) & {NEXT, CONTINUES}:
            break
    iterators.leave(items)
    # What is gone through may be a generator of ours around it.
    iterators.leave(of)
    return TENSORS.end_loop(exit_, orelse, state)
