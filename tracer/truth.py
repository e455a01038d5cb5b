"""truth: what `if x:` asks of a tensor, as a staged Python bool."""

from __future__ import annotations

from typing import Any

from runtime.ops import basic
from runtime.tensor import Tensor, tensor


def truth(x: Any) -> Tensor:
    """`bool(x)` when the graph runs.

    x: a tensor of one element, any dtype
    ValueError: x has several elements (NumPy's own message), when the call runs.
    """
    asked = tensor(x)
    if asked.spec.weak and asked.spec.dtype == bool:
        return asked
    made: Tensor = basic.truth(asked)
    return made
