"""State: the names that a staged branch or loop changes, read and written as one."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator, Sequence
from types import CellType
from typing import Any

from runtime.structs import struct
from runtime.tensor import Tensor
from tracer.undefined import UNDEFINED


@struct(eq=False)
class State:
    """Names with functions that read and set them all.

    get: () -> their contents in order, UNDEFINED for a name that is not bound
    set: (contents) -> None; UNDEFINED unbinds a name, as `del` does
    outputs: how many of them, the first ones, are looked at afterwards; all by default
    setter: the converter's function, whose cells are those of the names
    stored: variables of arrays that a loop's body is known to store into
    """

    names: tuple[str, ...]
    get: Callable[[], tuple[Any, ...]]
    set: Callable[[Sequence[Any]], None]
    outputs: int | None = None
    setter: Callable[..., Any] | None = None
    stored: tuple[CellType, ...] = ()

    @property
    def joined(self) -> tuple[str, ...]:
        """The names that are looked at afterwards."""
        return self.names[: self.outputs]

    def arrays_stored(self) -> Iterator[tuple[int, Tensor]]:
        """The arrays of the run among `stored`, whole ones, by their positions."""
        for at, cell in enumerate(self.stored):
            content = _content(cell)
            if type(content) is Tensor and not content.scalar:
                yield at, content.root

    def position(self, cell: CellType) -> int | None:
        """Which of the joined names the variable of an enclosing function is."""
        if self.setter is None:
            return None
        for name, own in variables(self.setter).items():
            if own is cell and name in self.joined:
                return self.joined.index(name)
        return None

    def put(self, contents: Sequence[Any]) -> None:
        """Give the names these contents."""
        self.set(tuple(contents))


def state_of(
    names: tuple[str, ...],
    setter: Callable[..., Any],
    outputs: int | None = None,
    stored: tuple[CellType, ...] = (),
) -> State:
    """The state of a converted statement: variables that a function of its names sets.

    A function has one `set_state` for all its statements; each goes by the variables of
    its own names alone. What is no variable of a function around is a global.

    >>> def changed():
    ...     x, y = 1, 2
    ...
    ...     def set_state(vars_):
    ...         nonlocal x, y
    ...         x, y = vars_
    ...
    ...     state_of(("y",), set_state).put([3])
    ...     return x, y
    >>> changed()
    (1, 3)
    """
    cells = variables(setter)
    places: list[CellType | _Global] = [
        cells[name] if name in cells else _Global(setter.__globals__, name)
        for name in names
    ]

    def get() -> tuple[Any, ...]:
        return tuple(map(_content, places))

    def put(contents: Sequence[Any]) -> None:
        for place, content in zip(places, contents, strict=True):
            # An emptied cell makes CPython raise its own error on a read, so no read
            # needs a wrapper.
            if content is not UNDEFINED:
                place.cell_contents = content
            elif _content(place) is not UNDEFINED:
                del place.cell_contents

    return State(names, get, put, outputs, setter, stored)


def variables(function: Any) -> dict[str, CellType]:
    """The variables of enclosing functions that a Python function names."""
    cells: Sequence[CellType] = function.__closure__ or ()
    return dict(zip(function.__code__.co_freevars, cells, strict=True))


def variables_of(function: Any, names: tuple[str, ...]) -> tuple[CellType, ...]:
    """Those of these names that are variables of enclosing functions."""
    if not names:
        return ()
    cells = variables(function)
    return tuple(cells[name] for name in names if name in cells)


class _Global:
    """A global name, as a cell."""

    __slots__ = ("name", "scope")

    def __init__(self, scope: dict[str, Any], name: str) -> None:
        self.scope = scope
        self.name = name

    @property
    def cell_contents(self) -> Any:
        """What the name holds. ValueError: it is not bound."""
        for scope in (self.scope, vars(builtins)):
            if self.name in scope:
                return scope[self.name]
        raise ValueError(self.name)

    @cell_contents.setter
    def cell_contents(self, content: Any) -> None:
        self.scope[self.name] = content

    @cell_contents.deleter
    def cell_contents(self) -> None:
        self.scope.pop(self.name, None)


def _content(place: CellType | _Global) -> Any:
    try:
        return place.cell_contents
    except ValueError:
        return UNDEFINED


# A place of the tracer's own: what a loop returns, if it does.
RETURNED = "the returned value"
EMPTY = State((), lambda: (), lambda contents: None)


class Box:
    """A place of the tracer's own that a loop carries beside the user's names."""

    def __init__(self, content: Any) -> None:
        self.content = content


def with_boxes(state: State, boxes: dict[str, Box]) -> State:
    """`state` with further places, which come first."""
    count = len(boxes)

    def get() -> tuple[Any, ...]:
        return (*(box.content for box in boxes.values()), *state.get())

    def put(contents: Sequence[Any]) -> None:
        for box, content in zip(boxes.values(), contents[:count], strict=True):
            box.content = content
        state.put(contents[count:])

    outputs = None if state.outputs is None else count + state.outputs
    names = (*boxes, *state.names)
    return State(names, get, put, outputs, state.setter, state.stored)


def with_names(state: State, others: Sequence[int]) -> State:
    """`state` with some of the names looked at that were not, by their positions."""
    count = len(state.joined)
    order = [*range(count), *others]
    order += [at for at in range(len(state.names)) if at not in order]

    def get() -> tuple[Any, ...]:
        contents = state.get()
        return tuple(contents[at] for at in order)

    def put(contents: Sequence[Any]) -> None:
        by_position = dict(zip(order, contents, strict=True))
        state.put([by_position[at] for at in range(len(order))])

    names = tuple(state.names[at] for at in order)
    count += len(others)
    return State(names, get, put, count, state.setter, state.stored)
