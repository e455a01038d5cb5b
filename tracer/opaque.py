"""opaque: objects of libraries, which their own code changes where no place is logged.

A queue, an `array.array`, a context stack: what a call of a library does to one is done
while tracing. So it is looked at before and after the call. A change that a run may
not make, or that each run would have to make, is taken back, and the call of the
decorated function is made as Python.
"""

from __future__ import annotations

import array
import ctypes
import enum
import io
import operator
import pickle
import re
import sys
import types
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from runtime import build
from runtime.build import Frame
from runtime.errors import PythonTypeError, StagingTypeError, located, refused_as
from runtime.ops.random import is_shared, is_source, standing
from runtime.structs import struct
from runtime.tensor import Tensor
from runtime.variable import Variable
from tracer.choice import Choice, Stands

# Parts looked at in one object, and letters of an array; what is beyond is not seen.
MOST_PARTS = 2000
MOST_BYTES = 10_000_000
_VALUES = (bool, int, float, complex, str, bytes, type(None))
_BUFFERS = (array.array, ctypes.Array, memoryview, bytearray)
# They do not change, do so in ways that nobody sees, or are watched otherwise.
_SKIPPED = (
    *(*_VALUES, range, slice, type, property, re.Pattern, enum.Enum),
    *(types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.CodeType),
    *(types.MethodType, types.GeneratorType, types.MethodWrapperType),
    *(
        Tensor,
        Choice,
        Stands,
        Variable,
        np.ndarray,
        np.generic,
        np.dtype,
        BaseException,
    ),
)
# Containers, of which all is seen.
_OWN = (list, dict, set, frozenset, tuple, deque, bytearray)
_OURS = frozenset({"autograph", "tracer", "runtime", "numpy"})
# Told by the module, which need not be loaded.
_LOGS = "logging"


def is_opaque(thing: Any) -> bool:
    """True for an object that may change where only its library knows."""
    if isinstance(thing, _OWN) or is_without_state(thing):
        return False
    return isinstance(thing, _BUFFERS) or _has_state(thing)


def is_without_state(thing: Any) -> bool:
    """True for what does not change, or is watched otherwise, and for what is ours."""
    of = type(thing).__module__.partition(".")[0]
    return _is_skipped(thing) or of in _OURS


def _told(file: io.IOBase) -> Any:
    """Where a file stands, and what one in memory holds; None: it does not say."""
    with suppress(OSError, ValueError):
        return file.tell(), file.getvalue() if isinstance(file, io.BytesIO) else None
    return None


def _is_skipped(thing: Any) -> bool:
    if isinstance(thing, _SKIPPED) or type(thing).__module__ == _LOGS:
        return True
    # Who has a path has loaded its module, which a first call would for 3 ms.
    # Another thread may be half-way through it.
    kind = getattr(sys.modules.get("pathlib"), "PurePath", None)
    return kind is not None and isinstance(thing, kind)


def _has_state(thing: Any) -> bool:
    kind = type(thing)
    return kind.__dictoffset__ != 0 or any("__slots__" in vars(k) for k in kind.__mro__)


def states(function: Any, things: Iterable[Any]) -> list[tuple[Any, Any]]:
    """Each of the things that `function` may change, with what is seen of its state."""
    of_own = isinstance(getattr(function, "__self__", None), _OWN)
    keeps = of_own and isinstance(function, types.BuiltinMethodType)
    return [
        (thing, _state(thing))
        for thing in things
        if is_opaque(thing) and not (keeps and _is_only_kept(type(thing)))
    ]


# What a list, dict or set asks of what it is given.
_ASKED = (
    *("__eq__", "__hash__", "__lt__", "__gt__"),
    *("__iter__", "__getitem__", "__index__", "keys"),
)


def _is_only_kept(kind: type) -> bool:
    """Whether Python's own containers keep such an object, and ask it nothing."""
    return all(
        getattr(kind, name, None) is getattr(object, name, None) for name in _ASKED
    )


