"""State: the names that a staged branch or loop changes, read and written as one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import CellType
from typing import Any

from tracer.undefined import UNDEFINED


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """Names with the functions, made by the converter, that read and set them all.

    get: () -> their contents in order, UNDEFINED for a name that is not bound
    set: (contents) -> None
    outputs: how many of them, the first ones, are looked at afterwards; all by default
    setter: the converter's function, when `set` is another one around it
    """

    names: tuple[str, ...]
    get: Callable[[], tuple[Any, ...]]
    set: Callable[[Sequence[Any]], None]
    outputs: int | None = None
    setter: Callable[..., Any] | None = None

    @property
    def joined(self) -> tuple[str, ...]:
        """The names that are looked at afterwards."""
        return self.names[: self.outputs]

    def position(self, cell: CellType) -> int | None:
        """Which of the joined names the variable of an enclosing function is."""
        setter = self.setter or self.set
        cells: Sequence[CellType] = getattr(setter, "__closure__", None) or ()
        for name, own in zip(setter.__code__.co_freevars, cells, strict=False):
            if own is cell and name in self.joined:
                return self.joined.index(name)
        return None

    def put(self, contents: Sequence[Any]) -> None:
        """Give the names these contents; UNDEFINED unbinds a name, as `del` does."""
        self.set(tuple(contents))
        if any(content is UNDEFINED for content in contents):
            _unbind(self.set, self.names, contents)


def _unbind(
    setter: Callable[..., Any], names: Sequence[str], contents: Sequence[Any]
) -> None:
    # The setter's own cells are the names' cells: an emptied cell makes CPython raise
    # its own error on a read, so no read needs a wrapper.
    for cell in setter.__closure__ or ():
        if cell.cell_contents is UNDEFINED:
            del cell.cell_contents
    scope = setter.__globals__
    for name, content in zip(names, contents, strict=True):
        if content is UNDEFINED and scope.get(name) is UNDEFINED:
            del scope[name]


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
    setter = state.setter or state.set
    return State((*boxes, *state.names), get, put, outputs, setter)


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
    setter = state.setter or state.set
    return State(names, get, put, count + len(others), setter)
