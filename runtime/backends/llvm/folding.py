"""folding: what a reduction of rows is as an expression: a number for each row.

It is left for the step that computes what is made of it, row by row (`row_numbers.py`).
"""

from __future__ import annotations

from runtime.backends.llvm.blocks import (
    leave_unless_in_order,
    leave_unless_rows_first,
)
from runtime.backends.llvm.chains import give, is_left
from runtime.backends.llvm.loops import Array, Folded, Map
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.pieces import dropped, is_dropped, is_folded, is_one
from runtime.backends.llvm.reduced import WARNED, Reduction
from runtime.backends.numpy.program import Step


def is_row_number(lowering: Lowering, step: Step, found: Reduction) -> bool:
    """Give the numbers of the rows as an expression, where what takes them will do."""
    made, value = _expression(found), found.value
    if made is None or found.reduced == 0:
        # LLVM knows what nothing comes to: it divides by that, and no flag tells of it.
        return False
    if not (is_folded(value) or is_left(lowering, step, made, step.inputs)):
        return False
    found.refuse_nothing()
    leave_unless_rows(lowering, value)
    if made.dtype.kind == "f" and found.name in WARNED:
        lowering.warned.append(step)
    give(lowering, step, made, step.inputs)
    return True


def leave_unless_rows(lowering: Lowering, value: Array | Map) -> None:
    """Let Python reduce what NumPy would not go through row by row."""
    if isinstance(value, Array):
        leave_unless_in_order(lowering, value)
    else:
        leave_unless_rows_first(lowering, value)


def _expression(found: Reduction) -> Map | None:
    """The expression; None where NumPy has another order, or there is one row."""
    word, kind, dims = found.word(), found.dtype.kind, found.value.dims
    first, stop = found.axes
    if not found.ends_rows or stop - first > 1 or all(map(is_one, dims[:first])):
        return None
    if kind not in "biuf" or (kind == "f" and word == "multiply"):
        return None
    if is_dropped(found.value) or is_one(dims[-1]):
        return None
    made = folded(found.lowering, found.value, word, found.symbol)
    if found.name == "mean":
        made = found.divided_map(made)
    return made if len(found.sizes) == len(dims) else dropped(made)


def folded(lowering: Lowering, value: Array | Map, word: str, loop: str = "") -> Map:
    """The numbers of the rows of a value: the same for the same one.

    loop: the name of NumPy's
    """
    key = word, id(value)
    if key not in lowering.folded:
        dims = (*value.dims[:-1], 1)
        made = Folded(value.dtype, dims, word, (value,), loop=loop)
        # The value is held, too, so that no other one has its id.
        lowering.folded[key] = value, made
    found: Map = lowering.folded[key][1]
    return found
