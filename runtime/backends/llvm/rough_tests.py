"""rough_tests: what is only compared is computed roughly where that is enough.

A pass over loop IR. `(x - a) ** 2 + (y - b) ** 2 < d` asks for squares with the C
library's bits, some of which it has to be asked for. Where the same of plain products
is clearly below `d`, or above it, nobody can tell the difference; nearer than that, the
squares are computed as they were, and so they are where a branch of the test reads
them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

from runtime.backends.llvm.absolutes import ORDERS, asked_of
from runtime.backends.llvm.from_front import SELDOM
from runtime.backends.llvm.loops import (
    BIT,
    DOUBLE,
    Block,
    Function,
    Instruction,
    Local,
    Operand,
)
from runtime.backends.llvm.mathematics.rough import (
    FAR,
    LARGE,
    ORDER_NAMES,
    bounds,
    factor_code,
    symbol_of,
)
from runtime.backends.llvm.mathematics.rounded import known_name
from runtime.backends.llvm.references import References
from runtime.backends.llvm.unused import ALONE, parts_of_value, read_by, written_by
from runtime.structs import replace

SQUARE = known_name(4)
# What squares may become on the way to a test, so that all of it stays 0 or above.
STEPS = frozenset({"fadd", "fmul", "sqrt"})
# Factors that are taken; how many steps there may be, and letters of a function.
FACTORS, MOST, LETTERS = (1e-3, 1e3), 32, 64
# What does nothing but compute, or leave.
COMPUTES = ALONE | {"own", "leave_if"}
# Blocks that are gone through as they stand; others are for vectors.
PLAIN = frozenset({"while", "if"})


def with_rough_tests(
    lowering: References, function: Function, *, is_last: bool = False
) -> Function:
    """The function; squares in its loops that are only compared are products.

    is_last: also beside what the C library is asked for anyway, in vectors perhaps
    """
    if any(one.symbol == SQUARE for one in function.body.walk()):
        inside = function.body.walk()
        reads = Counter(one for inner in inside for one in read_by(inner))
        parts = (part for value in function.outputs for part in parts_of_value(value))
        reads.update(part for part in parts if isinstance(part, Local))
        _Pass(lowering, reads, is_last).block(function.body, is_loop=False)
    return function


class _Pass:
    """The pass; reads: how often each local is read."""

    def __init__(
        self, lowering: References, reads: Counter[Local], is_last: bool
    ) -> None:
        self.lowering, self.reads, self.is_last = lowering, reads, is_last

    def block(self, block: Block, *, is_loop: bool) -> None:
        """All tests in a block, those inside another first."""
        for one in block.instructions:
            if one.op in PLAIN and one.type != SELDOM:
                for inner in one.blocks:
                    self.block(inner, is_loop=is_loop or one.op == "while")
        if is_loop:
            for test in list(block.instructions):
                if test.op in ORDERS and test.type == DOUBLE:
                    self._test(block, test)

    def _test(self, block: Block, test: Instruction) -> None:
        for side in test.args:
            found = _Rough(block.instructions, test, side, self.reads)
            if found.members and found.may_move():
                left = sum(one.op == "own" for one in block.walk()) - found.count
                if self.is_last or not left or found.is_function():
                    block.instructions[:] = found.rewritten(self.lowering)
                return


class _Rough:
    """One side of a test: what it is made of, and who reads that.

    members: the steps that only the test reads, and a branch of it
    branch:  the `if` of the test, where there is one
    count:   of members that are squares
    """

    def __init__(
        self,
        instructions: Sequence[Instruction],
        test: Instruction,
        side: Operand,
        reads: Counter[Local],
    ) -> None:
        self.instructions, self.test, self.side = instructions, test, side
        self.reads = reads
        self.place = instructions.index(test)
        behind = instructions[self.place + 1 :]
        branches = (one for one in behind if one.op == "if" and test.outs == one.args)
        self.branch = next(branches, None)
        self.makers: dict[Operand, Instruction] = {}
        for one in instructions[: self.place]:
            for out in written_by(one):
                is_second = out in self.makers
                self.makers[out] = test if is_second else one
        self.members: dict[Local, list[Instruction]] = {}
        if self._is_above_0(side) and len(self.members) <= MOST:
            self._keep_own()
        else:
            self.members = {}
        self.count = sum(chain[0].op == "own" for chain in self.members.values())
        if not self.count:
            self.members = {}

    def _is_above_0(self, operand: Operand) -> bool:
        """Whether it is a sum of squares, or the like; its steps are members then."""
        if not isinstance(operand, Local):
            return 0.0 <= operand <= LARGE
        one = self.makers.get(operand)
        if one is None or one.type != DOUBLE:
            return False
        is_square = one.op == "fmul" and one.args[0] is one.args[1]
        if one.symbol != SQUARE and not is_square:
            # A factor is no sum.
            of = [x for x in one.args if one.op != "fmul" or not _is_factor(x)]
            if one.op not in STEPS or (one.op == "fmul" and len(of) != 1):
                return False
            if not all(map(self._is_above_0, of)):
                return False
        place = self.instructions.index(one)
        following = self.instructions[place + 1 : place + 5]
        self.members[operand] = [one, *asked_of(following, one, self.reads)]
        return True

    def _keep_own(self) -> None:
        """Leave out of the members what others read, and what those are made of."""
        blocks = self.branch.blocks if self.branch is not None else ()
        inside = [one for block in blocks for one in block.walk()]
        in_branch = Counter(one for inner in inside for one in read_by(inner))
        while True:
            own = in_branch.copy()
            # The other side is compared as it is: what it reads stays where it is.
            args = [arg for arg in read_by(self.test) if arg is self.side]
            own.update(args)
            for one in self._moved():
                own.update(read_by(one))
            others = [
                local for local in self.members if own[local] != self.reads[local]
            ]
            if not others:
                return
            for local in others:
                del self.members[local]

    def _moved(self) -> Iterator[Instruction]:
        """The members in their order, and what is asked of each."""
        firsts = {id(chain[0]): chain for chain in self.members.values()}
        for one in self.instructions:
            yield from firsts.get(id(one), ())

    def may_move(self) -> bool:
        """Whether nothing in between tells where they are computed."""
        moved = [*self._moved()]
        end = self.instructions.index(self.branch or self.test)
        steps = self.instructions[self.instructions.index(moved[0]) : end]
        ids, waiting = {*map(id, moved)}, set[Operand]()
        for one in steps:
            if id(one) in ids:
                waiting.update(one.args)
            elif not waiting.isdisjoint(written_by(one)):
                return False
        leaves = any(one.exit is not None for one in moved)
        return not leaves or all(map(_only_computes, steps))

    def rewritten(self, lowering: References) -> list[Instruction]:
        """The instructions of the block."""
        moved = [*self._moved()]
        gone = {*map(id, moved)}
        outs = {out for one in moved for out in one.outs}
        made: list[Instruction] = []
        for one in self.instructions:
            if one is self.test:
                way = self._call if self.is_function() else self._products_first
                made += lowering.within(partial(way, lowering)).instructions
            elif id(one) not in gone:
                made.append(one)
            if one is self.branch:
                for block in one.blocks:
                    inside = (
                        local for inner in block.walk() for local in read_by(inner)
                    )
                    if not outs.isdisjoint(inside):
                        block.instructions[:0] = map(replace, moved)
        return made

    def _products_first(self, lowering: References) -> None:
        """Which side is the larger one, by products where that is clear."""
        test, moved = self.test, [*self._moved()]

        def of(op: str, *args: Operand, made: str = DOUBLE) -> Local:
            return lowering.compute(op, made, *args, type=DOUBLE)

        rough = self._products(lowering, self.side)
        least, large = bounds(self._code(self.side, []))
        other = next((one for one in test.args if one is not self.side), rough)

        def nearer(one: Operand) -> Local:
            return of("fadd", of("fmul", one, 1.0 - FAR), -least)

        # Nothing here is larger than what it is made of, and no infinite number is
        # subtracted from another: that is noted, as what is warned of.
        below = of("fcmp olt", rough, nearer(other), made=BIT)
        above = of("fcmp ogt", nearer(rough), other, made=BIT)
        apart = lowering.compute("or", BIT, below, above, type=BIT)
        # Of what is infinite none of this holds.
        finite = of("fcmp olt", rough, large, made=BIT)
        clear = lowering.compute("and", BIT, apart, finite, type=BIT)
        unclear = lowering.compute("xor", BIT, clear, True, type=BIT)

        def exactly() -> None:
            lowering.block.instructions.extend(map(replace, moved))
            found = of(test.op, *test.args, made=BIT)
            lowering.assign(test.outs, [found])

        is_less = ORDERS[test.op][1] is (test.args[0] is self.side)
        answer = below if is_less else above
        blocks = (
            lowering.within(exactly),
            lowering.within(lambda: lowering.assign(test.outs, [answer])),
        )
        lowering.emit("if", unclear, blocks=blocks, type=SELDOM)

    def is_function(self) -> bool:
        """Whether a function of our own does it, which vectors have, too."""
        first, second = self.test.args
        if first is second or any(one.exit is not None for one in self._moved()):
            return False
        return len(self._code(self.side, [])) <= LETTERS

    def _call(self, lowering: References) -> None:
        """The test, by that function."""
        args: list[Operand] = []
        code = self._code(self.side, args)
        first, second = self.test.args
        is_first = self.side is first
        word = self.test.op if is_first else ORDERS[self.test.op][0]
        args.append(second if is_first else first)
        symbol = symbol_of(code, ORDER_NAMES[word])
        found = lowering.compute("own", DOUBLE, *args, symbol=symbol, type=DOUBLE)
        test = lowering.compute("fcmp une", BIT, found, 0.0, type=DOUBLE)
        lowering.assign(self.test.outs, [test])

    def _code(self, operand: Operand, args: list[Operand]) -> str:
        """What a sum is called by, and its operands."""
        if not isinstance(operand, Local) or operand not in self.members:
            args.append(operand)
            return "v"
        (one, *_) = self.members[operand]
        if one.symbol == SQUARE or one.op == "sqrt":
            return self._code(one.args[0], args) + ("q" if one.symbol else "r")
        first, second = one.args
        if one.op == "fadd":
            return self._code(first, args) + self._code(second, args) + "a"
        if first is second:
            return self._code(first, args) + "p"
        of, factor = (first, second) if isinstance(first, Local) else (second, first)
        assert not isinstance(factor, Local), "see `_is_above_0`"
        return self._code(of, args) + factor_code(factor)

    def _products(self, lowering: References, operand: Operand) -> Operand:
        """What is nearly the same, of products."""
        if not isinstance(operand, Local) or operand not in self.members:
            return operand
        (one, *_) = self.members[operand]
        args = [self._products(lowering, arg) for arg in one.args]
        if one.symbol == SQUARE:
            return lowering.compute("fmul", DOUBLE, args[0], args[0], type=DOUBLE)
        return lowering.compute(one.op, DOUBLE, *args, type=DOUBLE)


def _is_factor(operand: Operand) -> bool:
    least, most = FACTORS
    return not isinstance(operand, Local) and least <= operand <= most


def _only_computes(one: Instruction) -> bool:
    return one.op.split(" ")[0] in COMPUTES
