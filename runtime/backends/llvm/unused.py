"""unused: what instructions read and write, and which of them nobody misses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from runtime.backends.llvm.lines import CONVERSIONS, INTRINSICS
from runtime.backends.llvm.loops import (
    Block,
    Exit,
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
ALONE = PURE | {"same", "move"}
# What counts in its first operand.
COUNTING = frozenset({"for", "pairwise"})


def parts_of_value(value: Value) -> Iterable[Operand]:
    """All operands of a value; of a number of several kinds the options' flags, too."""
    yield from operands_of(value)
    for option in value.options if isinstance(value, Mixed) else ():
        yield from operands_of(option)


def outs_of(one: Instruction) -> set[Local]:
    """The locals that an instruction itself writes."""
    found = {*one.outs}
    if one.results:
        found.update(_locals(one.results, ()))
    return found


def written_by(one: Instruction) -> set[Local]:
    """The locals that an instruction writes, what is in its blocks included."""
    found = outs_of(one)
    inside = [one]
    for block in one.blocks:
        inside += block.walk()
    for inner in inside[1:]:
        found |= outs_of(inner) if inner.results else {*inner.outs}
    counting = (inner.args[0] for inner in inside if inner.op in COUNTING)
    return found | {local for local in counting if isinstance(local, Local)}


def last_move(block: Block) -> dict[Local, Operand]:
    """What a block writes at its end, into locals that others read."""
    last = block.instructions[-1] if block.instructions else None
    if last is None or last.op != "move":
        return {}
    return dict(zip(last.outs, last.args, strict=True))


def moved_by(one: Instruction) -> list[tuple[Local, Operand, Operand]]:
    """What an `if` moves where in its first branch and in its second; [] if more."""
    sides = [_only_moved(block) for block in one.blocks] if one.op == "if" else []
    if len(sides) < 2 or not sides[0] or sides[0].keys() != sides[1].keys():
        return []
    return [(out, then, sides[1][out]) for out, then in sides[0].items()]


def _only_moved(block: Block) -> dict[Local, Operand]:
    """What a block moves at its end, if it does nothing else."""
    moved = last_move(block)
    same: dict[Operand, Operand] = {}
    for one in block.instructions[:-1]:
        if one.op != "same":
            return {}
        same[one.outs[0]] = same.get(one.args[0], one.args[0])
    return {out: same.get(arg, arg) for out, arg in moved.items()}


def drop_unused_of(function: Function) -> None:
    """Leave out of a function what computes what nobody reads."""
    roots = [part for value in function.outputs for part in parts_of_value(value)]
    drop_unused(function.body, {*roots, *function.drops, *function.entered})


def drop_unused(block: Block, roots: set[Operand]) -> None:
    """Leave out of a block, at every depth, what computes what nobody reads."""
    makers: dict[Operand, list[Instruction]] = {}
    used, exits = {*roots}, dict[int, Exit]()
    for one in block.walk():
        if _computes(one):
            for out in one.outs:
                makers.setdefault(out, []).append(one)
            continue
        used.update(one.args)
        if one.values:
            used.update(_locals(one.values, ()))
        if one.exit is not None:
            exits[id(one.exit)] = one.exit
    for exit in exits.values():
        used.update(_locals(exit.handed, exit.drops))
    waiting = [*used]
    while waiting:
        for one in makers.get(waiting.pop(), ()):
            # What computes reads its operands alone.
            new = [arg for arg in one.args if arg not in used]
            used.update(new)
            waiting += new
    _keep(block, used)


def _computes(one: Instruction) -> bool:
    """Whether nobody misses it if nobody reads what it gives."""
    if one.exit is not None:
        return False
    return one.op in ALONE or one.op.split(" ")[0] in PURE


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
    found = [arg for arg in one.args if isinstance(arg, Local)]
    if one.values:
        found += _locals(one.values, ())
    if one.exit is not None:
        found += _locals(one.exit.handed, one.exit.drops)
    return found


def _locals(values: Iterable[Value], drops: Iterable[Operand]) -> Iterator[Local]:
    for value in values:
        for part in parts_of_value(value):
            if isinstance(part, Local):
                yield part
    for part in drops:
        if isinstance(part, Local):
            yield part
