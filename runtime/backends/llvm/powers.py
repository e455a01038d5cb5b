"""powers: what `**` and `np.power` of arrays are: a root, a product, NumPy's loop."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.backends.llvm.loops import Local, Map, Number, Numeric
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.values import NotLowered
from runtime.backends.numpy.program import Step, Variable

# What the operator `**` takes short cuts for.
SHORT_CUTS: dict[Any, np.ufunc] = {2: np.square, 0.5: np.sqrt, 1: np.positive}
# The exponents that it has another name for, which warnings say.
NAMED = (-1, 0)


def power_of(lowering: Lowering, step: Step) -> tuple[np.ufunc, list[Variable]]:
    """The ufunc that `**` of arrays is, and its operands."""
    base, exponent = step.inputs
    value = lowering.value(exponent)
    known = isinstance(value, Number) and len(value.parts) == 1
    n = value.parts[0] if known and isinstance(value, Number) else None
    dtype = base.spec.dtype
    if not isinstance(n, Local) and n in SHORT_CUTS and dtype is not None:
        is_square = (
            n == 2 and dtype.kind in "iu" and dtype == step.outputs[0].spec.dtype
        )
        if is_square or dtype.kind == "f":
            return SHORT_CUTS[n], [base]
    is_known = exponent.spec.shape != () or (n is not None and n not in NAMED)
    if (
        not is_known
        or isinstance(n, Local)
        or (dtype is not None and dtype.kind == "b")
    ):
        raise NotLowered("a power of arrays")
    return np.power, step.inputs


def never_raises(exponent: Numeric | Map) -> bool:
    """Whether a power of ints by it is one: NumPy has none by what is below 0."""
    if not isinstance(exponent, Number) or isinstance(exponent.parts[0], Local):
        return False
    return bool(exponent.parts[0] >= 0)


def require_numpys(exponent: Variable, result: Variable) -> None:
    """Not lowered where the bits may be others than NumPy's.

    Its loop takes a root or a product where the exponent stays where it is: a number
    does, and one of an array that is repeated, or has one element. So it is to be a
    number, or another one for each element.
    """
    shape, dtype = exponent.spec.shape, result.spec.dtype
    if dtype is None or dtype.kind == "c":
        raise NotLowered("a power of complex numbers")
    if shape == ():
        return
    if shape is None or shape != result.spec.shape or None in shape or 1 in shape:
        raise NotLowered("a power by what may be repeated")
