"""Iterators while tracing: what `iter` gives, and when `next` can be asked.

An iterator goes on once per trace, so one that the program made goes on only where it
stands in the same order when the graph runs: in the frame that made it. One of a class
of the user's is gone on with by its converted `__next__`, whose changes are state.
"""

from __future__ import annotations

import collections
import io
import itertools
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from typing import Any

from autograph.equivalents import by_items
from autograph.operators.generators import Generator, refuse_outside
from autograph.operators.host_calls import refuse_to_read
from autograph.operators.own_texts import type_name
from autograph.operators.registry import staging_of
from autograph.operators.slots import call
from autograph.operators.tensors import staged_iterable
from autograph.operators.while_ import repeat
from autograph.operators.world_libraries import has_hidden_state
from autograph.rules import CONVERTED, GENERATOR, why_left_alone, why_module
from runtime import build
from runtime.build import Frame
from runtime.errors import OnlyPythonError, PythonTypeError, located
from runtime.numpy_api.asking import is_flat
from runtime.ongoing import Ongoing
from runtime.structs import struct
from runtime.tensor import Tensor
from tracer import attempt, captures, places
from tracer.choice import Choice
from tracer.emitting import Emit
from tracer.exits import BREAK, Exit
from tracer.frozen import made_in
from tracer.iterated import LEFT, Going, Once
from tracer.leaks import ITERATORS
from tracer.opaque import is_opaque
from tracer.reads import note_attribute
from tracer.state import EMPTY, Box, with_boxes
from tracer.undefined import UNDEFINED, without_flag

# What a function with a cache is: it keeps what it has been asked.
CACHED = type(lru_cache(lambda: None))


def started(iterable: Any) -> Any:
    """What `iter(iterable)` is in a trace."""
    kind = type(iterable)
    if kind is Generator:
        return iterable
    if is_users(kind, "__iter__"):
        return _checked(call(kind.__iter__, iterable))
    if goes_by_items(kind):
        return call(by_items, iterable)
    if isinstance(iterable, Once):
        return iterable
    if staging_of(iterable) is not None:
        rows = staged_iterable(iterable)
        rows.length()  # TypeError: it is a number
        return Going(rows)
    made = iter(iterable)
    if made is iterable:
        return made
    return Generator(None, lambda: iter(iterable), "iterator")


def begun(function: Any, result: Any) -> Any:
    """What `function` gave of one of several things: an iterator where Python's is one.

    Its items are known by now, and stand in a list.
    PythonTypeError: it is one of several lists, and goes on by itself
    """
    if function not in _ITERATORS:
        return result
    if type(result) is not Choice:
        return started(result)
    if function is iter:
        raise located(
            PythonTypeError("an iterator goes on through one of several things"),
            "Make a list of it, or go through it by a loop.",
        )
    return result


_ITERATORS = frozenset({iter, enumerate, zip, map, filter, reversed})


def _checked(made: Any) -> Any:
    if not hasattr(type(made), "__next__"):
        name = type(made).__name__
        raise TypeError(f"iter() returned non-iterator of type '{name}'")
    return made


def goes_by_items(kind: type) -> bool:
    """True for a class of the user's that has items, and no `__iter__`."""
    return not hasattr(kind, "__iter__") and is_users(kind, "__getitem__")


def is_users(kind: type, method: str) -> bool:
    """True when the class has this method, and it is converted when it is called."""
    function = getattr(kind, method, None)
    if type(function) is not types.FunctionType:
        return False
    is_converted = why_left_alone(function) in (None, GENERATOR)
    if is_converted:
        note_attribute(kind, method)
    return is_converted


def to_run(iterable: Any) -> Any:
    """What a loop goes through: a generator for an iterable of the user's own class."""
    if isinstance(iterable, Once):
        return iterable
    iterable = captures.as_written(iterable)
    kind = type(iterable)
    if is_users(kind, "__iter__") or goes_by_items(kind):
        iterable = started(iterable)
        kind = type(iterable)
    if kind is not Generator and is_users(kind, "__next__"):
        return asked(partial(step, iterable), kind)
    if kind is not Generator and hasattr(kind, "__next__"):
        require_here(iterable)
    if kind is itertools.groupby:
        # Each group is a new iterator, which no call has given.
        return places.created(map(noted, iterable))
    return iterable


