"""Comprehensions: what converted ones and generator expressions call.

A comprehension is a `for` whose body adds to what is made, so it goes by the operators
of for and if. Its step, a function, says what it does with an item by the methods of
its first parameter: `comp.if_(test, body)`, `comp.for_(iterable, step)` and
`comp.yield_(value)`. A generator that is asked item by item reads the same step lazily.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from autograph.operators import dicts, stores
from autograph.operators.for_ import iterate
from autograph.operators.generators import Generator, decided
from autograph.operators.iterators import (
    goes_by_items,
    is_users,
    require_here,
    started,
    to_run,
)
from autograph.operators.loops import (
    UNROLLED_ITEMS,
    Checkpoint,
    checkpoint,
    try_staged,
)
from autograph.operators.registry import staging_of
from autograph.operators.tensors import staged_iterable
from runtime import build
from runtime.tensor import Tensor
from tracer import filling, places, tree
from tracer.dict_objects import is_keyed
from tracer.exits import Exit
from tracer.state import EMPTY, State

Step = Callable[..., Any]


class Running:
    """A comprehension that is run to its end, its control flow staged.

    give:     takes an item; the exit is that of the loop which goes through the items
    collects: `give` only keeps the items, so the loop cannot be left
    in_list:  it keeps them in a list, which may have a length of the run
    state:    names that the comprehension binds by `:=`, or that its functions keep
    """

    __slots__ = ("_collects", "_depends", "_in_list", "_state", "yield_")

    def __init__(
        self, give: Callable[..., Exit], collects: bool, in_list: bool, state: State
    ) -> None:
        self.yield_ = give
        self._collects = collects
        self._in_list = in_list
        self._state = state
        self._depends = False

    def if_(self, condition: Any, body: Callable[[], Exit]) -> Exit:
        """`if condition` of the comprehension."""
        staging = staging_of(condition)
        if staging is None:
            return body() if condition else None
        self._depends = True
        return staging.if_stmt(condition, body, lambda: None, self._state)

    def for_(self, iterable: Any, step: Step) -> Exit:
        """`for ... in iterable` of the comprehension.

        While every item is kept, how many there are is known, and they are gone
        through one by one, so that what is made has a known length, too. A list of
        very many is made by a loop of the graph.
        """
        if build.current() is not None:
            iterable = to_run(iterable)
        items = _known_items(iterable) if self._collects else None
        if items is None:
            return self._iterate(iterable, step)
        start = checkpoint(self._state)
        turns = items if start is None else start.turns(items)
        for done, item in enumerate(turns):
            step(item)
            if start is None or items is iterable:
                continue
            if self._depends:
                start.go_back()
                return iterate(iterable, step, self._state)
            if done == 0 and self._is_long(start, iterable):
                return self._long(start, iterable, step)
        return None

    def _is_long(self, start: Checkpoint, iterable: Any) -> bool:
        """Whether to make the list by a loop, as the first item tells."""
        frame = build.current()
        if not self._in_list or type(iterable) is not range or frame is None:
            return False
        many = start.nodes_since * len(iterable) > UNROLLED_ITEMS
        return many and frame.trace.long_lists != "unrolled"

    def _long(self, start: Checkpoint, iterable: range, step: Step) -> Exit:
        frame = build.require_current("a comprehension")
        staged, exit_ = try_staged(start, lambda: iterate(iterable, step, self._state))
        if not staged:
            return iterate(iter(iterable), step, self._state)
        frame.trace.long_lists = "was made"
        return exit_

    def _iterate(self, iterable: Any, step: Step) -> Exit:
        if type(iterable) is Generator and iterable.runs:
            return iterable.go_through(step, self._state, None, self._collects)
        return iterate(iterable, step, self._state)


def _known_items(iterable: Any) -> Iterable[Any] | None:
    """The items, if the trace can tell how many there are, and they are not many."""
    if type(iterable) is Generator:
        return None
    staging = staging_of(iterable)
    if staging is not None:
        return staging.items(iterable)
    # Another object than the iterable tells that a loop of the graph can be made.
    return iter(iterable) if type(iterable) is range else iterable


class Lazy:
    """A comprehension that is asked for one item after another."""

    __slots__ = ()

    def yield_(self, item: Any) -> Sequence[Any]:
        """One item."""
        return (item,)

    def if_(self, condition: Any, body: Callable[[], Iterable[Any]]) -> Iterable[Any]:
        """The items of `body`, or none."""
        return body() if decided(condition) else ()

    def for_(self, iterable: Any, step: Step) -> Iterator[Any]:
        """The items of each step."""
        for item in iterable:
            yield from step(item)


LAZY = Lazy()


def _run(
    give: Callable[..., Exit],
    iterable: Any,
    step: Step,
    collects: bool,
    state: State,
    in_list: bool = False,
) -> Exit:
    running = Running(give, collects, in_list, state)
    return running.for_(iterable, partial(step, running))


def list_comp(iterable: Any, step: Step, state: State = EMPTY) -> list[Any]:
    """`[... for ... in iterable]`."""
    made: list[Any] = places.created([])
    append = made.append if build.current() is None else partial(filling.append, made)
    _run(append, iterable, step, True, state, in_list=True)
    return made


def set_comp(iterable: Any, step: Step, state: State = EMPTY) -> set[Any]:
    """`{... for ... in iterable}`."""
    made: set[Any] = places.created(set())
    _run(partial(_add, made), iterable, step, True, state)
    return made


def _add(made: set[Any], item: Any) -> None:
    if is_keyed(made) or tree.holds_tensor(item):
        dicts.add(made, item)
        return
    filling.add(made, item)


def dict_comp(iterable: Any, step: Step, state: State = EMPTY) -> dict[Any, Any]:
    """`{...: ... for ... in iterable}`."""
    made: dict[Any, Any] = places.created({})
    _run(partial(_set_item, made), iterable, step, True, state)
    return made


def _set_item(made: dict[Any, Any], key: Any, item: Any) -> None:
    if tree.holds_tensor(key) or not filling.set_item(made, key, item):
        stores.set_item(item, made, key)


def generator_exp(iterable: Any, step: Step, state: State = EMPTY) -> Any:
    """`(... for ... in iterable)`."""
    items = _started(iterable)
    lazily = partial(_lazily, items, step)
    if build.current() is None:
        return lazily()
    return Generator(
        lambda emit, collects: _run(emit, items, step, collects, state), lazily
    )


def _started(iterable: Any) -> Any:
    """The iterable, when Python has asked for its iterator where it stands."""
    if build.current() is None:
        return iter(iterable)
    if staging_of(iterable) is not None:
        if type(iterable) is Tensor:
            staged_iterable(iterable).length()  # TypeError: it is a number
        return iterable
    kind = type(iterable)
    is_own = is_users(kind, "__iter__") or goes_by_items(kind)
    made = started(iterable)
    if is_own or type(made) is not Generator or made.runs:
        return made  # a method of the user's is called once
    # A list or the like may be gone through again, where the trace goes back.
    return iterable


def _lazily(items: Any, step: Step) -> Iterator[Any]:
    # A library that asks for the items would go on with it while tracing.
    require_here(items)
    return LAZY.for_(items, partial(step, LAZY))


def listed(generator: Any) -> list[Any]:
    """All items of a generator, in a list."""
    return list_comp(generator, lambda comp, item: comp.yield_(item))
