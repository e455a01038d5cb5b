"""block_turns: a loop over whole arrays, of which a block takes several turns at once.

Where a counted loop computes each element of what it carries from the elements at the
same place, a block of them can be some turns ahead of the others. So it stays in the
cache, where turn after turn all arrays would come from memory. The bits are the same:
each element meets the same operations in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from runtime.backends.llvm.blocks import new_array
from runtime.backends.llvm.element_loops import element_loop
from runtime.backends.llvm.element_turn import ElementTurn, Numbers
from runtime.backends.llvm.loops import (
    BIT,
    INT,
    POINTER,
    Array,
    Block,
    Local,
    Map,
    Number,
    Operand,
)
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.maps import leaves_of
from runtime.backends.llvm.mathematics import ALL
from runtime.backends.llvm.pieces import (
    all_of,
    flat,
    is_one_piece,
    product,
    terms_of,
    times,
    with_arrays,
)
from runtime.backends.llvm.row_block import BLOCK, RowBlock
from runtime.backends.llvm.sharing import own_cost, plus, share
from runtime.backends.llvm.unused import PURE
from runtime.backends.llvm.values import NotLowered
from runtime.backends.numpy.program import Step
from runtime.structs import replace, struct

# Elements from which on it is done: fewer stay in the cache anyway.
LEAST = 4096
# Turns of a block at most; and what all elements take between two looks at whether the
# user interrupts, in tenths of a nanosecond by estimate.
MOST, WORK = 64, 300_000_000
# How many turns an element takes in registers, of so many operations at most in all.
AT_ONCE, OPERATIONS = 4, 48
# What the numbers of a turn are computed by: nothing of it can fail, nor trap.
_NUMBERS = (PURE | {"same", "move"}) - {"sdiv", "srem"}


def block_turns(lowering: Lowering, step: Step) -> BlockTurns | None:
    """The turns of a loop whose body is about to be written; None: it is another one.

    What the test needs is computed at once.
    """
    try:
        loop = element_loop(lowering, step)
        if loop is None:
            return None
        made = BlockTurns(lowering, ElementTurn(lowering, step, loop))
        written = lowering.within(made.ask)
    except NotLowered:
        return None
    lowering.block.instructions.extend(written.instructions)
    return made


@struct(eq=False, frozen=False)
class BlockTurns:
    """Several turns of a loop at once; see `block_turns`.

    test:  whether it can be done, as the run knows
    count: how many turns are taken; size: how many elements there are
    cost:  what a turn of an element takes, in tenths of a nanosecond
    at_once: turns that an element takes in registers
    """

    lowering: Lowering
    turn: ElementTurn
    test: Operand = False
    count: Operand = 0
    size: Operand = 0
    cost: int = 1
    at_once: int = 1

    # What is asked.

    def ask(self) -> None:
        """Compute the test, from a turn as it would be. NotLowered: it cannot be.

        Whether arrays overlap is not asked: a step writes where nobody reads afterwards
        (`numpy/sharing.py`), and parts of one array that a call is given are cut from
        it in the trace, which is no operation of elements.
        """
        lowering, turn = self.lowering, self.turn
        numbers, arrays = turn.numbers(), turn.arrays()
        expressions, after, written = turn.written(numbers, arrays, turn.counter())
        _leave_unless_alike(numbers, after)
        moving = {part for one in numbers.values() for part in one.parts}
        tests = self._never_left(written, {*moving, *turn.counter().parts})
        leaves = [leaf for one in expressions for leaf in leaves_of(one)]
        all_arrays = {id(one): one for one in (*arrays.values(), *leaves)}.values()
        tests += self._alike([*all_arrays])
        tests += [is_one_piece(lowering, one) for one in all_arrays]
        self.size = product(lowering, next(iter(arrays.values())).dims)
        self._choose(expressions)
        self._count_turns()
        tests.append(lowering.compute("icmp sgt", BIT, self.count, 1, type=INT))
        if isinstance(self.size, Local):
            tests.append(lowering.compute("icmp sge", BIT, self.size, LEAST, type=INT))
        else:
            tests.append(self.size >= LEAST)
        self.test = all_of(lowering, tests)
        if self.test is False:
            raise NotLowered("arrays that are small, or no pieces")

        def tried() -> None:
            self._block(arrays, 0, BLOCK, self.at_once, numbers, 0)

        # There may be too many of NumPy's loops.
        lowering.within(tried)

    def _never_left(self, written: Block, moving: set[Operand]) -> list[Operand]:
        """That nothing in a turn leaves it, whichever turn it is.

        moving: the numbers that differ from turn to turn
        """
        lowering, tests = self.lowering, list[Operand]()
        for one in written.instructions:
            is_moving = not moving.isdisjoint(one.args)
            if one.op == "leave_if" and not is_moving:
                (fails,) = one.args
                tests.append(lowering.compute("xor", BIT, fails, True, type=BIT))
                continue
            if one.op.split(" ")[0] not in _NUMBERS or one.exit or one.blocks:
                raise NotLowered(f"{one.op} in a turn of elements")
            if is_moving:
                moving.update(one.outs)
            lowering.block.instructions.append(one)
        return tests

    def _alike(self, arrays: Sequence[Array]) -> list[Operand]:
        """That all have the same dims."""
        lowering, first, tests = self.lowering, arrays[0], list[Operand]()
        for one in arrays[1:]:
            if len(one.dims) != len(first.dims):
                raise NotLowered("rows that are repeated")
            for size, known in zip(one.dims, first.dims, strict=True):
                if isinstance(size, Local) or isinstance(known, Local):
                    test = lowering.compute("icmp eq", BIT, size, known, type=INT)
                    tests.append(True if size is known else test)
                else:
                    tests.append(size == known)
        return tests

    def _choose(self, expressions: Sequence[Map]) -> None:
        """What a turn takes, and how many of them an element takes at once."""
        terms = {id(one): one for row in expressions for one in terms_of(row)}
        operations = [one for one in terms.values() if isinstance(one, Map)]
        self.cost = sum(map(own_cost, operations))
        if not any(one.symbol or one.op in ALL for one in operations):
            self.at_once = max(1, min(AT_ONCE, OPERATIONS // len(operations)))
            # Vectors, from memory only each fourth time.
            self.cost = len(operations)

    def _count_turns(self) -> None:
        """How many turns are taken at once: the fewer, the more elements there are."""
        lowering, size = self.lowering, self.size
        (counter,) = self.turn.counter().parts
        left = lowering.compute("sub", INT, self.turn.loop.end, counter, type=INT)
        if isinstance(size, Local):
            work = lowering.compute("mul", INT, size, self.cost, type=INT)
            # Of no elements nothing is done, by the test.
            work = lowering.compute("smax", INT, work, 1)
            most: Operand = lowering.compute("sdiv", INT, WORK, work, type=INT)
            most = lowering.compute("smin", INT, most, MOST)
        else:
            most = min(MOST, WORK // max(1, int(size) * self.cost))
        self.count = lowering.compute("smin", INT, left, most)

    # What is written.

    def block(self, hand_over: Callable[[], None]) -> Block:
        """The turns, and what `hand_over` writes of the results of the loop's body.

        One of these may be a constant, or another carried one, which a turn alone is to
        read as it was.
        """
        lowering, results = self.lowering, self.turn.step.bodies[1].outputs
        before = {one: lowering.values.get(one) for one in results}

        def write() -> None:
            self._write()
            hand_over()

        made = lowering.within(write)
        for one, value in before.items():
            if value is None:
                del lowering.values[one]
            else:
                lowering.values[one] = value
        return made

    def _write(self) -> None:
        """The turns; what is behind them becomes the results of the loop's body."""
        lowering, again = self.lowering, self.turn.step.bodies[1]
        lowering.place = (again, 0)
        made = {at: self._result(at) for at in self.turn.loop.arrays}

        write = partial(self._turns, self._passes(), made)

        def part(first: Operand, length: Operand) -> None:
            index = lowering.local(INT)

            def block() -> None:
                at = plus(lowering, first, index)
                start = lowering.compute("mul", INT, at, BLOCK, type=INT)
                left = lowering.compute("sub", INT, self.size, start, type=INT)
                write(start, lowering.compute("smin", INT, left, BLOCK))

            blocks = (lowering.within(block),)
            lowering.emit("for", index, length, blocks=blocks)

        more = plus(lowering, self.size, BLOCK - 1)
        number: Operand = lowering.compute("sdiv", INT, more, BLOCK, type=INT)
        share(lowering, number, [BLOCK, self.count], self.cost, True, part)
        results: dict[int, Array | Number] = {
            **made,
            **self._numbers_behind(),
        }
        results[self.turn.loop.counter] = self.turn.counter_at(self.count)
        for at, value in results.items():
            lowering.values[again.outputs[at]] = value

    def _result(self, at: int) -> Array:
        """The array that a carried one is to be behind the turns."""
        lowering, again = self.lowering, self.turn.step.bodies[1]
        variable, mine = again.outputs[at], self.turn.array(at)
        if at in self.turn.loop.in_place:
            lowering.join(variable, self.turn.step.carried[at])
            return mine
        made = new_array(lowering, mine.dtype, mine.dims)
        lowering.hold(variable, made.object, again)
        return made

    def _passes(self) -> tuple[Operand, Operand]:
        """How often a block takes some turns at once, and how many it takes besides."""
        lowering, count = self.lowering, self.count
        if self.at_once == 1:
            return 0, count
        passes = lowering.compute("sdiv", INT, count, self.at_once, type=INT)
        done = lowering.compute("mul", INT, passes, self.at_once, type=INT)
        return passes, lowering.compute("sub", INT, count, done, type=INT)

    def _turns(
        self,
        passes: tuple[Operand, Operand],
        made: dict[int, Array],
        start: Operand,
        length: Operand,
    ) -> None:
        """All turns of one block."""
        (several, others), at_once = passes, self.at_once
        write, numbers = partial(self._block, made, start, length), self.turn.numbers()
        done: Operand = 0
        if at_once > 1:
            done = times(self.lowering, several, at_once)
            numbers = self._repeated(
                several,
                numbers,
                lambda own, at: write(at_once, own, times(self.lowering, at, at_once)),
            )
        self._repeated(
            others,
            numbers,
            lambda own, at: write(1, own, plus(self.lowering, done, at)),
        )

    def _repeated(
        self,
        count: Operand,
        before: Numbers,
        write: Callable[[Numbers, Operand], Numbers],
    ) -> Numbers:
        """A loop of so many turns, and the numbers behind it.

        write: what writes a turn, given the numbers before it and which one it is
        """
        lowering = self.lowering
        own = {
            at: Number(one.dtype, one.weak, tuple(map(self._local_like, one.parts)))
            for at, one in before.items()
        }
        targets = [part for one in own.values() for part in one.parts]
        firsts = [part for one in before.values() for part in one.parts]
        lowering.assign(targets, firsts)
        index = lowering.local(INT)

        def turn() -> None:
            after = write(own, index)
            lowering.assign(targets, [part for at in own for part in after[at].parts])

        lowering.emit("for", index, count, blocks=(lowering.within(turn),))
        return own

    def _local_like(self, one: Operand) -> Local:
        assert isinstance(one, Local), "what a loop carries is locals"
        return self.lowering.local(one.type)

    def _numbers_behind(self) -> Numbers:
        """The numbers behind all turns."""
        before = self.turn.numbers()
        return self._repeated(self.count, before, self._numbers_alone) if before else {}

    def _numbers_alone(self, numbers: Numbers, index: Operand) -> Numbers:
        """A turn of the numbers."""
        _, after, written = self.turn.written(
            numbers, self.turn.arrays(), self.turn.counter_at(index)
        )
        self._put(written)
        return after

    def _block(
        self,
        made: dict[int, Array],
        start: Operand,
        length: Operand,
        number: int,
        numbers: Numbers,
        index: Operand,
    ) -> Numbers:
        """So many turns of one block: of what is there at first, then what is made."""
        lowering, arrays = self.lowering, self.turn.arrays()
        is_first = lowering.compute("icmp eq", BIT, index, 0, type=INT)
        for at, array in arrays.items():
            if at not in self.turn.loop.in_place:
                both = array.data, made[at].data
                data = lowering.compute("select", POINTER, is_first, *both)
                arrays[at] = replace(array, data=data)
        values: dict[int, Array | Map] = {**arrays}
        for more in range(number):
            counter = self.turn.counter_at(plus(lowering, index, more))
            rows, numbers, written = self.turn.written(numbers, values, counter)
            self._put(written)
            values = dict(zip(self.turn.loop.arrays, rows, strict=True))
        self._elements([*values.values()], made, start, length)
        return numbers

    def _elements(
        self,
        values: Sequence[Array | Map],
        made: dict[int, Array],
        start: Operand,
        length: Operand,
    ) -> None:
        """Compute the elements of a block, all of a place before any is written."""
        lowering, parts = self.lowering, dict[int, Map]()
        known = {
            id(leaf): flat(leaf, self.size) for v in values for leaf in leaves_of(v)
        }
        rows = [with_arrays(one, known, (self.size,), parts) for one in values]
        emitter = RowBlock(lowering, True)
        for row in rows:
            emitter.ready(row, start, length)

        def element(at: Operand, in_block: Operand) -> None:
            same: dict[int, tuple[Operand, ...]] = {}
            found = [emitter.value(row, at, in_block, same) for row in rows]
            for place, operands in zip(self.turn.loop.arrays, found, strict=True):
                emitter.put(flat(made[place], self.size), at, operands)

        emitter.each(start, length, element)

    def _put(self, written: Block) -> None:
        """What a turn computes of numbers; that it is never left is known by now."""
        for one in written.instructions:
            if one.op != "leave_if":
                self.lowering.block.instructions.append(one)


def _leave_unless_alike(before: Numbers, after: Numbers) -> None:
    """NotLowered: a number becomes one of another kind."""
    for at, one in before.items():
        other = after[at]
        if isinstance(one.weak, Local) or one[:2] != other[:2]:
            raise NotLowered("a number of several kinds")
