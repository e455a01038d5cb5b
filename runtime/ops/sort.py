"""Sorting and searching in sorted arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import shapes
from runtime.op import op
from runtime.ops.inference import INDEX, axis_of
from runtime.spec import TensorSpec


def _along(x: TensorSpec, axis: int | None, dtype: Any) -> TensorSpec:
    if axis is None:
        return TensorSpec((shapes.size_of(x.shape),), dtype)
    if x.shape is not None:
        axis_of(axis, len(x.shape))
    return TensorSpec(x.shape, dtype)


@op(numpy=np.sort)
def sort(
    x: TensorSpec, *, axis: int | None = -1, kind: str | None = None
) -> TensorSpec:
    """`x` sorted along `axis`, the flat array if None; NaN last.

    kind: as in np.sort; "stable" keeps the order of equal elements
    """
    return _along(x, axis, x.dtype)


@op(numpy=np.argsort)
def argsort(
    x: TensorSpec, *, axis: int | None = -1, kind: str | None = None
) -> TensorSpec:
    """The indices that sort x along `axis`."""
    return _along(x, axis, INDEX)


@op(numpy=np.searchsorted)
def searchsorted(x: TensorSpec, v: TensorSpec, *, side: str = "left") -> TensorSpec:
    """Where in the sorted 1-d x the elements of v belong; v's shape.

    side: before ("left") or after ("right") equal elements
    """
    return TensorSpec(v.shape, INDEX)


@op(numpy=np.unique)
def unique(x: TensorSpec) -> TensorSpec:
    """The different elements of x, sorted, in one row."""
    return TensorSpec((None,), x.dtype)


@op(numpy=np.bincount)
def bincount(x: TensorSpec, *, minlength: int = 0) -> TensorSpec:
    """How often x holds each whole number from 0 on: at least `minlength` counts."""
    return TensorSpec((None,), INDEX)
