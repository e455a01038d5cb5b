"""linear_calls: calls of NumPy's loops over one matrix, as LLVM's text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.backends.llvm.loops import Instruction

if TYPE_CHECKING:
    from runtime.backends.llvm.text import Text

# Rows of a matrix whose loop lets go of Python: it takes some 10 us.
LONG = 32


def write(text: Text, one: Instruction) -> None:
    """The call, by itself: what was noted before is not for NumPy's loop to see."""
    assert one.exit is not None
    count, sizes, told = map(int, one.type.split())
    places, words = one.args[:count], one.args[count:]
    table, numbers = text.fresh(), text.fresh()
    text.slots.append(f"{table} = alloca [{count} x ptr]")
    text.slots.append(f"{numbers} = alloca [{len(words)} x i64]")
    for into, kind, operands in ((table, "ptr", places), (numbers, "i64", words)):
        for place, operand in enumerate(operands):
            at = text.set(f"getelementptr {kind}, ptr {into}, i64 {place}")
            text.line(f"store {kind} {text.read(operand, kind)}, ptr {at}")
    steps = text.set(f"getelementptr i64, ptr {numbers}, i64 {sizes}")
    given = text.given.get(one.symbol, f"@data_{one.symbol}")
    before = text.flags()
    text.forget_flags()
    is_long = f"icmp sge i64 {text.read(words[1], 'i64')}, {LONG}"
    state = "" if text.is_free else text.let_go_if(text.set(is_long))
    inside = f"ptr {table}, ptr {numbers}, ptr {steps}, ptr {given}"
    text.line(f"call void @loop_{one.symbol}({inside})")
    if state:
        text.take_back_if(state)
    noted = text.set(f"and i32 {text.flags()}, {told}")
    text.put_flags(before)
    text.leave(text.set(f"icmp ne i32 {noted}, 0"), one.exit)
