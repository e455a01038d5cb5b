"""lanes: several turns of a loop at once, where they do not depend on one another.

A pass over loop IR. Of the body of a counted loop it takes what an inner `while` of
numbers is computed of: that part is run for several turns ahead, each in a lane of the
machine's vectors (`wide.py`). It only reads and computes, so nobody sees that it was
early; where a lane would leave to Python, these turns are run one by one. All else
(stores, sums over the turns, ways out) is done turn by turn, in Python's order.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.backends.llvm.ahead import Ahead, last_move
from runtime.backends.llvm.loops import (
    BIT,
    INT,
    Array,
    Block,
    Function,
    Instruction,
    Local,
    Operand,
)
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.maps import extent

LEAST = -(2**63)


def with_lanes(lowering: Lowering, function: Function) -> Function:
    """The function; its loops that can be have a part that runs several turns ahead."""
    found = [value for value in lowering.values.values() if isinstance(value, Array)]
    arrays = {value.data: value for value in found}
    bases = {
        one.outs[0]: one.args[0]
        for one in function.body.walk()
        if one.op in ("address", "same")
    }
    _Pass(lowering, arrays, bases).block(function.body)
    return function


class _Pass:
    """The pass: what is known of the function.

    arrays: by the local that holds where they begin
    bases:  of an address, what it is counted from
    """

    def __init__(
        self,
        lowering: Lowering,
        arrays: dict[Operand, Array],
        bases: dict[Local, Operand],
    ) -> None:
        self.lowering, self.arrays, self.bases = lowering, arrays, bases

    def block(self, block: Block) -> bool:
        """Whether loops of the block have lanes now, the innermost first."""
        found = False
        for one in list(block.instructions):
            inside = any([self.block(inner) for inner in one.blocks])
            if one.op == "while" and not inside:
                inside = self.loop(block, one)
            found |= inside
        return found

    def loop(self, block: Block, loop: Instruction) -> bool:
        """Give one loop lanes, if its turns are independent."""
        counter, end = counted(loop)
        if counter is None or end is None:
            return False
        ahead = Ahead(loop.blocks[1], counter, self.lowering)
        if not ahead.wanted:
            return False
        pairs = self._meeting(ahead)
        if pairs is None:
            return False
        state = [self.lowering.local(INT) for _ in range(3)]
        before = self.lowering.within(lambda: self._before(state, pairs))
        (*_, last) = before.instructions
        apart = last.args[0] if last.op == "apart" else True
        made = [one for one in before.instructions if one.op != "apart"]
        place = block.instructions.index(loop)
        block.instructions[place:place] = made
        args = (counter, end, apart)
        lanes = ahead.instruction(tuple(state), args)
        loop.blocks = (loop.blocks[0], Block([lanes]))
        return True

    def _before(self, state: list[Local], pairs: Sequence[tuple[Array, Array]]) -> None:
        self.lowering.assign(state, [0, LEAST, 1])
        apart: Operand = True
        for read, written in pairs:
            one = _are_apart(self.lowering, read, written)
            apart = (
                self.lowering.compute("and", BIT, apart, one, type=BIT)
                if isinstance(apart, Local)
                else one
            )
        self.lowering.emit("apart", apart)

    def _meeting(self, ahead: Ahead) -> list[tuple[Array, Array]] | None:
        """The arrays that are read ahead, each with those that are written.

        None where they are the same, and not only a turn's own element is read.
        """
        written = {self.root(one.args[0]) for one in ahead.stores()}
        read = {self.root(one.args[0]) for one in ahead.loads()}
        for local in (*written, *read):
            if local not in self.arrays or local in ahead.outs:
                return None
        for load in ahead.loads():
            stores = [
                store
                for store in ahead.stores()
                if self.root(store.args[0]) is self.root(load.args[0])
            ]
            if stores and not ahead.is_own(load, stores):
                return None
        pairs = [(a, b) for a in read for b in written if a is not b]
        return [(self.arrays[a], self.arrays[b]) for a, b in pairs]

    def root(self, address: Operand) -> Operand:
        """Where the array begins that an address is in."""
        while isinstance(address, Local) and address in self.bases:
            address = self.bases[address]
        return address


def _are_apart(lowering: Lowering, a: Array, b: Array) -> Local:
    (low, high), (first, after) = extent(lowering, a), extent(lowering, b)
    below = lowering.compute("icmp sle", BIT, high, first, type=INT)
    above = lowering.compute("icmp sle", BIT, after, low, type=INT)
    return lowering.compute("or", BIT, below, above, type=BIT)


def counted(loop: Instruction) -> tuple[Local | None, Operand | None]:
    """The local that counts the turns by one, and its end, if it has them."""
    head, body = loop.blocks
    (verdict,) = loop.args
    tests = {one.outs[0]: one for one in head.instructions if len(one.outs) == 1}
    test = tests.get(verdict) if isinstance(verdict, Local) else None
    while test and test.op in ("move", "same") and isinstance(test.args[0], Local):
        test = tests.get(test.args[0])
    if test is None or test.op != "icmp slt" or test.type != INT:
        return None, None
    if any(one.exit or one.blocks for one in head.instructions):
        return None, None
    counter, end = test.args
    written = {out for block in loop.blocks for one in block.walk() for out in one.outs}
    if not isinstance(counter, Local) or end in written:
        return None, None
    moves = last_move(body)
    following = moves.get(counter)
    steps = [one for one in body.instructions if one.outs == (following,)]
    is_by_one = len(steps) == 1 and steps[0].op in ("sadd", "add")
    if not is_by_one or steps[0].args != (counter, 1):
        return None, None
    return counter, end
