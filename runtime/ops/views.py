"""Writing through a view that no op of its own undoes: NumPy takes the view again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from runtime.layouts import laid_out
from runtime.op import op
from runtime.ops.template import fill
from runtime.spec import TensorSpec


def _put_through(
    x: Any,
    part: Any,
    *others: Any,
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    of: int = 0,
    at: int | None = None,
) -> Any:
    inputs = (*others[:of], x, *others[of:])
    positional, named = fill((args, dict(kwargs)), inputs)
    place = function(*positional, **named)
    (place if at is None else place[at])[...] = part
    return x


def _write_through(x: Any, *inputs: Any, **known: Any) -> Any:
    # Where the view lies depends on how the array does.
    return _put_through(laid_out(x, x), *inputs, **known)


@op(kernel=_write_through, into=_put_through)
def write_through(
    x: TensorSpec,
    part: TensorSpec,
    *others: TensorSpec,
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    of: int = 0,
    at: int | None = None,
) -> TensorSpec:
    """`x` with `part` where the view `function(*args, **kwargs)` lies.

    of: the place of x among the inputs, of which args and kwargs are templates
    at: the view is that one of several results
    """
    return x


def _changed(
    x: Any,
    *others: Any,
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
) -> Any:
    positional, named = fill((args, dict(kwargs)), (x, *map(_scalar, others)))
    function(*positional, **named)
    return x


def _scalar(x: Any) -> Any:
    return x[()] if isinstance(x, np.ndarray) and x.ndim == 0 else x


@op(into=_changed)
def changed(
    x: TensorSpec,
    *others: TensorSpec,
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
) -> TensorSpec:
    """`x` after `function(*args, **kwargs)`, which changes it: templates of the inputs.

    `np.put`, `np.copyto`, `np.fill_diagonal`, `a.partition`, ...
    """
    return x


def _view_bits(x: Any, *, dtype: np.dtype[Any]) -> Any:
    return x.view(dtype)


@op(kernel=_view_bits, view=True)
def view_bits(x: TensorSpec, *, dtype: np.dtype[Any]) -> TensorSpec:
    """`x.view(dtype)`: the bytes of x as another dtype; the last axis may change.

    ValueError: the bytes of the last axis make no whole number of elements.
    """
    if x.shape is None or x.dtype is None:
        return TensorSpec(None, dtype)
    if None in x.shape[-1:] and x.dtype.itemsize != dtype.itemsize:
        return TensorSpec((*x.shape[:-1], None), dtype)
    # What NumPy says, of an array of this last axis alone.
    last = [d if isinstance(d, int) else 0 for d in x.shape[-1:]]
    seen = np.empty(last, x.dtype).view(dtype)
    return TensorSpec((*x.shape[:-1], *seen.shape), dtype)
