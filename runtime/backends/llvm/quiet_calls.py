"""quiet_calls: NumPy's functions of elements, called with numbers, that never warn.

Of numbers `abs(x)` is an operator of their own: it warns where an int wraps round, and
`np.abs(x)` does not. So that is a call in the graph, and here what the machine has for
one element of an array.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.backends.llvm.comparing import ORDERS
from runtime.backends.llvm.elements import element, is_simple
from runtime.backends.llvm.loops import Number
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.numbers import convert, is_weak
from runtime.backends.llvm.values import NotLowered
from runtime.backends.numpy.program import Step
from runtime.ops.template import Input

# What never warns, and is an operator of numbers that may.
QUIET = frozenset({"absolute", "negative", "positive", *ORDERS})
# What NumPy takes Python's numbers for beside its own.
_WEAK: dict[Any, Any] = {np.dtype(kind): kind for kind in (int, float, complex)}


def quiet_call(lowering: Lowering, step: Step) -> bool:
    """Give what the machine makes of numbers; False where it is another call."""
    known = step.node.attributes
    ufunc = known["function"]
    name = getattr(ufunc, "__name__", "")
    if name not in QUIET or ufunc is not getattr(np, name):
        return False
    is_plain = known["args"] == (*map(Input, range(ufunc.nin)),)
    (variable, *others) = step.outputs
    if known["kwargs"] or not is_plain or others or variable.spec.shape != ():
        return False
    numbers = [lowering.number_of(one) for one in step.inputs]
    given = [_WEAK.get(n.dtype, n.dtype) if is_weak(n) else n.dtype for n in numbers]
    found = ufunc.resolve_dtypes((*given, None))
    if found[-1] != variable.spec.dtype or not is_simple(name, found, numbers):
        raise NotLowered(f"{name} of {given}")
    pairs = zip(numbers, found, strict=False)
    each = [(wanted, convert(lowering, one, wanted)) for one, wanted in pairs]
    parts = element(lowering, name, found[-1], each)
    lowering.values[variable] = Number(found[-1], False, tuple(parts))
    return True
