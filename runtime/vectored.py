"""vectored: a base class whose instances CPython may call by a C function of their own.

CPython calls an object by its class's `__call__`, which for a class of Python's costs
some 0.1 us before its first line runs. A class may say instead where its instances hold
the address of a C function. `Vectored` has room for that address; where none is set,
and in subclasses, an instance is called by `__call__` as ever.
"""

from __future__ import annotations

import ctypes
import functools
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

# CPython's flags of classes: it may have subclasses; it has a version for caches.
_BASE, _VERSIONED = 1 << 10, 1 << 18
# A C function may be called in place of `__call__`; and by an instance's attribute
# without a bound method: `__get__` does nothing but bind.
_BY_VECTOR, _AS_METHOD = 1 << 11, 1 << 17
_POINTER = ctypes.sizeof(ctypes.c_void_p)
# Where a class keeps its size, the place of the address in instances, and its flags.
_SIZE, _PLACE, _FLAGS = 32, 56, 168


class _Slot(ctypes.Structure):
    """CPython's PyType_Slot."""

    _fields_ = (("slot", ctypes.c_int), ("function", ctypes.c_void_p))


class _Spec(ctypes.Structure):
    """CPython's PyType_Spec."""

    _fields_ = (
        *(("name", ctypes.c_char_p), ("size", ctypes.c_int), ("item", ctypes.c_int)),
        *(("flags", ctypes.c_uint), ("slots", ctypes.POINTER(_Slot))),
    )


def _is_known() -> bool:
    """Whether objects begin with a count and a type, and one thread runs at a time."""
    is_free = "t" in getattr(sys, "abiflags", "")
    usual = object.__basicsize__ == 2 * _POINTER == 16
    return sys.implementation.name == "cpython" and usual and not is_free


def _room() -> Any:
    """A class whose instances have room for an address after their head."""
    if not _is_known():
        return type("Room", (), {"__slots__": (), "__module__": __name__})
    last = (_Slot * 1)()
    name = f"{__name__}.Room".encode()
    size = object.__basicsize__ + _POINTER
    spec = _Spec(name, size, 0, _BASE | _VERSIONED, last)
    make = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p)
    return make(("PyType_FromSpec", ctypes.pythonapi))(ctypes.addressof(spec))


if TYPE_CHECKING:
    Room = object
else:
    Room = _room()


class Miss:
    """What one of the entries gives for a call that it was not made for."""


MISS = Miss()


class Vectored(Room):
    """An object that may be called by a C function of its own.

    _entries: builtins that this function calls with the arguments, one after the other,
              until one gives something else than MISS; then the class's `__call__`
    """

    __slots__ = ("_entries",)
    _entries: tuple[Any, ...]

    def _keep_entries(self, entries: Iterable[Any]) -> None:
        """Let calls ask these entries alone, of those that they ask now."""
        if hasattr(self, "_entries"):
            self._entries = (*entries, self._entries[-1])


def has_room(kind: type[Vectored]) -> bool:
    """Whether the instances of a class, and the class, lie as this module says."""
    if Room.__basicsize__ != object.__basicsize__ + _POINTER:
        return False
    word = ctypes.c_size_t.from_address
    flags = word(id(kind) + _FLAGS).value
    function = type(has_room)
    return (
        word(id(kind) + _SIZE).value == kind.__basicsize__ >= Room.__basicsize__
        and flags & 0xFFFFFFFF == kind.__flags__ & 0xFFFFFFFF
        # A class whose place is known by what its instances hold there.
        and bool(function.__flags__ & _BY_VECTOR)
        and 0 < word(id(function) + _PLACE).value < function.__basicsize__
        and word(id(kind) + _PLACE).value in (0, object.__basicsize__)
    )


def let_in(kind: type[Vectored]) -> None:
    """Let instances of exactly this class, of which none is called now, have addresses.

    A `__get__`, if it has one, is to do nothing but bind: a method is called with its
    instance as first argument, at once.
    """
    ctypes.c_size_t.from_address(id(kind) + _PLACE).value = object.__basicsize__
    flags = ctypes.c_size_t.from_address(id(kind) + _FLAGS)
    flags.value |= _BY_VECTOR | (_AS_METHOD if hasattr(kind, "__get__") else 0)
    ctypes.PYFUNCTYPE(None, ctypes.py_object)(("PyType_Modified", ctypes.pythonapi))(
        kind
    )


@functools.cache
def binds_at_once(kind: Any) -> bool:
    """Let methods of exactly this class be called without a bound method, if possible.

    That costs more than a short method takes. Its `__get__` does nothing but bind.
    """
    whole = Vectored in kind.__bases__ and "__call__" in vars(kind)
    if not (whole and has_room(kind) and has_room(_Probe)):
        return False
    let_in(_Probe)
    one, thing = _Probe(), [1]
    holder = type("Holder", (), {"method": one})()
    if not (
        holder.method(thing, a=2) == (one, (holder, thing), {"a": 2})
        and holder.method() == (one, (holder,), {})
        and one(thing) == (one, (thing,), {})
        and type(holder).method(thing) == (one, (thing,), {})
    ):
        return False
    let_in(kind)
    return True


class _Probe(Vectored):
    """What it is tried on."""

    def __call__(self, *args: Any, **named: Any) -> Any:
        return self, args, named

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)


def call_by(one: Vectored, address: int) -> None:
    """Let an object be called by the C function at an address; by `__call__` if 0."""
    place = id(one) + object.__basicsize__
    ctypes.c_void_p.from_address(place).value = address or None
