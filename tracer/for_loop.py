"""for_loop: iterating over staged things: a counted `while` over their items.

A staged iterable knows its length, an int or a staged int, and gives the item at a
staged index: tensors, ranges with staged bounds, and enumerate, zip and reversed over
them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from operator import is_
from typing import Any, NoReturn

from runtime import kinds
from runtime.errors import StagingTypeError, located
from runtime.objects import call, is_object
from runtime.operators import no_items
from runtime.ops.basic import WEAK_INT
from runtime.structs import struct
from runtime.tensor import Tensor, tensor
from tracer.choice import Choice, all_options, varying
from tracer.cond import Body, choose
from tracer.exits import Exit
from tracer.item_type import NoItemType, common_type
from tracer.iterated import Iterated, Once, StagedIterable, counted, either, has
from tracer.list_objects import is_staged
from tracer.picking import each
from tracer.staged_list import StagedList
from tracer.state import State


def for_loop(
    iterable: StagedIterable,
    body: Callable[[Any], Exit],
    state: State,
    orelse: Body | None = None,
) -> Exit:
    """Stage `for item in iterable: body(item)` and `else: orelse()`."""
    if isinstance(iterable, Once):
        return iterable.go_through(body, state, orelse)
    return counted(iterable, body, state, orelse)


@struct(eq=False)
class Rows(Iterated):
    """A tensor, row by row."""

    tensor: Tensor

    def length(self) -> Any:
        """The first dim. TypeError: the tensor has none."""
        if self.tensor.spec.shape == () and self.tensor.spec.kinds:
            return kinds.split(lambda exact: Rows(exact).length(), self.tensor)
        if self.tensor.spec.shape == ():
            raise TypeError(no_items(self.tensor))
        if self.tensor.spec.shape is None and not is_object(self.tensor):
            return call(_rows_of, WEAK_INT, self.tensor)
        return self.tensor.length()

    def item(self, index: Any) -> Any:
        """The row at `index`."""
        return self.tensor[index]


def _rows_of(array: Any) -> int:
    """How many rows a run finds. TypeError: it can be no loop's."""
    iter(array)
    return len(array)


@struct(eq=False)
class Enumerated(Once):
    """`enumerate(iterable, start)`."""

    iterable: StagedIterable
    start: Any = 0

    @property
    def live(self) -> bool:
        """As the iterable is."""
        return any(one.live for one in _options(self.iterable))

    def length(self) -> Any:
        """The iterable's."""
        return _of(self.iterable, _length)

    def has(self, index: Any) -> Any:
        """Whether the iterable has."""
        return _of(self.iterable, lambda one: has(one, index))

    def item(self, index: Any) -> Any:
        """(count, item)."""
        item = _of(self.iterable, lambda one: one.item(index))
        return self.start + index, item


@struct(eq=False)
class Zipped(Once):
    """`zip(*iterables)`."""

    iterables: Sequence[StagedIterable]

    @property
    def live(self) -> bool:
        """As one of the iterables is."""
        return any(
            one.live for iterable in self.iterables for one in _options(iterable)
        )

    def length(self) -> Any:
        """The shortest one's."""
        shortest, *others = (_of(one, _length) for one in self.iterables)
        for other in others:
            shortest = _smaller(shortest, other)
        return shortest

    def has(self, index: Any) -> Any:
        """Whether all have."""
        found: Any = True
        for one in self.iterables:
            found = either(found, partial(_of, one, lambda each: has(each, index)), no)
        return found

    def item(self, index: Any) -> Any:
        """A tuple of each one's item."""
        return tuple(
            _of(iterable, lambda one: one.item(index)) for iterable in self.iterables
        )


def no() -> bool:
    """False."""
    return False


def _options(iterable: Any) -> tuple[StagedIterable, ...]:
    return all_options(iterable) if type(iterable) is Choice else (iterable,)


def _of(one: Any, ask: Callable[[Any], Any]) -> Any:
    """`ask(one)`, in a branch each where it is one of several."""
    return each(one, ask) if type(one) is Choice else ask(one)


def _length(iterable: StagedIterable) -> Any:
    return iterable.length()


def _smaller(a: Any, b: Any) -> Any:
    if not isinstance(a, Tensor) and not isinstance(b, Tensor):
        return min(a, b)
    return choose(a < b, lambda: a, lambda: b)


@struct(eq=False)
class Reversed(Once):
    """`reversed(iterable)`.

    size: of the iterable when this was made; what is appended later is not met
    """

    iterable: StagedIterable
    size: Any

    @property
    def live(self) -> bool:
        """As the iterable is, which may lose items."""
        return any(one.live for one in _options(self.iterable))

    def length(self) -> Any:
        """The iterable's, at the start."""
        return self.size

    def has(self, index: Any) -> Any:
        """Whether the iterable still has an item there."""

        def inside() -> Any:
            return _of(self.iterable, lambda one: has(one, self.size - 1 - index))

        return either(index < self.size, inside, no)

    def item(self, index: Any) -> Any:
        """The item as far from the end as `index` is from the start."""
        return _of(self.iterable, lambda one: one.item(self.size - 1 - index))


class Listed(Iterated):
    """A plain sequence that is gone through beside a staged one (in zip).

    No record: where two paths meet it is one of two sequences, not one of joined items.

    items: what was in it at the start
    of: the sequence itself: a list may be changed by the loop that goes through it
    """

    __slots__ = ("items", "of")

    def __init__(self, items: Sequence[Any], of: Any = None) -> None:
        self.items, self.of = items, of

    def length(self) -> int:
        """How many there are now."""
        return len(self._now())

    def item(self, index: Any) -> Any:
        """The item at `index`; for a staged one they must be of one type.

        TypeError: the loop changes the list.
        """
        now = self._now()
        if not isinstance(index, Tensor):
            return now[index]
        if len(now) != len(self.items) or not all(map(is_, now, self.items)):
            _refuse_changed()
        if not self.items:
            # No turn asks for one.
            return tensor(self.items)[index]
        try:
            kind = common_type(self.items, mixed=True)
        except NoItemType:
            kind = None
        if kind is None:
            raise located(
                StagingTypeError("zip of a tensor and of items that no graph can hold"),
                "Go through one of them by its index, or make an array of the items.",
            )
        return StagedList.of(self.items, kind).get(index)

    def _now(self) -> Sequence[Any]:
        if type(self.of) is not list:
            return self.items
        if is_staged(self.of) or varying(self.of) is not None:
            _refuse_changed()
        return self.of


def _refuse_changed() -> NoReturn:
    raise located(
        StagingTypeError(
            "a list is changed while something goes through it and a tensor"
        ),
        "Go through a copy: `for a, b in zip(list(xs), ys):`.",
    )


@struct(eq=False)
class Mapped(Once):
    """`map(function, *iterables)`."""

    function: Callable[..., Any]
    arguments: Zipped

    @property
    def live(self) -> bool:
        """As its arguments are."""
        return self.arguments.live

    def length(self) -> Any:
        """The shortest one's."""
        return self.arguments.length()

    def has(self, index: Any) -> Any:
        """As its arguments have."""
        return self.arguments.has(index)

    def item(self, index: Any) -> Any:
        """The function of the items."""
        items = self.arguments.item(index)
        return _of(self.function, lambda one: one(*items))
