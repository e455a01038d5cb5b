"""Keys: tuples and lists of slices and numbers, of which data say what some are.

`key = [slice(None)] * x.ndim; key[axis] = 0; x[tuple(key)]`, with an axis of the run: a
part of the key is one of several things, so the subscript is staged for each of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.errors import OnlyPythonError, located
from runtime.numpy_api import host
from runtime.numpy_api.methods import call_method
from runtime.ops.template import Items
from runtime.tensor import Tensor, tensor
from tracer.list_objects import is_staged, staged
from tracer.picking import holds_choice, over


def picks(of: list[Any], key: Any, value: Any) -> bool:
    """Whether `of[key] = value` is tried item by item: there are slices in the list."""
    if is_staged(of) or not isinstance(key, Tensor) or not key.scalar:
        return False
    return len(of) <= MOST and any(type(item) is slice for item in (*of, value))


# No array has more dims.
MOST = 64
# `np.s_[...]` is what stands in the brackets.
_AS_WRITTEN = type(np.s_)


def read(of: Any, key: Any, get: Callable[[Any], Any]) -> tuple[Any] | None:
    """`(of[key],)` of an array, or of `np.s_`, and such a key; None for others.

    get: gives `of[key]` for a key of which the trace knows what it is
    """
    if type(of) is _AS_WRITTEN:
        return (of[key],)
    found = _known(of, key)
    if _is_of_run(found):
        return (host.call(call_method, (tensor(of), "__getitem__", found), {}),)
    if found is None or holds_choice(found):
        return None if found is None else (over(get, found),)
    return None if found is key else (get(found),)


def written(of: Any, key: Any, put: Callable[[Any], Any]) -> bool:
    """Whether a store into an array is done by `put` for each key that it may be."""
    found = _known(of, key)
    if _is_of_run(found):
        raise located(
            OnlyPythonError("how many parts a key has depends on data"),
            "Use an array of indices for each dim.",
        )
    if found is None or (found is key and not holds_choice(found)):
        return False
    over(put, found)
    return True


def _known(of: Any, key: Any) -> Any:
    """A key of an array part by part, or with a place for those that each run finds."""
    if type(key) is not tuple or not isinstance(of, (Tensor, np.ndarray)):
        return None
    held = staged(key)
    if held is None:
        return key
    if held.known_length is None:
        return (Items(held.zipped()),)
    return tuple(map(held.get, range(held.known_length)))


def _is_of_run(key: Any) -> bool:
    """True for a key of which a run tells how many parts it has."""
    return key is not None and any(type(part) is Items for part in key)
