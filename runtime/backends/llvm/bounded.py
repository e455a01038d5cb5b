"""bounded: floats of which it is known that the processor notes nothing.

`i / 3` of an int is no infinity, whatever i is, and so is what a few such floats come
to. Where NumPy would warn, LLVM must not move what may be noted, and each float of
Python's is looked at; these it may move, out of loops, and nobody looks at them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from runtime.backends.llvm.loops import DOUBLE, Instruction, Local, Operand, Silent

# No float that we follow is larger.
MOST = 1e300
# How large what comes of ints, and of operands, may be.
OF_INTS = {"sitofp": 2.0**63, "uitofp": 2.0**64}
OF_FLOATS: dict[str, Callable[..., float]] = {
    "fadd": lambda a, b: a + b,
    "fsub": lambda a, b: a + b,
    "fmul": lambda a, b: a * b,
    "fneg": lambda a: a,
    "fabs": lambda a: a,
    "same": lambda a: a,
}


def bounded(instructions: Iterable[Instruction]) -> Mapping[Operand, float]:
    """The floats that are written once, of what is known, and how large they may be.

    A loop that is there twice, for what was asked before it, writes the same in both.
    """
    steps = [*instructions]
    written = {(out, one.op, one.args) for one in steps for out in one.outs}
    times = Counter(out for out, *_ in written)
    found: dict[Operand, float] = {}
    for one in steps:
        size = _size(one, found)
        if size < MOST and len(one.outs) == 1 and times[one.outs[0]] == 1:
            found[one.outs[0]] = size
    return found


def _size(one: Instruction, known: Mapping[Operand, float]) -> float:
    if one.op in OF_INTS:
        return OF_INTS[one.op] if one.outs[0].type == DOUBLE else math.inf
    if one.exit is not None or [out.type for out in one.outs] != [DOUBLE]:
        return math.inf
    sizes = [_of(arg, known) for arg in one.args]
    if one.op == "fdiv":
        divisor = one.args[1]
        if isinstance(divisor, Local) or not 1.0 / MOST < abs(divisor) < MOST:
            return math.inf
        return sizes[0] / abs(divisor)
    return OF_FLOATS[one.op](*sizes) if one.op in OF_FLOATS else math.inf


def _of(arg: Operand, known: Mapping[Operand, float]) -> float:
    if isinstance(arg, Local):
        return known.get(arg, math.inf)
    return abs(arg) if abs(arg) < MOST else math.inf


def to_watch(silent: Silent, known: Mapping[Operand, float]) -> Silent:
    """The floats of Python's that may be what was noted."""
    return {
        trigger: (parts, is_pythons)
        for trigger, (parts, is_pythons) in silent.items()
        if not all(part in known for part in parts)
    }
