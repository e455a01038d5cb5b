"""What type rules share: dtypes found by asking NumPy, axes, reduced shapes.

The dtype of a result is found by running the NumPy function on one element of each
operand's dtype, once for each combination: NumPy's own rules need no copy here.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index, normalize_axis_tuple

from runtime.hushed import warnings_as
from runtime.ops.template import Input
from runtime.shapes import Shape
from runtime.spec import TensorSpec

DType = np.dtype[Any]
Axis = int | tuple[int, ...] | None
INDEX = np.dtype(np.intp)
SAMPLES: dict[type, Any] = {bool: True, int: 2, float: 2.0, complex: 2j}


def operand(spec: TensorSpec) -> DType | type:
    """A known dtype as promotion takes it: a Python number's type when it is weak."""
    assert spec.dtype is not None
    return spec.python_type if spec.weak else spec.dtype


def sampled_dtype(
    function: Callable[..., Any], *specs: TensorSpec, rank: int = 1, **options: Any
) -> DType | None:
    """The dtype of `function(*operands, **options)`; None when an operand's is unknown.

    rank: of the one-element arrays on which the function is tried
    Raises what the function raises for operands of these dtypes.
    """
    if any(spec.dtype is None for spec in specs):
        return None
    given = tuple(sorted(options.items()))
    return _sampled(function, rank, given, *map(operand, specs))


# By types, too: `np.dtype("q")` is equal to int64.
@functools.lru_cache(None, typed=True)
def _sampled(
    function: Callable[..., Any],
    rank: int,
    options: tuple[tuple[str, Any], ...],
    *operands: Any,
) -> DType:
    samples = [
        SAMPLES[kind] if isinstance(kind, type) else np.ones((1,) * rank, kind)
        for kind in operands
    ]
    with warnings_as("ignore"), np.errstate(all="ignore"):
        found: DType = np.asarray(function(*samples, **dict(options))).dtype
    return found


def axes_of(axis: Axis, rank: int) -> tuple[int, ...]:
    """`axis` as a tuple of indices from 0; all axes for None.

    AxisError: an axis is out of bounds. ValueError: an axis stands twice.
    """
    if axis is None:
        return tuple(range(rank))
    return normalize_axis_tuple(axis, rank)


def axis_of(axis: int, rank: int) -> int:
    """One axis, counted from 0. AxisError: it is out of bounds."""
    return normalize_axis_index(axis, rank)


def reduced(shape: Shape, axis: Axis, keepdims: bool) -> Shape:
    """The shape that a reduction over `axis` leaves."""
    if shape is None:
        return () if axis is None and not keepdims else None
    gone = axes_of(axis, len(shape))
    if keepdims:
        return tuple(1 if i in gone else dim for i, dim in enumerate(shape))
    return tuple(dim for i, dim in enumerate(shape) if i not in gone)


def static_shape(shape: Sequence[Any] | Input) -> Shape:
    """A shape template's dims: ints stay, what comes as an input is unknown.

    None: they all come as one input.
    """
    if isinstance(shape, Input):
        return None
    return tuple(int(dim) if _is_size(dim) else None for dim in shape)


def _is_size(dim: Any) -> bool:
    return isinstance(dim, (int, np.integer))


def stand_in(spec: TensorSpec) -> np.ndarray[Any, Any]:
    """An array of this dtype and shape in the memory of one element; unknown dims 1."""
    dims = [dim if isinstance(dim, int) else 1 for dim in spec.shape or ()]
    return np.broadcast_to(np.zeros((), spec.dtype), dims)


def refuse_as_numpy(function: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
    """Raise what `function` raises: the type rule found that it certainly does."""
    function(*args, **kwargs)
    raise AssertionError(f"{function.__name__} does not refuse {args} {kwargs}")