def check(frame: Frame, before: Iterable[tuple[Any, Any]]) -> None:
    """Refuse what has been changed since where not each run does just that.

    PythonTypeError: it is from outside, or of another frame; it is what it was before
    StagingTypeError: as that, but it cannot be put back, so Python would go on with it
    """
    before = list(before)
    for thing, state in before:
        if not _same(state, _state(thing)):
            try:
                _changed(frame, thing)
            except PythonTypeError as error:
                if _put_back(before):
                    raise
                refusal = refused_as(StagingTypeError, error)
                refusal.is_final = True
                raise refusal from None


def _put_back(before: Iterable[tuple[Any, Any]]) -> bool:
    """Whether the things are again what they were, for Python, which goes on so."""
    with build.suspended():
        for restore in [one for _, (look, _) in before for one in look.restores]:
            with suppress(Exception):  # of what can only be read
                restore()
    return all(_same(state, _state(thing)) for thing, state in before)


def _changed(frame: Frame, thing: Any) -> None:
    made = frame.trace.created.get(id(thing))
    if made is not None and made[1] is frame:
        if not isinstance(thing, io.IOBase):  # which a trace that goes back leaves
            frame.changes.append((_Changed(thing, frame), None))
        return
    shown = type(thing).__name__
    if made is not None or frame.parent is not None:
        raise located(
            PythonTypeError(
                f"a {shown} is changed in a branch, loop or try that depends on data, "
                "by a library whose changes are not staged"
            ),
            "Keep what it holds in a list, dict or array, or change it by a function "
            "that ag.py_function calls.",
        )
    if frame.trace.python_effects == "trace":
        return
    raise located(
        PythonTypeError(
            f"a {shown} that was made outside of the function would be changed once, "
            "while tracing, and not when the graph runs"
        ),
        "Change it outside of the decorated function, or by ag.py_function.",
    )


@struct(eq=False)
class _Changed:
    """An object of the frame's own that has been changed, which cannot be undone."""

    thing: Any
    frame: Frame

    def get(self) -> None:
        """Nothing that could be put back."""

    def set(self, held: None) -> None:
        """Where the trace goes back, it is no more what it was."""
        self.frame.trace.created[id(self.thing)] = (self.thing, None)

    def content(self) -> Any:
        """The object."""
        return self.thing

    def change(self, frame: Frame, content: Any) -> None:
        """Never asked for: only the frame that made it changes it."""
        raise AssertionError("what is the frame's own is no state")

    def is_local(self, frame: Frame) -> bool:
        """True: see `change`."""
        return True

    def holder(self) -> Any:
        """The object."""
        return self.thing


class _Look:
    """What one object is made of, as values and ids that can be compared.

    restores: what puts its parts back, of containers and attributes
    """

    def __init__(self) -> None:
        self.seen: dict[int, Any] = {}
        self.restores: list[Callable[[], None]] = []

    def of(self, thing: Any) -> Any:
        kind = type(thing)
        if kind in _VALUES:
            return kind, repr(thing)
        if id(thing) in self.seen or len(self.seen) > MOST_PARTS:
            return id(thing)
        # Held, so that no other object gets its id.
        self.seen[id(thing)] = thing
        if isinstance(thing, (*_BUFFERS, np.ndarray)) and not _holds_objects(thing):
            return self._memory(thing)
        if isinstance(thing, _CHANGING):
            self.restores.append(partial(_put_items, thing, _items(thing)))
        if isinstance(thing, dict):
            pairs = [(self._key(key), self.of(part)) for key, part in thing.items()]
            return id(thing), pairs
        if isinstance(thing, (set, frozenset)):
            return id(thing), {self._key(part) for part in thing}
        if isinstance(thing, (list, tuple, deque)):
            return id(thing), [self.of(part) for part in thing]
        if isinstance(thing, io.IOBase) or is_source(thing):
            return id(thing), self._standing(thing)
        if _is_skipped(thing) or not _has_state(thing):
            return id(thing)
        return self.attributes(thing)

    def _standing(self, thing: Any) -> Any:
        """Where a file stands, or an object's own source of random numbers.

        The source of NumPy's functions is looked at where they are called.
        """
        if isinstance(thing, io.IOBase):
            return _told(thing)
        if is_shared(thing):
            return None
        state, put = standing(thing)
        self.restores.append(put)
        return pickle.dumps(state)

    def _memory(self, thing: Any) -> Any:
        held, size = _bytes(thing), _size(thing)
        put = _put_array if isinstance(thing, np.ndarray) else _put_bytes
        self.restores.append(partial(put, thing, size, held))
        return id(thing), getattr(thing, "shape", size), held

    def _key(self, key: Any) -> Any:
        self.seen[id(key)] = key
        return (type(key), repr(key)) if type(key) in _VALUES else id(key)

    def attributes(self, thing: Any) -> tuple[int, dict[str, Any]]:
        # Past what the user's class says of its attributes.
        found: dict[str, Any] = {}
        with suppress(AttributeError):
            own = object.__getattribute__(thing, "__dict__")
            found.update(own)
            self.restores.append(partial(_put_items, own, _items(own)))
        for kind in type(thing).__mro__:
            for name, slot in vars(kind).items():
                if isinstance(slot, types.MemberDescriptorType):
                    with suppress(AttributeError):
                        found[name] = slot.__get__(thing, kind)
                        restore = partial(slot.__set__, thing, found[name])
                        self.restores.append(restore)
        return id(thing), {name: self.of(part) for name, part in found.items()}


