"""outputs: an `out` of other sizes than the result, which NumPy refuses.

Where all sizes are known a trial tells so (`trials.refused_output`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.template import encode
from runtime.ops.world import require_output
from runtime.tensor import Tensor, tensor


def require_fitting(
    made: Tensor, target: Tensor, called: tuple[Any, tuple[Any, ...], dict[str, Any]]
) -> None:
    """Let the run look whether `made` is of the sizes of an `out`, where it knows them.

    A store would repeat a smaller one, which NumPy refuses.
    called: the function, and its arguments without `out`
    """
    if made.spec.is_static and made.spec.shape == target.spec.shape:
        return
    function, args, kwargs = called
    (positional, named), found = encode(
        (args, kwargs), lambda part: isinstance(part, (Tensor, np.ndarray))
    )
    inputs = (made, target, *map(tensor, found))
    require_output(*inputs, function=function, args=positional, kwargs=named)
