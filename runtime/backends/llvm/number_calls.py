"""number_calls: Python's functions and methods of a number that a machine has.

What 64 bits do not hold, and what Python would raise for, is a call of Python in that
very turn, and the loop goes on. So a row is a few instructions, and says where they
hold.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.backends.llvm.clocks import clock_text, is_clock, word_of
from runtime.backends.llvm.helpers import FAMILIES, Helper, call
from runtime.backends.llvm.loops import (
    BIT,
    DOUBLE,
    Map,
    Number,
    Operand,
)
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.numbers import as_floats, convert, is_weak
from runtime.backends.llvm.or_python import or_python
from runtime.backends.llvm.switch import has_fma
from runtime.backends.llvm.values import NotLowered
from runtime.backends.numpy.program import Step, Variable
from runtime.formatting import format_value
from runtime.numpy_api import library, methods
from runtime.ops.template import Input

# Powers of ten up to this one are floats.
EXACT = 22
WHOLE = np.dtype(int)
# What gives a row its operands, and says what came of them.
Row = Callable[[Lowering, Step, Number], bool]


def number_call(lowering: Lowering, step: Step) -> bool:
    """Give what a call with a number comes to; False where it has no row."""
    known = step.node.attributes
    function, args = known["function"], known["args"]
    if is_clock(step):
        return _told(lowering, step)
    if function is math.isclose:
        return _close(lowering, step, args, known["kwargs"])
    if not args or args[0] != Input(0) or len(step.outputs) != 1:
        return False
    if function in _METHODS:
        row, rest = METHODS.get(args[1]), args[2:]
        if row is None or rest or known["kwargs"] or len(step.inputs) > 1:
            return False
        return row(lowering, step, lowering.number_of(step.inputs[0]))
    if function is str.count or function is len:
        return _of_a_text(lowering, step, function, args[1:])
    if function is round and len(args) == 2 and not known["kwargs"]:
        return _rounded(lowering, step, args[1])
    return False


# --- the time -------------------------------------------------------------------------
def _clock_text(number: str, told: str) -> Helper:
    return clock_text(Helper, number, told)


FAMILIES["clock"] = _clock_text


def _told(lowering: Lowering, step: Step) -> bool:
    """The time; what comes before it in the program is to be done by then."""
    if any(isinstance(value, Map) for value in lowering.values.values()):
        return False
    lowering.give(step, call(lowering, word_of(step)))
    return True


# --- ints -----------------------------------------------------------------------------
_BITS = """\
  %size = call i64 @llvm.abs.i64(i64 %x, i1 false)
  %zeros = call i64 @llvm.ctlz.i64(i64 %size, i1 false)
  %bits = sub i64 64, %zeros
  ret i64 %bits
"""
_ONES = """\
  %size = call i64 @llvm.abs.i64(i64 %x, i1 false)
  %ones = call i64 @llvm.ctpop.i64(i64 %size)
  ret i64 %ones
"""
_DIGITS = """\
  %size = call i64 @llvm.abs.i64(i64 %x, i1 false)
  %sign = lshr i64 %x, 63
  %first = add i64 %sign, 1
  br label %each
each:
  %rest = phi i64 [ %size, %entry ], [ %less, %more ]
  %count = phi i64 [ %first, %entry ], [ %next, %more ]
  %is_last = icmp ult i64 %rest, 10
  br i1 %is_last, label %end, label %more
more:
  %less = udiv i64 %rest, 10
  %next = add i64 %count, 1
  br label %each
end:
  ret i64 %count
"""
_DECLARED = {
    "abs": "declare i64 @llvm.abs.i64(i64, i1)",
    "ctlz": "declare i64 @llvm.ctlz.i64(i64, i1)",
    "ctpop": "declare i64 @llvm.ctpop.i64(i64)",
}


def _of_int(body: str) -> Callable[[], Helper]:
    words = (word for word in _DECLARED if f"llvm.{word}." in body)
    declared = tuple((f"llvm.{word}.i64", _DECLARED[word]) for word in words)
    return lambda: Helper({"x": "i64"}, "i64", body, declared=declared)


for _name, _body in (("bits", _BITS), ("ones", _ONES), ("digits", _DIGITS)):
    FAMILIES[_name] = _of_int(_body)


def _counted(name: str) -> Row:
    """A method of Python's ints, of which 64 bits hold all results."""

    def row(lowering: Lowering, step: Step, number: Number) -> bool:
        if number.dtype.kind not in "ib" or not is_weak(number):
            return False
        lowering.give(step, call(lowering, name, _as_int(lowering, number)))
        return True

    return row