_CHANGING: tuple[Any, ...] = (OrderedDict, dict, list, set, deque)


def _own_kind(container: Any) -> Any:
    """Whose methods are asked, past those of a class of the user's."""
    return next(kind for kind in _CHANGING if isinstance(container, kind))


def _items(container: Any) -> list[Any]:
    kind = _own_kind(container)
    go_through = kind.items if issubclass(kind, dict) else kind.__iter__
    return list(go_through(container))


def _put_items(container: Any, held: list[Any]) -> None:
    if _is_as_before(container, held):
        return  # somebody may be going through it
    kind = _own_kind(container)
    kind.clear(container)
    (kind.update if issubclass(kind, (dict, set)) else kind.extend)(container, held)


def _is_as_before(container: Any, held: list[Any]) -> bool:
    """Whether it holds the very objects, in their order."""
    now = _items(container)
    if isinstance(container, dict):
        now, held = [*chain(*now)], [*chain(*held)]
    return len(now) == len(held) and all(map(operator.is_, now, held))


def _holds_objects(thing: Any) -> bool:
    return isinstance(thing, np.ndarray) and thing.dtype.hasobject


def _put_array(array: np.ndarray[Any, Any], size: int, held: bytes) -> None:
    if array.flags.writeable and len(held) == size:
        array[...] = np.frombuffer(held, array.dtype).reshape(array.shape)


def _put_bytes(buffer: Any, size: int, held: bytes) -> None:
    """Of one that is small enough to have been kept."""
    if len(held) != size:
        return
    if isinstance(buffer, ctypes.Array):
        ctypes.memmove(buffer, held, size)
    elif memoryview(buffer).nbytes == size:
        if not memoryview(buffer).readonly:
            memoryview(buffer).cast("B")[:] = held
    elif isinstance(buffer, array.array):
        del buffer[:]
        buffer.frombytes(held)


def _size(buffer: Any) -> int:
    # An array of dates is no buffer.
    whole = buffer if isinstance(buffer, np.ndarray) else memoryview(buffer)
    return int(whole.nbytes)


def _bytes(buffer: Any) -> bytes:
    whole = memoryview(buffer) if not isinstance(buffer, np.ndarray) else buffer
    return whole.tobytes() if whole.nbytes <= MOST_BYTES else b""


def _state(thing: Any) -> tuple[_Look, Any]:
    look = _Look()
    with build.suspended():
        return look, look.of(thing)


def _same(before: tuple[_Look, Any], after: tuple[_Look, Any]) -> bool:
    a, b = before[1], after[1]
    keeps = isinstance(a, tuple) and len(a) == 2 and isinstance(a[1], dict)
    if not keeps:
        return bool(a == b)
    # What an object newly keeps for itself is what it has computed.
    new = b[1].keys() - a[1].keys()
    return all(n[0] == "_" for n in new) and a[1] == {k: b[1].get(k) for k in a[1]}
