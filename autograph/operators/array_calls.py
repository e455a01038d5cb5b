"""Calls of NumPy's that go through Python: of users' functions, into Python lists."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from autograph.operators import numpy_calls
from autograph.operators.slots import call
from autograph.operators.tensors import staged_iterable
from runtime import shapes
from runtime.numpy_api import methods, refusals
from runtime.tensor import Tensor
from tracer.collecting import collected, is_long
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


def listed(function: partial[Any]) -> Tensor | None:
    """The array whose method `tolist` this is."""
    if function.func is not refusals.method or function.args[2] != "tolist":
        return None
    array: Tensor = function.args[1]
    return array


def tolist(tensor: Tensor) -> Any:
    """`a.tolist()`; many numbers are a list of the run, whose length is known."""
    shape = tensor.spec.shape
    if shape is None or not shapes.is_static(shape) or not is_long(math.prod(shape)):
        return methods.tolist(tensor)
    if len(shape) > 1:
        return made(collected(staged_iterable(tensor), tolist))
    found = methods.whole_list(tensor)
    if found is None:
        return methods.tolist(tensor)
    (content,) = found
    content.known_length = shape[0]
    return found
