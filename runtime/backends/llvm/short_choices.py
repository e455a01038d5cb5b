"""short_choices: short branches of ints, computed on both sides where all fits.

A pass over loop IR. `k // 2 if k % 2 == 0 else 3 * k + 1` is a branch, since one side
may leave: where it goes by data the processor guesses wrong in every other turn. So it
is first asked whether what it begins with is so small that nothing leaves, which is
guessed right; then both sides are computed, and one is chosen. Else it is as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from runtime.backends.llvm.from_front import SELDOM
from runtime.backends.llvm.loops import (
    BIT,
    INT,
    Block,
    Function,
    Instruction,
    Local,
    Operand,
)
from runtime.backends.llvm.lowering import Lowering
from runtime.structs import replace

# What is computed on a side, of ints; and of this no more than so much on both.
PLAIN = frozenset({"add", "sub", "mul", "and", "or", "xor", "ashr"})
LOOKS = frozenset({"sadd", "ssub", "smul"})
MOST = 4
# How many bits the ints that it begins with may have, and how many of them there are.
BITS, LEAST_BITS, ROOTS = 61, 30, 2


def with_short_choices(lowering: Lowering, function: Function) -> Function:
    """The function; short branches of ints in its innermost loops are choices."""
    function.body.rewrite(partial(_loop, lowering))
    return function


def _loop(lowering: Lowering, one: Instruction) -> list[Instruction]:
    if one.op == "while":
        inside = (inner for block in one.blocks for inner in block.walk())
        if not any(inner.blocks and inner.op != "if" for inner in inside):
            one.blocks[1].rewrite(partial(_branch, lowering))
    return [one]


def _branch(lowering: Lowering, one: Instruction) -> list[Instruction]:
    steps = _steps(one)
    roots, bits = _roots_and_bits(steps)
    if not 0 < len(roots) <= ROOTS or not bits:
        return [one]
    far: list[Operand] = []

    def asked() -> None:
        for root in roots:
            up = lowering.compute("add", INT, root, 1 << bits, type=INT)
            test = lowering.compute("icmp uge", BIT, up, 2 << bits, type=INT)
            far[:] = [
                lowering.compute("or", BIT, *far, test, type=BIT) if far else test
            ]

    before = lowering.within(asked).instructions
    fast = lowering.within(partial(_chosen, lowering, one, steps))
    blocks = (Block([one]), fast)
    return [*before, Instruction("if", (), (far[0],), blocks, type=SELDOM)]


def _chosen(lowering: Lowering, one: Instruction, steps: list[Instruction]) -> None:
    """Both sides, and what one of them gives."""
    for step in steps:
        plain = replace(step, op=step.op[1:], exit=None, type=INT)
        lowering.block.instructions.append(plain if step.op in LOOKS else step)
    a, b = (block.instructions[-1] for block in one.blocks)
    given = [
        lowering.compute("select", INT, one.args[0], x, y, type=INT)
        for x, y in zip(a.args, b.args, strict=True)
    ]
    lowering.assign(a.outs, given)


def _steps(one: Instruction) -> list[Instruction]:
    """What both sides compute, if that is little, and all of it ints."""
    ends = [block.instructions[-1:] for block in one.blocks]
    if (
        one.op != "if"
        or one.type
        or not all(end and end[0].op == "move" for end in ends)
    ):
        return []
    (a,), (b,) = ends
    steps = [step for block in one.blocks for step in block.instructions[:-1]]
    outs = [*a.outs, *(out for step in steps for out in step.outs)]
    are_ints = a.outs == b.outs and all(out.type == INT for out in outs)
    done = [step.op for step in steps if step.op != "same"]
    is_little = len(done) <= MOST and PLAIN.union(LOOKS).issuperset(done)
    return steps if are_ints and is_little else []


def _roots_and_bits(steps: list[Instruction]) -> tuple[list[Local], int]:
    """What is computed of, and how many bits of it leave nothing that may leave."""
    made = {step.outs[0]: step for step in steps}
    roots: dict[Local, None] = {}
    todo = [arg for step in steps if step.op in LOOKS for arg in step.args]
    while todo:
        arg = todo.pop()
        if isinstance(arg, Local) and arg in made:
            todo += made[arg].args
        elif isinstance(arg, Local):
            roots[arg] = None
    for bits in range(BITS, LEAST_BITS, -1):
        if roots and _all_fits(steps, bits):
            return [*roots], bits
    return [], 0


def _all_fits(steps: list[Instruction], bits: int) -> bool:
    """Whether nothing leaves if all that it begins with is less than `2**bits`."""
    sizes: dict[Operand, int] = {}
    for step in steps:
        a, b = (
            sizes.get(arg, 1 << bits) if isinstance(arg, Local) else abs(int(arg))
            for arg in (*step.args, 0)[:2]
        )
        sizes[step.outs[0]] = size = _SIZES[step.op[-3:]](a, b)
        if step.op in LOOKS and size >= 1 << 63:
            return False
    return True


# How large a result is at most, by the last letters of what computes it.
_SIZES: dict[str, Callable[[int, int], int]] = {
    **dict.fromkeys(("add", "sub"), lambda a, b: a + b),
    **dict.fromkeys(("and", "or", "xor"), lambda a, b: 2 * max(a, b) + 1),
    **dict.fromkeys(("ame", "shr"), lambda a, b: a),
    "mul": lambda a, b: a * b,
}
