"""Leaves: which values a graph can hold, and when two constants are the same."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.spec import PYTHON_NUMBERS, TensorSpec, spec_of
from runtime.tensor import Tensor


def is_numeric(leaf: Any) -> bool:
    """True for what becomes a tensor: tensors, arrays, NumPy and Python numbers."""
    if isinstance(leaf, Tensor) or type(leaf) in PYTHON_NUMBERS:
        return True
    if isinstance(leaf, (np.ndarray, np.generic)):
        return not leaf.dtype.hasobject
    return False


def leaf_spec(leaf: Any) -> TensorSpec:
    """The spec of a numeric leaf."""
    return leaf.spec if isinstance(leaf, Tensor) else spec_of(leaf)


def same_constant(a: Any, b: Any) -> bool:
    """True when two leaves are one object, or equal constants of one type.

    0 and 0.0 and False differ, so do 0.0 and -0.0; NaN is the same as NaN.
    """
    if a is b:
        return True
    if type(a) is not type(b) or isinstance(a, (Tensor, np.ndarray)):
        return False
    if isinstance(a, (float, np.floating)):
        if a != a or b != b:
            return bool(a != a and b != b)
        return bool(a == b) and math.copysign(1, a) == math.copysign(1, b)
    if isinstance(a, (complex, np.complexfloating)):
        return repr(a) == repr(b)
    try:
        return bool(a == b)
    except Exception:
        # An object whose == fails, or gives an array, is the same only as itself.
        return False
