"""Calls of NumPy's that go through Python: of users' functions, into Python lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.operators import numpy_calls
from autograph.operators.slots import call
from autograph.operators.tensors import staged_iterable
from runtime.numpy_api import methods
from runtime.tensor import Tensor
from tracer.collecting import collected
from tracer.list_objects import made


def fromfunction(
    function: Callable[..., Any],
    shape: Any,
    *,
    dtype: Any = float,
    like: Any = None,
    **kwargs: Any,
) -> Any:
    """`np.fromfunction`, which calls the function once, with all coordinates."""
    indices: Any = numpy_calls.call(np.indices)
    grid = indices(shape, dtype=dtype)
    return call(function, *(grid[axis] for axis in range(len(shape))), **kwargs)


def tolist(tensor: Tensor) -> Any:
    """`a.tolist()`, of any length."""
    if tensor.spec.shape == () or not isinstance(tensor.length(), Tensor):
        return methods.tolist(tensor)
    one = methods.item if tensor.ndim == 1 else tolist
    return made(collected(staged_iterable(tensor), one))
