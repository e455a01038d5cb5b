"""divisors: loops that divide all elements by one number, without dividing.

A pass over loop IR. Where a loop that LLVM makes vectors of divides by what is the same
in all turns, what a product needs is computed before it, once (`divided.py`): a
division of a vector takes as long as sixteen products.
"""

from __future__ import annotations

from runtime.backends.llvm.across import in_lanes
from runtime.backends.llvm.ahead import SIZES
from runtime.backends.llvm.loops import (
    BIT,
    TURNS,
    Block,
    Function,
    Instruction,
    Local,
    Operand,
)
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.mathematics import divided
from runtime.backends.llvm.mathematics.writer import FORMS
from runtime.backends.llvm.processor import divides_in_halves
from runtime.backends.llvm.straightened import meets_itself
from runtime.backends.llvm.switch import has_fma
from runtime.structs import replace

# Turns below which what is computed before them is not worth it, and of vectors at all.
LEAST, FEW = 256, 16
VECTORS = ("parallel", TURNS)


def with_divisors(lowering: Lowering, function: Function) -> Function:
    """The function; loops that divide by one number multiply."""
    is_worth_it = has_fma() and not divides_in_halves()
    if is_worth_it and any(one.op == "fdiv" for one in function.body.walk()):
        _block(lowering, function.body, is_inside=False)
    return function


def _block(lowering: Lowering, block: Block, is_inside: bool) -> None:
    for one in list(block.instructions):
        if one.op == "for" and one.type in VECTORS:
            _loop(lowering, block, one, is_inside and one.type != TURNS)
        elif one.op != "for" or in_lanes(one) is None:
            for inner in one.blocks:
                _block(lowering, inner, is_inside or one.op == "for")


def _loop(lowering: Lowering, block: Block, loop: Instruction, is_inside: bool) -> None:
    """One loop; in others what only the run knows is divided by.

    There is one such number for each row: rows of a softmax are as fast so, short
    ones faster.
    """
    (body,), (_, size) = loop.blocks, loop.args
    least = LEAST if isinstance(size, Local) else int(size)
    if least < FEW or _has_gaps(loop) or meets_itself(body):
        return
    is_known = is_inside or least < LEAST
    written = {loop.args[0], *(out for one in body.walk() for out in one.outs)}
    known: dict[tuple[Operand, str], tuple[Operand, ...] | None] = {}
    before: list[Instruction] = []
    for place, one in enumerate(body.instructions):
        if one.op != "fdiv" or one.args[1] in written:
            continue
        y = one.args[1]
        if isinstance(y, Local) and is_known:
            continue
        if (y, one.type) not in known:
            prepared = _Prepared(lowering, y, one.type)
            made = lowering.within(prepared.write)
            known[y, one.type] = prepared.found
            before += made.instructions
        found = known[y, one.type]
        if found is not None:
            body.instructions[place] = replace(
                one, op="own", args=(*one.args, *found), symbol=divided.NAME
            )
    if before:
        # By its place: instructions are compared as what they are, not what they say.
        at = next(n for n, one in enumerate(block.instructions) if one is loop)
        block.instructions[at:at] = before


class _Prepared:
    """What is computed of a divisor before a loop: see `divided.py`.

    found: `z`, `w` and the least usual x; None: elements are divided
    """

    def __init__(self, lowering: Lowering, y: Operand, kind: str) -> None:
        self.lowering, self.y, self.kind = lowering, y, kind
        self.found: tuple[Operand, ...] | None = None

    def write(self) -> None:
        """The instructions, of what only the run knows."""
        if not isinstance(self.y, Local):
            self.found = divided.parts(float(self.y), self.kind)
            return
        compute, kind = self.lowering.compute, self.kind
        is_usual = self._is_usual(self.y)
        # Nothing is noted of what is divided by 0 here.
        y = compute("select", kind, is_usual, self.y, 1.0)
        z = compute("fdiv", kind, 1.0, y, type=kind)
        minus = compute("fneg", kind, z, type=kind)
        name = f"llvm.fma.{FORMS[kind].name}"
        rest = compute("call", kind, minus, y, 1.0, symbol=name)
        w = compute("fmul", kind, rest, z, type=kind)
        least = 2.0 ** divided.RANGES[kind].low
        low = compute("select", kind, is_usual, least, divided.NEVER)
        self.found = (z, w, low)

    def _is_usual(self, y: Local) -> Local:
        """Whether a product gives what a division does, for usual elements."""
        compute, form = self.lowering.compute, FORMS[self.kind]
        kind, range_ = form.whole, divided.RANGES[self.kind]
        bits = compute("bitcast", kind, y, type=self.kind)
        size = compute("and", kind, bits, form.sign - 1, type=kind)
        least = form.bits(2.0**-range_.y)
        far = compute("sub", kind, size, least, type=kind)
        length = form.bits(2.0**range_.y) - least
        is_near = compute("icmp ult", BIT, far, length, type=kind)
        whole = (1 << form.fraction) - 1
        fraction = compute("and", kind, bits, whole, type=kind)
        bound = divided.fraction_bound(self.kind)
        is_below = compute("icmp ult", BIT, fraction, bound, type=kind)
        return compute("and", BIT, is_near, is_below, type=BIT)


def _has_gaps(loop: Instruction) -> bool:
    """Whether elements do not lie side by side: then there are no vectors, either."""
    moving = {loop.args[0]}
    for one in loop.blocks[0].instructions:
        if moving.isdisjoint(one.args):
            continue
        if one.op == "address" and one.args[1] in moving:
            stride = one.args[2]
            if isinstance(stride, Local) or stride not in SIZES.values():
                return True
        if one.op != "load":
            moving.update(one.outs)
    return False
