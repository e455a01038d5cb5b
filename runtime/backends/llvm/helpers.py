"""helpers: loops of ours, as functions in LLVM's text that the one function calls.

What NumPy does in C for a whole array, element after element, is a loop that no pass
over loop IR gains anything of: it is written once, whatever calls it, and called.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.backends.llvm.lines import HELPER
from runtime.backends.llvm.loops import Instruction, Local, Operand
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.values import memory_type
from runtime.structs import struct

if TYPE_CHECKING:
    from runtime.backends.llvm.text import Text

# What a function of a row is told of it, first.
ROW = {"x": "ptr", "n": "i64", "step": "i64"}
# By the first word of a symbol, what makes the text of the others.
FAMILIES: dict[str, Callable[..., Helper]] = {}


@struct
class Helper:
    """A function beside the one.

    takes, gives: LLVM's types of what it takes, in this order, and of what it gives
    body:  its lines
    notes: whether it computes with floats: NumPy asks nobody what they have come to
    declared: what it calls, and as what
    """

    takes: dict[str, str]
    gives: str
    body: str
    notes: bool = False
    declared: tuple[tuple[str, str], ...] = ()

    def text(self, name: str) -> str:
        """LLVM's text of it."""
        inside = ", ".join(f"{kind} %{word}" for word, kind in self.takes.items())
        head = f"define internal {self.gives} {name}({inside}) noinline {{"
        return f"{head}\nentry:\n{self.body}}}"


@functools.cache
def helper_of(symbol: str) -> Helper:
    """The function of this name: FAMILY.WORD.WORD..."""
    family, *words = symbol.split(".")
    return FAMILIES[family](*words)


def of_type(body: str, type: str) -> str:
    """Lines of a body with LLVM's word for what they call T."""
    return body.replace(" T ", f" {type} ").replace(" T,", f" {type},")


def kind_of(dtype: np.dtype[Any]) -> str:
    """What a symbol says of a dtype: its kind, and LLVM's type of it in memory."""
    return f"{dtype.kind}.{memory_type(dtype)}"


def call(
    lowering: Lowering, symbol: str, *args: Operand, leaves: bool = False
) -> Local:
    """The call of a helper; what it gives.

    leaves: Python goes on from the step at hand where a float has overflowed or was
            divided by zero, which NumPy would warn of, or look at
    """
    made = helper_of(symbol)
    assert len(made.takes) == len(args), symbol
    outs = (lowering.local(made.gives),) if made.gives != "void" else ()
    exit = lowering.exit() if leaves else None
    one = Instruction(HELPER, outs, args, symbol=symbol, exit=exit)
    lowering.block.instructions.append(one)
    return outs[0] if outs else lowering.local("i1")


def write(text: Text, one: Instruction) -> None:
    """The call; what it has noted of floats is nobody's business but ours."""
    made, name = helper_of(one.symbol), f"@helper.{one.symbol}"
    written = made.text(name)
    if written not in text.functions:
        text.functions.append(written)
        for word, declaration in made.declared:
            text.symbol(word, declaration)
    pairs = zip(made.takes.values(), one.args, strict=True)
    inside = ", ".join(f"{kind} {text.read(arg, kind)}" for kind, arg in pairs)
    before = text.flags() if made.notes and (text.warns or one.exit) else ""
    if one.exit and not text.warns:
        text.put_flags("0")  # nobody has cleared them
        before = "0"
    if not one.outs:
        text.line(f"call void {name}({inside})")
    else:
        text.keep(one.outs[0], text.set(f"call {made.gives} {name}({inside})"))
    if before:
        noted = text.noted_since(before)
        if one.exit:
            text.leave(noted, one.exit)
