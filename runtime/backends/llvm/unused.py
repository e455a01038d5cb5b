"""unused: what instructions read and write, and which of them nobody misses."""

from __future__ import annotations

from collections.abc import Iterable

from runtime.backends.llvm.lines import CONVERSIONS, INTRINSICS
from runtime.backends.llvm.loops import (
    Block,
    Function,
    Instruction,
    Local,
    Mixed,
    Operand,
    Value,
    operands_of,
)

# What gives the same for the same, and does nothing else.
PURE = frozenset(
    {"add", "sub", "mul", "and", "or", "xor", "icmp", "fcmp", "select", "address"}
    | {"fadd", "fsub", "fmul", "fdiv", "fneg", "sdiv", "srem", "shl", "ashr", "lshr"}
    | CONVERSIONS
    | INTRINSICS
)
# What counts in its first operand.
COUNTING = frozenset({"for", "pairwise"})


def parts_of_value(value: Value) -> Iterable[Operand]:
    """All operands of a value; of a number of several kinds the options' flags, too."""
    yield from operands_of(value)
    for option in value.options if isinstance(value, Mixed) else ():
        yield from operands_of(option)


def outs_of(one: Instruction) -> set[Local]:
    """The locals that an instruction itself writes."""
    results = (part for value in one.results for part in parts_of_value(value))
    return {part for part in (*one.outs, *results) if isinstance(part, Local)}


def written_by(one: Instruction) -> set[Local]:
    """The locals that an instruction writes, what is in its blocks included."""
    inside = [one, *(inner for block in one.blocks for inner in block.walk())]
    counting = (inner.args[0] for inner in inside if inner.op in COUNTING)
    found = {out for inner in inside for out in outs_of(inner)}
    return found | {local for local in counting if isinstance(local, Local)}


def drop_unused_of(function: Function) -> None:
    """Leave out of a function what computes what nobody reads."""
    roots = [part for value in function.outputs for part in parts_of_value(value)]
    drop_unused(function.body, {*roots, *function.drops, *function.entered})


def drop_unused(block: Block, roots: set[Operand]) -> None:
    """Leave out of a block, at every depth, what computes what nobody reads."""
    makers: dict[Operand, list[Instruction]] = {}
    waiting = [*roots]
    for one in block.walk():
        if _computes(one):
            for out in one.outs:
                makers.setdefault(out, []).append(one)
        else:
            waiting.extend(read_by(one))
    used: set[Operand] = set()
    while waiting:
        operand = waiting.pop()
        if operand not in used:
            used.add(operand)
            for one in makers.get(operand, ()):
                waiting.extend(read_by(one))
    _keep(block, used)


def _computes(one: Instruction) -> bool:
    """Whether nobody misses it if nobody reads what it gives."""
    return not one.exit and (one.op.split(" ")[0] in PURE or one.op in ("same", "move"))


def _keep(block: Block, used: set[Operand]) -> None:
    block.instructions = [
        one
        for one in block.instructions
        if not _computes(one) or not used.isdisjoint(one.outs)
    ]
    for one in block.instructions:
        for inner in one.blocks:
            _keep(inner, used)


def read_by(one: Instruction) -> Iterable[Local]:
    """The locals that an instruction itself reads, or hands over."""
    handed = (*one.values, *(one.exit.handed if one.exit else ()))
    parts = (part for value in handed for part in parts_of_value(value))
    drops = one.exit.drops if one.exit else ()
    return (part for part in (*one.args, *parts, *drops) if isinstance(part, Local))
