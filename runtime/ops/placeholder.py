"""Placeholder: a value that is never looked at, where a graph must have one.

A branch that always raises, or a name that is not bound yet, still has to give a value
of the type that the other path gives.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.library_spec import LibrarySpec
from runtime.op import op
from runtime.ops.places import untouched
from runtime.spec import ListSpec, ObjectSpec, TensorSpec
from runtime.table_spec import TableSpec

# Kinds of dtypes all of whose bytes are some number.
PLAIN = "biufcmM"


def _kernel(*, spec: TensorSpec) -> Any:
    if isinstance(spec, TableSpec):
        return {}
    if isinstance(spec, ListSpec):
        return []
    if isinstance(spec, ObjectSpec):
        return spec.kind()
    if isinstance(spec, LibrarySpec):
        return None
    spec = spec.options[0]
    if spec.weak:
        return spec.python_type()
    sizes = [dim if isinstance(dim, int) else 0 for dim in spec.shape or ()]
    if sizes and spec.dtype is not None and spec.dtype.kind in PLAIN:
        return untouched(sizes, spec.dtype)
    return np.zeros(sizes, spec.dtype)[()]


@op(kernel=_kernel)
def placeholder(*, spec: TensorSpec) -> TensorSpec:
    """Any value of `spec`: zeros, unknown dims 0, or empty. Nobody reads it."""
    return spec