def _is_integer(lowering: Lowering, step: Step, number: Number) -> bool:
    """`x.is_integer()` of a float: no infinity is one, and no NaN."""
    if number.dtype != np.dtype(float) or not is_weak(number):
        return False
    (x,), compute = number.parts, lowering.compute
    cut = compute("floor", DOUBLE, x, type=DOUBLE)
    is_whole = compute("fcmp oeq", BIT, cut, x, type=DOUBLE)
    size = compute("fabs", DOUBLE, x, type=DOUBLE)
    is_finite = compute("fcmp olt", BIT, size, math.inf, type=DOUBLE)
    lowering.give(step, compute("and", BIT, is_whole, is_finite, type=BIT))
    return True


_METHODS = (library.call_method, methods.call_method)
METHODS: dict[Any, Row] = {
    "bit_count": _counted("ones"),
    "bit_length": _counted("bits"),
    "is_integer": _is_integer,
}


def _as_int(lowering: Lowering, number: Number) -> Operand:
    return convert(lowering, number, WHOLE)[0]


# --- texts of ints --------------------------------------------------------------------
def _of_a_text(lowering: Lowering, step: Step, function: Any, rest: Any) -> bool:
    """`bin(n).count("1")` and `len(str(n))`, for which no text is wanted."""
    form, shown = _shown_int(step.inputs[0])
    if shown is None or len(step.inputs) > 1:
        return False
    number = lowering.number_of(shown)
    if number.dtype.kind != "i" or not is_weak(number):
        return False
    x = _as_int(lowering, number)
    if function is len and form == "d":
        lowering.give(step, call(lowering, "digits", x))
    elif function is str.count and form == "b" and rest == ("1",):
        lowering.give(step, call(lowering, "ones", x))
    else:
        return False
    return True


def _shown_int(text: Variable) -> tuple[str, Variable | None]:
    """The int that a text shows, and how: "b", or "d"."""
    step = text.home.steps[text.index] if text.index >= 0 else None
    if step is None or step.node.op.name != "host_call" or len(step.inputs) != 1:
        return "", None
    (shown,), known = step.inputs, step.node.attributes
    function, args = known["function"], known["args"]
    if function is bin:
        return "b", shown
    if function is str and args == (Input(0),) and not known["kwargs"]:
        return "d", shown
    if function is format_value and args[0] == Input(0):
        return {"b": "b", "": "d", "d": "d"}.get(args[2], ""), shown
    return "", None


# --- round(x, n) ----------------------------------------------------------------------
# The product with a power of ten, and what it has lost, tell on which side of a half it
# lies; whole numbers below 2**52 by such a power are what Python reads a text as.
_ROUND = """\
  %times = fmul double %x, %power
  %minus = fneg double %times
  %lost = call double @llvm.fma.f64(double %x, double %power, double %minus)
  %near = call double @llvm.rint.f64(double %times)
  %part = fsub double %times, %near
  %half = fcmp oeq double %part, 0.5
  %more = fcmp ogt double %lost, 0.0
  %up = and i1 %half, %more
  %minus_half = fcmp oeq double %part, -0.5
  %less = fcmp olt double %lost, 0.0
  %down = and i1 %minus_half, %less
  %above = fadd double %near, 1.0
  %below = fsub double %near, 1.0
  %first = select i1 %up, double %above, double %near
  %whole = select i1 %down, double %below, double %first
  %found = fdiv double %whole, %power
  ret double %found
"""
_OF_DOUBLES = tuple(
    (f"llvm.{word}.f64", f"declare double @llvm.{word}.f64({', '.join(args)})")
    for word, args in (("fma", ["double"] * 3), ("rint", ["double"]))
)


def _round_text() -> Helper:
    takes = {"x": "double", "power": "double"}
    return Helper(takes, "double", _ROUND, declared=_OF_DOUBLES)


FAMILIES["round"] = _round_text


