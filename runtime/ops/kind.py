"""Kind: which of its kinds a mixed value is, and the value as of that kind.

And whether what has an unknown number of dims is an array, or a number.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from runtime.op import op
from runtime.ops.basic import WEAK_BOOL, WEAK_INT
from runtime.spec import PYTHON_NUMBERS, Kind, TensorSpec


def _kind_of(x: Any, *, kinds: tuple[Kind, ...]) -> int:
    weak = type(x) in PYTHON_NUMBERS
    return kinds.index((PYTHON_NUMBERS[type(x)] if weak else x.dtype, weak))


@op(kernel=_kind_of)
def kind_of(x: TensorSpec, *, kinds: tuple[Kind, ...]) -> TensorSpec:
    """The position among `kinds` of the kind that x is."""
    return WEAK_INT


@op(kernel=lambda x, *, kind: x, view=True, source="{0}")
def as_kind(x: TensorSpec, *, kind: Kind) -> TensorSpec:
    """`x` itself, which is of this kind wherever the result is read."""
    return TensorSpec(x.shape, *kind)


@op(kernel=lambda x: not isinstance(x, np.ndarray))
def is_number(x: TensorSpec) -> TensorSpec:
    """Whether `x` is no array: `np.sum` over axes that the run finds gives either."""
    return WEAK_BOOL


def _changed_or_new(x: Any, other: Any, *, word: str) -> Any:
    if isinstance(x, np.ndarray):
        return getattr(operator, f"__i{word}__")(x.copy("K"), other)
    return getattr(operator, f"__{word}__")(x, other)


@op(kernel=_changed_or_new)
def changed_or_new(x: TensorSpec, other: TensorSpec, *, word: str) -> TensorSpec:
    """What a name for `x` holds after `x op= other`: an array changed, or a number."""
    return TensorSpec(None, x.dtype)
