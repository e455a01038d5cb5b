"""Kind: which of its kinds a mixed value is, and the value as of that kind."""

from __future__ import annotations

from typing import Any

from runtime.op import op
from runtime.ops.basic import WEAK_INT
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
