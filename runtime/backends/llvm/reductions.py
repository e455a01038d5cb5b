"""reductions: sums, products, extremes and means, as the machine makes them.

Few elements are written out, a chain is reduced as it is computed, and an array by
NumPy's own loops.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.backends.llvm import gapped
from runtime.backends.llvm.blocks import choice
from runtime.backends.llvm.chains import give
from runtime.backends.llvm.fallback import call_python, whole
from runtime.backends.llvm.folding import is_row_number
from runtime.backends.llvm.fusing import Fusion
from runtime.backends.llvm.loops import (
    Array,
    Number,
    Numeric,
    Operand,
    operands_of,
)
from runtime.backends.llvm.lowering import LOWER, OF_ARRAYS, Lowering
from runtime.backends.llvm.pieces import is_folded
from runtime.backends.llvm.reduced import UFUNCS, WARNED, Reduction
from runtime.backends.llvm.row_block import RowBlock
from runtime.backends.llvm.stack import result_array
from runtime.backends.llvm.values import NotLowered
from runtime.backends.numpy.program import Step


def reduction(lowering: Lowering, step: Step) -> None:
    """A reduction along axes that lie side by side."""
    found = Reduction(lowering, step)
    is_of_numbers = is_folded(found.value)
    if not is_of_numbers and _is_written_out(lowering, step, found):
        return
    if is_row_number(lowering, step, found):
        return
    if is_of_numbers:
        whole(lowering, step.inputs[0])
        found = Reduction(lowering, step)
    found.refuse_nothing()
    (variable,) = step.outputs
    made = lowering.entering(variable)
    assert isinstance(made, Number | Array)
    fusion = found.fusion()
    possible = fusion.is_possible() if fusion else False
    if fusion is None or possible is False:
        _in_memory(lowering, step, found, made)
        return

    if possible is True:
        _at_once(lowering, step, found, fusion, made)
        return

    def meanwhile() -> None:
        assert fusion is not None
        lowering.assign(operands_of(made), found.fused(fusion))

    def apart() -> None:
        lowering.assign(operands_of(made), found.apart())

    choice(lowering, possible, meanwhile, apart)()
    _give(lowering, step, made)


def _at_once(
    lowering: Lowering, step: Step, found: Reduction, fusion: Fusion, made: Numeric
) -> None:
    """The result itself, which no other way could give: perhaps on the stack."""
    (variable,) = step.outputs

    def make(
        lowering: Lowering, dtype: np.dtype[Any], dims: Sequence[Operand]
    ) -> Array:
        return result_array(lowering, variable, dtype, dims)

    parts = found.fused(fusion, make)
    if isinstance(made, Array):
        rank = len(made.dims)
        dims, strides = tuple(parts[2 : 2 + rank]), tuple(parts[2 + rank :])
        made = Array(made.dtype, parts[0], parts[1], dims, strides)
    else:
        lowering.assign(operands_of(made), parts)
    _give(lowering, step, made)


def _is_written_out(lowering: Lowering, step: Step, found: Reduction) -> bool:
    """Give the result as an expression of the few elements, where they are few."""
    try:
        made = found.written_out()
    except NotLowered:
        return False
    if made is None:
        return False
    if found.variable.spec.shape == ():
        lowering.give(step, *RowBlock(lowering, False).value(made, 0, 0, {}))
        return True
    if made.dtype.kind in "fc" and found.name in WARNED:
        lowering.warned.append(step)
    give(lowering, step, made, step.inputs)
    return True


def _in_memory(lowering: Lowering, step: Step, found: Reduction, made: Numeric) -> None:
    """Of an array, by NumPy's loops; by Python where it lies in another order."""
    found.begin(step)
    known, is_gapped = found.is_known(), gapped.is_known(found)

    def here() -> None:
        lowering.assign(operands_of(made), found.write())

    def with_gaps() -> None:
        lowering.assign(operands_of(made), gapped.write(found))

    def there() -> None:
        call_python(lowering, step, (made,))

    choice(lowering, known, here, choice(lowering, is_gapped, with_gaps, there))()
    _give(lowering, step, made)


def _give(lowering: Lowering, step: Step, made: Numeric) -> None:
    (variable,) = step.outputs
    lowering.values[variable] = made
    if isinstance(made, Array):
        lowering.hold(variable, made.object, lowering.place[0])
    if made.dtype.kind in "fc" and step.node.op.name in WARNED:
        lowering.warned.append(step)


LOWER |= dict.fromkeys(UFUNCS, reduction)
OF_ARRAYS |= dict.fromkeys(UFUNCS, reduction)
