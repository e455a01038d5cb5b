"""numbers: what the ops on single numbers become.

Ints are watched: a Python int may outgrow 64 bits, a NumPy one then warns; both is left
to Python, from that step on. Floats are computed as CPython and NumPy compute them, one
operation after the other, so that not a bit differs; a function like `exp` is NumPy's
own loop, or the C library's where Python calls that.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.backends.llvm.loops import (
    BIT,
    DOUBLE,
    INT,
    Local,
    Number,
    Operand,
)
from runtime.backends.llvm.lowering import LOWER, Lowering
from runtime.backends.llvm.mathematics import rests
from runtime.backends.llvm.outgrown import checked, of_ints
from runtime.backends.llvm.references import References
from runtime.backends.llvm.switch import has_fma
from runtime.backends.llvm.values import NotLowered, machine_type, narrowed
from runtime.backends.numpy.program import Step
from runtime.spec import TensorSpec

EXACT = 2**53  # ints up to it are floats without loss


def row(*names: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Enter a function in the table, for ops of these names; it gets the name, too."""

    def enter(lower: Callable[..., None]) -> Callable[..., None]:
        for name in names:
            LOWER[name] = functools.partial(lower, op=name)
        return lower

    return enter


def out_of(step: Step) -> np.dtype[Any]:
    """The dtype of the step's result; of several, which are alike."""
    spec = narrowed(step.outputs[0].spec)
    if type(spec) is not TensorSpec or spec.shape != () or spec.dtype is None:
        raise NotLowered(f"{step.node.op.name} of arrays")
    return spec.dtype


def is_weak(number: Number) -> bool:
    """Whether it is a Python number; NotLowered where only the run knows."""
    if isinstance(number.weak, Local):
        raise NotLowered("a number that may be Python's or NumPy's")
    return number.weak


def may_be_weak(number: Number) -> bool:
    """Whether it is a Python number, or only the run knows."""
    return number.weak is not False


# --- from one dtype to another --------------------------------------------------------
def convert(
    lowering: Lowering, number: Number, dtype: np.dtype[Any]
) -> tuple[Operand, ...]:
    """The parts of a number as one of another dtype, as an operator promotes it."""
    source = number.dtype
    if source == dtype:
        return number.parts
    if source.kind == "i" and dtype.char in "fF" and is_weak(number):
        # NumPy makes a double of a Python int first, and so rounds it twice.
        double = np.dtype(float)
        part = real_as(lowering, number.parts[0], source, double)
        number, source = Number(double, True, (part,)), double
    if dtype.kind == "c":
        if source.kind == "c":
            kind = source_kind = np.dtype(f"f{source.itemsize // 2}")
            to = np.dtype(f"f{dtype.itemsize // 2}")
            return tuple(real_as(lowering, p, source_kind, to) for p in number.parts)
        kind = np.dtype(f"f{dtype.itemsize // 2}")
        return (real_as(lowering, number.parts[0], source, kind), 0.0)
    if source.kind == "c":
        raise NotLowered("a complex number as a real one")
    (part,) = number.parts
    if number.weak is True and source.kind == "i" and dtype.kind in "iu":
        fits(lowering, part, dtype)
    return (real_as(lowering, part, source, dtype),)


def fits(lowering: Lowering, part: Operand, dtype: np.dtype[Any]) -> None:
    """Leave where a Python int is none of this dtype: NumPy raises."""
    known = np.iinfo(dtype)
    low, high = max(known.min, -(2**63)), min(known.max, 2**63 - 1)
    if isinstance(part, Local):
        if low > -(2**63):
            below = lowering.compute("icmp slt", BIT, part, low, type=INT)
            lowering.leave_if(below)
        if high < 2**63 - 1:
            above = lowering.compute("icmp sgt", BIT, part, high, type=INT)
            lowering.leave_if(above)
    elif not low <= part <= high:
        lowering.leave_if(True)


