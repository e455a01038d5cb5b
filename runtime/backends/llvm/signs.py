"""signs: the other sign of a float, as LLVM's text, that of a NaN included.

LLVM takes `-(x * y)` for `-x * y`, and `-x + y` for `y - x`: the same numbers, but a
NaN that the processor makes of them has another sign. So it is not told which bit it is
that is turned.
"""

from __future__ import annotations

from runtime.backends.llvm.calls import IN_MXCSR
from runtime.backends.llvm.lines import Lines, literal

BITS = {"double": "i64", "float": "i32"}


def negated(text: Lines, kind: str, many: str, value: str) -> str:
    """A float, or a vector of them, with the other sign.

    kind: of a float; many: of the vector, or the same
    """
    if not IN_MXCSR:
        return text.set(f"fneg {many} {value}")  # a register of another kind
    # One empty piece of assembly in a function: what it gives is in a register, and
    # the machine's own instruction turns the sign by it.
    sign, bits = f"%sign_{kind}", BITS[kind]
    made = f'{sign} = call {kind} asm "", "=x,0"({kind} {literal(-0.0, kind)})'
    if made not in text.slots:
        text.slots.append(made)
    mask = text.set(f"bitcast {kind} {sign} to {bits}")
    ints = many.replace(kind, bits)
    if many != kind:
        first = text.set(f"insertelement {ints} poison, {bits} {mask}, i64 0")
        places = f"{many.replace(kind, 'i32')} zeroinitializer"
        mask = text.set(f"shufflevector {ints} {first}, {ints} poison, {places}")
    whole = text.set(f"bitcast {many} {value} to {ints}")
    turned = text.set(f"xor {ints} {whole}, {mask}")
    return text.set(f"bitcast {ints} {turned} to {many}")
