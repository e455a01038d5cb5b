"""NumPy's reductions and running totals on tensors."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from runtime.numpy_api.operands import array_tensor, as_array, static_axis
from runtime.numpy_api.table import WRITES_BY_PARTS, implements
from runtime.op import Op
from runtime.ops import reduce
from runtime.tensor import Tensor

TAKEN = {"axis", "keepdims", "dtype", "ddof"}


def _reduction(function: Callable[..., Any], op: Op) -> None:
    """Enter a reduction; its arguments are bound by NumPy's own signature."""

    @implements(function)
    def reduction(a: Any, *args: Any, **kwargs: Any) -> Any:
        signature = _signature(function)
        operand, *_ = signature.parameters
        try:
            given = dict(signature.bind(a, *args, **kwargs).arguments)
        except TypeError:
            # NumPy says it in its own words.
            return NotImplemented
        given.pop(operand)
        # Keywords that say what they say by default.
        given = {
            name: value
            for name, value in given.items()
            if value is not signature.parameters[name].default
        }
        if not given.keys() <= TAKEN:
            return NotImplemented
        return _reduce(op, a, given)


# 0.15 ms each, of which most programs need none or one.
_signature = cache(inspect.signature)
# They take the one axis that an array without dims has not.
_OF_NO_DIMS = frozenset({reduce.nanmax, reduce.nanmin})


def _reduce(op: Op, a: Any, given: dict[str, Any]) -> Tensor:
    if "axis" in given:
        given["axis"] = static_axis(given["axis"])
    if "dtype" in given:
        given["dtype"] = np.dtype(given["dtype"])
    if "keepdims" in given:
        given["keepdims"] = bool(given["keepdims"])
    x = as_array(a)
    if op in _OF_NO_DIMS and x.spec.shape == () and not x.scalar:
        # A call at the run would be given a number, and warn of an "axis".
        given = {k: v for k, v in given.items() if k != "axis" or v not in (0, -1)}
    made = op(x, **given)
    # Of what has no dims all others give a number.
    is_array = op in (reduce.median, reduce.nanmedian) and given.get("keepdims")
    return array_tensor(made) if is_array and made.spec.rank == 0 else made


for _function, _op in reduce.REDUCTIONS.items():
    _reduction(_function, _op)


def _write_range(out: Any, a: Any, axis: Any = None, keepdims: bool = False) -> None:
    """`np.ptp(a, axis, out)`: NumPy writes the largest before it asks for the least."""
    options = {"axis": axis, "keepdims": keepdims}
    out[...] = np.max(a, **options)
    out -= np.min(a, **options)


WRITES_BY_PARTS[np.ptp] = _write_range


@implements(np.diff)
def diff(a: Any, n: int = 1, axis: int = -1) -> Any:
    """`np.diff` without prepend and append."""
    return reduce.diff(as_array(a), n=n, axis=axis)
