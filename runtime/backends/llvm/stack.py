"""stack: small arrays of known sizes that nothing but machine code sees.

Their memory is on the stack, where it costs nothing; an object is made of one only
where Python goes on, and where a step is called as Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.backends.llvm.blocks import new_array, on_stack
from runtime.backends.llvm.loops import Array, Operand
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.values import ufunc_of
from runtime.backends.numpy.program import Step, Variable

# What reads arrays and gives others, or numbers; and what gives parts of one.
READERS = frozenset(
    {"sum", "mean", "prod", "max", "min", "any", "all", "argmax", "argmin"}
    | {"where", "array_power", "matmul", "concatenate", "stack"}
)
PARTS = frozenset({"slice", "transpose", "expand_dims"})


def result_array(
    lowering: Lowering,
    variable: Variable,
    dtype: np.dtype[Any],
    dims: Sequence[Operand],
) -> Array:
    """An array for what a step gives, its memory as it is found."""
    made = None
    if stays_inside(lowering, variable):
        made = on_stack(lowering, dtype, dims)
    return made or new_array(lowering, dtype, dims)


def stays_inside(lowering: Lowering, variable: Variable) -> bool:
    """Whether only steps of its own body use it, and none keeps it or its memory."""
    body = variable.home
    last = body.last_use.get(variable, -1)
    if last >= lowering.end_of(body) or variable in body.kept:
        return False
    following = body.steps[max(variable.index, 0) + 1 : last + 1]
    return all(_only_reads(lowering, step, variable) for step in following)


def _only_reads(lowering: Lowering, step: Step, variable: Variable) -> bool:
    if variable not in step.inputs and step.into is not variable:
        return True
    if step.bodies or step.in_place or len(step.outputs) != 1:
        return False
    name = step.node.op.name
    has_ufunc = ufunc_of(step.node, lowering.precise) is not None
    if name in PARTS or step.into is not None:
        # What it gives may lie in the same memory.
        is_known = name in PARTS or has_ufunc
        return is_known and stays_inside(lowering, step.outputs[0])
    return name in READERS or has_ufunc
