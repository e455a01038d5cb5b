"""Storing: `x[key] = content` into an array, or through views of it by index.

What is stored into a part of a part is stored into the array that both are of, in one
step: `x[1:][::2][i] = v` writes one element, as NumPy does, and copies no part.
"""

from __future__ import annotations

from typing import Any

from runtime import build
from runtime.layouts import is_contiguous
from runtime.numpy_api import faults, fields, library
from runtime.numpy_api.asking import is_flat
from runtime.numpy_api.indexing import (
    Key,
    as_stored,
    has_mixed_part,
    key_of,
    store,
)
from runtime.numpy_api.own_views import is_own_view
from runtime.numpy_api.set_flat import set_flat
from runtime.ops.index import Index
from runtime.ops.index import store as store_op
from runtime.ops.template import Input, refill
from runtime.tensor import Tensor


def set_item(target: Tensor, key: Any, content: Any) -> None:
    """`target[key] = content`, cast as NumPy does it.

    ValueError: content does not fit there, if that is certain now.
    """
    flat = is_flat(target)
    if flat:
        # In the order of Fortran it is no view, and the array is not changed in place.
        build.require_current("an array").trace.asks_layout = True
    target.require_writable("underlying array" if flat else "assignment destination")
    if flat and target._view is not None and not is_contiguous(target._view.base):
        # No row of all elements is a view of it: they are written where they lie.
        whole = target._view.base
        whole.write(set_flat(whole, key, content).value)
        return
    top, keys = _steps(target)
    if not keys or not _is_plain(target, top, key):
        made = store(target, key, content)
        if made is not target:
            target.write(made.value)
        return
    last = key_of(key)
    if is_own_view(target, last, content):
        return
    content = as_stored(target, last, content)
    dynamic, (*path, index) = _joined([*keys, last])
    try:
        made = store_op(top, content, *dynamic, index=index, path=tuple(path))
    except ValueError as error:
        faults.raise_of_store(target, key, content, dynamic, error)
    top.write(made.value)


def _steps(target: Tensor) -> tuple[Tensor, list[Key]]:
    """The array that a view is of, and the indices that lead to it."""
    keys: list[Key] = []
    while target._view is not None and isinstance(target._view.key, Key):
        keys.insert(0, target._view.key)
        target = target._view.base
    return target, keys


def _is_plain(target: Tensor, top: Tensor, key: Any) -> bool:
    """True for an array of numbers, of which the dims are known."""
    if target.scalar or top.scalar or is_flat(target) or is_flat(top):
        return False
    if library.is_object(top) or fields.is_record(top) or has_mixed_part(key):
        return False
    known = top.spec.dtype is not None and not top.spec.kinds
    return known and target.spec.shape is not None


def _joined(keys: list[Key]) -> tuple[list[Tensor], list[Index]]:
    """The dynamic parts of all keys, and the indices with places among these."""
    dynamic: list[Tensor] = []
    indices: list[Index] = []
    for key in keys:
        places = range(len(dynamic), len(dynamic) + len(key.dynamic))
        indices.append(refill(key.index, tuple(map(Input, places))))
        dynamic += key.dynamic
    return dynamic, indices