def real_as(
    lowering: References, part: Operand, source: np.dtype[Any], dtype: np.dtype[Any]
) -> Operand:
    """One part as another machine type; floats become ints only where they fit."""
    a, b = machine_type(source), machine_type(dtype)
    if not isinstance(part, Local):
        return _literal(part, source, dtype)
    if a == b:
        return part
    if dtype.kind == "b":
        return truth_of(lowering, Number(source, False, (part,)))
    op = {
        ("f", "f"): "fpext" if dtype.itemsize > source.itemsize else "fptrunc",
        ("i", "f"): "sitofp",
        ("u", "f"): "uitofp",
        ("b", "f"): "uitofp",
        ("b", "i"): "zext",
        ("b", "u"): "zext",
    }.get((source.kind, dtype.kind))
    if op is None and source.kind in "iu" and dtype.kind in "iu":
        wider = dtype.itemsize > source.itemsize
        op = ("sext" if source.kind == "i" else "zext") if wider else "trunc"
    if op is None:
        raise NotLowered(f"{source} as {dtype}")
    return lowering.compute(op, b, part, type=a)


def _literal(part: Any, source: np.dtype[Any], dtype: np.dtype[Any]) -> Operand:
    if dtype.kind == "b":
        return bool(part)
    if dtype.kind in "iu":
        return int(part)
    with np.errstate(over="ignore"):
        found = float(dtype.type(part))
    if math.isinf(found) and math.isfinite(part):
        raise NotLowered("a number too large for its dtype, of which NumPy warns")
    return found


def truth_of(lowering: References, number: Number) -> Operand:
    """Whether it is not zero, as bool() says."""
    kind = machine_type(number.dtype)
    if not any(isinstance(part, Local) for part in number.parts):
        return any(part != 0 for part in number.parts)
    if number.dtype.kind == "b":
        return number.parts[0]
    if number.dtype.kind in "iu":
        return lowering.compute("icmp ne", BIT, number.parts[0], 0, type=kind)
    found = [
        lowering.compute("fcmp une", BIT, part, 0.0, type=kind) for part in number.parts
    ]
    if len(found) == 1:
        return found[0]
    return lowering.compute("or", BIT, *found, type=BIT)


# --- arithmetic -----------------------------------------------------------------------
INTS = {"add": "add", "subtract": "sub", "multiply": "mul"}
FLOATS = {"add": "fadd", "subtract": "fsub", "multiply": "fmul"}
BOOLS = {"add": "or", "multiply": "and"}


@row("add", "subtract", "multiply")
def arithmetic(lowering: Lowering, step: Step, op: str) -> None:
    """Sums, differences, products."""
    dtype = out_of(step)
    a, b = (convert(lowering, lowering.number_of(v), dtype) for v in step.inputs)
    kind = machine_type(dtype)
    if dtype.kind in "iu":
        parts: tuple[Operand, ...] = (
            of_ints(lowering, step, dtype, INTS[op], a[0], b[0]),
        )
    elif dtype.kind == "b":
        parts = (lowering.compute(BOOLS[op], BIT, a[0], b[0], type=BIT),)
    elif dtype.kind == "f":
        parts = (lowering.compute(FLOATS[op], kind, a[0], b[0], type=kind),)
    else:
        parts = _complex(lowering, op, kind, a, b)
    lowering.give(step, *parts)


def _complex(
    lowering: Lowering,
    op: str,
    kind: str,
    a: tuple[Operand, ...],
    b: tuple[Operand, ...],
) -> tuple[Operand, ...]:
    if op == "multiply":
        return times(lowering, kind, a, b)
    return tuple(
        lowering.compute(FLOATS[op], kind, x, y, type=kind)
        for x, y in zip(a, b, strict=True)
    )


def times(
    lowering: References, kind: str, a: Sequence[Operand], b: Sequence[Operand]
) -> tuple[Operand, ...]:
    """The product of complex numbers, as CPython and NumPy compute it."""

    def of(word: str, x: Operand, y: Operand) -> Local:
        return lowering.compute(word, kind, x, y, type=kind)

    real = of("fsub", of("fmul", a[0], b[0]), of("fmul", a[1], b[1]))
    return real, of("fadd", of("fmul", a[0], b[1]), of("fmul", a[1], b[0]))