def asked(following: Callable[[], Any], key: Any) -> Generator:
    """A generator of what `following` gives until it raises StopIteration."""
    return Generator(
        lambda emit, _: _run(following, key, emit), partial(_lazily, following)
    )


def _run(following: Callable[[], Any], key: Any, emit: Emit) -> None:
    """`while True: emit(following())`, until that raises StopIteration."""
    item = Box(UNDEFINED)
    state = with_boxes(EMPTY, {"the next item": item})
    clauses = [attempt.Clause(lambda: StopIteration, lambda error: BREAK)]

    def take() -> Exit:
        item.content = following()
        return None

    def then(exit_: Exit) -> Exit:
        return emit(without_flag(item.content))

    def body() -> Exit:
        return attempt.attempt(take, clauses, then, state, state, key)

    repeat(lambda: True, body, state)


def _lazily(following: Callable[[], Any]) -> Iterator[Any]:
    while True:
        try:
            item = following()
        except StopIteration:
            return
        yield item


def step(iterator: Any, *default: Any) -> Any:
    """`next(iterator)` in a trace."""
    if is_users(type(iterator), "__next__"):
        try:
            return call(type(iterator).__next__, iterator)
        except StopIteration:
            if not default:
                raise
            return default[0]
    if isinstance(iterator, Once):
        return iterator.step(*default)
    if is_flat(iterator):
        raise located(
            OnlyPythonError("how far `.flat` of an array has come is not staged"),
            "Go through it by a loop.",
        )
    if isinstance(iterator, Tensor):
        raise TypeError(f"'{type_name(iterator)}' object is not an iterator")
    require_here(iterator)
    return next(iterator, *default)


def leave(iterator: Any) -> None:
    """Note that how far an iterator has come depends on data."""
    frame = build.current()
    if isinstance(iterator, (Once, Generator)):
        iterator.move(LEFT)
    elif frame is not None and _is_iterator(iterator):
        frame.trace.created[id(iterator)] = (iterator, None)


def noted(result: Any) -> Any:
    """What a call gave; an iterator, or what changes and nobody else has, is new."""
    if type(result) is tuple:
        for part in filter(_is_iterator, result):
            places.created(part)
    changes = isinstance(result, places.CONTAINERS) or _may_change(result)
    # `iter` gives an iterator itself, which may be the caller's.
    may_be_new = changes or _is_iterator(result)
    is_new = may_be_new and sys.getrefcount(result) <= _ALONE
    return places.created(result) if is_new else result


def _may_change(thing: Any) -> bool:
    return type(thing) is CACHED or is_opaque(thing) or has_hidden_state(thing)


def given(result: Any) -> Any:
    """What an unconverted call gave: also its arrays as tensors, where they are new.

    A list that others have too is theirs: it is given as it is.
    """
    if not isinstance(result, places.CONTAINERS):
        if _may_change(result) and sys.getrefcount(result) <= _ALONE:
            return places.created(result)
        return noted(captures.made(result))
    if sys.getrefcount(result) > _ALONE:
        return result
    return places.created(captures.made(result))


def _references(thing: Any) -> int:
    return sys.getrefcount(thing)


# How many are counted of what a function is given, and nobody else has.
_ALONE = _references([])


def _is_iterator(thing: Any) -> bool:
    """Whether it is gone through once, by what is not the user's own."""
    kind = type(thing)
    if kind in _PLAIN or not hasattr(kind, "__next__"):
        return isinstance(thing, ITERATORS)
    if issubclass(kind, (Once, io.IOBase)):
        return False
    return not is_users(kind, "__next__")


_PLAIN = frozenset({int, float, bool, str, list, tuple, dict, range, Tensor})


def require_here(iterator: Any) -> None:
    """Refuse to go on with an iterator where that is not done once per run.

    PythonTypeError: it was made outside of the function, or of this branch or loop
    """
    frame = build.current()
    if frame is None or frame.trace.python_effects == "trace":
        return
    refuse_to_read(iterator)
    if isinstance(iterator, Ongoing) or not _is_iterator(iterator):
        return
    if made_in(iterator, frame):
        frame.changes.append((_GoneOnWith(iterator, frame), None))
    elif id(iterator) in frame.trace.created:
        raise refuse_outside("this iterator")
    else:
        raise _made_outside()


