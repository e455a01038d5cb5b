"""Reductions and running totals: what is left of an array along some of its axes.

One row per NumPy function. `axis` is an int, a tuple of ints or None for all axes;
dtypes are found by asking NumPy.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime import shapes
from runtime.op import Op, op, register
from runtime.ops.inference import Axis, DType, axis_of, reduced, sampled_dtype
from runtime.spec import TensorSpec

REDUCTIONS: dict[Callable[..., Any], Op] = {}


def _row(
    function: Callable[..., Any], doc: str, kernel: Callable[..., Any] | None = None
) -> Op:
    """Declare the reduction that `function` is; attributes axis and keepdims.

    Further attributes (dtype, ddof) go to the function as they are.
    """

    def infer(
        x: TensorSpec, *, axis: Axis = None, keepdims: bool = False, **options: Any
    ) -> TensorSpec:
        shape = reduced(x.shape, axis, keepdims)
        return TensorSpec(shape, sampled_dtype(function, x, **options))

    made = Op(
        name=function.__name__.removeprefix("a")
        if function in (np.amax, np.amin)
        else function.__name__,
        infer=infer,
        kernel=kernel or function,
        numpy=function,
        out=kernel is not None,
        doc=doc,
    )
    REDUCTIONS[function] = made
    return register(made)


def _direct(ufunc: np.ufunc) -> Callable[..., Any]:
    """The ufunc's own reduction: what the NumPy function calls in the end.

    No Python function, so NumPy's warnings name the line that calls it.
    """
    return functools.partial(ufunc.reduce, axis=None)


sum_ = _row(np.sum, "The sum; small ints are summed as int64.", _direct(np.add))
prod = _row(np.prod, "The product; small ints as int64.", _direct(np.multiply))
max_ = _row(np.max, "The largest; NaN wins.", _direct(np.maximum))
min_ = _row(np.min, "The smallest; NaN wins.", _direct(np.minimum))
any_ = _row(np.any, "True where any element is not zero.", _direct(np.logical_or))
all_ = _row(np.all, "True where no element is zero.", _direct(np.logical_and))
mean = _row(np.mean, "The arithmetic mean; of ints in float64.")
var = _row(np.var, "The variance: mean |x - mean|^2; divisor n - ddof.")
std = _row(np.std, "The standard deviation: the root of the variance.")
ptp = _row(np.ptp, "The largest minus the smallest.")
median = _row(np.median, "The median.")
nansum = _row(np.nansum, "The sum, NaN as 0.")
nanprod = _row(np.nanprod, "The product, NaN as 1.")
nanmax = _row(np.nanmax, "The largest but NaN.")
nanmin = _row(np.nanmin, "The smallest but NaN.")
nanmean = _row(np.nanmean, "The mean of what is not NaN.")
nanvar = _row(np.nanvar, "The variance of what is not NaN.")
nanstd = _row(np.nanstd, "The standard deviation of what is not NaN.")
nanmedian = _row(np.nanmedian, "The median of what is not NaN.")
argmax = _row(np.argmax, "The index of the first largest; axis: an int or None.")
argmin = _row(np.argmin, "The index of the first smallest; axis: an int or None.")
nanargmax = _row(np.nanargmax, "The index of the first largest but NaN.")
nanargmin = _row(np.nanargmin, "The index of the first smallest but NaN.")
count_nonzero = _row(np.count_nonzero, "How many elements are not zero.")


@op(
    kernel=lambda x, *, ufunc, axis=0, keepdims=False: ufunc.reduce(
        x, axis, keepdims=keepdims
    )
)
def ufunc_reduce(
    x: TensorSpec, *, ufunc: np.ufunc, axis: Axis = 0, keepdims: bool = False
) -> TensorSpec:
    """`ufunc.reduce(x)`: the ufunc put between the elements along `axis`."""
    dtype = sampled_dtype(ufunc.reduce, x)
    return TensorSpec(reduced(x.shape, axis, keepdims), dtype)


def _running(function: Callable[..., Any], doc: str) -> Op:
    """Declare a running total: x's shape, or flat when axis is None."""

    def infer(
        x: TensorSpec, *, axis: int | None = None, dtype: DType | None = None
    ) -> TensorSpec:
        found = dtype or sampled_dtype(function, x)
        if axis is None:
            return TensorSpec((shapes.size_of(x.shape),), found)
        if x.shape is not None:
            axis_of(axis, len(x.shape))
        return TensorSpec(x.shape, found)

    made = Op(
        name=function.__name__,
        infer=infer,
        kernel=function,
        numpy=function,
        out=True,
        doc=doc,
    )
    REDUCTIONS[function] = made
    return register(made)


cumsum = _running(np.cumsum, "The running sum along `axis`; of the flat array if None.")
cumprod = _running(np.cumprod, "The running product along `axis`.")


def _accumulate(x: Any, *, ufunc: np.ufunc, axis: int = 0, out: Any = None) -> Any:
    return ufunc.accumulate(x, axis, out=out)


@op(kernel=_accumulate, out=True)
def ufunc_accumulate(x: TensorSpec, *, ufunc: np.ufunc, axis: int = 0) -> TensorSpec:
    """`ufunc.accumulate(x)`: all the running results along `axis`."""
    if x.shape is not None:
        axis_of(axis, len(x.shape))
    return TensorSpec(x.shape, sampled_dtype(ufunc.accumulate, x))


def _diff_dims(x: TensorSpec, n: int, axis: int) -> shapes.Shape:
    if x.shape is None:
        return None
    at = axis_of(axis, len(x.shape))
    dim = x.shape[at]
    less = max(dim - n, 0) if isinstance(dim, int) else None
    return (*x.shape[:at], less, *x.shape[at + 1 :])


@op(numpy=np.diff)
def diff(x: TensorSpec, *, n: int = 1, axis: int = -1) -> TensorSpec:
    """The differences of neighbours along `axis`, taken n times."""
    return TensorSpec(_diff_dims(x, n, axis), sampled_dtype(np.diff, x))
