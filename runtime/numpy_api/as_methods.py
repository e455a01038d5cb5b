"""as_method: the methods of arrays that do what NumPy's functions of their name do.

Not all that they say: of arguments that do not fit, and where NumPy warns at the line
that calls it, a method speaks for itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.numpy_api.table import call_function, takes
from runtime.tensor import Tensor

# Those that NumPy writes in Python, and that warn at the line that calls them.
_WARN = frozenset({"mean", "var", "std"})


def as_method(function: Callable[..., Any]) -> Callable[..., Any]:
    """The method that does what `function` of the array does."""
    name = function.__name__

    def method(tensor: Tensor, *args: Any, **kwargs: Any) -> Any:
        kind = np.generic if tensor.scalar else np.ndarray
        given = (tensor, *args)
        is_own = name in _WARN or not takes(function, given, kwargs)
        called = getattr(kind, name) if is_own else None
        return call_function(function, given, kwargs, called)

    method.__wrapped__ = function  # type: ignore[attr-defined] # for its signature
    return method
