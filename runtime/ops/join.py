"""Joining arrays into one, and splitting one into several."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from runtime import shapes
from runtime.op import op, outputs
from runtime.ops.inference import axis_of, refuse_as_numpy, stand_in
from runtime.shapes import Dim
from runtime.spec import TensorSpec, result_dtype


def _concatenate(*xs: Any, axis: int | None = 0) -> Any:
    return np.concatenate(xs, axis)


@op(kernel=_concatenate, numpy=np.concatenate)
def concatenate(*xs: TensorSpec, axis: int | None = 0) -> TensorSpec:
    """The arrays one after another along `axis`; each flat if None.

    ValueError: they differ along another axis, or have none.
    """
    dtype = result_dtype(*(x.strong() for x in xs))
    if axis is None:
        return TensorSpec((_total(shapes.size_of(x.shape) for x in xs),), dtype)
    known = [x for x in xs if x.shape is not None]
    if not known:
        return TensorSpec(None, dtype)
    ranks = {x.rank for x in known}
    if len(ranks) > 1 or 0 in ranks:
        refuse_as_numpy(np.concatenate, list(map(stand_in, known)), axis)
    at = axis_of(axis, known[0].rank or 0)
    dims = []
    for index in range(known[0].rank or 0):
        sizes = [_dim(x, index) for x in xs]
        dims.append(_total(sizes) if index == at else _same(sizes))
        if index != at and len({size for size in sizes if isinstance(size, int)}) > 1:
            refuse_as_numpy(np.concatenate, list(map(stand_in, known)), axis)
    return TensorSpec(dims, dtype)


def _dim(x: TensorSpec, index: int) -> Dim:
    return None if x.shape is None else x.shape[index]


def _total(sizes: Iterable[Dim]) -> Dim:
    total = 0
    for size in sizes:
        if not isinstance(size, int):
            return None
        total += size
    return total


def _same(sizes: Sequence[Dim]) -> Dim:
    """The one size that all have: a known one rather than a name."""
    ints = [size for size in sizes if isinstance(size, int)]
    return ints[0] if ints else sizes[0]


def _stack(*xs: Any, axis: int = 0, literal: bool = False) -> Any:
    try:
        made = np.stack(xs, axis)
        return np.ascontiguousarray(made) if literal else made
    except ValueError:
        if not literal:
            raise
        return np.array(list(xs))  # raises, in the words of np.array


@op(kernel=_stack, numpy=np.stack)
def stack(*xs: TensorSpec, axis: int = 0, literal: bool = False) -> TensorSpec:
    """The arrays side by side along a new axis, `axis` of the result.

    literal: it is `np.array([x, y])`, which lies in C order, whatever they lie in, and
             has words of its own for the error
    ValueError: they differ in shape.
    """
    dtype = result_dtype(*(x.strong() for x in xs))
    known = [x.shape for x in xs if x.shape is not None]
    if not known:
        return TensorSpec(None, dtype)
    rank = len(known[0])
    pairs = zip(*known, strict=True) if len({len(dims) for dims in known}) == 1 else ()
    columns = list(pairs)
    differ = any(len({d for d in dims if isinstance(d, int)}) > 1 for dims in columns)
    if differ or any(len(dims) != rank for dims in known):
        if literal:
            refuse_as_numpy(np.array, [stand_in(x) for x in xs if x.shape is not None])
        raise ValueError("all input arrays must have the same shape")
    dims = list(map(_same, columns))
    at = axis_of(axis, rank + 1)
    return TensorSpec([*dims[:at], len(xs), *dims[at:]], dtype)


def _split(
    x: Any, *, sections: int | tuple[int, ...], axis: int = 0, even: bool = False
) -> Any:
    cut = np.split if even else np.array_split
    return outputs(cut(x, sections, axis))


@op(kernel=_split, numpy=np.array_split, view=True)
def split(
    x: TensorSpec,
    *,
    sections: int | tuple[int, ...],
    axis: int = 0,
    even: bool = False,
) -> tuple[TensorSpec, ...]:
    """`x` cut along `axis` into `sections` parts, or at those indices; views.

    Parts that cannot be equal differ by one, the larger ones first.
    ValueError: `even`, and they cannot be equal.
    """
    count = sections if isinstance(sections, int) else len(sections) + 1
    if x.shape is None:
        return (TensorSpec(None, x.dtype),) * count
    at = axis_of(axis, len(x.shape))
    dim = x.shape[at]
    if even and isinstance(dim, int) and isinstance(sections, int) and dim % sections:
        raise ValueError("array split does not result in an equal division")
    sizes = _section_sizes(dim, sections) if isinstance(dim, int) else [None] * count
    return tuple(
        TensorSpec((*x.shape[:at], size, *x.shape[at + 1 :]), x.dtype) for size in sizes
    )


def _section_sizes(size: int, sections: int | tuple[int, ...]) -> list[int]:
    return [len(part) for part in np.array_split(range(size), sections)]
