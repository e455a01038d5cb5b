"""items: the array of a list's items, once each is an array or a number.

NumPy casts arrays, but asks the items of a list one by one for what they are in the
wanted dtype: NaN is no int of theirs, and an int beside a float stays exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.ops import basic, join
from runtime.ops.index import store
from runtime.spec import TensorSpec
from runtime.tensor import Tensor


def joined(parts: Sequence[Tensor], dtype: Any) -> Tensor:
    """The parts side by side, to be cast to a dtype; None: to none."""
    if not all(part.spec.shape == () for part in parts):
        return join.stack(*parts, axis=0, literal=True)
    wanted = None if dtype is None else np.dtype(dtype)
    if wanted is None or all(_fits(part.spec, wanted) for part in parts):
        return join.stack(*parts, axis=0)
    row = basic.constant(value=np.zeros(len(parts), wanted))
    for place, part in enumerate(parts):
        row = store(row, part, index=(place,))
    return row


def _fits(spec: TensorSpec, wanted: np.dtype[Any]) -> bool:
    """Whether a number is one of a dtype however large it is."""
    if spec.dtype is None or wanted.kind not in "iuf":
        return True
    is_cut = wanted.kind != "f" or spec.dtype.kind == "c"
    return not is_cut or np.can_cast(spec.dtype, wanted)
