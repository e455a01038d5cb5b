"""Creation: arrays made from sizes and bounds, new at each run.

Sizes are templates: ints, or places for staged ints.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import shapes
from runtime.errors import ObjectArrayError
from runtime.op import op, outputs
from runtime.ops.inference import DType, sampled_dtype, static_shape
from runtime.ops.template import Input, fill
from runtime.shapes import Dim
from runtime.spec import TensorSpec, holds_objects, spec_of

Sizes = tuple[Any, ...]


def _zeros(*sizes: Any, shape: Sizes, dtype: DType) -> Any:
    return np.zeros(fill(shape, sizes), dtype)


@op(kernel=_zeros, numpy=np.zeros)
def zeros(*sizes: TensorSpec, shape: Sizes, dtype: DType) -> TensorSpec:
    """Zeros. ValueError: a size is negative."""
    return _made(shape, dtype)


def _made(shape: Sizes, dtype: DType | None) -> TensorSpec:
    dims = static_shape(shape)
    if any(isinstance(size, int) and size < 0 for size in dims or ()):
        raise ValueError("negative dimensions are not allowed")
    made = TensorSpec(dims, dtype)
    if made.dtype is not None and holds_objects(made.dtype):
        raise ObjectArrayError.located()
    return made


def _ones(*sizes: Any, shape: Sizes, dtype: DType) -> Any:
    return np.ones(fill(shape, sizes), dtype)


@op(kernel=_ones, numpy=np.ones)
def ones(*sizes: TensorSpec, shape: Sizes, dtype: DType) -> TensorSpec:
    """Ones. ValueError: a size is negative."""
    return _made(shape, dtype)


def _empty(*sizes: Any, shape: Sizes, dtype: DType) -> Any:
    return np.empty(fill(shape, sizes), dtype)


@op(kernel=_empty, numpy=np.empty)
def empty(*sizes: TensorSpec, shape: Sizes, dtype: DType) -> TensorSpec:
    """Memory as it is found. ValueError: a size is negative."""
    return _made(shape, dtype)


def _full(content: Any, *sizes: Any, shape: Sizes, dtype: DType | None) -> Any:
    return np.full(fill(shape, sizes), content, dtype)


@op(kernel=_full, numpy=np.full)
def full(
    content: TensorSpec, *sizes: TensorSpec, shape: Sizes, dtype: DType | None
) -> TensorSpec:
    """`content` broadcast to `shape`; dtype None keeps content's."""
    return _made(shape, dtype or content.dtype)


def _arange(*bounds: Any, args: tuple[Any, ...], dtype: DType | None) -> Any:
    return np.arange(*fill(args, bounds), dtype=dtype)


@op(kernel=_arange, numpy=np.arange)
def arange(
    *bounds: TensorSpec, args: tuple[Any, ...], dtype: DType | None
) -> TensorSpec:
    """The numbers `np.arange(*args)`: stop; or start, stop; or start, stop, step.

    args: numbers, or places for staged ones; dtype None takes theirs
    """
    size: Dim = None
    if not bounds:
        size = len(np.arange(*args))
    found = dtype or sampled_dtype(_range_of_kinds, *_kinds(args, bounds), rank=0)
    return TensorSpec((size,), found)


def _kinds(args: tuple[Any, ...], bounds: tuple[TensorSpec, ...]) -> list[TensorSpec]:
    return [bounds[arg.k] if isinstance(arg, Input) else spec_of(arg) for arg in args]


def _range_of_kinds(*kinds: Any) -> Any:
    numbers: list[Any] = [x[()] if isinstance(x, np.ndarray) else x for x in kinds]
    return np.arange(*numbers)


def _linspace(
    start: Any, stop: Any, *count: Any, num: Any, endpoint: bool, dtype: DType | None
) -> Any:
    return np.linspace(start, stop, fill(num, count), endpoint, dtype=dtype)


@op(kernel=_linspace, numpy=np.linspace)
def linspace(
    start: TensorSpec,
    stop: TensorSpec,
    *count: TensorSpec,
    num: Any,
    endpoint: bool,
    dtype: DType | None,
) -> TensorSpec:
    """`num` numbers at equal distances from start to stop, along a new first axis."""
    if isinstance(num, int) and num < 0:
        raise ValueError(f"Number of samples, {num}, must be non-negative.")
    bounds = shapes.broadcast(stop.shape, start.shape)  # as NumPy subtracts them
    if bounds is None:
        return TensorSpec(None, dtype)
    size = num if isinstance(num, int) else None
    found = dtype or sampled_dtype(_line, start, stop, rank=0)
    return TensorSpec((size, *bounds), found)


def _line(start: Any, stop: Any) -> Any:
    return np.linspace(start, stop, 2)


def _eye(*sizes: Any, shape: Sizes, k: int, dtype: DType) -> Any:
    rows, columns = fill(shape, sizes)
    return np.eye(rows, columns, k, dtype)


@op(kernel=_eye, numpy=np.eye)
def eye(*sizes: TensorSpec, shape: Sizes, k: int, dtype: DType) -> TensorSpec:
    """Zeros with ones on the k-th diagonal; shape: (rows, columns)."""
    return _made(shape, dtype)


def _tri(*sizes: Any, shape: Sizes, k: int, dtype: DType) -> Any:
    rows, columns = fill(shape, sizes)
    return np.tri(rows, columns, k, dtype)


@op(kernel=_tri, numpy=np.tri)
def tri(*sizes: TensorSpec, shape: Sizes, k: int, dtype: DType) -> TensorSpec:
    """Ones on and below the k-th diagonal, zeros above; shape: (rows, columns)."""
    return _made(shape, dtype)


def _meshgrid(*xs: Any, indexing: str = "xy", sparse: bool = False) -> Any:
    grids = np.meshgrid(*xs, indexing=indexing, sparse=sparse)  # type: ignore[call-overload] # it is one of the two words
    return outputs(grids)


@op(kernel=_meshgrid, numpy=np.meshgrid)
def meshgrid(
    *xs: TensorSpec, indexing: str = "xy", sparse: bool = False
) -> tuple[TensorSpec, ...]:
    """One array of coordinates for each of the 1-d xs, over their whole grid.

    indexing: "xy" swaps the first two axes, "ij" does not
    sparse:   keep size 1 along the axes of the others
    """
    sizes = [shapes.size_of(x.shape) for x in xs]
    order = list(range(len(xs)))
    if indexing == "xy" and len(xs) > 1:
        order[:2] = [1, 0]
    specs = []
    for place, x in enumerate(xs):
        dims = [sizes[i] if not sparse or i == place else 1 for i in order]
        specs.append(TensorSpec(dims, x.dtype))
    return tuple(specs)
