"""plain_key: a call's signature in short, which most calls are looked up by."""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

from runtime.spec import TensorSpec, holds_objects
from tracer import tree
from tracer.signature import Signature

# Types of arguments whose place in a signature is found without looking inside.
_BY_VALUE = {int, str, bool, type(None), bytes}
# Set on classes that a Python program can make.
_HEAP_TYPE = 1 << 9
_SCALARS = frozenset(kind for kind in np.sctypeDict.values() if kind is not np.object_)


# The equality of objects that have none of their own.
_HASH: Any = object.__hash__


class _Number:
    """Stands for any int or float that is an input of the trace."""


_INT, _FLOAT = _Number(), _Number()
_BY_VALUE.add(_Number)


def plain_key(
    args: tuple[Any, ...], inputs: frozenset[int] = frozenset()
) -> tuple[Any, ...] | None:
    """A signature in short, for arrays, NumPy scalars, constants and objects only.

    inputs: the positions of arguments whose numbers are inputs of some trace
    """
    key: list[Any] = []
    for arg in _with_inputs(args, inputs) if inputs else args:
        kind = type(arg)
        if kind is np.ndarray and not holds_objects(arg.dtype):
            key.append(arg.dtype)
            key.append(arg.shape)
        elif kind in _SCALARS:
            key.append(arg.dtype)
        elif kind in _BY_VALUE:
            key.append(kind)
            key.append(arg)
        elif kind.__hash__ is _HASH and _is_object(arg, kind):
            # It is equal to itself only, and to nothing once the object is gone.
            key.append(weakref.ref(arg))
        else:
            return None
    if len(args) > 1 and len(set(map(id, args))) < len(args):
        # One array passed twice is one reference in the trace, so another signature.
        return None
    return tuple(key)


def number_inputs(args: tuple[Any, ...], signature: Signature | None) -> frozenset[int]:
    """The positions of Python numbers that are inputs by a signature; None: of all.

    args: as many as the signature has leaves
    """
    return frozenset(
        i
        for i, arg in enumerate(args)
        if type(arg) in (int, float)
        and (signature is None or isinstance(signature.leaves[i], TensorSpec))
    )


def _with_inputs(args: tuple[Any, ...], inputs: frozenset[int]) -> list[Any]:
    made = list(args)
    for i in inputs:
        if i < len(made):
            kind = type(made[i])
            if kind is float:
                made[i] = _FLOAT
            elif kind is int and -(2**63) <= made[i] < 2**63:
                made[i] = _INT
    return made


# By id, the classes whose objects are leaves, told by nothing but themselves.
_objects: dict[int, weakref.ref[type]] = {}


def _is_object(thing: Any, kind: Any) -> bool:
    known = _objects.get(id(kind))
    if known is not None and known() is kind:
        return True
    is_users = kind.__flags__ & _HEAP_TYPE and not issubclass(kind, np.ndarray)
    is_itself = kind.__eq__ is object.__eq__ and kind.__weakrefoffset__
    if not (is_users and is_itself) or tree.children(thing) is not None:
        return False
    _objects[id(kind)] = weakref.ref(kind)
    return True
