"""whole_math: functions of `math` of ints, of which each takes a few instructions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.backends.llvm.helpers import FAMILIES, Helper, call
from runtime.backends.llvm.loops import BIT, DOUBLE, INT, Number, Operand
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.numbers import convert
from runtime.backends.numpy.program import Step

# Halves are taken away until both are odd; then the difference is even.
_GCD = """\
  %a = call i64 @llvm.abs.i64(i64 %x, i1 false)
  %b = call i64 @llvm.abs.i64(i64 %y, i1 false)
  %no_a = icmp eq i64 %a, 0
  %no_b = icmp eq i64 %b, 0
  %none = or i1 %no_a, %no_b
  %both = or i64 %a, %b
  br i1 %none, label %end, label %odd
odd:
  %twos = call i64 @llvm.cttz.i64(i64 %both, i1 true)
  %a_twos = call i64 @llvm.cttz.i64(i64 %a, i1 true)
  %first = lshr i64 %a, %a_twos
  br label %each
each:
  %u = phi i64 [ %first, %odd ], [ %less, %each ]
  %v = phi i64 [ %b, %odd ], [ %rest, %each ]
  %v_twos = call i64 @llvm.cttz.i64(i64 %v, i1 true)
  %w = lshr i64 %v, %v_twos
  %less = call i64 @llvm.umin.i64(i64 %u, i64 %w)
  %more = call i64 @llvm.umax.i64(i64 %u, i64 %w)
  %rest = sub i64 %more, %less
  %is_done = icmp eq i64 %rest, 0
  br i1 %is_done, label %found, label %each
found:
  %common = shl i64 %less, %twos
  br label %end
end:
  %gcd = phi i64 [ %both, %entry ], [ %common, %found ]
  ret i64 %gcd
"""
_CALLED = (
    *((f"llvm.{word}.i64", ("i64", "i1")) for word in ("abs", "cttz")),
    *((f"llvm.{word}.i64", ("i64", "i64")) for word in ("umin", "umax")),
)
_DECLARED = tuple(
    (name, f"declare i64 @{name}({', '.join(kinds)})") for name, kinds in _CALLED
)


def _gcd_text() -> Helper:
    """What two ints have in common; of 0 and the least int it is too large."""
    return Helper({"x": "i64", "y": "i64"}, "i64", _GCD, declared=_DECLARED)


def _gcd(lowering: Lowering, parts: Sequence[Operand]) -> Operand:
    x, y = parts
    found = call(lowering, "gcd", x, y)
    lowering.leave_if(lowering.compute("icmp slt", BIT, found, 0, type=INT))
    return found


def _isqrt(lowering: Lowering, parts: Sequence[Operand]) -> Operand:
    """The root of a float, which may be one too large for a large int.

    It is never too small: what the int loses as a float is less than half of what
    would make its root another float.
    """
    (x,), compute = parts, lowering.compute
    lowering.leave_if(compute("icmp slt", BIT, x, 0, type=INT))
    root = compute("sqrt", DOUBLE, compute("sitofp", DOUBLE, x, type=INT), type=DOUBLE)
    near = compute("fptosi", INT, root, type=DOUBLE)
    square = compute("mul", INT, near, near, type=INT)
    is_above = compute("icmp ugt", BIT, square, x, type=INT)
    return compute(
        "select", INT, is_above, compute("sub", INT, near, 1, type=INT), near
    )


FAMILIES["gcd"] = _gcd_text
# By the function: of how many ints, and what it becomes. What is too large, or less
# than 0, is Python's.
WHOLE: dict[Any, tuple[int, Callable[[Lowering, Sequence[Operand]], Operand]]] = {
    math.gcd: (2, _gcd),
    math.isqrt: (1, _isqrt),
}


def of_ints(
    lowering: Lowering, step: Step, function: Any, numbers: Sequence[Number]
) -> bool:
    """One of these functions of ints that 64 bits hold; whether it is one."""
    count, found = WHOLE.get(function, (-1, None))
    fits = all(one.dtype.kind in "iu" and one.dtype != np.uint64 for one in numbers)
    if found is None or len(numbers) != count or not fits:
        return False
    parts = [convert(lowering, number, np.dtype(int))[0] for number in numbers]
    lowering.give(step, found(lowering, parts))
    return True