def require_items_here(iterable: Any) -> None:
    """The same, where a list is to get all items, of the user's own iterators too."""
    require_here(iterable)
    refuse_users(list, (iterable,), {})


# What goes through all that it is given, or gives what does.
_READING: frozenset[Any] = frozenset(
    {list, tuple, set, frozenset, dict, zip, enumerate, map, filter, collections.deque}
    | {sorted, sum, min, max, any, all}
)
# What does not go through what it is given, and gives nothing that does.
_ASKS: frozenset[Any] = frozenset(
    {type, id, isinstance, issubclass, callable, hasattr, getattr, setattr, iter}
    | {repr, str, print, hash, bool, object}
)
_KEEPS = frozenset({"append", "appendleft", "insert", "setdefault", "put", "__init__"})
_OWN = frozenset({"__iter__", "__length_hint__", "__repr__"})


def refuse_reading(
    function: Any, args: tuple[Any, ...], named: Mapping[str, Any]
) -> None:
    """Refuse what goes through an iterator that only each call may go through.

    PythonTypeError, WorldError: as `require_here`, of what is not converted
    """
    owner = getattr(function, "__self__", None)
    if hasattr(type(owner), "__next__") and _is_iterator(owner):
        if getattr(function, "__name__", "") not in _OWN:
            require_here(owner)
        return
    for arg in (*args, *named.values()):
        kind = type(arg)
        if kind in _PLAIN or not hasattr(kind, "__next__"):
            continue
        if issubclass(kind, io.IOBase):
            if _reads_lines(function):
                refuse_to_read(arg)
        elif _is_iterator(arg) and _goes_through(function):
            require_here(arg)


def refuse_users(
    function: Any, args: tuple[Any, ...], named: Mapping[str, Any]
) -> None:
    """Refuse what goes by itself through an iterator of a class of the user's.

    How far that has come is an attribute of it, which no run would change.
    PythonTypeError: it was made outside of the function
    """
    frame = build.current()
    if frame is None or frame.trace.python_effects == "trace":
        return
    of_builtins = getattr(function, "__module__", None) == "builtins"
    if of_builtins and type(function) is types.BuiltinFunctionType:
        return
    for arg in (*args, *named.values()):
        outside = id(arg) not in frame.trace.created
        if outside and is_users(type(arg), "__next__") and _goes_through(function):
            raise _made_outside()


def _made_outside() -> PythonTypeError:
    return located(
        PythonTypeError(
            "this iterator was made outside of the function, so that each call "
            "would have to go on with it"
        ),
        "Pass a list of what it gives, or what `next` of it gives.",
    )


def _reads_lines(function: Any) -> bool:
    if type(function) not in (type, types.BuiltinFunctionType):
        return False
    of_text = type(getattr(function, "__self__", None)) is str
    return function in _READING or (of_text and function.__name__ == "join")


def _goes_through(function: Any) -> bool:
    """Whether what is called may go through an argument, where no trace sees it."""
    kind = type(function)
    if kind is types.FunctionType:
        return why_left_alone(function) not in (None, GENERATOR, CONVERTED)
    if kind is type:
        return why_module(function.__module__) is not None and function not in _ASKS
    if kind is types.MethodWrapperType:
        return True
    if kind is not types.BuiltinFunctionType:
        return False
    return function not in _ASKS and function.__name__ not in _KEEPS


@struct(eq=False)
class _GoneOnWith:
    """An iterator that has given an item, which cannot be undone."""

    iterator: Any
    frame: Frame

    def get(self) -> None:
        """Nothing that could be put back."""

    def set(self, held: None) -> None:
        """Where the trace goes back, the iterator is no more what it was."""
        self.frame.trace.created[id(self.iterator)] = (self.iterator, None)

    def content(self) -> Any:
        """The iterator."""
        return self.iterator

    def change(self, frame: Frame, content: Any) -> None:
        """It has left the branch that made it: in the frame of a generator, say."""
        self.set(None)

    def is_local(self, frame: Frame) -> bool:
        """True: only the frame that made an iterator goes on with it."""
        return True

    def holder(self) -> Any:
        """The iterator."""
        return self.iterator
