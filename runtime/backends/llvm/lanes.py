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
from runtime.backends.llvm.lane_trials import STATE, State
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
from runtime.structs import replace

LEAST = -(2**63)
# Turns that a loop with a `break` begins with one by one: where it ends soon after,
# what ran ahead in vain is little beside them.
ALONE = 64


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
        may_break = end is None
        if may_break:
            counter, end = bounded(loop)
        if counter is None or end is None:
            return False
        ahead = Ahead(loop.blocks[1], counter, self.lowering)
        if not ahead.wanted:
            return False
        pairs = self._meeting(ahead)
        if pairs is None:
            return False
        state = [self.lowering.local(INT) for _ in STATE]
        asked = (counter, end) if may_break else ()
        before = self.lowering.within(lambda: self._before(state, pairs, asked))
        (*_, last) = before.instructions
        apart = last.args[0] if last.op == "apart" else True
        made = [one for one in before.instructions if one.op != "apart"]
        place = block.instructions.index(loop)
        block.instructions[place:place] = made
        args = (counter, end, apart)
        singly = self._singly(loop, counter, State(*state).again)
        lanes = ahead.instruction(tuple(state), args, singly)
        loop.blocks = (loop.blocks[0], Block([lanes]))
        return True

    def _singly(self, loop: Instruction, counter: Local, again: Local) -> Block:
        """The next turn, and all up to another one, as they were."""
        lowering, more = self.lowering, self.lowering.local(BIT)
        head, turn = loop.blocks

        def asked() -> None:
            lowering.block.instructions += map(replace, head.instructions)
            is_near = lowering.compute("icmp slt", BIT, counter, again, type=INT)
            go_on = lowering.compute("and", BIT, loop.args[0], is_near, type=BIT)
            lowering.assign([more], [go_on])

        after = lowering.within(asked)
        turns = Block([*turn.instructions, *after.instructions])
        begin = Instruction("move", (more,), (True,))
        return Block([begin, Instruction("while", (), (more,), (Block(), turns))])

    def _before(
        self,
        state: list[Local],
        pairs: Sequence[tuple[Array, Array]],
        asked: Sequence[Operand],
    ) -> None:
        """What lanes begin with, and whether there are any.

        asked: the counter and its end, where the first turn does not compare them
        """
        first: Operand = LEAST
        apart: Operand = True
        if asked:
            first = self.lowering.compute("add", INT, asked[0], ALONE, type=INT)
            apart = self.lowering.compute("icmp slt", BIT, *asked, type=INT)
        begin = {"again": first, "step": 1}
        self.lowering.assign(state, [begin.get(name, 0) for name in STATE])
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
        # In the loop's order: the text is the same in each process, or it is not found.
        written = dict.fromkeys(self.root(one.args[0]) for one in ahead.stores())
        read = dict.fromkeys(self.root(one.args[0]) for one in ahead.loads())
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
    head, _ = loop.blocks
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
    if not isinstance(counter, Local) or end in _written(loop):
        return None, None
    return (counter, end) if _following(loop, counter) else (None, None)


def bounded(loop: Instruction) -> tuple[Local | None, Operand | None]:
    """The same of a loop that may end before: by a `break` of its own.

    A turn says whether there is another one, which its first operand carries; if it
    says so, the next turn is one of those that are counted.
    """
    head, body = loop.blocks
    moves = last_move(body)
    (verdict,) = loop.args
    while len(head.instructions) == 1 and head.instructions[0].outs == (verdict,):
        if head.instructions[0].op not in ("move", "same"):
            break
        (verdict,), head = head.instructions[0].args, Block()
    if head.instructions or not isinstance(verdict, Local):
        return None, None
    test = _implied(body, moves.get(verdict))
    if test is None or test.op != "icmp slt" or test.type != INT:
        return None, None
    following, end = test.args
    for counter in moves:
        step = _following(loop, counter)
        if step and following is step.outs[0] and end not in _written(loop):
            return counter, end
    return None, None


def _implied(body: Block, truth: Operand | None) -> Instruction | None:
    """What a truth is, or what holds too where it does: all but one way say no."""
    ends = {
        out: [last_move(side).get(out) for side in one.blocks]
        for one in body.instructions
        if one.op == "if"
        for side in one.blocks
        for out in last_move(side)
    }
    writers = [one for one in body.walk() if truth in one.outs]
    if isinstance(truth, Local) and truth in ends and len(writers) == 2:
        yes = [arg for arg in ends[truth] if arg is not False]
        return _implied(body, yes[0]) if len(yes) == 1 else None
    return writers[0] if isinstance(truth, Local) and len(writers) == 1 else None


def _written(loop: Instruction) -> set[Local]:
    return {out for block in loop.blocks for one in block.walk() for out in one.outs}


def _following(loop: Instruction, counter: Local) -> Instruction | None:
    """What makes a carried local one more at each turn, if something does."""
    _, body = loop.blocks
    following = last_move(body).get(counter)
    steps = [one for one in body.instructions if one.outs == (following,)]
    is_by_one = len(steps) == 1 and steps[0].op in ("sadd", "add")
    return steps[0] if is_by_one and steps[0].args == (counter, 1) else None