def leave_at_zero(lowering: Lowering, b: Operand, kind: str) -> None:
    """Leave where a divisor is zero."""
    if isinstance(b, Local):
        word = "fcmp oeq" if kind in ("float", "double") else "icmp eq"
        lowering.leave_if(lowering.compute(word, BIT, b, 0, type=kind))
    elif b == 0:
        lowering.leave_if(True)


def as_floats(lowering: Lowering, numbers: Sequence[Number]) -> list[Operand]:
    """Python's floats of them; of an int that is none exactly the way out."""
    parts = [convert(lowering, number, np.dtype(float))[0] for number in numbers]
    for number in numbers:
        within_exact(lowering, number)
    return parts


def within_exact(lowering: Lowering, number: Number) -> None:
    """Leave where an int is no float: Python computes with it as it is."""
    # A NumPy int of fewer bytes is always a float.
    if number.dtype.kind != "i" or number.dtype.itemsize < 8:
        return
    (part,) = number.parts
    if not isinstance(part, Local):
        lowering.leave_if(not -EXACT <= part <= EXACT)
        return
    moved = lowering.compute("add", INT, part, EXACT, type=INT)
    far = lowering.compute("icmp ugt", BIT, moved, 2 * EXACT, type=INT)
    lowering.leave_if(far)


@row("floor_divide", "remainder", "divmod")
def floor_division(lowering: Lowering, step: Step, op: str) -> None:
    """`x // y`, `x % y` and both, towards -inf; division by zero is left to Python."""
    dtype = out_of(step)
    numbers = [lowering.number_of(v) for v in step.inputs]
    a, b = (convert(lowering, number, dtype)[0] for number in numbers)
    kind = machine_type(dtype)
    if dtype.kind not in "iuf":
        raise NotLowered(f"{op} of {dtype}")
    leave_at_zero(lowering, b, kind)
    if dtype.kind == "f":
        pair = float_division(lowering, kind, a, b)
    else:
        _leave_at_least(lowering, dtype, a, b)
        pair = int_division(lowering, dtype, a, b)
    given = pair if op == "divmod" else (pair[op == "remainder"],)
    for variable, part in zip(step.outputs, given, strict=True):
        lowering.give_to(variable, step, part)


def _leave_at_least(
    lowering: Lowering, dtype: np.dtype[Any], a: Operand, b: Operand
) -> None:
    """Leave for the one quotient that has no place."""
    if dtype.kind == "i" and (isinstance(b, Local) or b == -1):
        kind, least = machine_type(dtype), int(np.iinfo(dtype).min)
        low = lowering.compute("icmp eq", BIT, a, least, type=kind)
        minus = lowering.compute("icmp eq", BIT, b, -1, type=kind)
        lowering.leave_if(lowering.compute("and", BIT, low, minus, type=BIT))


def int_division(
    lowering: References, dtype: np.dtype[Any], a: Operand, b: Operand
) -> tuple[Local, Local]:
    """The quotient of ints, towards -inf, and the rest; b is not zero."""
    kind = machine_type(dtype)

    def of(word: str, x: Operand, y: Operand, made: str = kind) -> Local:
        return lowering.compute(word, made, x, y, type=kind)

    if dtype.kind == "u":
        return of("udiv", a, b), of("urem", a, b)
    if not isinstance(b, Local) and b > 0 and int(b) & (int(b) - 1) == 0:
        # Of a power of two: the bits say it, towards -inf.
        return of("ashr", a, int(b).bit_length() - 1), of("and", a, b - 1)
    quotient, rest = of("sdiv", a, b), of("srem", a, b)
    if not isinstance(b, Local) and b > 0:
        down = of("icmp slt", rest, 0, BIT)
    else:
        signs = of("icmp slt", of("xor", rest, b), 0, BIT)
        some = of("icmp ne", rest, 0, BIT)
        down = lowering.compute("and", BIT, signs, some, type=BIT)
    lower = lowering.compute("select", kind, down, of("sub", quotient, 1), quotient)
    more = lowering.compute("select", kind, down, of("add", rest, b), rest)
    return lower, more


