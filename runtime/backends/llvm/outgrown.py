"""outgrown: NumPy's ints that outgrow their dtype, as in a hash, a checksum, a draw.

NumPy wraps them round and warns. At first they are left to Python, which does so at its
line. Where machine code has been left so too often, the line is compiled anew: it wraps
round as well, and that is noted and told at the end, as what floats overflow is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.backends.llvm.lines import WRAP
from runtime.backends.llvm.loops import Local, Operand
from runtime.backends.llvm.values import machine_type, narrowed
from runtime.backends.numpy.program import Step

if TYPE_CHECKING:
    from runtime.backends.llvm.lowering import Lowering

# With what a sum or a product is its other operand.
NEUTRAL = {"add": 0, "mul": 1}
Line = tuple[str, int]
# Those that machine code was left at too often.
_lines: set[Line] = set()


def line_of(step: Step) -> Line | None:
    """Where a step stands."""
    place = step.node.location
    return None if place is None else (place.filename, place.line)


def wraps(step: Step) -> bool:
    """Whether what the step computes wraps round in machine code."""
    return bool(_lines) and line_of(step) in _lines


def wrapping(steps: Iterable[Step]) -> list[int]:
    """The places of those that wrap round."""
    return [at for at, one in enumerate(steps) if wraps(one)] if _lines else []


def let_wrap(lines: Iterable[Line]) -> None:
    """Let what stands on these lines wrap round from now on."""
    _lines.update(lines)


def of_ints(
    lowering: Lowering,
    step: Step,
    dtype: np.dtype[Any],
    op: str,
    a: Operand,
    b: Operand,
) -> Operand:
    """An operation of ints: leave where the result has no place, or wrap round."""
    spec = narrowed(step.outputs[0].spec)
    if spec.weak or spec.kinds:
        return checked(lowering, op, dtype, a, b)
    if not wraps(step):
        lowering.note_overflow(step)
        return checked(lowering, op, dtype, a, b)
    lowering.warned.append(step)
    lowering.wraps = True
    sign = "s" if dtype.kind == "i" else "u"
    return lowering.compute(f"{WRAP} {sign}{op}", machine_type(dtype), a, b)


def checked(
    lowering: Lowering, op: str, dtype: np.dtype[Any], a: Operand, b: Operand
) -> Operand:
    """Of ints: leave where the result has no place."""
    for one, other in ((a, b), (b, a)):
        # A range begins at 0 and goes by 1 as often as not.
        if one == NEUTRAL.get(op) and not isinstance(one, Local):
            return other
    sign = "s" if dtype.kind == "i" else "u"
    made = lowering.compute(
        f"{sign}{op}", machine_type(dtype), a, b, exit=lowering.exit()
    )
    return made
