"""writer: LLVM's text of arithmetic on numbers, or on vectors of them, by operators.

A function of own mathematics is written once, of Values: for one number, for the
vector of a loop over elements, and for the lanes of a loop. All of them do the same
operations, so a result does not depend on where an element stands. Comparisons are of
bits as ints: the processor's of floats would note an invalid value for a NaN.
"""

from __future__ import annotations

from struct import pack, unpack
from typing import Any

from runtime.backends.llvm.lines import literal
from runtime.backends.llvm.mathematics.coefficients import COEFFICIENTS
from runtime.structs import struct

# What is computed with where the C library is asked. It is not 1: LLVM makes a choice
# of a product and a factor of what multiplies a choice of a number and 1.
HARMLESS = 0.75


@struct
class Form:
    """A form of floats: what it is called, and where its parts are.

    real, whole: LLVM's type of the floats, and of ints of as many bits
    name:        as LLVM's functions and our tables call it
    fraction:    bits after the leading one; bias: of the exponent
    """

    real: str
    whole: str
    name: str
    fraction: int
    bias: int

    @property
    def magic(self) -> float:
        """What rounds to an int when it is added, which is then in the last bits."""
        return 1.5 * 2.0**self.fraction

    @property
    def infinity(self) -> int:
        """The bits of the infinity."""
        return (2 * self.bias + 1) << self.fraction

    @property
    def sign(self) -> int:
        """The bit of the sign."""
        return 1 << (self.fraction + self.bias.bit_length() + 1)

    def bits(self, number: float) -> int:
        """The bits of a float, as an int with a sign."""
        float_, int_ = ("d", "q") if self.whole == "i64" else ("f", "i")
        (found,) = unpack(int_, pack(float_, number))
        return int(found)


FORMS = {
    "double": Form("double", "i64", "f64", 52, 1023),
    "float": Form("float", "i32", "f32", 23, 127),
}


class Value:
    """A number, or a vector of numbers, in the text of a function.

    type: of one number, as LLVM calls it
    """

    __slots__ = ("name", "type", "writer")

    def __init__(self, writer: Writer, type: str, name: str) -> None:
        self.writer, self.type, self.name = writer, type, name

    @property
    def form(self) -> Form:
        """The form of floats that it is of."""
        return FORMS[self.type]

    def _with(self, word: str, other: Any, swapped: bool = False) -> Value:
        word = f"f{word}" if self.type in FORMS else word
        pair = (self, self.writer.same(self, other))
        return self.writer.binary(word, *(pair[::-1] if swapped else pair))

    def __add__(self, other: Any) -> Value:
        return self._with("add", other)

    def __sub__(self, other: Any) -> Value:
        return self._with("sub", other)

    def __mul__(self, other: Any) -> Value:
        return self._with("mul", other)

    def __truediv__(self, other: Any) -> Value:
        return self._with("div", other)

    def __radd__(self, other: Any) -> Value:
        return self._with("add", other)

    def __rsub__(self, other: Any) -> Value:
        return self._with("sub", other, swapped=True)

    def __rmul__(self, other: Any) -> Value:
        return self._with("mul", other)

    def __rtruediv__(self, other: Any) -> Value:
        return self._with("div", other, swapped=True)

    def __and__(self, other: Any) -> Value:
        return self._with("and", other)

    def __or__(self, other: Any) -> Value:
        return self._with("or", other)

    def __xor__(self, other: Any) -> Value:
        return self._with("xor", other)

    def __lshift__(self, other: int) -> Value:
        return self._with("shl", other)

    def __rshift__(self, other: int) -> Value:
        """Zeros come from the left."""
        return self._with("lshr", other)

    def __neg__(self) -> Value:
        return self.writer.set(
            self.type, f"fneg {self.writer.of(self.type)} {self.name}"
        )

    def __invert__(self) -> Value:
        return self ^ True

    # Of floats.

    def bits(self) -> Value:
        """A float's bits as an int."""
        return self.writer.cast("bitcast", self, self.form.whole)

    def size(self) -> Value:
        """The bits of a float's absolute value, which are in the order of those."""
        return self.bits() & (self.form.sign - 1)

    def with_sign_of(self, other: Value) -> Value:
        """The absolute value with another one's sign."""
        return self.writer.call("copysign", self, other)

    def absolute(self) -> Value:
        return self.writer.call("fabs", self)

    def root(self) -> Value:
        return self.writer.call("sqrt", self)

    # Of ints.

    def real(self) -> Value:
        """The float of these bits."""
        kind = "double" if self.type == "i64" else "float"
        return self.writer.cast("bitcast", self, kind)

    def is_below(self, bound: Any) -> Value:
        """Whether an int is less than another one."""
        return self.writer.compare("icmp slt", self, bound)

    def equals(self, bound: Any) -> Value:
        return self.writer.compare("icmp eq", self, bound)

    def is_within(self, low: int, high: int) -> Value:
        """Whether it is one of the ints from `low` to `high`."""
        return self.writer.compare("icmp ule", self - low, high - low)

    # Of bits.

    def choose(self, yes: Any, no: Any) -> Value:
        """One of two values; numbers are taken for what the other one is."""
        writer = self.writer
        yes = writer.same(no, yes) if isinstance(no, Value) else yes
        no = writer.same(yes, no)
        many = writer.of(yes.type)
        words = f"{many} {yes.name}, {many} {no.name}"
        return writer.set(yes.type, f"select {writer.of('i1')} {self.name}, {words}")


