"""elements: what an op is for one element of arrays, where the machine has it.

Ints wrap round here, as NumPy's arrays of them do. What has no row is NumPy's own loop.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.backends.llvm.comparing import ORDERS
from runtime.backends.llvm.library_bits import are_second_of_equals
from runtime.backends.llvm.loops import BIT, Local, Number, Operand
from runtime.backends.llvm.mathematics import ALL, FUNCTIONS
from runtime.backends.llvm.mathematics.complex_exp import NAMES, USUAL
from runtime.backends.llvm.numbers import (
    FLOATS,
    INTS,
    float_division,
    int_division,
    real_as,
)
from runtime.backends.llvm.references import References
from runtime.backends.llvm.switch import has_fma
from runtime.backends.llvm.values import machine_type

# What takes long enough not to be done twice.
DEAR = frozenset({"divide", "sqrt", "complex_exp", "remainder", *ALL})
EXTREMES = ("maximum", "minimum")
DIVISIONS = ("floor_divide", "remainder")

Parts = tuple[Operand, ...]
Element = Callable[[References, str, np.dtype[Any], Sequence[Parts]], Parts]


def is_simple(name: str, dtypes: Sequence[np.dtype[Any]], args: Sequence[Any]) -> bool:
    """Whether the machine has the op for these dtypes of operands and result."""
    if name in DIVISIONS and dtypes[0].kind != "f":
        return dtypes[0].kind in "iu" and _is_known_divisor(args[1])
    if name in DIVISIONS:
        # Of a quotient by 0 NumPy says another thing than of what is left.
        is_known = name == "remainder" or _is_known_divisor(args[1])
        return is_known and has_fma() and len({*dtypes}) == 1
    if name in EXTREMES and dtypes[0].kind == "f":
        return len({*dtypes}) == 1 and are_second_of_equals()
    row = SIMPLE.get(name)
    # NumPy compares int64 with uint64 by a loop of its own.
    return row is not None and dtypes[0].kind in row[0] and len({*dtypes[:-1]}) == 1


def _is_known_divisor(arg: Any) -> bool:
    """Whether it is a number above zero, of which NumPy has nothing to say."""
    known = isinstance(arg, Number) and not isinstance(arg.parts[0], Local)
    return known and arg.parts[0] > 0


def is_own(name: str, dtypes: Sequence[np.dtype[Any]]) -> bool:
    """Whether there is a function of our own for these dtypes."""
    return name in FUNCTIONS and all(one.char in "fd" for one in dtypes)


def own(
    lowering: References, name: str, dtype: np.dtype[Any], args: Sequence[Operand]
) -> Local:
    """A function of our own, of numbers of one dtype."""
    kind = machine_type(dtype)
    return lowering.compute("own", kind, *args, symbol=name, type=kind)


def _arithmetic(
    lowering: References, name: str, dtype: np.dtype[Any], args: Sequence[Parts]
) -> Parts:
    kind = machine_type(dtype)
    a, b = args
    table = INTS if dtype.kind in "iu" else FLOATS
    return tuple(
        lowering.compute(table[name], kind, x, y, type=kind)
        for x, y in zip(a, b, strict=True)
    )


def _divide(
    lowering: References, name: str, dtype: np.dtype[Any], args: Sequence[Parts]
) -> Parts:
    kind = machine_type(dtype)
    return (lowering.compute("fdiv", kind, args[0][0], args[1][0], type=kind),)


def _negative(
    lowering: References, name: str, dtype: np.dtype[Any], args: Sequence[Parts]
) -> Parts:
    kind = machine_type(dtype)
    if dtype.kind in "iu":
        return (lowering.compute("sub", kind, 0, args[0][0], type=kind),)
    return tuple(lowering.compute("fneg", kind, part, type=kind) for part in args[0])


def _unary(word: str) -> Element:
    def lower(
        lowering: References, name: str, dtype: np.dtype[Any], args: Sequence[Parts]
    ) -> Parts:
        kind = machine_type(dtype)
        return (lowering.compute(word, kind, args[0][0], type=kind),)

    return lower


def _absolute(
    lowering: References, name: str, dtype: np.dtype[Any], args: Sequence[Parts]
) -> Parts:
    """The least int of all is its own."""
    kind, (part,) = machine_type(dtype), args[0]
    if dtype.kind == "f":
        return (lowering.compute("fabs", kind, part, type=kind),)
    if dtype.kind == "u":
        return (part,)
    below = lowering.compute("icmp slt", BIT, part, 0, type=kind)
    minus = lowering.compute("sub", kind, 0, part, type=kind)
    return (lowering.compute("select", kind, below, minus, part),)


def _sign(
    lowering: References, name: str, dtype: np.dtype[Any], args: Sequence[Parts]
) -> Parts:
    """1, -1, or 0 without a sign; NaN as it is."""
    kind, (part,) = machine_type(dtype), args[0]
    is_float = dtype.kind == "f"
    word = "fcmp o" if is_float else f"icmp {'u' * (dtype.kind == 'u') or 's'}"
    zero, one, less = (0.0, 1.0, -1.0) if is_float else (0, 1, -1)
    found: Operand = part
    if is_float:
        none = lowering.compute("fcmp oeq", BIT, part, zero, type=kind)
        found = lowering.compute("select", kind, none, zero, part)
    if dtype.kind != "u":
        below = lowering.compute(f"{word}lt", BIT, part, zero, type=kind)
        found = lowering.compute("select", kind, below, less, found)
    above = lowering.compute(f"{word}gt", BIT, part, zero, type=kind)
    return (lowering.compute("select", kind, above, one, found),)


def _square(
    lowering: References, name: str, dtype: np.dtype[Any], args: Sequence[Parts]
) -> Parts:
    return _arithmetic(lowering, "multiply", dtype, (args[0], args[0]))


def _compare(
    lowering: References, name: str, dtype: np.dtype[Any], args: Sequence[Parts]
) -> Parts:
    place = {"i": 0, "u": 1, "b": 1, "f": 2}[dtype.kind]
    word = ("fcmp " if place == 2 else "icmp ") + ORDERS[name][place]
    kind = machine_type(dtype)
    return (lowering.compute(word, BIT, args[0][0], args[1][0], type=kind),)


def _bits(
    lowering: References, name: str, dtype: np.dtype[Any], args: Sequence[Parts]
) -> Parts:
    kind = machine_type(dtype)
    word = name.partition("_")[2]
    return (lowering.compute(word, kind, args[0][0], args[1][0], type=kind),)


def _extreme(
    lowering: References, name: str, dtype: np.dtype[Any], args: Sequence[Parts]
) -> Parts:
    kind = machine_type(dtype)
    if dtype.kind == "f":
        # Of equal ones, which zeros of both signs are, and of another NaN the second.
        (a,), (b,) = args
        word = "ogt" if name == "maximum" else "olt"
        beyond = lowering.compute(f"fcmp {word}", BIT, a, b, type=kind)
        is_none = lowering.compute("fcmp uno", BIT, a, a, type=kind)
        first = lowering.compute("or", BIT, beyond, is_none, type=BIT)
        return (lowering.compute("select", kind, first, a, b),)
    word = ("s" if dtype.kind == "i" else "u") + name[:3]
    return (lowering.compute(word, kind, args[0][0], args[1][0], type=kind),)


def _inverted(
    lowering: References, name: str, dtype: np.dtype[Any], args: Sequence[Parts]
) -> Parts:
    kind, all_bits = machine_type(dtype), True if dtype.kind == "b" else -1
    return (lowering.compute("xor", kind, args[0][0], all_bits, type=kind),)


def _same(
    lowering: References, name: str, dtype: np.dtype[Any], args: Sequence[Parts]
) -> Parts:
    return tuple(args[0])


def _binary(word: str) -> Element:
    def lower(
        lowering: References, name: str, dtype: np.dtype[Any], args: Sequence[Parts]
    ) -> Parts:
        kind, (a,), (b,) = machine_type(dtype), *args
        return (lowering.compute(word, kind, a, b, type=kind),)

    return lower


def _reciprocal(
    lowering: References, name: str, dtype: np.dtype[Any], args: Sequence[Parts]
) -> Parts:
    return _divide(lowering, name, dtype, ((1.0,), args[0]))


def _conjugate(
    lowering: References, name: str, dtype: np.dtype[Any], args: Sequence[Parts]
) -> Parts:
    real, imag = args[0]
    kind = machine_type(dtype)
    return real, lowering.compute("fneg", kind, imag, type=kind)


def _asked(
    lowering: References, name: str, dtype: np.dtype[Any], args: Sequence[Parts]
) -> Parts:
    """Whether a float is NaN, infinite, neither, or has a sign; none notes a NaN."""
    kind, (part,) = machine_type(dtype), args[0]
    if name == "signbit":
        sign = lowering.compute("copysign", kind, 1.0, part, type=kind)
        return (lowering.compute("fcmp oeq", BIT, sign, -1.0, type=kind),)
    if name == "isnan":
        return (lowering.compute("fcmp uno", BIT, part, part, type=kind),)
    size = lowering.compute("fabs", kind, part, type=kind)
    if name == "isinf":
        return (lowering.compute("fcmp oeq", BIT, size, math.inf, type=kind),)
    is_number = lowering.compute("fcmp oeq", BIT, part, part, type=kind)
    has_end = lowering.compute("fcmp une", BIT, size, math.inf, type=kind)
    return (lowering.compute("and", BIT, is_number, has_end, type=BIT),)


def _turned(
    lowering: References, name: str, dtype: np.dtype[Any], args: Sequence[Parts]
) -> Parts:
    """Degrees as radians, or the other way round."""
    kind, pi, half = machine_type(dtype), dtype.type(math.pi), dtype.type(180.0)
    by = pi / half if name in ("deg2rad", "radians") else half / pi
    return (lowering.compute("fmul", kind, args[0][0], float(by), type=kind),)


def _division(
    lowering: References, name: str, dtype: np.dtype[Any], args: Sequence[Parts]
) -> Parts:
    (a,), (b,) = args
    if dtype.kind == "f":
        pair = float_division(lowering, machine_type(dtype), a, b)
    else:
        pair = int_division(lowering, dtype, a, b)
    return (pair[name == "remainder"],)


def complex_exp(
    lowering: References, name: str, dtype: np.dtype[Any], args: Sequence[Parts]
) -> Parts:
    """e**z: of what is usual a product of functions of its parts."""
    real, imag = args[0]
    parts = [own(lowering, USUAL, dtype, (x, real, imag)) for x in (real, imag)]
    size, cos, sin = (
        own(lowering, f"rounded_{function}", dtype, (parts[place],))
        for function, place in (("exp", 0), ("cos", 1), ("sin", 1))
    )
    kind = machine_type(dtype)
    products = [
        lowering.compute("fmul", kind, size, by, type=kind) for by in (cos, sin)
    ]
    return tuple(
        own(lowering, part, dtype, (real, imag, made))
        for part, made in zip(NAMES, products, strict=True)
    )


# The kinds of operands, and what the op is for one element.
SIMPLE: dict[str, tuple[str, Element]] = {
    **dict.fromkeys(("add", "subtract"), ("iufc", _arithmetic)),
    # NumPy's product of complex arrays rounds once where this would round twice.
    "multiply": ("iuf", _arithmetic),
    "divide": ("f", _divide),
    "negative": ("iufc", _negative),
    "positive": ("iufc", _same),
    "square": ("iuf", _square),
    "absolute": ("iuf", _absolute),
    "sqrt": ("f", _unary("sqrt")),
    "fabs": ("f", _unary("fabs")),
    "copysign": ("f", _binary("copysign")),
    "reciprocal": ("f", _reciprocal),
    "conjugate": ("c", _conjugate),
    **dict.fromkeys(("isnan", "isinf", "isfinite", "signbit"), ("f", _asked)),
    **dict.fromkeys(("deg2rad", "radians", "rad2deg", "degrees"), ("f", _turned)),
    **{name: ("f", _unary(name)) for name in ("floor", "ceil", "trunc", "rint")},
    "sign": ("iuf", _sign),
    # As what `library_bits.py` may make of NumPy's `exp`; no ufunc is called so.
    "complex_exp": ("c", complex_exp),
    **dict.fromkeys(ORDERS, ("biuf", _compare)),
    **dict.fromkeys(("bitwise_and", "bitwise_or", "bitwise_xor"), ("biu", _bits)),
    **dict.fromkeys(("logical_and", "logical_or", "logical_xor"), ("b", _bits)),
    # Of floats where NumPy's order is known, by which zero, and which NaN, it is.
    **dict.fromkeys(EXTREMES, ("iu", _extreme)),
    "logical_not": ("b", _inverted),
    "invert": ("biu", _inverted),
    # By a known number above zero.
    **dict.fromkeys(DIVISIONS, ("iu", _division)),
}


def element(
    lowering: References,
    name: str,
    dtype: np.dtype[Any],
    args: Sequence[tuple[np.dtype[Any], Parts]],
) -> Parts:
    """The parts of one element of the op's result, of those of its operands."""
    parts = [part for _, part in args]
    source = args[0][0]
    if name == "cast":
        return cast(lowering, source, dtype, parts[0])
    if name == "select":
        kind = machine_type(dtype)
        pairs = zip(parts[1], parts[2], strict=True)
        return tuple(
            lowering.compute("select", kind, parts[0][0], a, b) for a, b in pairs
        )
    if name not in SIMPLE:
        return (own(lowering, name, dtype, [part[0] for part in parts]),)
    return SIMPLE[name][1](lowering, name, source, parts)


def cast(
    lowering: References, source: np.dtype[Any], dtype: np.dtype[Any], parts: Parts
) -> Parts:
    """An element as one of another dtype; a float that fits as an int."""
    if source.kind == "f" and dtype.kind in "iu":
        word = "fptosi" if dtype.kind == "i" else "fptoui"
        kinds = machine_type(dtype), machine_type(source)
        return (lowering.compute(word, kinds[0], parts[0], type=kinds[1]),)
    if dtype.kind != "c":
        return (real_as(lowering, parts[0], source, dtype),)
    to = np.dtype(f"f{dtype.itemsize // 2}")
    if source.kind != "c":
        return real_as(lowering, parts[0], source, to), 0.0
    kind = np.dtype(f"f{source.itemsize // 2}")
    return tuple(real_as(lowering, part, kind, to) for part in parts)
