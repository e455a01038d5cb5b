"""captures: which arrays are the user's own, and which the program made while traced.

An array that the function finds in a global, a closure or an object outlives the call:
it is captured by reference, and a change of it is written back. An array that plain
NumPy made during the trace is made anew by each call, so a change of it stays inside.
They look the same, so the user's are found by walking from the function.
"""

from __future__ import annotations

import contextlib
import operator
import types
import weakref
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from runtime import build
from runtime.build import Trace
from runtime.layouts import of_constant
from runtime.numpy_api.indexing import view
from runtime.ops.basic import constant
from runtime.plain_parts import owner_of
from runtime.spec import holds_objects
from runtime.tensor import Tensor, tensor_of_array
from tracer import cells
from tracer.function import Function
from tracer.plain import is_plain
from tracer.telling import builtin_of, keyed, own_dict, tells

# Objects looked at from one function; more are a data set, not a program's state.
MOST_OBJECTS = 20_000
NUMBERS = "biufc"
STAGED = NUMBERS + "mMV"
# Stands for the attributes of an object that code without `ag__` may ask for.
ITSELF = "__class__"
# Attributes of arrays, which an object of the user's may have as well.
OF_ARRAYS = frozenset({"T", "mT", "real", "imag", "flat", "shape", "size"})
_HOLDING = (list, dict, set, deque)
_SKIPPED = (
    *(types.ModuleType, types.CodeType, Tensor, str, bytes, int, float),
    # What C's classes are full of.
    *(types.WrapperDescriptorType, types.MethodDescriptorType),
    *(types.ClassMethodDescriptorType, types.GetSetDescriptorType),
    types.MemberDescriptorType,
)


def outer(thing: Any) -> Any:
    """What a global or closure variable holds: an array as its tensor in the trace."""
    frame = build.current()
    if frame is None or type(thing) is not np.ndarray or holds_objects(thing.dtype):
        return thing
    frame.trace.users[id(thing)] = thing
    return tensor_of_array(thing)


def borrow(thing: Any) -> Any:
    """What an object or container holds, or a call gives: an array as its tensor.

    One of text or dates that plain NumPy made stays plain until it is written: what it
    holds may be a key, or decide something, while tracing.
    """
    frame = build.current()
    if frame is None or type(thing) is not np.ndarray or holds_objects(thing.dtype):
        return thing
    if thing.dtype.kind in NUMBERS:
        return tensor_of_array(thing)
    users = frame.trace.users
    is_users = id(thing) in users or id(thing.base) in users
    return tensor_of_array(thing) if is_users else as_written(thing)


def as_written(thing: Any) -> Any:
    """A plain array as its tensor, where something was written into its memory."""
    frame = build.current()
    if frame is None or type(thing) is not np.ndarray:
        return thing
    arrays = frame.trace.arrays
    is_staged = id(thing) in arrays or id(owner_of(thing)) in arrays
    return tensor_of_array(thing) if is_staged else thing


def made(thing: Any) -> Any:
    """What a call of plain NumPy gives: its arrays as tensors, made anew each time."""
    if type(thing) in (tuple, list):
        parts = [made(part) for part in thing]
        # A list in which nothing is another is the same list, for whoever else has it.
        is_same = all(map(operator.is_, parts, thing))
        return thing if is_same else type(thing)(parts)
    if isinstance(thing, tuple) and hasattr(thing, "_fields"):
        return tuple.__new__(type(thing), map(made, thing))
    frame = build.current()
    if frame is None or type(thing) is not np.ndarray:
        return thing
    trace = frame.trace
    is_new = not {id(thing), id(thing.base)} & (trace.users.keys() | trace.arrays)
    if not is_new or thing.dtype.kind not in STAGED or holds_objects(thing.dtype):
        return borrow(thing)
    fresh: Tensor = constant(value=thing)
    fresh.scalar, fresh.layout = False, of_constant(thing)
    if thing.flags.writeable:
        return fresh
    itself = (lambda x: x), (lambda _, new: new)
    read_only: Tensor = view(fresh, fresh, *itself, contiguous=True, locked=True)
    return read_only


def note_function(function: types.FunctionType, is_first: bool = False) -> None:
    """Find the user's arrays that a function of the trace can reach."""
    frame = build.current()
    if frame is None or id(function) in frame.trace.functions:
        return
    frame.trace.functions[id(function)] = function
    note_reader(frame.trace, function, is_first)
    # What a closure holds may have been made by the trace.
    outlives = is_first or not function.__closure__
    note(frame.trace, _reached(function), outlives)