class Writer:
    """The lines of one function.

    count:    numbers in a vector; 1 for a function of numbers
    declared: what it calls
    rare:     where the C library is to be asked; None: nowhere
    jumps:    how often it is asked without that, of one number
    is_wide:  it computes in float64 what is to be a float32
    """

    def __init__(self, count: int, is_wide: bool = False) -> None:
        self.count, self.is_wide = count, is_wide
        self.lines: list[str] = []
        self.declared: dict[str, str] = {}
        self.rare: Value | None = None
        self.jumps = 0

    def of(self, kind: str) -> str:
        """The type of what the function computes with."""
        return kind if self.count == 1 else f"<{self.count} x {kind}>"

    def suffix(self, kind: str) -> str:
        """How LLVM's functions call that type."""
        name = FORMS[kind].name
        return name if self.count == 1 else f"v{self.count}{name}"

    def set(self, kind: str, text: str) -> Value:
        """The result of an instruction."""
        name = f"%t{len(self.lines)}"
        self.lines.append(f"{name} = {text}")
        return Value(self, kind, name)

    def constant(self, kind: str, number: Any) -> Value:
        """A number that is known."""
        word = literal(number, kind)
        if self.count > 1:
            word = f"<{', '.join([f'{kind} {word}'] * self.count)}>"
        return Value(self, kind, word)

    def same(self, one: Value, other: Any) -> Value:
        """The other as a Value of the one's type."""
        if isinstance(other, Value):
            return other
        return self.constant(one.type, other)

    def binary(self, word: str, a: Value, b: Value) -> Value:
        return self.set(a.type, f"{word} {self.of(a.type)} {a.name}, {b.name}")

    def compare(self, word: str, a: Value, b: Any) -> Value:
        other = self.same(a, b)
        return self.set("i1", f"{word} {self.of(a.type)} {a.name}, {other.name}")

    def cast(self, word: str, value: Value, kind: str) -> Value:
        words = f"{self.of(value.type)} {value.name} to {self.of(kind)}"
        return self.set(kind, f"{word} {words}")

    def call(self, name: str, *args: Value) -> Value:
        """What LLVM has a function for."""
        kind = args[0].type
        many, full = self.of(kind), f"llvm.{name}.{self.suffix(kind)}"
        takes = ", ".join([many] * len(args))
        self.declared[full] = f"declare {many} @{full}({takes})"
        inside = ", ".join(f"{many} {arg.name}" for arg in args)
        return self.set(kind, f"call {many} @{full}({inside})")

    def fma(self, a: Value, b: Any, c: Any) -> Value:
        """`a * b + c`, rounded once."""
        return self.call("fma", a, self.same(a, b), self.same(a, c))

    def numbers(self, name: str, form: Form) -> tuple[float, ...]:
        """The parts of a number, in this form."""
        return COEFFICIENTS[name, form.name]

    def polynomial(self, x: Value, name: str, first: int = 0) -> Value:
        """The sum of the coefficients of that name by powers of x.

        In pairs, and pairs of pairs: a chain would wait for each of its steps.
        first: the coefficient that is by no x
        """
        found = self.is_wide and COEFFICIENTS.get((name, "wide"))
        found = found or COEFFICIENTS[name, x.form.name]
        terms = [self.constant(x.type, number) for number in found[first:]]
        power = x
        while len(terms) > 1:
            pairs = zip(terms[::2], terms[1::2], strict=False)
            made = [self.fma(high, power, low) for low, high in pairs]
            terms = [*made, *terms[2 * len(made) :]]
            if len(terms) > 1:
                power = power * power
        return terms[0]

    def two_product(self, a: Value, b: Value) -> tuple[Value, Value]:
        """`a * b` as the float that is next to it, and what is left."""
        high = a * b
        return high, self.fma(a, b, -high)

    def any_of(self, bit: Value) -> str:
        """Whether it holds of any number of the vector; of one number, that."""
        if self.count <= 1:
            return bit.name
        name, bits = f"llvm.vector.reduce.or.v{self.count}i1", self.of("i1")
        self.declared[name] = f"declare i1 @{name}({bits})"
        return self.set("i1", f"call i1 @{name}({bits} {bit.name})").name

    def whole_if(self, rare: Value) -> None:
        """Have another function compute the whole vector where `rare` holds of any."""
        self.lines += [
            f"br i1 {self.any_of(rare)}, label %whole, label %usual, !prof !0",
            "usual:",
        ]

    def leave(self, rare: Value, x: Value, harmless: float = HARMLESS) -> Value:
        """Have the C library give the lanes where `rare` holds; x is harmless there.

        One number that is in no vector goes there at once.
        """
        if self.count == 1:
            self.jumps += 1
            label = f"usual{self.jumps}"
            self.lines.append(
                f"br i1 {rare.name}, label %slow, label %{label}, !prof !0"
            )
            self.lines.append(f"{label}:")
            return x
        self.rare = rare if self.rare is None else self.rare | rare
        return rare.choose(harmless, x)
