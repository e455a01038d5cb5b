"""NumPy's trimming: a part of an array whose bounds depend on what it holds.

The bounds are numbers of the run, and the part is a slice by them: a change of the
array afterwards is seen in it, and does not move it.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from runtime.numpy_api import host
from runtime.numpy_api.operands import as_array
from runtime.numpy_api.table import implements
from runtime.ops.inference import INDEX
from runtime.spec import TensorSpec
from runtime.tensor import Tensor


@cache
def _has_axes() -> bool:
    """False before NumPy 2.2: it takes one axis alone."""
    return "axis" in inspect.signature(np.trim_zeros).parameters


@implements(np.trim_zeros)
def trim_zeros(filt: Any, trim: str = "fb", axis: Any = None) -> Any:
    """`np.trim_zeros`: a view."""
    rank = filt.spec.rank if isinstance(filt, Tensor) else None
    if rank == 0 and axis is None and _is_said(trim):
        return filt
    if not rank or (rank > 1 and not _has_axes()) or not _is_said(trim):
        return NotImplemented
    axes: Sequence[int] = range(rank)
    if axis is not None:
        given = axis if isinstance(axis, (tuple, list)) else (axis,)
        if not all(type(one) is int and -rank <= one < rank for one in given):
            return NotImplemented
        axes = [one % rank for one in given]
    if not axes or _repeats(axes):
        return NotImplemented
    base = as_array(filt)
    spec = TensorSpec((rank, 2), INDEX)
    bounds = host.call(_bounds, (base, trim.lower()), {}, results=spec)
    whole = slice(None)
    key = [slice(*bounds[at]) if at in axes else whole for at in range(rank)]
    return base[tuple(key)]


def _is_said(trim: Any) -> bool:
    return isinstance(trim, str) and trim.lower() in ("fb", "bf", "f", "b")


def _repeats(axes: Sequence[int]) -> bool:
    return len(set(axes)) < len(axes)


def _bounds(x: Any, trim: str) -> Any:
    """For each axis, where what is kept of an array starts and ends."""
    kept = np.argwhere(x)
    ends = np.array([(0, size) for size in x.shape], INDEX)
    if not kept.size:
        return np.zeros_like(ends)
    if "f" in trim:
        ends[:, 0] = kept.min(0)
    if "b" in trim:
        ends[:, 1] = kept.max(0) + 1
    return ends
