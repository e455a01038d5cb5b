"""hidden: objects that are held by what is no nested structure.

A bound method, a closure, a set, an iterator or an object of a library may hold an
object that a body has made. It stays the object that it is, then: nobody could put
another one there.
"""

from __future__ import annotations

import gc
import types
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from runtime.spec import PYTHON_NUMBERS
from runtime.tensor import Tensor
from tracer import choice

_HOLD_NOTHING = (
    *(Tensor, np.ndarray, np.generic, str, bytes, type, types.ModuleType),
    *(types.NoneType, types.CodeType, types.FrameType, *PYTHON_NUMBERS),
)


# One that reaches more is taken to hold all.
_MOST = 1000


def held_by(leaf: Any, mine: Mapping[int, Any]) -> Iterator[Any]:
    """Those of `mine`, objects by id, that are reached from a leaf of a structure."""
    if not mine or isinstance(leaf, _HOLD_NOTHING):
        return
    known, waiting = set[int](), [leaf]
    while waiting:
        thing = waiting.pop()
        if isinstance(thing, _HOLD_NOTHING) or id(thing) in known:
            continue
        if len(known) > _MOST:
            yield from mine.values()
            return
        known.add(id(thing))
        if id(thing) in mine:
            yield thing
        waiting += _parts(thing)


def hides_tensor(leaf: Any) -> bool:
    """Whether a leaf of a structure, that is no tensor, holds one."""
    known, waiting = set[int](), [leaf]
    while waiting and len(known) <= _MOST:
        thing = waiting.pop()
        if isinstance(thing, Tensor):
            return True
        if not isinstance(thing, _HOLD_NOTHING) and id(thing) not in known:
            known.add(id(thing))
            waiting += _parts(thing)
    return False


def _parts(thing: Any) -> list[Any]:
    if isinstance(thing, types.FunctionType):
        # Not its globals, which are no part of it.
        held = [thing.__closure__, thing.__defaults__, thing.__kwdefaults__]
        return [*held, thing.__dict__]
    content = choice.varying(thing)
    if content is not None:
        # What it may hold are copies, of which nobody else knows.
        return [part for one in content._ag_options for part in gc.get_referents(one)]
    return gc.get_referents(thing)
