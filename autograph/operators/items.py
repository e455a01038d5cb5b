"""items: those of a list of known length that a number of the run asks for."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from runtime import build
from runtime.tensor import Tensor
from tracer import cond, places
from tracer.choice import MOST_OPTIONS, Choice, all_options
from tracer.escaping import is_container
from tracer.leaves import is_numeric, leaf_spec
from tracer.list_objects import is_staged
from tracer.state import EMPTY


def by_reference(of: list[Any], key: Any) -> bool:
    """True where an item that a number of the run asks for is the very item.

    What is in it is enough as long as nobody changes it.
    """
    if is_staged(of) or not isinstance(key, Tensor) or not key.scalar:
        return False
    if len(of) > MOST_OPTIONS or not any(map(_is_reference, of)):
        return False
    trace = build.require_current("an item").trace
    trace.may_refer = True
    return trace.references


def _is_reference(item: Any) -> bool:
    if isinstance(item, Tensor):
        return not item.scalar
    if isinstance(item, Choice):
        return any(map(_is_reference, all_options(item)))
    return isinstance(item, np.ndarray) or is_container(item)


def is_mixed(of: Any) -> bool:
    """Whether it is a tuple of numbers of several types, of which no array is made."""
    if type(of) is not tuple or not all(map(is_numeric, of)):
        return False
    specs = {leaf_spec(item) for item in of}
    return len(specs) > 1 and all(spec.shape == () for spec in specs)


def set_picked(value: Any, of: list[Any], key: Any) -> None:
    """Set the item of a short list by a number of the run; tried one by one."""
    at = cond.choose(key < 0, lambda: key + len(of), lambda: key)

    def put(position: int) -> None:
        places.changing(of)
        of[position] = value

    def among(position: int) -> None:
        if position == len(of):
            raise IndexError("list assignment index out of range")
        equal = at == position
        if isinstance(equal, Tensor):
            rest = partial(among, position + 1)
            cond.cond(equal, partial(put, position), rest, EMPTY)
        elif equal:
            put(position)
        else:
            among(position + 1)

    among(0)
