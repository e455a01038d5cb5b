"""rough: whether a sum of squares is above a number, by products where that is clear.

Such a function is called by what it computes, so its name is its definition: the sum
as a stack computes it (`v`: the next operand, `q`: a square with the C library's bits,
`p`: a product with itself, `a`: a sum of two, `r`: a root, `f` and 16 digits: a factor,
by its bits), then the order that is asked for. The last operand is what the sum is
compared with; 1 is given where it is so, else 0.

Nothing is negative on the way, and a sum and its nearly exact value are apart by less
than `FAR` of it, or by what numbers near 0 lose. So where products are farther than
that from the other number, and no step may be infinite by one of its bits, nobody can
tell that they are no squares. Elsewhere the C library is asked for the squares.
Of NaN nothing is clear; comparisons are not noted: see `orders.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from struct import pack, unpack
from typing import Any

from runtime.backends.llvm.lines import literal
from runtime.backends.llvm.mathematics.writer import Value, Writer
from runtime.structs import struct

PREFIX = "rough"
# How far both sides of a test are apart, in parts of them: many times what the
# roundings of so many steps as a sum has come to.
FAR = 2.0**-40
# Beside that, what numbers near 0 lose; and where a sum may be infinite by one of its
# bits, and a square, of which more is said.
LEAST, LARGE = 1e-300, 1e300
# The orders, by how they are called.
ORDERS = {"lt": "fcmp olt", "le": "fcmp ole", "gt": "fcmp ogt", "ge": "fcmp oge"}
ORDER_NAMES = {word: name for name, word in ORDERS.items()}
# Hexadecimal digits of a factor.
DIGITS = 16
# What it is all computed in.
KIND = "double"


def factor_code(factor: float) -> str:
    """The word for a product with a known number."""
    return f"f{pack('>d', factor).hex()}"


def symbol_of(code: str, order: str) -> str:
    """What the function is called; order: one of `ORDERS`."""
    return f"{PREFIX}_{code}_{order}"


def is_rough(symbol: str) -> bool:
    """Whether a function of our own is such a one."""
    return symbol.startswith(f"{PREFIX}_")


def _steps(code: str) -> list[tuple[str, float]]:
    """The letters of a sum, and the factors of products."""
    found, place = [], 0
    while place < len(code):
        word, factor = code[place], 0.0
        place += 1
        if word == "f":
            (factor,) = unpack(">d", bytes.fromhex(code[place : place + DIGITS]))
            place += DIGITS
        found.append((word, factor))
    return found


def _on_stack(code: str, leaf: Callable[[], Any], does: dict[str, Any]) -> Any:
    """What a sum comes to, where each letter does something."""
    stack: list[Any] = []
    for word, factor in _steps(code):
        if word == "v":
            stack.append(leaf())
        elif word == "a":
            second = stack.pop()
            stack.append(does[word](stack.pop(), second))
        elif word == "f":
            stack.append(does[word](stack.pop(), factor))
        else:
            stack.append(does[word](stack.pop()))
    (found,) = stack
    return found


# What letters of two operands do.
SUMS: dict[str, Callable[..., Value]] = {
    "a": Value.__add__,
    "f": Value.__mul__,
}


@struct
class _Bounds:
    """What a sum loses near 0, and below what none of its steps is too large."""

    least: float
    large: float


def bounds(code: str) -> tuple[float, float]:
    """What a sum loses near 0, and below what none of its steps is too large."""

    def plain(_: _Bounds) -> _Bounds:
        return _Bounds(LEAST, LARGE)

    def sums(a: _Bounds, b: _Bounds) -> _Bounds:
        return _within(a.least + b.least, min(a.large, b.large))

    def factors(a: _Bounds, by: float) -> _Bounds:
        return _within(a.least * by, a.large * by)

    def roots(a: _Bounds) -> _Bounds:
        return _Bounds(math.sqrt(a.least), math.sqrt(a.large))

    does = {"q": plain, "p": plain, "a": sums, "f": factors, "r": roots}
    found = _on_stack(code, lambda: _Bounds(LEAST, LARGE), does)
    return found.least, found.large


def _within(least: float, large: float) -> _Bounds:
    return _Bounds(max(least, LEAST), min(large, LARGE))


def count_of(symbol: str) -> int:
    """How many operands it has."""
    return 1 + sum(word == "v" for word, _ in _steps(symbol.split("_")[1]))


def definition(
    symbol: str, count: int, head: str, kept: str
) -> tuple[str, dict[str, str]]:
    """The text of the function, and the declarations of what it calls.

    count: of numbers in a vector; head, kept: what stands around its operands
    """
    (_, code, order), writer = symbol.split("_"), Writer(count)
    args = [Value(writer, KIND, f"%x{place}") for place in range(count_of(symbol))]
    many, full = writer.of(KIND), head.split("@")[1]
    given = ", ".join(f"{many} {arg.name}" for arg in args)
    _compare(writer, code, order, args)
    writer.lines += [
        "slow:",
        f"%exact = call preserve_allcc {many} @{full}_exactly({given})",
        f"ret {many} %exact",
    ]
    one, declared = _exactly(symbol, f"{full}_of_one")
    texts = [one, _of_all(writer, args, full)]
    texts.append(_written(f"{head}({given}) {kept} nounwind", writer.lines))
    return "\n".join(texts), writer.declared | declared


def _compare(writer: Writer, code: str, order: str, args: Sequence[Value]) -> None:
    """Give the answer where it is clear, and else go to `slow`.

    Of one number it jumps, first to where it is not so: a search has few records. So a
    turn asks twice, and waits for no number that is made of truths.
    """
    other, (least, large) = args[-1], bounds(code)
    products = {"q": _product, "p": _product, "r": Value.root}
    found = _on_stack(code, iter(args).__next__, SUMS | products)

    def nearer(one: Value) -> Value:
        """No larger, so nothing overflows, which would be noted."""
        return writer.fma(one, 1.0 - FAR, -least)

    yes, no = (found, nearer(other)), (other, nearer(found))
    if order[0] == "g":
        yes, no = no, yes
    not_so = writer.compare("fcmp olt", *no)
    if writer.count == 1:
        return _jump(writer, not_so, yes, writer.compare("fcmp uge", found, large))
    answer = writer.compare("fcmp olt", *yes)
    # Of what is infinite none of this holds, and of what is none no test does.
    clear = (answer | not_so) & writer.compare("fcmp olt", found, large)
    given = answer.choose(writer.constant(KIND, 1.0), 0.0)
    writer.lines += [
        f"br i1 {writer.any_of(~clear)}, label %slow, label %fast, !prof !0",
        "fast:",
        f"ret {writer.of(KIND)} {given.name}",
    ]
    return None


def _jump(
    writer: Writer, not_so: Value, yes: tuple[Value, Value], infinite: Value
) -> None:
    """The answer for one number, by jumps; `yes`: where the first is less it is so."""
    seldom = ", !prof !0"
    writer.lines += [
        f"br i1 {not_so.name}, label %not_so, label %perhaps",
        "not_so:",
        f"br i1 {infinite.name}, label %slow, label %no{seldom}",
        "no:",
        f"ret {KIND} {literal(0.0, KIND)}",
        "perhaps:",
    ]
    unclear = infinite | ~writer.compare("fcmp olt", *yes)
    writer.lines += [
        f"br i1 {unclear.name}, label %slow, label %yes{seldom}",
        "yes:",
        f"ret {KIND} {literal(1.0, KIND)}",
    ]


def _product(one: Value) -> Value:
    return one * one


def _exactly(symbol: str, full: str) -> tuple[str, dict[str, str]]:
    """The function of one number that asks the C library for squares."""
    (_, code, order), writer = symbol.split("_"), Writer(1)
    args = [Value(writer, KIND, f"%x{place}") for place in range(count_of(symbol))]

    def square(one: Value) -> Value:
        words = f"call {KIND} @m_pow({KIND} {one.name}, {KIND} {literal(2.0, KIND)})"
        return writer.set(KIND, words)

    exact = {"q": square, "p": _product, "r": Value.root}
    found = _on_stack(code, iter(args).__next__, SUMS | exact)
    test = writer.compare(ORDERS[order], found, args[-1])
    answer = test.choose(writer.constant(KIND, 1.0), 0.0)
    takes = ", ".join(f"{KIND} {arg.name}" for arg in args)
    head = f"define internal {KIND} @{full}({takes}) noinline cold nounwind"
    declared = {"m_pow": f"declare {KIND} @m_pow({KIND}, {KIND})"}
    text = _written(head, [*writer.lines, f"ret {KIND} {answer.name}"])
    return text, writer.declared | declared


def _of_all(writer: Writer, args: Sequence[Value], full: str) -> str:
    """The function that asks it for all numbers of a vector."""
    many, count = writer.of(KIND), writer.count
    takes = ", ".join(f"{many} {arg.name}" for arg in args)
    lines: list[str] = []
    have = "poison"
    for lane in range(count):
        names = [f"{arg.name}_{lane}" if count > 1 else arg.name for arg in args]
        if count > 1:
            lines += [
                f"{name} = extractelement {many} {arg.name}, i64 {lane}"
                for name, arg in zip(names, args, strict=True)
            ]
        inside = ", ".join(f"{KIND} {name}" for name in names)
        lines.append(f"%given{lane} = call {KIND} @{full}_of_one({inside})")
        if count > 1:
            put = f"insertelement {many} {have}, {KIND} %given{lane}, i64 {lane}"
            have = f"%have{lane}"
            lines.append(f"{have} = {put}")
    last = have if count > 1 else "%given0"
    # Who calls it keeps its vectors where they are.
    head = f"define internal preserve_allcc {many} @{full}_exactly({takes})"
    head += " noinline cold nounwind"
    return _written(head, [*lines, f"ret {many} {last}"])


def _written(head: str, lines: Sequence[str]) -> str:
    body = [line if line[-1] == ":" else f"  {line}" for line in lines]
    return "\n".join([f"{head} {{", *body, "}"])
