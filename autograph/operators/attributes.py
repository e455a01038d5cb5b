"""Attributes: reads, stores and deletions that run a user's function.

Properties, cached properties, other descriptors, `__getattr__`, `__getattribute__`,
`__setattr__` and `__delattr__`, in the order in which Python asks for them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from autograph.operators.number_calls import kind_name, type_
from autograph.operators.slots import as_users, call, found_on, slot
from runtime import build, foreign, kinds, objects
from runtime.library_spec import LibrarySpec
from runtime.numpy_api import fields, host, library
from runtime.numpy_api.asking import is_flat
from runtime.numpy_api.lacking import refuse_memory, refuse_of_flat, require_known
from runtime.ops.basic import WEAK_INT
from runtime.spec import ListSpec, object_type
from runtime.tensor import Tensor
from tracer import instance_dicts, leaks, places, random_calls
from tracer.choice import Choice, each
from tracer.cond import choose
from tracer.list_objects import staged
from tracer.reads import note_attribute
from tracer.undefined import Maybe

Access = Callable[[], Any]


def read(of: Any, name: str) -> Any:
    """`of.name`."""
    if type(of) is Choice:
        return each(of, lambda option: read(option, name))
    note_attribute(of, name)
    found = _read(of, name)
    return _certain(found, of, name) if type(found) is Maybe else found


def _certain(maybe: Maybe, of: Any, name: str) -> Any:
    """An attribute that is set on one path only, or what is there without it."""
    return choose(maybe.defined, lambda: maybe.content, lambda: unset(of, name))


def unset(of: Any, name: str) -> Any:
    """What a read gives of an attribute that its object does not hold."""
    kind = type(of)
    cached = found_on(kind, name)
    if type(cached) is functools.cached_property:
        return _cache(of, name, call(cached.func, of))
    fallback = slot(kind, "__getattr__")
    return _missing(of, name) if fallback is None else call(fallback, of, name)


def _missing(of: Any, name: str) -> NoReturn:
    message = f"'{type(of).__name__}' object has no attribute '{name}'"
    # Without the object, which would keep tensors of the trace.
    raise AttributeError(message, name=name)


def require_set(of: Any, name: str) -> None:
    """Raise Python's AttributeError where an attribute to be deleted is not there."""
    held = places.AttributeSlot(of, name).get() if places.tracing() else None
    if type(held) is Maybe:
        choose(held.defined, lambda: None, lambda: _missing(of, name))


def _read(of: Any, name: str) -> Any:
    kind = type(of)
    if build.current() is None:
        return getattr(of, name)
    if foreign.is_object(of):
        of, kind = host.held(of), Tensor
    if kind is Tensor:
        return of_tensor(of, name)
    if name == "__dict__" and not isinstance(of, type) and hasattr(of, name):
        return instance_dicts.dict_of(of)
    instance_dicts.require_shared(of)
    if name == "state" and random_calls.is_bits(of):
        return random_calls.state(of)
    fallback = slot(kind, "__getattr__")
    try:
        own = slot(kind, "__getattribute__")
        if own is not None:
            return call(own, of, name)
        getter = _getter(of, name)
        if getter is not None:
            return getter()
        # Without `__getattr__`, which is called converted.
        plain: Any = kind.__getattribute__ if fallback is not None else getattr
        return plain(of, name)
    except AttributeError:
        if fallback is None:
            raise
        return call(fallback, of, name)


def of_tensor(of: Tensor, name: str) -> Any:
    """An attribute of what the tensor will be when the graph runs."""
    if name == "__class__":
        return type_(of)
    if isinstance(of.spec, LibrarySpec):
        # Not what a Tensor has by that name (`root`).
        return library.attribute(of, name)
    if of.spec.kinds and isinstance(getattr(Tensor, name, None), property):
        return kinds.split(of_tensor, of, name)
    if fields.is_attribute(of, name):
        return of[name]
    if is_flat(of):
        refuse_of_flat(name)
    if not of.spec.kinds and not hasattr(_kind_of(of), name):
        # Nor what only a Tensor has.
        require_known(of, f"asked for `.{name}`")
        raise AttributeError(f"'{kind_name(of)}' object has no attribute '{name}'")
    refuse_memory(name)
    if of.spec.shape is None and name in _OF_DIMS:
        return _of_dims(of, name)
    return getattr(of, name)