def note_reader(
    trace: Trace, function: types.FunctionType, is_first: bool = False
) -> None:
    """Note that a function may read globals, and variables of functions around it."""
    names = function.__code__.co_freevars
    homes = (cells.home(function, name, trace.calls) for name in names)
    is_outer = is_first or all(home is None for home in homes)
    trace.functions_read[id(function)] = (
        *(weakref.ref(function), function.__code__, function.__globals__),
        is_outer,
    )


def note_owner(trace: Trace, owner: Any) -> None:
    """Note an object whose attributes may be read; it is not kept alive."""
    with contextlib.suppress(TypeError):
        trace.attributes_read[id(owner), ITSELF] = weakref.ref(owner), ITSELF


def note_callable(called: Any) -> None:
    """The same for what is traced itself: a function, method, partial, or object."""
    while not isinstance(called, types.FunctionType):
        frame = build.current()
        if frame is not None:
            # The instance of a method, the arguments of a partial, the object itself.
            of, args = getattr(called, "__self__", called), getattr(called, "args", ())
            note(frame.trace, (of, args))
            for owner in (of, *args):
                note_owner(frame.trace, owner)
        inner = getattr(called, "__func__", None) or getattr(called, "func", None)
        if inner is None:
            inner = getattr(type(called), "__call__", None)  # noqa: B004
            if not isinstance(inner, types.FunctionType):
                return
        called = inner
    note_function(called, is_first=True)


def note(trace: Trace, things: Iterable[Any], outlives: bool = True) -> None:
    """Record every array within these objects as the user's.

    outlives: the lists and dicts among them are from outside of the trace, too
    """
    seen: set[int] = set()
    # The nearest ones first: a program's state lies above its data sets.
    waiting = deque(things)
    while waiting and len(seen) < MOST_OBJECTS:
        thing = waiting.popleft()
        if isinstance(thing, _SKIPPED) or id(thing) in seen:
            continue
        seen.add(id(thing))
        trace.kinds.add(thing if isinstance(thing, type) else type(thing))
        if isinstance(thing, np.ndarray):
            trace.users[id(thing)] = thing
            continue
        if outlives and isinstance(thing, _HOLDING):
            trace.holding[id(thing)] = thing
        elif outlives and not type(thing).__weakrefoffset__:
            trace.solid[id(thing)] = thing
        elif outlives and not is_plain(type(thing)):
            trace.outside[id(thing)] = thing
        waiting.extend(_parts(thing, trace))


def _reached(function: types.FunctionType) -> Iterator[Any]:
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:
            continue
    names = dict.fromkeys(names_in(function.__code__))
    scopes = [function.__globals__]
    for scope in scopes:
        for thing in [scope[name] for name in names if name in scope]:
            if isinstance(thing, types.ModuleType):
                # `module.table`: its attribute is among the names.
                known = any(scope is vars(thing) for scope in scopes)
                scopes += [] if known else [vars(thing)]
            yield thing
    yield from function.__defaults__ or ()


def names_in(code: types.CodeType) -> Iterator[str]:
    """The globals that a function, or one inside it, may read."""
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from names_in(inner)


def _parts(thing: Any, trace: Trace) -> Iterable[Any]:
    if isinstance(thing, (list, tuple, set, frozenset, deque)):
        return [*builtin_of(thing).__iter__(thing)]
    if isinstance(thing, (dict, types.MappingProxyType)):
        return keyed(thing).values()
    if (told := tells(thing)) is not None:
        return (told(thing),)
    more: tuple[Any, ...] = ()
    held: list[Mapping[str, Any]]
    if isinstance(thing, type):
        held = [vars(kind) for kind in thing.__mro__]
    elif type(thing) in (types.FunctionType, Function):
        # Not what it closes over, which its calls note.
        held = [vars(thing)]
    else:
        args = thing.args if isinstance(thing, BaseException) else ()
        more = type(thing), *args
        # Past a `__getattribute__` of the user's.
        held = [own_dict(thing), _slots(thing)]
    for of in held:
        shared = OF_ARRAYS & of.keys()
        trace.named.update(name for name in shared if type(of[name]) is np.ndarray)
    return [*more, *(part for of in held for part in of.values())]


def _slots(thing: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for kind in type(thing).__mro__:
        names = vars(kind).get("__slots__", ())
        for name in (names,) if isinstance(names, str) else names:
            slot = vars(kind).get(name)
            if isinstance(slot, types.MemberDescriptorType):
                with contextlib.suppress(AttributeError):  # nothing is in it
                    # Past a property of that name in a class derived from it.
                    found[name] = slot.__get__(thing)
    return found
