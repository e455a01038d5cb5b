"""captures: which arrays are the user's own, and which the program made while traced.

An array that the function finds in a global, a closure or an object outlives the call:
it is captured by reference, and a change of it is written back. An array that plain
NumPy made during the trace is made anew by each call, so a change of it stays inside.
They look the same, so the user's are found by walking from the function.
"""

from __future__ import annotations

import types
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from runtime import build
from runtime.build import Trace
from runtime.tensor import Tensor, tensor_of_array

# Objects looked at from one function; more are a data set, not a program's state.
MOST_OBJECTS = 20_000
_SKIPPED = (types.ModuleType, types.FunctionType, type, str, bytes, int, float, Tensor)


def outer(thing: Any) -> Any:
    """What a global or closure variable holds: an array as its tensor in the trace."""
    frame = build.current()
    if frame is None or type(thing) is not np.ndarray or thing.dtype.hasobject:
        return thing
    frame.trace.users[id(thing)] = thing
    return tensor_of_array(thing)


def note_function(function: types.FunctionType) -> None:
    """Find the user's arrays that a function of the trace can reach."""
    frame = build.current()
    if frame is None or id(function.__code__) in frame.trace.functions:
        return
    frame.trace.functions[id(function.__code__)] = function
    note(frame.trace, _reached(function))


def note(trace: Trace, things: Iterable[Any]) -> None:
    """Record every array within these objects as the user's."""
    seen: set[int] = set()
    waiting = list(things)
    while waiting and len(seen) < MOST_OBJECTS:
        thing = waiting.pop()
        if isinstance(thing, _SKIPPED) or id(thing) in seen:
            continue
        seen.add(id(thing))
        if isinstance(thing, np.ndarray):
            trace.users[id(thing)] = thing
        else:
            waiting.extend(_parts(thing))


def _reached(function: types.FunctionType) -> Iterator[Any]:
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:
            continue
    scope = function.__globals__
    for name in function.__code__.co_names:
        if name in scope:
            yield scope[name]
    yield from function.__defaults__ or ()


def _parts(thing: Any) -> Iterable[Any]:
    if isinstance(thing, (list, tuple, set, frozenset)):
        return thing
    if isinstance(thing, dict):
        return thing.values()
    return getattr(thing, "__dict__", {}).values()