# What the number of dims tells.
_OF_DIMS = frozenset({"shape", "ndim", "size", "nbytes"})


def _of_dims(of: Tensor, name: str) -> Any:
    """The same of an array whose number of dims the run finds."""
    if name != "shape":
        return objects.call(getattr, WEAK_INT, of, name)
    return (staged(objects.call(_sizes, ListSpec(WEAK_INT), of)),)


def _sizes(array: Any) -> list[int]:
    return [*array.shape]


def _kind_of(of: Tensor) -> type:
    """The type of what it will be."""
    if of.spec.weak:
        return of.spec.python_type
    text = object_type(of.spec) if of.scalar else None
    if text is not None:
        return text
    known = of.scalar and of.spec.dtype is not None
    return np.dtype(of.spec.dtype).type if known else np.ndarray


def _getter(of: Any, name: str) -> Access | None:
    """The user's function that a read calls; None where Python's own way does."""
    owner, instance, held = _place(of)
    if owner is None:
        return None
    found = next((vars(k)[name] for k in owner if name in vars(k)), None)
    if type(found) is property:
        if instance is None or as_users(found.fget) is None:
            return None
        return lambda: call(found.fget, instance)
    if type(found) is functools.cached_property:
        if name in held or as_users(found.func) is None:
            return None
        return lambda: _cache(instance, name, call(found.func, instance))
    get = None if found is None else slot(type(found), "__get__")
    if get is None or (name in held and not _stores(type(found))):
        return None
    return lambda: call(get, found, instance, owner[0])


def _place(of: Any) -> tuple[Any, Any, Any]:
    """The classes to be looked through, the instance if any, and what it holds."""
    kind: Any = type(of)
    if kind is super:
        bases = of.__self_class__.__mro__
        after = bases[bases.index(of.__thisclass__) + 1 :]
        return after, of.__self__, {}
    if kind.__getattribute__ is type.__getattribute__:
        return of.__mro__, None, {}
    if kind.__getattribute__ is not object.__getattribute__:
        return None, None, {}
    return kind.__mro__, of, getattr(of, "__dict__", {})


def _stores(kind: type) -> bool:
    return hasattr(kind, "__set__") or hasattr(kind, "__delete__")


def _cache(of: Any, name: str, value: Any) -> Any:
    # A cached property keeps its value beside `__setattr__`.
    places.changing_attribute(of, name)
    leaks.note_store(value, f"`{type(of).__name__}.{name}`")
    of.__dict__[name] = value
    return value


def change(owner: Any, name: str, by: Callable[..., None], *given: Any) -> None:
    """`by(owner, name, *given)`, logged unless the object refuses it."""
    places.changing_attribute(owner, name)
    try:
        by(owner, name, *given)
    except Exception:
        frame = build.current()
        if frame is not None:
            # Put back, it would be refused again.
            frame.changes.pop()
        raise


def setter(of: Any, name: str, value: Any) -> Access | None:
    """The user's function that `of.name = value` calls; None: there is none."""
    own = slot(type(of), "__setattr__")
    if own is not None:
        return lambda: call(own, of, name, value)
    return own_setter(of, name, value)


def own_setter(of: Any, name: str, value: Any) -> Access | None:
    """That which `object.__setattr__(of, name, value)` calls."""
    return _changer(of, name, "fset", "__set__", value)


def deleter(of: Any, name: str) -> Access | None:
    """The user's function that `del of.name` calls; None: there is none."""
    own = slot(type(of), "__delattr__")
    if own is not None:
        return lambda: call(own, of, name)
    return own_deleter(of, name)


def own_deleter(of: Any, name: str) -> Access | None:
    """That which `object.__delattr__(of, name)` calls."""
    return _changer(of, name, "fdel", "__delete__")


def _changer(of: Any, name: str, field: str, word: str, *value: Any) -> Access | None:
    kind: Any = type(of)
    if build.current() is None or kind.__setattr__ is type.__setattr__:
        return None
    found = found_on(kind, name)
    if type(found) is property:
        function = as_users(getattr(found, field))
        return None if function is None else lambda: call(function, of, *value)
    change = None if found is None else slot(type(found), word)
    return None if change is None else lambda: call(change, found, of, *value)
