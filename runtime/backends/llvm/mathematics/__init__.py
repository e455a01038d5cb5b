"""mathematics: exp, log, sin and the like as LLVM's text: our own, for vectors.

FUNCTIONS is the table. Each is written once (`exponentials.py`, `logarithms.py`,
`angles.py`, `powers.py`, `special.py`) by operators of `writer.py`, with polynomials
whose coefficients `tools/coefficients.py` computes. What is not usual (an infinite
result, a logarithm of 0, the sine of a huge number) is given by the C library, lane by
lane, after one test for a vector: so special values, and what the processor notes of
them, are its own.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

from runtime.backends.llvm.mathematics import (
    angles,
    complex_exp,
    divided,
    exponentials,
    logarithms,
    numpys,
    powers,
    rests,
    rough,
    rounded,
    single_powers,
    special,
)
from runtime.backends.llvm.mathematics.rare import rare_function
from runtime.backends.llvm.mathematics.writer import FORMS, Value, Writer
from runtime.structs import struct


@struct
class Own:
    """A function of our own.

    write:  its lines, given its operands
    libm:   the C library's function, for what is not usual; or NumPy's loop
    wide:   float32 is computed in float64
    count:  of operands
    cost:   of an element, in tenths of a nanosecond
    asked:  of one number, not of vectors, the C library gives it sooner
    usual:  the lines of a vector whose numbers are all usual; it asks for the others
    """

    write: Callable[..., Value]
    libm: str
    wide: bool = False
    count: int = 1
    cost: int = 15
    asked: bool = False
    usual: Callable[..., Value] | None = None


# What the names of all of them begin with, in LLVM's text.
PREFIX = "own_"
# Numbers in a vector, of a number that is in none.
ALONE = 0
FUNCTIONS = {
    "exp": Own(exponentials.exp, "exp", usual=exponentials.usual_exp),
    "exp2": Own(exponentials.exp2, "exp2"),
    "expm1": Own(exponentials.expm1, "expm1"),
    "sinh": Own(exponentials.sinh, "sinh"),
    "cosh": Own(exponentials.cosh, "cosh"),
    "tanh": Own(exponentials.tanh, "tanh", usual=exponentials.usual_tanh),
    "log": Own(logarithms.log, "log", usual=logarithms.usual_log),
    "log2": Own(logarithms.log2, "log2"),
    "log10": Own(logarithms.log10, "log10"),
    "log1p": Own(logarithms.log1p, "log1p"),
    "arcsinh": Own(logarithms.arcsinh, "asinh"),
    "arccosh": Own(logarithms.arccosh, "acosh"),
    "arctanh": Own(logarithms.arctanh, "atanh"),
    "sin": Own(angles.sin, "sin", wide=True),
    "cos": Own(angles.cos, "cos", wide=True),
    "tan": Own(angles.tan, "tan", wide=True),
    "arctan": Own(angles.arctan, "atan", wide=True),
    "arctan2": Own(angles.arctan2, "atan2", wide=True, count=2, cost=30),
    "arcsin": Own(angles.arcsin, "asin", wide=True),
    "arccos": Own(angles.arccos, "acos", wide=True),
    "power": Own(powers.power, "pow", wide=True, count=2, cost=40),
    "cbrt": Own(powers.cbrt, "cbrt", wide=True),
    "hypot": Own(powers.hypot, "hypot", wide=True, count=2),
    "erf": Own(special.erf, "erf", wide=True, cost=25),
    "gammaln": Own(special.lgamma, "lgamma", wide=True, cost=60),
}
# What has the bits of the C library's, of float64 alone; by its names.
ROUNDED = {
    "rounded_exp": Own(rounded.exp, "exp", cost=25, asked=True),
    "rounded_log": Own(rounded.log, "numpys_log", cost=35, asked=True),
    "rounded_sin": Own(rounded.sin, "sin", cost=40, asked=True),
    "rounded_cos": Own(rounded.cos, "cos", cost=40, asked=True),
    "rounded_pow": Own(rounded.power, "pow", count=2, cost=60, asked=True),
    **{
        rounded.known_name(halves): Own(write, "pow", count=2, cost=15)
        for halves, write in rounded.KNOWN.items()
    },
}
# What has the bits of NumPy's own, of float32, and tanh of float64; by their names.
NUMPYS = {
    f"numpys_{name}": Own(
        functools.partial(numpys.of_any, name),
        f"loop_{name}",
        cost=10,
        usual=functools.partial(numpys.of_usual, name),
    )
    for name in numpys.FORMULAS
}
# What has the bits of the C library's of float32.
SINGLE = {
    rounded.known_name(halves, single_powers.NAME): Own(
        write, "powf", wide=True, count=2
    )
    for halves, write in single_powers.KNOWN.items()
}
# Parts of e**z of complex numbers.
OF_COMPLEX = {
    complex_exp.USUAL: Own(complex_exp.usual, "", count=3, cost=1),
    **{
        name: Own(complex_exp.part, name, count=3, cost=1) for name in complex_exp.NAMES
    },
}
# What is exact.
EXACT = {rests.NAME: Own(rests.fmod, "fmod", count=2, cost=20)}
ALL = FUNCTIONS | ROUNDED | NUMPYS | SINGLE | OF_COMPLEX | EXACT
# Those with the most numbers at once.
ANGLES = frozenset(
    {"sin", "cos", "tan", "rounded_sin", "rounded_cos", "numpys_sin", "numpys_cos"}
)
# Those of them that are functions of SciPy's, not of NumPy's.
OF_SCIPY = frozenset({"erf", "gammaln"})


def has_alone(name: str) -> bool:
    """Whether a function is written apart for one number that is in no vector."""
    return name in ROUNDED or rough.is_rough(name)


def name_of(name: str, kind: str, count: int) -> str:
    """What the function is called in LLVM's text, for vectors of so many.

    ALONE: for one number, where nothing makes vectors of it
    """
    many = f"v{count}" if count > 1 else "alone_" if count == ALONE else ""
    return f"{PREFIX}{name}_{many}{FORMS[kind].name}"


@functools.cache
def definition(name: str, kind: str, count: int) -> tuple[str, dict[str, str]]:
    """The text of a function, and the declarations of what it calls."""
    if name == divided.NAME:
        return divided.definition(kind, count, name_of(name, kind, count))
    if rough.is_rough(name):
        kept, given = _kept(count)
        many = Writer(max(1, count)).of(kind)
        head = f"define {kept} {many} @{name_of(name, kind, count)}"
        return rough.definition(name, max(1, count), head, given)
    own = ALL[name]
    if own.asked and count <= 1:
        return _asked(own, kind, name_of(name, kind, count), _kept(count))
    if own.usual and count > 1:
        return _usual(own, kind, name_of(name, kind, count), count)
    return _whole(own, kind, name_of(name, kind, count), count, _kept(count))


def _whole(
    own: Own, kind: str, full: str, count: int, kept: tuple[str, str]
) -> tuple[str, dict[str, str]]:
    """The text of a function, whatever it is given."""
    is_wide = own.wide and kind == "float"
    writer = Writer(max(1, count), is_wide)
    many = writer.of(kind)
    args = [Value(writer, kind, f"%x{place}") for place in range(own.count)]
    taken = [writer.cast("fpext", x, "double") for x in args] if is_wide else args
    found = own.write(writer, *taken)
    if is_wide:
        found = writer.cast("fptrunc", found, kind)
    takes = ", ".join(f"{many} {arg.name}" for arg in args)
    head = f"define {kept[0]} {many} @{full}({takes}) {kept[1]} nounwind {{"
    rare, last = "", [f"ret {many} {found.name}"]
    if writer.rare is not None or writer.jumps:
        rare, last = rare_function(writer, own.libm, full, args, found)
    body = [*writer.lines, *last]
    text = "\n".join([rare, head, *(f"  {line}" for line in body), "}"])
    return text, dict(writer.declared)


def _usual(own: Own, kind: str, full: str, count: int) -> tuple[str, dict[str, str]]:
    """The text of a function of vectors; of those that are not usual of another one."""
    others = f"{full}_whole"
    text, declared = _whole(own, kind, others, count, ("internal", "noinline cold"))
    writer = Writer(count)
    assert own.usual is not None
    many = writer.of(kind)
    found = own.usual(writer, Value(writer, kind, "%x0"))
    body = [
        *writer.lines,
        f"ret {many} {found.name}",
        "whole:",
        f"%all = call {many} @{others}({many} %x0)",
        f"ret {many} %all",
    ]
    head = f"define internal {many} @{full}({many} %x0) alwaysinline nounwind {{"
    lines = [text, head, *(f"  {line}" for line in body), "}"]
    return "\n".join(lines), declared | writer.declared


def _kept(count: int) -> tuple[str, str]:
    """What a definition says of itself.

    The vectorizer looks for the function of numbers as it is written: of an internal
    one LLVM would take away an operand that is the same in all calls.
    """
    return ("hidden", "noinline") if count == 1 else ("internal", "alwaysinline")


def _asked(
    own: Own, kind: str, full: str, kept: tuple[str, str]
) -> tuple[str, dict[str, str]]:
    """The function of one number that is the C library's."""
    takes = ", ".join(f"{kind} %x{place}" for place in range(own.count))
    kinds = ", ".join([kind] * own.count)
    text = (
        f"define {kept[0]} {kind} @{full}({takes}) {kept[1]} nounwind {{\n"
        f"  %given = call {kind} @m_{own.libm}({takes})\n"
        f"  ret {kind} %given\n}}"
    )
    return text, {f"m_{own.libm}": f"declare {kind} @m_{own.libm}({kinds})"}