def float_division(
    lowering: References, kind: str, a: Operand, b: Operand
) -> tuple[Local, Local]:
    """As CPython and NumPy both do it; b is not zero where the quotient is wanted."""

    def of(word: str, *args: Operand, made: str = kind) -> Local:
        return lowering.compute(word, made, *args, type=kind)

    def choose(test: Operand, x: Operand, y: Operand) -> Local:
        return lowering.compute("select", kind, test, x, y)

    if has_fma():
        rest = lowering.compute("own", kind, a, b, symbol=rests.NAME, type=kind)
    else:
        symbol = "m_fmod" if kind == DOUBLE else "m_fmodf"
        rest = lowering.compute("call", kind, a, b, symbol=symbol)
    first = of("fdiv", of("fsub", a, rest), b)
    some = of("fcmp une", rest, 0.0, made=BIT)
    sides = lowering.compute(
        "xor",
        BIT,
        of("fcmp olt", b, 0.0, made=BIT),
        of("fcmp olt", rest, 0.0, made=BIT),
        type=BIT,
    )
    moved = lowering.compute("and", BIT, some, sides, type=BIT)
    found = choose(moved, of("fadd", rest, b), rest)
    remainder = choose(some, found, of("copysign", 0.0, b))
    quotient = choose(moved, of("fsub", first, 1.0), first)
    whole = of("floor", quotient)
    far = of("fcmp ogt", of("fsub", quotient, whole), 0.5, made=BIT)
    rounded = choose(far, of("fadd", whole, 1.0), whole)
    zero = of("copysign", 0.0, of("fdiv", a, b))
    is_zero = of("fcmp une", quotient, 0.0, made=BIT)
    return choose(is_zero, rounded, zero), remainder


@row("negative", "positive", "absolute")
def signs(lowering: Lowering, step: Step, op: str) -> None:
    """`-x`, `+x`, `abs(x)`."""
    number = lowering.number_of(step.inputs[0])
    dtype = out_of(step)
    if number.dtype.kind == "c" and op == "absolute":
        name = "m_hypot" if dtype.itemsize == 8 else "m_hypotf"
        kind = machine_type(dtype)
        found = lowering.compute("call", kind, *number.parts, symbol=name)
        if may_be_weak(number):
            # Python raises where it has become infinite.
            leave_unless_finite(lowering, found)
        lowering.give(step, found)
        return
    parts = convert(lowering, number, dtype)
    kind = machine_type(dtype)
    if op == "negative" and dtype.kind in "iu":
        parts = (checked(lowering, "sub", dtype, 0, parts[0]),)
    elif op == "negative":
        parts = tuple(lowering.compute("fneg", kind, p, type=kind) for p in parts)
    elif op == "absolute" and dtype.kind == "i":
        less = lowering.compute("icmp slt", BIT, parts[0], 0, type=kind)
        minus = checked(lowering, "sub", dtype, 0, parts[0])
        parts = (lowering.compute("select", kind, less, minus, parts[0]),)
    elif op == "absolute" and dtype.kind == "f":
        parts = (lowering.compute("fabs", kind, parts[0], type=kind),)
    lowering.give(step, *parts)


def leave_unless_finite(lowering: Lowering, part: Operand) -> None:
    """Leave where a result is infinite or NaN: Python has something to say of it."""
    lowering.is_silent((part,), True)
    size = lowering.compute("fabs", DOUBLE, part, type=DOUBLE)
    fine = lowering.compute("fcmp olt", BIT, size, math.inf, type=DOUBLE)
    lowering.leave_unless(fine)
