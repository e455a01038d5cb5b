"""plain: objects that are nothing but their attributes.

An object of a class that is written in Python, with no state in C, no `__del__` and no
say in how it is copied, can be taken apart and made anew. Where nobody can see which
object it is, one made of the same attributes is the same.
"""

from __future__ import annotations

import enum
import sys
from collections import OrderedDict
from operator import is_not
from types import SimpleNamespace
from typing import Any
from weakref import WeakKeyDictionary

import optree

from runtime.hushed import warnings_as
from runtime.ops.template import new
from runtime.records import field_names, is_record

# Where optree knows the classes that we take apart.
NAMESPACE = "autograph"
# Methods with which a class says more of its objects than their attributes do.
_OWN_WORDS = (
    *("__del__", "__getnewargs__", "__getnewargs_ex__", "__reduce__", "__reduce_ex__"),
    *("__getstate__", "__setstate__"),
)
_OURS = {"autograph", "tracer", "runtime"}
_LIBRARIES = {*sys.stdlib_module_names, "numpy", "scipy", *_OURS} - {"__main__"}
# What was found of a class, which may be one that a function makes anew.
_known: WeakKeyDictionary[type, bool] = WeakKeyDictionary()
# The classes that we have told optree of ourselves.
ours: set[type] = set()


def is_plain(kind: type) -> bool:
    """True for a class of the user's whose objects are nothing but their attributes.

    A dataclass or class of attrs is a nested structure, of its fields.

    >>> Point = type("Point", (), {"__module__": "users"})
    >>> is_plain(Point), is_plain(dict), is_plain(Exception)
    (True, False, False)
    """
    if kind is SimpleNamespace:
        return True
    known = _known.get(kind)
    if known is None:
        known = _known[kind] = _is_users(kind) and _can_be_made(kind)
    return known


def meet_tuple(kind: Any, known: set[type]) -> None:
    """Tell optree of a namedtuple's class with a `__new__` of its own; note it.

    It would call that with what an object holds, which is not what it was given.
    """
    named = next((one for one in kind.__mro__ if "_fields" in vars(one)), kind)
    if kind.__new__ is named.__new__:
        return
    register: Any = optree.register_pytree_node  # its types say collections only
    if register.get(kind, namespace=NAMESPACE).type is kind:
        return
    with warnings_as("ignore"):  # optree says that it knows of namedtuples
        register(
            kind,
            lambda node: ([*tuple.__iter__(node)], None, kind._fields),
            lambda _, leaves: tuple.__new__(kind, leaves),
            path_entry_type=optree.GetAttrEntry,
            namespace=NAMESPACE,
        )
    known.add(kind)


def is_registered(kind: type) -> bool:
    """True for a class that optree takes apart, as its user has told it to."""
    if kind in ours:
        return False
    return optree.register_pytree_node.get(kind, namespace=NAMESPACE) is not None


def forget(kind: type) -> None:
    """Forget the answer for a class, which may then be collected."""
    _known.pop(kind, None)
    ours.discard(kind)


def is_library(module: str | None) -> bool:
    """True for the standard library, NumPy, SciPy, and for us.

    >>> is_library("collections.abc"), is_library("__main__")
    (True, False)
    """
    return str(module).partition(".")[0] in _LIBRARIES


def _is_users(kind: Any) -> bool:
    if is_library(kind.__module__) or is_record(kind) or is_registered(kind):
        return False
    return not issubclass(kind, (enum.Enum, type))


def _can_be_made(kind: Any) -> bool:
    if any(getattr(kind, w, None) is not getattr(object, w, None) for w in _OWN_WORDS):
        return False
    try:
        # What pickle does for objects: it refuses those with a state in C, and a
        # `__getattribute__` of the user's may do anything with one that is empty.
        object.__reduce_ex__(object.__new__(kind), 2)
    except Exception:
        return False
    return True


def attributes(thing: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """What an object holds in its `__dict__`, and in its slots."""
    if type(thing) is SimpleNamespace:
        return vars(thing), {}
    state: Any = object.__getstate__(thing)
    held, slots = state if isinstance(state, tuple) else (state, None)
    return held or {}, slots or {}


def of_record(thing: Any) -> dict[str, Any]:
    """What a record holds: its fields in their order, then what was set besides.

    >>> from dataclasses import make_dataclass
    >>> point = make_dataclass("Point", ["x"])(1)
    >>> point.label = "start"
    >>> of_record(point)
    {'x': 1, 'label': 'start'}
    """
    held, slots = attributes(thing)
    known = {**held, **slots}
    names = field_names(type(thing))
    return {name: known.pop(name) for name in names if name in known} | known


def make(kind: Any, held: dict[str, Any], slots: dict[str, Any]) -> Any:
    """An object of a plain class with these attributes."""
    made = new(kind)
    fill(made, held, slots)
    return made


def fill(made: Any, held: dict[str, Any], slots: dict[str, Any]) -> None:
    """Give an object these attributes, past what its class says of setting them."""
    if held:
        made.__dict__.update(held)
    for name, content in slots.items():
        object.__setattr__(made, name, content)


def put_in_order(held: OrderedDict[Any, Any]) -> None:
    """Put the keys in anew where `move_to_end` has moved one.

    optree goes through it as through a dict, whose order `move_to_end` leaves alone.
    """
    if any(map(is_not, dict.__iter__(held), held)):
        items = [*held.items()]
        held.clear()
        held.update(items)
