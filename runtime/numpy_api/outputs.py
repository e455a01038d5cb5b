"""outputs: an `out` of other sizes than the result, or of another dtype.

NumPy refuses the first; where all sizes are known a trial tells so
(`trials.refused_output`). Into the second it computes in that dtype.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.build import require_current
from runtime.dtypes import same_dtype
from runtime.numpy_api import host
from runtime.ops.template import encode
from runtime.ops.world import require_output
from runtime.spec import TensorSpec
from runtime.tensor import Tensor, tensor

# What these give is cast to the dtype of an `out`, and computed as without one.
ONLY_CAST = frozenset({np.clip, np.take, np.concatenate, np.stack, np.choose})
# An `out` of other kinds is refused, or is no memory of numbers.
_NUMBERS = "biufc"
# Ops that give as many elements as their first operand has, if the others are numbers.
SAME_SIZES = frozenset({"clip", "round", "cumsum", "cumprod", "ufunc_accumulate"})


@dataclass(frozen=True)
class IntoNew:
    """A function that is given an `out` as one is laid out, of its dtype; that."""

    function: Callable[..., Any]

    @property
    def __name__(self) -> str:
        return getattr(self.function, "__name__", "a function")

    def __call__(self, out: Any, *args: Any, **kwargs: Any) -> Any:
        """What NumPy puts into an `out` like this one."""
        return self.function(*args, **kwargs, out=np.empty_like(out))


def as_output(
    made: Tensor, target: Tensor, called: tuple[Any, tuple[Any, ...], dict[str, Any]]
) -> Tensor:
    """The result as NumPy computes it for an `out` of another dtype.

    `np.sum` of float32 adds up in float64 where that is the dtype of its `out`.
    called: the function, and its arguments without `out`
    """
    function, args, kwargs = called
    wanted, given = target.spec.dtype, made.spec.dtype
    if wanted is None or given is None or function in ONLY_CAST:
        return made
    if same_dtype(wanted, given) or {wanted.kind, given.kind} - set(_NUMBERS):
        return made
    spec = TensorSpec(target.spec.shape, wanted)
    found = host.call(IntoNew(function), (target, *args), kwargs, results=spec)
    assert isinstance(found, Tensor)
    return found


def _is_in_its_place(made: Tensor, target: Tensor) -> bool:
    """Whether `made` has an element for each one of `target`, of which it is made."""
    frame = require_current("an array")
    node, value = frame.nodes[-1], frame.use(target.value)
    if node.outputs != (made.value,) or node.op.name not in SAME_SIZES:
        return False
    of, *others = node.inputs
    is_alone = of is value and all(one.spec.shape == () for one in others)
    return is_alone and made.spec.shape == target.spec.shape


def require_fitting(
    made: Tensor, target: Tensor, called: tuple[Any, tuple[Any, ...], dict[str, Any]]
) -> None:
    """Let the run look whether `made` is of the sizes of an `out`, where it knows them.

    A store would repeat a smaller one, which NumPy refuses.
    called: the function, and its arguments without `out`
    """
    if made.spec.is_static and made.spec.shape == target.spec.shape:
        return
    if _is_in_its_place(made, target):
        return
    function, args, kwargs = called
    (positional, named), found = encode(
        (args, kwargs), lambda part: isinstance(part, (Tensor, np.ndarray))
    )
    inputs = (made, target, *map(tensor, found))
    require_output(*inputs, function=function, args=positional, kwargs=named)
