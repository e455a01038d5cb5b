"""Reading and assigning a Variable, as nodes with effects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runtime.effects import Effect, Effects
from runtime.op import op
from runtime.spec import TensorSpec


def _reads(attributes: Mapping[str, Any]) -> Effects:
    return frozenset({Effect("read", attributes["variable"])})


def _writes(attributes: Mapping[str, Any]) -> Effects:
    return frozenset({Effect("write", attributes["variable"])})


def _read(*, variable: Any) -> Any:
    return variable._array[()]


@op(kernel=_read, effects=_reads)
def read_variable(*, variable: Any) -> TensorSpec:
    """The value that `variable` has when the node runs; its dtype and shape."""
    spec: TensorSpec = variable.spec
    return spec


def _assign(content: Any, *, variable: Any) -> Any:
    variable.store(content)
    return variable._array[()]


@op(kernel=_assign, effects=_writes)
def assign_variable(content: TensorSpec, *, variable: Any) -> TensorSpec:
    """Give `variable` the value `content`, cast to its dtype; gives the new value.

    content: any dtype that casts to the variable's within its kind, a fitting shape
    """
    spec: TensorSpec = variable.spec
    return spec
