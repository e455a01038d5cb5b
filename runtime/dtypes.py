"""dtypes: whether two are the same, where one may not be known.

NumPy takes None for float64, also when it compares: `np.dtype(float) == None` is True,
and so is `None in (np.dtype(float),)`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Known = np.dtype[Any] | None


def same_dtype(a: Known, b: Known) -> bool:
    """True for one dtype, and for two that are not known.

    >>> same_dtype(np.dtype(float), np.dtype("f8")), same_dtype(np.dtype(float), None)
    (True, False)
    """
    if a is None or b is None:
        return a is b
    return bool(a == b)
