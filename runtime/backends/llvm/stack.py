"""stack: small arrays of known sizes that nothing but machine code sees.

Their memory is on the stack, where it costs nothing; an object is made of one only
where Python goes on, and where a step is called as Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from runtime.backends.llvm.blocks import new_array, on_stack
from runtime.backends.llvm.loops import Array, Operand
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.meeting import answered
from runtime.backends.llvm.values import ufunc_of
from runtime.backends.numpy.program import Step, Variable

# What reads arrays and gives others, or numbers; and what gives parts of one.
READERS = frozenset(
    {"sum", "mean", "prod", "max", "min", "any", "all", "argmax", "argmin"}
    | {"array_power", "bincount", "cast", "clip", "concatenate", "count_nonzero"}
    | {"cross", "cumprod", "cumsum", "diff", "dot", "flatnonzero"}
    | {"index", "inner", "kron", "matmul", "nonzero", "outer"}
    | {"ptp", "repeat", "roll", "round", "searchsorted", "stack"}
    | {"std", "take", "tile", "trace", "tril", "triu", "var"}
    | {"vdot", "where"}
)
PARTS = frozenset({"slice", "transpose", "expand_dims", "flip", "diagonal"})


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
    after, answer = partial(_parts, lowering), partial(_stays, lowering)
    return answered(variable, lowering.meeting.inside, after, answer)


def _stays(lowering: Lowering, variable: Variable) -> bool:
    users = _users(lowering, variable)
    return users is not None and all(_only_reads(lowering, one) for one in users)


def _users(lowering: Lowering, variable: Variable) -> list[Step] | None:
    """The steps that take it, or write into it; None where others may see it."""
    body = variable.home
    last = body.last_use.get(variable, -1)
    if last >= lowering.end_of(body) or variable in body.kept:
        return None
    following = body.steps[max(variable.index, 0) + 1 : last + 1]
    return [one for one in following if variable in one.inputs or one.into is variable]


def _parts(lowering: Lowering, variable: Variable) -> list[Variable]:
    """What may lie in the same memory."""
    users = _users(lowering, variable) or ()
    return [step.outputs[0] for step in users if _gives_parts(step)]


def _gives_parts(step: Step) -> bool:
    of_part = step.node.op.name in PARTS or step.into is not None
    return of_part and len(step.outputs) == 1


def _only_reads(lowering: Lowering, step: Step) -> bool:
    if step.bodies or step.in_place or len(step.outputs) != 1:
        return False
    name = step.node.op.name
    has_ufunc = ufunc_of(step.node, lowering.precise) is not None
    if _gives_parts(step):
        is_known = name in PARTS or has_ufunc
        return is_known and stays_inside(lowering, step.outputs[0])
    return name in READERS or has_ufunc
