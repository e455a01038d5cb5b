"""epilogues: what follows a product of matrices row by row becomes a part of it.

A pass over loop IR. Where a product is followed by a loop that threads may share, each
of whose units reads and writes one row of the result, in the memory of the product
(`np.maximum(x @ w + b, 0)`), both are one instruction: who has made some rows does the
loop for them while they are in the cache (`packed.py`). Where the product is NumPy's in
the end, the loop comes after it, as before.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.backends.llvm.lines import CONVERSIONS, INTRINSICS
from runtime.backends.llvm.loops import (
    POINTER,
    Block,
    Function,
    Instruction,
    Local,
    Operand,
)
from runtime.structs import replace

# The word for both. Its operands: three places, WORDS words of the product, what one
# row of the loop costs, and the loop's units in a row.
THEN, WORDS = "product_then", 14
DATA, STACK, ROWS, COLUMNS, DOWN, ACROSS = 2, 3, 4, 6, 14, 15
EACH, SCALE = 3 + WORDS, 4 + WORDS
# What may stand between the two, since it knows nothing of what is in memory.
BETWEEN = frozenset(
    {"ptrtoint", "address", "same", "add", "sub", "mul", "sdiv", "and", "or", "xor"}
    | {"smax", "smin", "icmp", "select", "buffer", "move"}
)
# What the loop may consist of.
INSIDE = frozenset(
    BETWEEN
    | INTRINSICS
    | CONVERSIONS
    | {"for", "load", "store", "numpys", "own"}
    | {"fadd", "fsub", "fmul", "fdiv", "fneg", "fcmp", "shl", "ashr", "lshr"}
)


def with_epilogues(function: Function) -> Function:
    """The function; its products do what follows them row by row."""
    _block(function.body)
    return function


def _block(block: Block) -> None:
    for one in block.instructions:
        for inner in one.blocks:
            _block(inner)
    place = 0
    while place < len(block.instructions):
        one = block.instructions[place]
        if one.op == "product" and one.args[STACK] == 1:
            _sink(block, place)
        place += 1


def _sink(block: Block, place: int) -> bool:
    """Put a product to the loop that follows it, if there is one; whether there is.

    What lets go of its operands goes with it. Of a branch each side has one.
    """
    instructions, moved = block.instructions, [block.instructions[place]]
    product = moved[0]
    derived: set[Operand] = {product.args[DATA]}
    at = place + 1
    while at < len(instructions):
        one = instructions[at]
        if one.op == "release":
            moved.append(one)
        elif not _is_between(one) or _locals(product.args).intersection(one.outs):
            break
        elif derived.intersection(_locals(one.args)):
            derived.update(out for out in one.outs if out.type == POINTER)
        at += 1
    else:
        return False
    found = instructions[at]
    if found.op == "share":
        made = _joined(product, found, derived)
        if made is None:
            return False
        instructions[at : at + 1] = [made, *moved[1:]]
    elif found.op != "if" or len(derived) > 1 or not _in_branches(found, moved):
        return False
    gone = {id(one) for one in moved}
    instructions[place:at] = [o for o in instructions[place:at] if id(o) not in gone]
    return True


def _in_branches(one: Instruction, moved: list[Instruction]) -> bool:
    """Put what is moved into both sides, if it ends at a loop in one of them."""
    sides = []
    for inner in one.blocks:
        copies = [replace(each) for each in moved]
        side = Block([*copies, *inner.instructions])
        sides.append((side, _sink(side, 0)))
    if not any(is_joined for _, is_joined in sides):
        return False
    one.blocks = tuple(side for side, _ in sides)
    return True


def _is_between(one: Instruction) -> bool:
    return one.op.split(" ")[0] in BETWEEN and not (one.exit or one.blocks)


def _joined(
    product: Instruction, loop: Instruction, derived: set[Operand]
) -> Instruction | None:
    """Both as one, if each unit of the loop has a row, or an element, of the result."""
    uses = _Uses(product.args[DATA], loop)
    rows, columns = product.args[ROWS], product.args[COLUMNS]
    count, each = loop.args
    if not uses.are_known or uses.reads(derived - {product.args[DATA]}):
        return None
    scale = 1
    if uses.steps != {product.args[DOWN]} or count != rows:
        known = (rows, columns, count, each)
        if any(isinstance(one, Local) for one in known):
            return None
        scale = int(columns)  # type: ignore[arg-type] # it is known
        if uses.steps != {product.args[ACROSS]} or count != rows * columns:  # type: ignore[operator] # they are known
            return None
        each = each * scale  # type: ignore[operator] # it is known
    args = (*product.args, each, scale)
    return replace(product, op=THEN, outs=loop.outs, args=args, blocks=loop.blocks)


class _Uses:
    """What a shared loop does with the memory of a product.

    steps:     by which the units' places in it are apart
    are_known: whether it is only used so, and nothing else is written
    """

    def __init__(self, data: Operand, loop: Instruction) -> None:
        self.data, self.inside = data, [*loop.blocks[0].walk()]
        self.units: set[Operand] = {loop.outs[0]}
        self.bases: dict[Operand, Operand] = {}
        self.steps: set[Operand] = set()
        self.are_known = all(map(self._is_known, self.inside)) and bool(self.steps)

    def reads(self, others: set[Operand]) -> bool:
        """Whether any of these is an operand."""
        return any(others.intersection(_locals(one.args)) for one in self.inside)

    def _is_known(self, one: Instruction) -> bool:
        word = one.op.split(" ")[0]
        if word not in INSIDE or one.exit:
            return False
        if word == "add" and self.units.intersection(_locals(one.args)):
            self.units.update(one.outs)
        if word == "buffer":
            self.bases[one.outs[0]] = self.data
        if word == "address":
            return self._is_own_place(one)
        if word == "store" and not self._is_own(one.args[0]):
            return False
        if word == "numpys" and not self._is_own(one.args[-2]):
            return False
        return word == "for" or self.data not in _locals(one.args)

    def _is_own_place(self, one: Instruction) -> bool:
        base, index, step = one.args
        self.bases[one.outs[0]] = base
        if base is not self.data:
            return self.data not in _locals((index, step))
        self.steps.add(step)
        return isinstance(index, Local) and index in self.units

    def _is_own(self, place: Operand) -> bool:
        """Whether a place is in the product's memory, or on the stack."""
        while isinstance(place, Local) and place in self.bases:
            place = self.bases[place]
        return place is self.data


def _locals(args: Sequence[Operand]) -> set[Operand]:
    return {one for one in args if isinstance(one, Local)}
