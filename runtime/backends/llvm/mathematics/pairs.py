"""pairs: numbers as sums of two floats, the second of which one alone cannot hold."""

from __future__ import annotations

from typing import Any

from runtime.backends.llvm.mathematics.writer import Value, Writer

# None: it is a float, of which nothing is left.
Pair = tuple[Value, Value | None]


def product(writer: Writer, a: Pair, b: Pair) -> tuple[Value, Value]:
    """The product of two pairs."""
    high, left = writer.two_product(a[0], b[0])
    for one, other in ((a, b), (b, a)):
        if other[1] is not None:
            left = writer.fma(one[0], other[1], left)
    return high, left


def square(writer: Writer, x: Pair) -> tuple[Value, Value]:
    """A pair by itself."""
    high, left = writer.two_product(x[0], x[0])
    return high, left if x[1] is None else writer.fma(x[0] + x[0], x[1], left)


def plus(large: Any, pair: Pair) -> tuple[Value, Value]:
    """A float, that is not less than the pair's in size, and a pair."""
    high = pair[0] + large
    left = (large - high) + pair[0]
    return high, left if pair[1] is None else left + pair[1]


def reciprocal(writer: Writer, x: Pair) -> tuple[Value, Value]:
    """1 / x."""
    high = 1.0 / x[0]
    left = writer.fma(-high, x[0], 1.0)
    if x[1] is not None:
        left = writer.fma(-high, x[1], left)
    return high, high * left


def root(writer: Writer, x: Value) -> tuple[Value, Value]:
    """The square root of a float above 0."""
    high = x.root()
    return high, writer.fma(-high, high, x) / (high + high)
