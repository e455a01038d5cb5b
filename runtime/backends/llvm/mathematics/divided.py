"""divided: x / y of vectors, for a y that is known before: four products, no division.

With z the float next to 1 / y, and w what is left of it, `q = fma(x, z, x * w)` is
within a hair of half a unit of x / y, so `r = fma(-q, y, x)` is exact, and
`fma(r, z, q)` is x / y, rounded as the processor rounds it. (x / y is never so near to
the middle of two floats as what is neglected, unless y is nearly a power of 2: then it
is not asked.) Where x is 0, none, or so large or small that something between is no
float, the processor divides.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from runtime.backends.llvm.mathematics.writer import FORMS, Value, Writer
from runtime.structs import struct

NAME = "divided"


@struct
class Range:
    """The exponents between which y and x are usual, and the type of such numbers."""

    y: int
    low: int
    high: int
    type: Any


RANGES = {
    "double": Range(100, -800, 800, np.float64),
    "float": Range(20, -50, 100, np.float32),
}
# What the bits of no x are beyond: all are divided.
NEVER = -0.0


def parts(y: float, kind: str) -> tuple[float, float, float] | None:
    """`z`, `w` and the least usual x, for a y that is known; None: not so divided."""
    known, bound = RANGES[kind], fraction_bound(kind)
    real = known.type
    bits = FORMS[kind].bits(abs(y)) if np.isfinite(y) else 0
    fraction = bits & ((1 << FORMS[kind].fraction) - 1)
    is_usual = 2.0**-known.y <= abs(y) < 2.0**known.y
    if not is_usual or not 0 < fraction < bound:
        return None  # what is a power of 2 is a product anyway
    z = real(1) / real(y)
    rest = 1 - Fraction(float(z)) * Fraction(float(real(y)))
    return float(z), float(real(float(rest)) * z), 2.0**known.low


def fraction_bound(kind: str) -> int:
    """The fractions of a y that is usual are below it."""
    whole = 1 << FORMS[kind].fraction
    return whole - (whole >> 10)


def definition(kind: str, count: int, name: str) -> tuple[str, dict[str, str]]:
    """The text of the function, for one number or for vectors of so many."""
    writer = Writer(count)
    many = writer.of(kind)
    x, y, z, w, least = (Value(writer, kind, f"%x{place}") for place in range(5))
    known = RANGES[kind]
    length = (known.high - known.low) << FORMS[kind].fraction
    rare = writer.compare("icmp uge", x.size() - least.bits(), length)
    writer.lines += [
        f"br i1 {writer.any_of(rare)}, label %slow, label %fast, !prof !0",
        "slow:",
        f"%q = fdiv {many} %x0, %x1",
        f"ret {many} %q",
        "fast:",
    ]
    near = writer.fma(x, z, x * w)
    found = writer.fma(writer.fma(-near, y, x), z, near)
    writer.lines.append(f"ret {many} {found.name}")
    takes = ", ".join(f"{many} %x{place}" for place in range(5))
    # See `definition` in __init__. One of numbers is to read all that it is given, too:
    # LLVM gives nothing for what it does not, to the one of vectors as well.
    kept, given = ("hidden", "noinline") if count == 1 else ("internal", "alwaysinline")
    head = f"define {kept} {many} @{name}({takes}) {given} nounwind {{"
    body = [line if line[-1] == ":" else f"  {line}" for line in writer.lines]
    return "\n".join([head, *body, "}"]), dict(writer.declared)
