"""Calls of the user's generator functions in a trace: their bodies, ready to be run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from autograph import sourceless
from autograph.operators.for_ import iterate
from autograph.operators.generators import Generator
from runtime import build
from runtime.errors import OnlyPythonError, located
from tracer import only_python
from tracer.emitting import Emit, NameSlot
from tracer.exits import Exit, Return
from tracer.recursion import MOST_UNROLLED_LEFT
from tracer.state import EMPTY, Box, with_boxes
from tracer.undefined import without_flag

Forms = tuple[Callable[..., Any] | None, Callable[..., Iterator[Any]] | None]


def call(
    function: Any,
    forms_of: Callable[[Any], Forms],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    """The generator that the function gives; None where it has no form but Python's.

    OnlyPythonError: it has none, and may do more than compute.
    """
    to_run, lazy = forms_of(function)
    if to_run is None and lazy is None:
        sourceless.require_computing(function, args, kwargs)
        return None
    # Python binds the arguments when the function is called.
    body = None if to_run is None else to_run(*args, **kwargs)
    lazily = None if lazy is None else lambda: lazy(*args, **kwargs)
    return Generator(None if body is None else lambda emit, _: _run(body, emit), lazily)


def manage(made: Any, *args: Any, **kwargs: Any) -> Callable[[Any], Any]:
    """The body of a generator under `@contextmanager`, to be given the block."""
    body = made(*args, **kwargs)
    return lambda block: _run(body, block)


def _run(body: Callable[[Any], Exit], emit: Emit) -> Any:
    frame = build.require_current("a generator")
    open_ = frame.trace.generators
    open_.append((body, frame))
    try:
        _refuse_endless(body, frame.trace)
        only_python.note_call(frame.trace)
        emitter = Emitter(emit)
        body(emitter)
        return emitter.returned
    finally:
        open_.pop()


def _refuse_endless(body: Any, trace: build.Trace) -> None:
    """A generator within itself, each in a branch or loop of data, is no graph."""
    frames = {of for one, of in trace.generators if one.__code__ is body.__code__}
    if len(frames) > MOST_UNROLLED_LEFT:
        raise located(
            OnlyPythonError("a generator goes through itself as often as data say"),
            "Return a list or an array instead of yielding.",
        )


class Emitter:
    """What the body of a generator function calls: `yield v` is `emit(v)`.

    result: what the last `yield from` gave
    """

    __slots__ = ("_emit", "_returned", "_slot", "result")

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._returned = Box(None)
        state = with_boxes(EMPTY, {"the generator's result": self._returned})
        self._slot = NameSlot(state, 0, build.require_current("a generator"))
        self.result: Any = None

    def __call__(self, item: Any = None) -> Exit:
        return self._emit(item)

    def from_(self, iterable: Any) -> Exit:
        """`yield from iterable`."""
        exit_ = iterate(iterable, self._emit)
        self.result = iterable.value if type(iterable) is Generator else None
        return exit_

    def return_(self, value: Any) -> Exit:
        """`return value`, which only `yield from` looks at."""
        self._slot.change(build.require_current("a return"), value)
        return Return()

    @property
    def returned(self) -> Any:
        """What the body has returned."""
        return without_flag(self._returned.content)
