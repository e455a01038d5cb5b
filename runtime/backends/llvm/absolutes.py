"""absolutes: `abs(z) < x` of complex numbers, without the root where that is clear.

A pass over loop IR. Where the sum of the squares is far from `x * x`, it says which is
less; nearer than the roundings can tell, and where squares are no floats, the root is
computed as it was, and all that Python has to say of it is said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from runtime.backends.llvm.loops import (
    BIT,
    DOUBLE,
    FLOAT,
    Block,
    Function,
    Instruction,
    Local,
    Operand,
)
from runtime.backends.llvm.references import References
from runtime.backends.llvm.unused import (
    drop_unused_of,
    parts_of_value,
    read_by,
)
from runtime.structs import struct

ROOTS = {"m_hypot": DOUBLE, "m_hypotf": FLOAT}
# What Python asks of a root before it gives it: whether it is finite.
ASKED = ("fabs", "fcmp olt", "xor", "leave_if")
# Of each order the one with the operands exchanged, and whether the root is below.
ORDERS = {
    "fcmp olt": ("fcmp ogt", True),
    "fcmp ole": ("fcmp oge", True),
    "fcmp ogt": ("fcmp olt", False),
    "fcmp oge": ("fcmp ole", False),
}


@struct
class _Limits:
    """What numbers the squares of are compared: between, and how far from one another.

    far is many times what the roundings of squares and of roots come to
    """

    least: float
    most: float
    far: float


LIMITS = {
    DOUBLE: _Limits(1e-140, 1e150, 2.0**-40),
    FLOAT: _Limits(1e-15, 1e18, 2.0**-14),
}


def with_squares(lowering: References, function: Function) -> Function:
    """The function; roots that are only compared are computed where they have to be."""
    if not any(one.symbol in ROOTS for one in function.body.walk()):
        return function
    reads = Counter(one for inner in function.body.walk() for one in read_by(inner))
    reads.update(
        one
        for value in function.outputs
        for one in parts_of_value(value)
        if isinstance(one, Local)
    )
    _block(lowering, function.body, reads, function.warns)
    drop_unused_of(function)
    return function


def _block(
    lowering: References, block: Block, reads: Counter[Local], warns: bool
) -> None:
    for one in list(block.instructions):
        for inner in one.blocks:
            _block(lowering, inner, reads, warns)
        found = _compared(block.instructions, one, reads)
        if found is not None:
            block.instructions[:] = _rewritten(lowering, block, *found, warns)


def _compared(
    instructions: Sequence[Instruction], root: Instruction, reads: Counter[Local]
) -> tuple[list[Instruction], Instruction] | None:
    """The root and what Python asks of it, and the one test that it is for."""
    if root.symbol not in ROOTS or len(root.args) != 2:
        return None
    place = next(at for at, one in enumerate(instructions) if one is root)
    steps = [root, *asked_of(instructions[place + 1 : place + 5], root, reads)]
    (out,) = root.outs
    following = instructions[place + len(steps) :]
    tests = [one for one in following if out in one.args]
    if len(tests) != 1 or reads[out] != 1 + (len(steps) > 1):
        return None
    (test,) = tests
    before = following[: following.index(test)]
    written = {local for one in before for local in _written(one)}
    other = [arg for arg in test.args if arg is not out]
    if test.op not in ORDERS or len(other) != 1 or other[0] in written:
        return None
    limits, (x,) = LIMITS[ROOTS[root.symbol]], other
    is_usual = isinstance(x, Local) or limits.least <= x <= limits.most
    return (steps, test) if is_usual else None


def asked_of(
    following: Sequence[Instruction], root: Instruction, reads: Counter[Local]
) -> Sequence[Instruction]:
    """The steps after one that leave unless it is finite; none where none are so.

    reads: how often each local is read, by these steps and others
    """
    if tuple(one.op for one in following) != ASKED:
        return ()
    chain = [root, *following]
    for before, one in pairwise(chain):
        (out,) = before.outs
        if out not in one.args or (before is not root and reads[out] != 1):
            return ()
    return following


def _written(one: Instruction) -> Iterator[Local]:
    yield from one.outs
    for block in one.blocks:
        for inner in block.walk():
            yield from inner.outs


def _rewritten(
    lowering: References,
    block: Block,
    steps: list[Instruction],
    test: Instruction,
    warns: bool,
) -> list[Instruction]:
    """The instructions of a block, which test the squares first."""
    gone = {*map(id, steps), id(test)}
    root = steps[0]
    word, x = test.op, test.args[1]
    if x is root.outs[0]:
        word, x = ORDERS[word][0], test.args[0]
    made = lowering.within(lambda: _test(lowering, steps, word, x, test.outs[0], warns))
    found: list[Instruction] = []
    for one in block.instructions:
        if one is root:
            found += made.instructions
        elif id(one) not in gone:
            found.append(one)
    return found


def _test(
    lowering: References,
    steps: list[Instruction],
    word: str,
    x: Operand,
    out: Local,
    warns: bool,
) -> None:
    root, kind = steps[0], ROOTS[steps[0].symbol]
    limits = LIMITS[kind]
    fine, (*parts, other) = _usual(lowering, kind, (*root.args, x), warns)

    def of(op: str, *args: Operand, made: str = kind) -> Local:
        return lowering.compute(op, made, *args, type=kind)

    total = of("fadd", *(of("fmul", part, part) for part in parts))
    low, high = _around(lowering, kind, other, limits.far)
    below = of("fcmp olt", total, low, made=BIT)
    above = of("fcmp ogt", total, high, made=BIT)
    # NaN and infinity are neither.
    finite = of("fcmp olt", total, limits.most * limits.most, made=BIT)
    above = lowering.compute("and", BIT, above, finite, type=BIT)
    clear = _both(lowering, fine, lowering.compute("or", BIT, below, above, type=BIT))
    answer = below if ORDERS[word][1] else above

    def exactly() -> None:
        lowering.block.instructions.extend(steps)
        found = lowering.compute(word, BIT, root.outs[0], x, type=kind)
        lowering.assign([out], [found])

    blocks = (
        lowering.within(lambda: lowering.assign([out], [answer])),
        lowering.within(exactly),
    )
    lowering.emit("if", clear, blocks=blocks)


def _around(
    lowering: References, kind: str, x: Operand, far: float
) -> tuple[Operand, Operand]:
    """The square of a number, less and more by so many parts."""
    if not isinstance(x, Local):
        return x * x * (1.0 - far), x * x * (1.0 + far)
    square = lowering.compute("fmul", kind, x, x, type=kind)
    low, high = (
        lowering.compute("fmul", kind, square, part, type=kind)
        for part in (1.0 - far, 1.0 + far)
    )
    return low, high


def _usual(
    lowering: References, kind: str, operands: Sequence[Operand], warns: bool
) -> tuple[Operand, list[Operand]]:
    """Whether the squares of these are usual numbers, and what to take squares of.

    operands: the parts of the complex number, and what its root is compared with
    """
    *_, x = operands
    limits = LIMITS[kind]
    fine: Operand = True
    if isinstance(x, Local):
        least = lowering.compute("fcmp oge", BIT, x, limits.least, type=kind)
        fine = _both(lowering, least, _is_below(lowering, kind, x, limits.most))
    if not warns:
        return fine, [*operands]
    # Of these squares nothing is noted that the root would not have noted.
    for part in operands[:-1]:
        fine = _both(lowering, fine, _is_below(lowering, kind, part, limits.most))
    return fine, [
        lowering.compute("select", kind, fine, one, 1.0)
        if isinstance(one, Local)
        else one
        for one in operands
    ]


def _is_below(lowering: References, kind: str, part: Operand, most: float) -> Local:
    size = lowering.compute("fabs", kind, part, type=kind)
    return lowering.compute("fcmp olt", BIT, size, most, type=kind)


def _both(lowering: References, a: Operand, b: Local) -> Local:
    if not isinstance(a, Local):
        return b
    return lowering.compute("and", BIT, a, b, type=BIT)
