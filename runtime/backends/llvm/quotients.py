"""quotients: what `x / y` of numbers is, and whole powers of Python's complex ones.

Complex numbers are divided as Python and NumPy do it, which differ in a step: by the
larger part of the divisor. What is not usual, a divisor of 0 or a NaN, and a power that
is infinite, is a call of Python in that very turn, which says what it has to say.
"""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Sequence

import numpy as np

from runtime.backends.llvm.loops import BIT, DOUBLE, Local, Number, Operand
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.numbers import (
    convert,
    leave_at_zero,
    may_be_weak,
    out_of,
    row,
    times,
    within_exact,
)
from runtime.backends.llvm.or_python import or_python
from runtime.backends.llvm.values import NotLowered, machine_type
from runtime.backends.numpy.program import Step

COMPLEX = np.dtype(complex)
# Whole powers of Python's numbers that are written out.
POWERS = range(-16, 17)
# So many pairs tell how complex numbers are computed.
PAIRS = 40


@row("divide")
def divide(lowering: Lowering, step: Step, op: str) -> None:
    """`x / y`: Python raises at 0, NumPy warns, which the end of the loop tells."""
    dtype = out_of(step)
    numbers = [lowering.number_of(v) for v in step.inputs]
    if dtype.kind == "c":
        _divide_complex(lowering, step, numbers)
        return
    if dtype.kind != "f":
        raise NotLowered(f"division of {dtype}")
    weak = all(map(may_be_weak, numbers))
    for number in numbers if weak else ():
        within_exact(lowering, number)
    a, b = (convert(lowering, number, dtype)[0] for number in numbers)
    kind = machine_type(dtype)
    if weak:
        leave_at_zero(lowering, b, kind)
    lowering.give(step, lowering.compute("fdiv", kind, a, b, type=kind))


def _divide_complex(lowering: Lowering, step: Step, numbers: Sequence[Number]) -> None:
    weak = _is_pythons(step)
    if not is_by_parts():
        raise NotLowered("division of complex numbers")
    a, b = _as_complex(lowering, numbers, weak)

    def of(word: str, *args: Operand, kind: str = DOUBLE) -> Local:
        return lowering.compute(word, kind, *args, type=DOUBLE)

    sizes = [of("fabs", x) for x in (*a, *b)]
    tests = [of("fcmp olt", size, math.inf, kind=BIT) for size in sizes]
    some = [of("fcmp une", x, 0.0, kind=BIT) for x in b]
    tests.append(lowering.compute("or", BIT, *some, type=BIT))
    usual = lowering.all_of(tests)
    # Of others nothing is to be noted here.
    parts = [lowering.compute("select", DOUBLE, usual, x, 1.0) for x in (*a, *b)]
    made = _quotient(lowering, parts[:2], parts[2:], weak)
    or_python(lowering, step, usual, lambda: made)


def _as_complex(
    lowering: Lowering, numbers: Sequence[Number], weak: bool
) -> list[tuple[Operand, ...]]:
    """The parts of numbers; of an int of Python's that is no float the way out."""
    for number in numbers if weak else ():
        within_exact(lowering, number)
    return [convert(lowering, number, COMPLEX) for number in numbers]


def _is_pythons(step: Step) -> bool:
    """Whether the result is Python's; NotLowered where only the run knows."""
    spec = step.outputs[0].spec
    if spec.dtype != COMPLEX:
        raise NotLowered(f"{step.node.op.name} of {spec}")
    return bool(spec.weak)


def _quotient(
    lowering: Lowering, a: Sequence[Operand], b: Sequence[Operand], weak: bool
) -> tuple[Operand, ...]:
    """By the larger part of the divisor, and the ratio of both."""

    def of(word: str, *args: Operand, kind: str = DOUBLE) -> Local:
        return lowering.compute(word, kind, *args, type=DOUBLE)

    def chosen(x: Operand, y: Operand) -> Local:
        return lowering.compute("select", DOUBLE, by_real, x, y)

    by_real = of("fcmp oge", *(of("fabs", x) for x in b), kind=BIT)
    large, small = chosen(*b), chosen(b[1], b[0])
    first, second = chosen(*a), chosen(a[1], a[0])
    ratio = of("fdiv", small, large)
    under = of("fadd", large, of("fmul", small, ratio))
    real = of("fadd", first, of("fmul", second, ratio))
    part = of("fmul", first, ratio)
    imag = chosen(of("fsub", second, part), of("fsub", part, second))
    if weak:
        return of("fdiv", real, under), of("fdiv", imag, under)
    scale = of("fdiv", 1.0, under)
    return of("fmul", real, scale), of("fmul", imag, scale)


def power_of_complex(
    lowering: Lowering, step: Step, base: Number, exponent: Operand | None
) -> bool:
    """Whether `z ** n` of Python's is written: by products, for a small n."""
    if isinstance(exponent, Local) or exponent not in POWERS or not is_by_parts():
        return False
    if base.dtype != COMPLEX or not _is_pythons(step):
        return False
    n = int(exponent or 0)
    made = _by_squares(lowering, base.parts, abs(n))
    tests: list[Operand] = []
    if n < 0:
        some = [lowering.compute("fcmp une", BIT, x, 0.0, type=DOUBLE) for x in made]
        tests = [lowering.compute("or", BIT, *some, type=BIT)]
        made = _quotient(lowering, (1.0, 0.0), made, weak=True)
    for part in made:
        size = lowering.compute("fabs", DOUBLE, part, type=DOUBLE)
        test = lowering.compute("fcmp olt", BIT, size, math.inf, type=DOUBLE)
        tests.append(test)
    or_python(lowering, step, lowering.all_of(tests), lambda: made)
    return True


def _by_squares(
    lowering: Lowering, z: Sequence[Operand], n: int
) -> tuple[Operand, ...]:
    """The power as CPython has it: 1 is multiplied by what the bits of n name."""
    made: tuple[Operand, ...] = (1.0, 0.0)
    factor: Sequence[Operand] = z
    while n:
        if n % 2:
            made = times(lowering, DOUBLE, made, factor)
        n //= 2
        if n:
            factor = times(lowering, DOUBLE, factor, factor)
    return made


@functools.cache
def is_by_parts() -> bool:
    """Whether Python and NumPy compute so, no product of theirs being fused."""
    draw = random.Random(0)
    parts = [draw.uniform(-2.0, 2.0) * 2.0 ** (k % 5) for k in range(4 * PAIRS)]
    for k in range(0, len(parts), 4):
        a, b = complex(*parts[k : k + 2]), complex(*parts[k + 2 : k + 4])
        if a / b != _pythons(a, b) or np.complex128(a) / b != _numpys(a, b):
            return False
        if a**3 != a * (a * a):
            return False
    return True


def _pythons(a: complex, b: complex) -> complex:
    x, y, under, swapped = _steps(a, b)
    return complex(x / under, (y if swapped else -y) / under)


def _numpys(a: complex, b: complex) -> complex:
    x, y, under, swapped = _steps(a, b)
    scale = 1.0 / under
    return complex(x * scale, (y if swapped else -y) * scale)


def _steps(a: complex, b: complex) -> tuple[float, float, float, bool]:
    """Both parts times what is divided by, the second one's sign as if swapped."""
    swapped = abs(b.real) < abs(b.imag)
    large, small = (b.imag, b.real) if swapped else (b.real, b.imag)
    first, second = (a.imag, a.real) if swapped else (a.real, a.imag)
    ratio = small / large
    under = large + small * ratio
    return first + second * ratio, first * ratio - second, under, swapped
