"""draw_calls: how machine code draws from NumPy's generators.

It holds Python's lock while it draws, as whoever else begins to draw does: it needs no
more than to see that nobody is in the midst of it, which the generator's own lock says.
"""

from __future__ import annotations

from runtime.backends.llvm import abi, streams
from runtime.backends.llvm.calls import Calls
from runtime.backends.llvm.loops import Instruction, Operand

WAIT = "wait_for_draws"
# The place of a function in a bitgen_t.
NEXT_DOUBLE = 24


class DrawCalls(Calls):
    """The text, with the instructions that draw."""

    def draw(self, one: Instruction) -> None:
        """What a sampler makes of a generator and of floats."""
        count, *others = one.args
        assert isinstance(count, int)
        numbers, drops = others[:count], others[count:]
        bits = self._bits(one.symbol, drops)
        kind = one.outs[0].type
        takes = ", ".join(["ptr", *["double"] * len(numbers)])
        name = self.symbol(one.type, f"declare {kind} @{one.type}({takes})")
        given = [f"double {self.read(number, 'double')}" for number in numbers]
        inside = ", ".join([f"ptr {bits}", *given])
        self.keep(one.outs[0], self.set(f"call {kind} {name}({inside})"))

    def draw_int(self, one: Instruction) -> None:
        """An int: the first one and a distance to it, drawn by a mask or not."""
        _, first, distance, masked, *drops = one.args
        bits = self._bits(one.symbol, drops)
        name = self.symbol(
            one.type, f"declare void @{one.type}(ptr, i64, i64, i64, i1 zeroext, ptr)"
        )
        into = self.fresh()
        self.slots.append(f"{into} = alloca i64")
        numbers = [
            f"i64 {self.read(first, 'i64')}",
            f"i64 {self.read(distance, 'i64')}",
            "i64 1",
            f"i1 zeroext {self.read(masked, 'i1')}",
        ]
        inside = ", ".join([f"ptr {bits}", *numbers, f"ptr {into}"])
        self.line(f"call void {name}({inside})")
        self.keep(one.outs[0], self.set(f"load i64, ptr {into}"))

    def draw_normal(self, one: Instruction) -> None:
        """As old generators do: two at a time, of which one is kept for the next."""
        bits = self._bits(one.symbol, [*one.args[1:]])
        kind, name = one.symbol.split(" ")
        kept = streams.place_of(kind).kept
        has = self.set(f"getelementptr i8, ptr @{name}, i64 {kept - 8}")
        number = self.set(f"getelementptr i8, ptr @{name}, i64 {kept}")
        there, draws, made, after = (self.fresh_label() for _ in range(4))
        flag = self.set(f"load i32, ptr {has}")
        is_there = self.set(f"icmp ne i32 {flag}, 0")
        self.line(f"br i1 {is_there}, label %{there}, label %{draws}")
        self.label(there)
        self.keep(one.outs[0], self.set(f"load double, ptr {number}"))
        self.line(f"store i32 0, ptr {has}")
        self.line(f"store double 0.0, ptr {number}")
        self.line(f"br label %{after}")
        self.label(draws)
        x, y = (self._between(bits) for _ in range(2))
        squares = [self.set(f"fmul double {side}, {side}") for side in (x, y)]
        square = self.set(f"fadd double {squares[0]}, {squares[1]}")
        outside = self.set(f"fcmp oge double {square}, 1.0")
        zero = self.set(f"fcmp oeq double {square}, 0.0")
        again = self.set(f"or i1 {outside}, {zero}")
        self.line(f"br i1 {again}, label %{draws}, label %{made}")
        self.label(made)
        self._make_normals(one, square, (x, y), number)
        self.line(f"store i32 1, ptr {has}")
        self.to_label(after)

    def _make_normals(
        self, one: Instruction, square: str, pair: tuple[str, str], number: str
    ) -> None:
        log = self.symbol("m_log", "declare double @m_log(double)")
        name = "llvm.sqrt.f64"
        root = self.symbol(name, f"declare double @{name}(double)")
        found = self.set(f"call double {log}(double {square})")
        found = self.set(f"fmul double -2.0, {found}")
        found = self.set(f"fdiv double {found}, {square}")
        factor = self.set(f"call double {root}(double {found})")
        x, y = (self.set(f"fmul double {factor}, {value}") for value in pair)
        self.line(f"store double {x}, ptr {number}")
        self.keep(one.outs[0], y)

    def _between(self, bits: str) -> str:
        """A number from -1 to 1."""
        twice = self.set(f"fmul double 2.0, {self._uniform(bits)}")
        return self.set(f"fsub double {twice}, 1.0")

    def _uniform(self, bits: str) -> str:
        """A number from 0 to 1, by the generator's own function."""
        state = self.field(bits, 0, "ptr")
        draw = self.field(bits, NEXT_DOUBLE, "ptr")
        return self.set(f"call double {draw}(ptr {state})")

    def draw_exponential(self, one: Instruction) -> None:
        """As old generators do."""
        bits = self._bits(one.symbol, [*one.args[1:]])
        log = self.symbol("m_log", "declare double @m_log(double)")
        rest = self.set(f"fsub double 1.0, {self._uniform(bits)}")
        found = self.set(f"call double {log}(double {rest})")
        self.keep(one.outs[0], self.set(f"fneg double {found}"))

    def ask_random(self, one: Instruction) -> None:
        """What a C function of CPython's gives, a float."""
        made = self.there(self._asked(one, "null"))
        self.keep(one.outs[0], self.field(made, abi.NUMBER, "double"))
        self.line(f"call void @Py_DecRef(ptr {made})")

    def ask_below(self, one: Instruction) -> None:
        """An int below a width: so many bits, until they are below it."""
        width = self.read(one.args[0], "i64")
        name = "llvm.ctlz.i64"
        count = self.symbol(name, f"declare i64 @{name}(i64, i1)")
        zeros = self.set(f"call i64 {count}(i64 {width}, i1 true)")
        bits = self.set(f"sub i64 64, {zeros}")
        bits = self.there(self.set(f"call ptr @PyLong_FromLongLong(i64 {bits})"))
        again, after = self.fresh_label(), self.fresh_label()
        self.to_label(again)
        made = self.there(self._asked(one, bits))
        call = f"@PyLong_AsLongLongAndOverflow(ptr {made}, ptr %overflow)"
        found = self.set(f"call i64 {call}")
        self.line(f"call void @Py_DecRef(ptr {made})")
        is_below = self.set(f"icmp slt i64 {found}, {width}")
        self.line(f"br i1 {is_below}, label %{after}, label %{again}")
        self.label(after)
        self.line(f"call void @Py_DecRef(ptr {bits})")
        self.keep(one.outs[0], found)

    def _asked(self, one: Instruction, given: str) -> str:
        source = self.symbol(one.symbol, f"@{one.symbol} = external global i8")
        name = self.symbol(one.type, f"declare ptr @{one.type}(ptr, ptr)")
        return self.set(f"call ptr {name}(ptr {source}, ptr {given})")

    def _bits(self, symbol: str, drops: list[Operand]) -> str:
        """Where a generator's bits come from, once nobody else draws from it."""
        kind, name = symbol.split(" ")
        place = streams.place_of(kind)
        source = self.symbol(name, f"@{name} = external global i8")
        ask, busy, again, ready = (self.fresh_label() for _ in range(4))
        self.to_label(ask)
        lock = self.field(source, place.lock, "ptr")
        held = self.field(lock, place.holder, place.type)
        is_free = self.set(f"icmp eq {place.type} {held}, 0")
        self.line(f"br i1 {is_free}, label %{ready}, label %{busy}")
        self.label(busy)
        self.slots.append(f"%waits{again} = alloca ptr")
        self.line(f"store ptr {source}, ptr %waits{again}")
        wait = self.symbol(WAIT, f"@{WAIT} = external global i8")
        inside = f"ptr {wait}, ptr %waits{again}, i64 1, ptr null"
        told = self.set(f"call ptr @PyObject_Vectorcall({inside})")
        self.give_up_without(told, drops)
        self.line(f"call void @Py_DecRef(ptr {told})")
        is_own = self.set(f"icmp eq ptr {told}, @Py_True")
        self.line(f"br i1 {is_own}, label %{ready}, label %{ask}")
        self.label(ready)
        return self.set(f"getelementptr i8, ptr {source}, i64 {place.bits}")


DRAWS = {
    "draw": DrawCalls.draw,
    "draw_int": DrawCalls.draw_int,
    "draw_normal": DrawCalls.draw_normal,
    "draw_exponential": DrawCalls.draw_exponential,
    "ask_random": DrawCalls.ask_random,
    "ask_below": DrawCalls.ask_below,
}
