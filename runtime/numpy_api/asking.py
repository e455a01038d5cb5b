"""Asking Python what it raises: the operation is done with samples of the operands.

What Python says of a text and a number, or of a wrong argument, depends on the types
alone, so numbers and arrays of the same kind tell it in Python's own words.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.build import suspended
from runtime.numpy_api.trials import sample
from runtime.ops.template import encode, fill
from runtime.tensor import Tensor


def raise_as_python(function: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
    """Raise what `function(*args, **kwargs)` raises for operands of these kinds."""
    content, tensors = encode((args, kwargs), lambda part: isinstance(part, Tensor))
    if any(tensor.spec.kinds or tensor.spec.dtype is None for tensor in tensors):
        return
    positional, named = fill(content, tuple(map(_sample, tensors)))
    refusal = None
    try:
        with suspended(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            function(*positional, **named)
    except Exception as error:
        refusal = error.with_traceback(None)
    if refusal is not None:
        raise refusal


def is_flat(operand: Any) -> bool:
    """True for what `.flat` gives."""
    view = operand._view if isinstance(operand, Tensor) else None
    return view is not None and view.flat


def _sample(tensor: Tensor) -> Any:
    made = sample(tensor.spec)
    if is_flat(tensor):
        return np.asarray(made).flat
    return made if tensor.scalar or tensor.spec.weak else np.asarray(made)
