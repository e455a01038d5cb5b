"""Iterated: what a staged `for` goes through, and how far it has come.

A staged iterable knows its length, an int or a staged int, and gives the item at a
staged index. Those that Python goes through once (`zip`, what `iter` gives) know how
many items they have given, which is state as other places are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NoReturn, Protocol

from runtime.errors import PythonTypeError, StagingTypeError, located
from runtime.ongoing import Ongoing
from runtime.operators import refuse
from runtime.structs import struct
from runtime.tensor import Tensor, tensor
from tracer import places, while_loop
from tracer.cond import Body, choose
from tracer.exits import LEAVING, Exit, tags_of
from tracer.state import Box, State, with_boxes


class StagedIterable(Protocol):
    """What a staged `for` needs of the thing that it goes through."""

    @property
    def live(self) -> bool:
        """True when the length has to be asked for before each item."""

    def length(self) -> Any:
        """How many items: an int, or a staged int."""

    def item(self, index: Any) -> Any:
        """The item at `index`, a staged or plain int."""


def has(iterable: StagedIterable, index: Any) -> Any:
    """Whether it has an item at `index`, now: a bool or a staged one."""
    own = getattr(iterable, "has", None)
    return index < iterable.length() if own is None else own(index)


def counted(
    iterable: StagedIterable,
    body: Callable[[Any], Exit],
    state: State,
    orelse: Body | None = None,
) -> Exit:
    """`for item in iterable: body(item)` by a count of its own, from the start."""
    length = None if iterable.live else iterable.length()
    count = Box(0)

    def test() -> Any:
        at = count.content
        return has(iterable, at) if length is None else at < length

    def one() -> Exit:
        index = count.content
        count.content = index + 1
        return body(iterable.item(index))

    return while_loop.while_loop(
        test, one, with_boxes(state, {"the index": count}), orelse
    )


class Iterated:
    """A staged iterable met by Python's own iteration: gone through if it can be."""

    __slots__ = ()

    @property
    def live(self) -> bool:
        """False, but for what may change while it is gone through."""
        return False

    def has(self: Any, index: Any) -> Any:
        """Whether there is an item at `index`, now."""
        return index < self.length()

    def is_true(self) -> Any:
        """What `if` asks: an iterator is true, whether it has items or not."""
        return True

    def refuse_in_array(self) -> NoReturn:
        """PythonTypeError: NumPy makes another array of it than of a list."""
        raise located(
            PythonTypeError(f"a {type(self).__name__} of the run is given to NumPy"),
            "Give it an array of a list: `np.array(list(...))`.",
        )

    def __iter__(self: StagedIterable) -> Iterator[Any]:
        length = self.length()
        if isinstance(length, Tensor):
            refuse("the number of items", "gone through here")
        return (self.item(index) for index in range(length))

    def __len__(self: StagedIterable) -> int:
        length = self.length()
        if isinstance(length, Tensor):
            refuse("the number of items", "an int")
        return int(length)


# How far what is gone through once has come, where that is no number.
FRESH, RUNNING, LEFT = "fresh", "running", "left"
WAS_LEFT = "this {} was left by a loop, and a graph cannot go on with it"
NEW_ONE = "Make a new {} for each use, or keep what it gives in a list."


class AskedInside(StagingTypeError):
    """A loop's body goes on with the very thing that the loop goes through."""

    def __init__(self, asked: Any, word: str = "iterator") -> None:
        super().__init__(f"this {word} is gone on with by the loop over it")
        self.asked = asked


class Once(Iterated, Ongoing):
    """What gives each item once, as Python's iterators do.

    at: how many it has given, an int or a staged int: a place, so that branches and
        loops may go on with it; FRESH before it is asked, RUNNING in a loop that counts
        for itself, LEFT after one that may have been left
    """

    __slots__ = ("__weakref__", "at")
    at: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "at", FRESH)
        places.created(self)

    @property
    def begun(self) -> bool:
        """Whether it has given items, or may have."""
        return self.at is not FRESH

    def move(self, at: Any) -> None:
        """Say how far it has come."""
        places.changing_attribute(self, "at")
        object.__setattr__(self, "at", at)

    def given(self: Any) -> Any:
        """How many items it has given."""
        if self.at is FRESH:
            return 0
        if self.at is RUNNING:
            raise located(AskedInside(self), NEW_ONE.format("iterator"))
        if not isinstance(self.at, (int, Tensor)):
            raise located(
                StagingTypeError(WAS_LEFT.format("iterator")),
                NEW_ONE.format("iterator"),
            )
        return self.at

    def rest(self: Any) -> Any:
        """How many are left."""
        return self.length() - self.given()

    def is_left(self: Any) -> Any:
        """Whether there is a further item, a bool or a staged one."""
        return self.has(self.given())

    def take(self: Any) -> Any:
        """The next item, which there is."""
        at = self.given()
        self.move(at + 1)
        return self.item(at)

    def step(self, *default: Any) -> Any:
        """`next(self)`."""

        def missing() -> Any:
            if not default:
                raise StopIteration
            return default[0]

        return either(self.is_left(), self.take, missing)

    def go_through(
        self: Any, body: Callable[[Any], Exit], state: State, orelse: Body | None
    ) -> Exit:
        """`for item in self: body(item)`; what was not asked yet counts by itself."""
        may_leave = False

        def watched(item: Any) -> Exit:
            nonlocal may_leave
            exit_ = body(item)
            may_leave = may_leave or bool(tags_of(exit_) & LEAVING)
            return exit_

        def go_on() -> Exit:
            return watched(self.take())

        if self.begun:
            self.move(tensor(self.given()))
            exit_ = while_loop.while_loop(self.is_left, go_on, state, orelse)
            if not may_leave:
                self.move(self.length())
            return exit_
        self.move(RUNNING)
        exit_ = counted(self, watched, state, orelse)
        self.move(LEFT if may_leave else self.length())
        return exit_

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        left = self.is_left()
        if isinstance(left, Tensor):
            refuse("the number of items", "gone through here")
        if not left:
            raise StopIteration
        return self.take()


@struct(eq=False)
class Going(Once):
    """`iter(iterable)`, of what else is gone through from its start each time."""

    iterable: StagedIterable

    def __post_init__(self) -> None:
        Once.__post_init__(self)
        self.move(0)

    def length(self) -> Any:
        """The iterable's."""
        return self.iterable.length()

    def item(self, index: Any) -> Any:
        """The iterable's."""
        return self.iterable.item(index)


def either(condition: Any, a: Callable[[], Any], b: Callable[[], Any]) -> Any:
    """`a()` or `b()`, by a bool or a staged one."""
    if isinstance(condition, Tensor):
        return choose(condition, a, b)
    return a() if condition else b()
