"""choosing: `np.where(c, x, y)`, of numbers and of arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.backends.llvm.chains import as_rows, give
from runtime.backends.llvm.functions import cast_parts
from runtime.backends.llvm.loops import Map, Number
from runtime.backends.llvm.lowering import LOWER, OF_ARRAYS, Lowering
from runtime.backends.llvm.maps import as_dtype, broadcast
from runtime.backends.llvm.pieces import dropped
from runtime.backends.llvm.values import NotLowered, machine_type
from runtime.backends.numpy.program import Step


def where(lowering: Lowering, step: Step) -> None:
    """`np.where(c, x, y)`."""
    if len(step.inputs) != 3:
        raise NotLowered("the places where something holds")
    (variable,) = step.outputs
    dtype = variable.spec.dtype
    (test, *sides), drops = as_rows(lowering, step.inputs)
    if dtype is None or test.dtype.kind != "b":
        raise NotLowered("where() of no truths")
    numbers = [part for part in (test, *sides) if isinstance(part, Number)]
    if len(numbers) == 3:
        _where_one(lowering, step, dtype, *numbers)
        return
    args = (test, *(as_dtype(lowering, side, dtype) for side in sides))
    made = Map(dtype, broadcast(lowering, args), "select", args)
    give(lowering, step, dropped(made) if drops else made, step.inputs)


def _where_one(
    lowering: Lowering,
    step: Step,
    dtype: np.dtype[Any],
    test: Number,
    x: Number,
    y: Number,
) -> None:
    kind, (bit,) = machine_type(dtype), test.parts
    both = (cast_parts(lowering, side, dtype) for side in (x, y))
    pairs = zip(*both, strict=True)
    lowering.give(
        step, *(lowering.compute("select", kind, bit, a, b) for a, b in pairs)
    )


LOWER["where"] = where
OF_ARRAYS["where"] = where
