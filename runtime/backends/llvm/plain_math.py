"""plain_math: functions of `math` that are a sign, a test or a product for a machine.

None of them raises, whatever float it is given.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from runtime.backends.llvm.loops import BIT, DOUBLE, Operand
from runtime.backends.llvm.references import References

Plain = Callable[[References, Sequence[Operand]], Operand]


def _word(word: str) -> Plain:
    return lambda lowering, parts: lowering.compute(word, DOUBLE, *parts, type=DOUBLE)


def _times(factor: float) -> Plain:
    """As CPython has it: one product, by a factor that C has rounded."""
    return lambda lowering, parts: lowering.compute(
        "fmul", DOUBLE, *parts, factor, type=DOUBLE
    )


def _is_nan(lowering: References, parts: Sequence[Operand]) -> Operand:
    return lowering.compute("fcmp uno", BIT, *parts, *parts, type=DOUBLE)


def _size(word: str) -> Plain:
    """How its size compares with infinity."""

    def compare(lowering: References, parts: Sequence[Operand]) -> Operand:
        size = lowering.compute("fabs", DOUBLE, *parts, type=DOUBLE)
        return lowering.compute(word, BIT, size, math.inf, type=DOUBLE)

    return compare


PLAIN: dict[Any, Plain] = {
    math.fabs: _word("fabs"),
    math.copysign: _word("copysign"),
    math.degrees: _times(180.0 / math.pi),
    math.radians: _times(math.pi / 180.0),
    math.isnan: _is_nan,
    math.isinf: _size("fcmp oeq"),
    math.isfinite: _size("fcmp olt"),
}
