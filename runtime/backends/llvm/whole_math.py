"""whole_math: functions of ints, of which each takes a few instructions.

What is too large for 64 bits, or raises, is a call of Python in that very turn.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.backends.llvm.helpers import FAMILIES, Helper, call
from runtime.backends.llvm.loops import BIT, DOUBLE, INT, Number, Operand
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.numbers import convert, is_weak
from runtime.backends.llvm.or_python import or_python
from runtime.backends.numpy.program import Step

Becomes = Callable[[Lowering, Sequence[Operand]], Operand]

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


# --- what is less than 0 where Python is to be asked ----------------------------------
_PRODUCT = "{ i64, i1 } @llvm.umul.with.overflow.i64(i64, i64)"
_UMUL = ("llvm.umul.with.overflow.i64", f"declare {_PRODUCT}")
# The least common multiple: a quotient by what both have in common, times the other.
_LCM = """\
  %a = call i64 @llvm.abs.i64(i64 %x, i1 false)
  %b = call i64 @llvm.abs.i64(i64 %y, i1 false)
  %part = udiv i64 %a, %common
  %both = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %part, i64 %b)
  %product = extractvalue { i64, i1 } %both, 0
  %is_over = extractvalue { i64, i1 } %both, 1
  %found = select i1 %is_over, i64 -1, i64 %product
  ret i64 %found
"""
# Products of `n` and the ints below it, `k` of them, each divided by its number.
_CHOSEN = """\
  %below = or i64 %n, %k
  %is_below = icmp slt i64 %below, 0
  br i1 %is_below, label %python, label %some
some:
  %rest = sub i64 %n, %k
  %is_more = icmp slt i64 %rest, 0
  br i1 %is_more, label %none, label %begin
none:
  ret i64 0
begin:
  %count = MOST
  br label %each
each:
  %at = phi i64 [ 0, %begin ], [ %next, %fine ]
  %product = phi i64 [ 1, %begin ], [ %quotient, %fine ]
  %is_done = icmp eq i64 %at, %count
  br i1 %is_done, label %end, label %more
more:
  %next = add i64 %at, 1
  %factor = sub i64 %n, %at
  %both = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %product, i64 %factor)
  %longer = extractvalue { i64, i1 } %both, 0
  %is_over = extractvalue { i64, i1 } %both, 1
  br i1 %is_over, label %python, label %fine
fine:
  %quotient = udiv i64 %longer, DIVISOR
  br label %each
end:
  ret i64 %product
python:
  ret i64 -1
"""
# Squares of the base, of which those are taken that the exponent has a bit for.
# Products of two ints below 2**32 have 64 bits.
_POW = """\
  %is_below = icmp slt i64 %exponent, 0
  %less = add i64 %modulus, -1
  %is_large = icmp ugt i64 %less, 4294967295
  %is_pythons = or i1 %is_below, %is_large
  br i1 %is_pythons, label %python, label %begin
begin:
  %rest = srem i64 %base, %modulus
  %is_minus = icmp slt i64 %rest, 0
  %more = add i64 %rest, %modulus
  %first = select i1 %is_minus, i64 %more, i64 %rest
  %one = urem i64 1, %modulus
  br label %each
each:
  %bits = phi i64 [ %exponent, %begin ], [ %halved, %next ]
  %square = phi i64 [ %first, %begin ], [ %squared, %next ]
  %found = phi i64 [ %one, %begin ], [ %taken, %next ]
  %is_done = icmp eq i64 %bits, 0
  br i1 %is_done, label %end, label %turn
turn:
  %bit = and i64 %bits, 1
  %is_odd = icmp ne i64 %bit, 0
  br i1 %is_odd, label %odd, label %next
odd:
  %product = mul i64 %found, %square
  %reduced = urem i64 %product, %modulus
  br label %next
next:
  %taken = phi i64 [ %found, %turn ], [ %reduced, %odd ]
  %halved = lshr i64 %bits, 1
  %longer = mul i64 %square, %square
  %squared = urem i64 %longer, %modulus
  br label %each
end:
  ret i64 %found
python:
  ret i64 -1
"""


def _chosen(most: str, divisor: str) -> Helper:
    body = _CHOSEN.replace("MOST", most).replace("DIVISOR", divisor)
    return Helper({"n": "i64", "k": "i64"}, "i64", body, declared=(*_DECLARED, _UMUL))


def _comb_text() -> Helper:
    return _chosen("call i64 @llvm.umin.i64(i64 %k, i64 %rest)", "%next")


def _perm_text() -> Helper:
    return _chosen("add i64 %k, 0", "1")


def _lcm_text() -> Helper:
    takes = dict.fromkeys(("x", "y", "common"), "i64")
    return Helper(takes, "i64", _LCM, declared=(*_DECLARED, _UMUL))


def _pow_text() -> Helper:
    return Helper(dict.fromkeys(("base", "exponent", "modulus"), "i64"), "i64", _POW)


def _named(name: str) -> Becomes:
    return lambda lowering, parts: call(lowering, name, *parts)


def _lcm(lowering: Lowering, parts: Sequence[Operand]) -> Operand:
    """Of two ints, of which none is 0 where it is divided."""
    common = call(lowering, "gcd", *parts)
    none = lowering.compute("icmp eq", BIT, common, 0, type=INT)
    divisor = lowering.compute("select", INT, none, 1, common)
    return call(lowering, "lcm", *parts, divisor)


def _factorial(lowering: Lowering, parts: Sequence[Operand]) -> Operand:
    (n,) = parts
    return call(lowering, "perm", n, n)


FAMILIES |= {"gcd": _gcd_text, "lcm": _lcm_text, "pow": _pow_text}
FAMILIES |= {"comb": _comb_text, "perm": _perm_text}
# By the function: of how many ints, and what it becomes. What is too large, or less
# than 0, is Python's.
WHOLE: dict[Any, tuple[int, Becomes]] = {math.gcd: (2, _gcd), math.isqrt: (1, _isqrt)}
# Those that are less than 0 where Python is to be asked.
OR_PYTHON: dict[Any, tuple[int, Becomes]] = {
    math.lcm: (2, _lcm),
    math.comb: (2, _named("comb")),
    math.perm: (2, _named("perm")),
    math.factorial: (1, _factorial),
    pow: (3, _named("pow")),
}


def of_ints(
    lowering: Lowering, step: Step, function: Any, numbers: Sequence[Number]
) -> bool:
    """One of these functions of ints that 64 bits hold; whether it is one."""
    known = WHOLE.get(function) or OR_PYTHON.get(function)
    fits = all(one.dtype.kind in "iu" and one.dtype != np.uint64 for one in numbers)
    if known is None or len(numbers) != known[0] or not fits:
        return False
    if function is pow and not all(map(is_weak, numbers)):
        return False  # no number of NumPy's takes a modulus
    parts = [convert(lowering, number, np.dtype(int))[0] for number in numbers]
    made = known[1](lowering, parts)
    if function in WHOLE:
        lowering.give(step, made)
        return True
    is_found = lowering.compute("icmp sge", BIT, made, 0, type=INT)
    or_python(lowering, step, is_found, lambda: (made,))
    return True
