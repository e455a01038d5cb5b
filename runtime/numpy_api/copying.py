"""copying: what `copy=` asks of `np.array` and `np.asarray`."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import same_dtype
from runtime.foreign import is_array_like
from runtime.ops.inference import refuse_as_numpy
from runtime.spec import TensorSpec
from runtime.tensor import Tensor


def copies(copy: Any) -> bool:
    """Whether `copy=` asks for a copy in any case."""
    # None and False, or the number of NumPy's own `_CopyMode`.
    return copy is True or getattr(copy, "value", copy) == 1


def is_of(spec: TensorSpec, dtype: Any) -> bool:
    """True for arrays that certainly are of this dtype."""
    return not spec.kinds and same_dtype(spec.dtype, np.dtype(dtype))


def require_none(content: Any, dtype: Any, copy: Any) -> None:
    """ValueError: no copy may be made, and there is no array of these without one."""
    if copy is None or getattr(copy, "value", copy) != 0:
        return
    if isinstance(content, Tensor):
        is_array = not content.scalar and not content.spec.weak
        fits = dtype is None or bool(content.spec.kinds) or is_of(content.spec, dtype)
    else:
        # One that gives its memory says itself whether it is copied.
        is_array = isinstance(content, np.ndarray) or is_array_like(content)
        fits = dtype is None or getattr(content, "dtype", None) == np.dtype(dtype)
    if not (is_array and fits):
        refuse_as_numpy(np.array, [0.0], copy=False)
