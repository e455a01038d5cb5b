"""distances: `math.hypot(x, y)`, to the bit.

CPython computes it nearly exactly, and rounds once: the root, and a correction by what
its square lacks. So does this, by fused products. Numbers of a usual size need no
scale; all others are a call of Python in that turn.
"""

from __future__ import annotations

import functools
import math
import random
import struct
from collections.abc import Sequence

from runtime.backends.llvm.helpers import FAMILIES, Helper, call
from runtime.backends.llvm.lines import literal
from runtime.backends.llvm.loops import BIT, DOUBLE, Number
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.numbers import as_floats
from runtime.backends.llvm.or_python import or_python
from runtime.backends.llvm.switch import has_fma
from runtime.backends.numpy.program import Step

# Between these, or 0, squares and what they lose are usual floats.
LEAST, MOST = 2.0**-450, 2.0**450
# So many pairs tell whether Python rounds once.
PAIRS = 40


def _bits(number: float) -> str:
    return str(struct.unpack("q", struct.pack("d", number))[0])


# What each product and sum loses is known; the root's square is taken from all. A NaN
# says that Python is to be asked: of unusual numbers, and where the exact number is
# next to the middle of two floats, of which Python may have either.
_ROOT = """\
  %bx = bitcast double %x to i64
  %by = bitcast double %y to i64
  %ux = and i64 %bx, 9223372036854775807
  %uy = and i64 %by, 9223372036854775807
  %most = call i64 @llvm.umax.i64(i64 %ux, i64 %uy)
  %least = call i64 @llvm.umin.i64(i64 %ux, i64 %uy)
  %small = icmp ule i64 %most, MOST
  %large = icmp uge i64 %most, LEAST
  %other = icmp uge i64 %least, LEAST
  %none = icmp eq i64 %least, 0
  %fine = or i1 %other, %none
  %both = and i1 %small, %large
  %usual = and i1 %both, %fine
  br i1 %usual, label %near, label %ask
near:
  %xx = fmul double %x, %x
  %xn = fneg double %xx
  %xl = call double @llvm.fma.f64(double %x, double %x, double %xn)
  %yy = fmul double %y, %y
  %yn = fneg double %yy
  %yl = call double @llvm.fma.f64(double %y, double %y, double %yn)
  %s = fadd double %xx, %yy
  %b = fsub double %s, %xx
  %a = fsub double %s, %b
  %da = fsub double %xx, %a
  %db = fsub double %yy, %b
  %lost = fadd double %da, %db
  %h = call double @llvm.sqrt.f64(double %s)
  %hh = fmul double %h, %h
  %hn = fneg double %hh
  %hl = call double @llvm.fma.f64(double %h, double %h, double %hn)
  %high = fsub double %s, %hh
  %low0 = fadd double %xl, %yl
  %low1 = fadd double %lost, %low0
  %low = fsub double %low1, %hl
  %rest = fadd double %high, %low
  %twice = fadd double %h, %h
  %more = fdiv double %rest, %twice
  %up = call double @llvm.fma.f64(double %more, double UP, double %h)
  %down = call double @llvm.fma.f64(double %more, double DOWN, double %h)
  %sure = fcmp oeq double %up, %down
  br i1 %sure, label %found, label %ask
found:
  ret double %up
ask:
  ret double 0x7FF8000000000000
"""
# Sizes are compared as ints, of which a NaN is a large one, and nothing is noted.
_WORDS = {"MOST": _bits(MOST), "LEAST": _bits(LEAST)}
_WORDS |= {"UP": literal(1 + 2.0**-20, DOUBLE), "DOWN": literal(1 - 2.0**-20, DOUBLE)}
_DECLARED = (
    ("llvm.umax.i64", "declare i64 @llvm.umax.i64(i64, i64)"),
    ("llvm.umin.i64", "declare i64 @llvm.umin.i64(i64, i64)"),
    ("llvm.fma.f64", "declare double @llvm.fma.f64(double, double, double)"),
    ("llvm.sqrt.f64", "declare double @llvm.sqrt.f64(double)"),
)


def _root_text() -> Helper:
    takes, body = dict.fromkeys(("x", "y"), DOUBLE), _ROOT
    for word, number in _WORDS.items():
        body = body.replace(word, number)
    return Helper(takes, DOUBLE, body, declared=_DECLARED)


FAMILIES["root_of_squares"] = _root_text


def hypot(lowering: Lowering, step: Step, numbers: Sequence[Number]) -> bool:
    """Whether it is written: of two numbers, where Python rounds once."""
    if len(numbers) != 2 or not has_fma() or not is_rounded_once():
        return False
    if any(number.dtype.kind not in "if" for number in numbers):
        return False
    found = call(lowering, "root_of_squares", *as_floats(lowering, numbers))
    is_sure = lowering.compute("fcmp ord", BIT, found, found, type=DOUBLE)
    or_python(lowering, step, is_sure, lambda: (found,))
    return True


@functools.cache
def is_rounded_once() -> bool:
    """Whether Python's `hypot` gives the float next to the exact number."""
    draw = random.Random(0)
    pairs = [(draw.random(), draw.random() * 2.0 ** -(k % 40)) for k in range(PAIRS)]
    return all(math.hypot(x, y) == _exact(x, y) for x, y in pairs)


def _exact(x: float, y: float) -> float:
    """The float next to the root of the sum of two squares, by ints."""
    scale = 2**120
    a, b = (int(part * 2**93) for part in (x, y))
    square = (a * a + b * b) * scale**2
    root = math.isqrt(square)
    # What is beyond tells on which side of the middle of two floats it is.
    return float(2 * root + (root * root != square)) / (2.0**94 * scale)