def _rounded(lowering: Lowering, step: Step, digits: Any) -> bool:
    """`round(x, n)`: of a float of Python's its decimals, to the bit."""
    number, made = lowering.number_of(step.inputs[0]), step.outputs[0].spec
    if type(digits) is not int or not 0 <= digits <= EXACT:
        return False
    if number.dtype.kind == "i" and is_weak(number) and made.weak:
        lowering.give(step, *number.parts)
        return True
    if number.dtype != np.dtype(float) or made.dtype != number.dtype:
        return False
    if is_weak(number) and not has_fma():
        return False
    (x,), power, compute = number.parts, 10.0**digits, lowering.compute
    size = compute("fabs", DOUBLE, x, type=DOUBLE)
    # NumPy warns of a product that is too large.
    most = (2.0**52 if is_weak(number) else 2.0**1000) / power
    fits = compute("fcmp olt", BIT, size, most, type=DOUBLE)

    def write() -> Operand:
        if is_weak(number):
            return call(lowering, "round", x, power)
        # NumPy's own numbers are rounded as its arrays are.
        times = compute("fmul", DOUBLE, x, power, type=DOUBLE) if digits else x
        near = compute("rint", DOUBLE, times, type=DOUBLE)
        return compute("fdiv", DOUBLE, near, power, type=DOUBLE) if digits else near

    or_python(lowering, step, fits, lambda: (write(),))
    return True


# --- math.isclose ---------------------------------------------------------------------
_CLOSE = """\
  %same = fcmp oeq double %a, %b
  br i1 %same, label %yes, label %other
yes:
  ret i1 true
other:
  %size_a = call double @llvm.fabs.f64(double %a)
  %size_b = call double @llvm.fabs.f64(double %b)
  %far_a = fcmp oeq double %size_a, 0x7FF0000000000000
  %far_b = fcmp oeq double %size_b, 0x7FF0000000000000
  %far = or i1 %far_a, %far_b
  br i1 %far, label %no, label %near
no:
  ret i1 false
near:
  %apart = fsub double %b, %a
  %size = call double @llvm.fabs.f64(double %apart)
  %part_b = fmul double %relative, %b
  %part_a = fmul double %relative, %a
  %most_b = call double @llvm.fabs.f64(double %part_b)
  %most_a = call double @llvm.fabs.f64(double %part_a)
  %by_b = fcmp ole double %size, %most_b
  %by_a = fcmp ole double %size, %most_a
  %by_size = fcmp ole double %size, %absolute
  %either = or i1 %by_b, %by_a
  %any = or i1 %either, %by_size
  ret i1 %any
"""


def _close_text() -> Helper:
    takes = dict.fromkeys(("a", "b", "relative", "absolute"), "double")
    fabs = ("llvm.fabs.f64", "declare double @llvm.fabs.f64(double)")
    return Helper(takes, "i1", _CLOSE, notes=True, declared=(fabs,))


FAMILIES["close"] = _close_text


def _close(lowering: Lowering, step: Step, args: Any, kwargs: dict[str, Any]) -> bool:
    """`math.isclose(a, b)`, with tolerances that the program says."""
    names = {"rel_tol": 1e-9, "abs_tol": 0.0}
    told = [kwargs.get(name, usual) for name, usual in names.items()]
    known = all(type(one) in (int, float) and one >= 0 for one in told)
    if len(args) != 2 or not known or not kwargs.keys() <= names.keys():
        return False
    numbers = []
    for one in args:
        if type(one) is not Input and type(one) not in (int, float):
            return False
        is_given = type(one) is Input
        numbers.append(
            lowering.number_of(step.inputs[one.k]) if is_given else _constant(one)
        )
    return close(lowering, step, numbers, *map(float, told))


def close(
    lowering: Lowering,
    step: Step,
    numbers: Sequence[Number],
    relative: float = 1e-9,
    absolute: float = 0.0,
) -> bool:
    """Whether two numbers are close, by tolerances that are not less than 0."""
    if len(numbers) != 2 or any(number.dtype.kind not in "if" for number in numbers):
        return False
    a, b = as_floats(lowering, numbers)
    lowering.give(step, call(lowering, "close", a, b, relative, absolute))
    return True


def _constant(value: float) -> Number:
    try:
        return Number(np.dtype(float), True, (float(value),))
    except OverflowError:
        raise NotLowered("an int that is no float") from None
