"""block_turns: a loop over whole arrays, of which a block takes several turns at once.

Where a counted loop computes each element of what it carries from the elements at the
same place, a block of them can be some turns ahead of the others. So it stays in the
cache, where turn after turn all arrays would come from memory. The bits are the same:
each element meets the same operations in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from runtime.backends.llvm.alive import is_constant
from runtime.backends.llvm.blocks import new_array
from runtime.backends.llvm.element_loops import ElementLoop, element_loop
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
from runtime.backends.llvm.lowering import Lowering, lower_of
from runtime.backends.llvm.maps import extent, leaves_of
from runtime.backends.llvm.pieces import (
    all_of,
    flat,
    is_one_piece,
    product,
    with_arrays,
)
from runtime.backends.llvm.row_block import BLOCK, RowBlock
from runtime.backends.llvm.sharing import cost_of, plus, share
from runtime.backends.llvm.unused import PURE
from runtime.backends.llvm.values import NotLowered
from runtime.backends.numpy.program import Step
from runtime.structs import struct

# Elements from which on it is done: fewer stay in the cache anyway.
LEAST = 4096
# Turns of a block at most; and what all elements take between two looks at whether the
# user interrupts, in tenths of a nanosecond by estimate.
MOST, WORK = 64, 300_000_000
# What the numbers of a turn are computed by: nothing of it can fail, nor trap.
_NUMBERS = (PURE | {"same", "move"}) - {"sdiv", "srem"}

Numbers = dict[int, Number]


def block_turns(lowering: Lowering, step: Step) -> BlockTurns | None:
    """The turns of a loop whose body is about to be written; None: it is another one.

    What the test needs is computed at once.
    """
    try:
        loop = element_loop(lowering, step)
        if loop is None:
            return None
        made = BlockTurns(lowering, step, loop)
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
    """

    lowering: Lowering
    step: Step
    loop: ElementLoop
    test: Operand = False
    count: Operand = 0
    size: Operand = 0
    cost: int = 1

    # What is asked.

    def ask(self) -> None:
        """Compute the test, from a turn as it would be. NotLowered: it cannot be."""
        lowering, numbers, arrays = self.lowering, self._numbers(), self._arrays()
        expressions, after, written = self._turn(numbers, arrays, self._counter())
        _leave_unless_alike(numbers, after)
        moving = {part for one in numbers.values() for part in one.parts}
        tests = self._never_left(written, {*moving, *self._counter().parts})
        leaves = [leaf for one in expressions for leaf in leaves_of(one)]
        all_arrays = {id(one): one for one in (*arrays.values(), *leaves)}.values()
        tests += self._alike([*all_arrays])
        tests += [is_one_piece(lowering, one) for one in all_arrays]
        tests += self._apart([*all_arrays])
        self.size = product(lowering, next(iter(arrays.values())).dims)
        self.cost = max(1, sum(map(cost_of, expressions)))
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
            self._block(arrays, 0, BLOCK, numbers, 0)

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

    def _apart(self, arrays: Sequence[Array]) -> list[Operand]:
        """That what is written where it is lies apart from all else."""
        lowering, tests = self.lowering, list[Operand]()
        for at in self.loop.in_place:
            mine = self._array(at)
            first, after = extent(lowering, mine)
            for one in arrays:
                if one is mine:
                    continue
                low, high = extent(lowering, one)
                behind = lowering.compute("icmp sge", BIT, low, after, type=INT)
                before = lowering.compute("icmp sge", BIT, first, high, type=INT)
                tests.append(lowering.compute("or", BIT, behind, before, type=BIT))
        return tests

    def _count_turns(self) -> None:
        """How many turns are taken at once: the fewer, the more elements there are."""
        lowering, size = self.lowering, self.size
        (counter,) = self._counter().parts
        left = lowering.compute("sub", INT, self.loop.end, counter, type=INT)
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

    def write(self) -> None:
        """The turns; what is behind them becomes the results of the loop's body."""
        lowering, again = self.lowering, self.step.bodies[1]
        lowering.place = (again, 0)
        made = {at: self._result(at) for at in self.loop.arrays}

        def part(first: Operand, length: Operand) -> None:
            index = lowering.local(INT)

            def block() -> None:
                at = plus(lowering, first, index)
                start = lowering.compute("mul", INT, at, BLOCK, type=INT)
                left = lowering.compute("sub", INT, self.size, start, type=INT)
                some = lowering.compute("smin", INT, left, BLOCK)
                self._turns(partial(self._block, made, start, some))

            blocks = (lowering.within(block),)
            lowering.emit("for", index, length, blocks=blocks)

        more = plus(lowering, self.size, BLOCK - 1)
        number: Operand = lowering.compute("sdiv", INT, more, BLOCK, type=INT)
        share(lowering, number, [BLOCK, self.count], self.cost, True, part)
        results: dict[int, Array | Number] = {
            **made,
            **self._turns(self._numbers_alone),
        }
        results[self.loop.counter] = self._counter_at(self.count)
        for at, value in results.items():
            lowering.values[again.outputs[at]] = value

    def _result(self, at: int) -> Array:
        """The array that a carried one is to be behind the turns."""
        lowering, again = self.lowering, self.step.bodies[1]
        variable, mine = again.outputs[at], self._array(at)
        if at in self.loop.in_place:
            lowering.join(variable, self.step.carried[at])
            return mine
        made = new_array(lowering, mine.dtype, mine.dims)
        lowering.hold(variable, made.object, again)
        return made

    def _turns(self, write: Callable[[Numbers, Operand], Numbers]) -> Numbers:
        """As many turns as are taken, and the numbers behind them.

        write: what writes a turn, given the numbers before it and which one it is
        """
        lowering, before = self.lowering, self._numbers()
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

        if own or write != self._numbers_alone:
            blocks = (lowering.within(turn),)
            lowering.emit("for", index, self.count, blocks=blocks)
        return own

    def _local_like(self, one: Operand) -> Local:
        assert isinstance(one, Local), "what a loop carries is locals"
        return self.lowering.local(one.type)

    def _numbers_alone(self, numbers: Numbers, index: Operand) -> Numbers:
        """A turn of the numbers."""
        _, after, written = self._turn(numbers, self._arrays(), self._counter_at(index))
        self._put(written)
        return after

    def _block(
        self,
        made: dict[int, Array],
        start: Operand,
        length: Operand,
        numbers: Numbers,
        index: Operand,
    ) -> Numbers:
        """A turn of one block: from what is there at first, then from what is made."""
        lowering, arrays = self.lowering, self._arrays()
        is_first = lowering.compute("icmp eq", BIT, index, 0, type=INT)
        for at, array in arrays.items():
            if at not in self.loop.in_place:
                both = array.data, made[at].data
                data = lowering.compute("select", POINTER, is_first, *both)
                arrays[at] = replace(array, data=data)
        counter = self._counter_at(index)
        expressions, after, written = self._turn(numbers, arrays, counter)
        self._put(written)
        leaves = [leaf for one in expressions for leaf in leaves_of(one)]
        known = {id(leaf): flat(leaf, self.size) for leaf in leaves}
        rows = [with_arrays(one, known, self.size) for one in expressions]
        emitter = RowBlock(lowering, True)
        for row in rows:
            emitter.ready(row, start, length)

        def element(at: Operand, in_block: Operand) -> None:
            same: dict[int, tuple[Operand, ...]] = {}
            found = [emitter.value(row, at, in_block, same) for row in rows]
            # All are computed before any is written, for they read one another.
            for place, parts in zip(self.loop.arrays, found, strict=True):
                emitter.put(flat(made[place], self.size), at, parts)

        emitter.each(start, length, element)
        return after

    def _put(self, written: Block) -> None:
        """What a turn computes of numbers; that it is never left is known by now."""
        for one in written.instructions:
            if one.op != "leave_if":
                self.lowering.block.instructions.append(one)

    def _turn(
        self, numbers: Numbers, arrays: dict[int, Array], counter: Number
    ) -> tuple[list[Map], Numbers, Block]:
        """What a turn makes of the arrays, as expressions, and of the numbers.

        With the instructions for that; all else is as it was before.
        """
        lowering, again = self.lowering, self.step.bodies[1]
        values, exits = lowering.values, lowering.exits
        warned, handed = len(lowering.warned), len(lowering.handed)
        given: dict[int, Array | Number] = {**numbers, **arrays}
        given[self.loop.counter] = counter
        known = {self.step.carried[at]: one for at, one in given.items()}
        lowering.values = {**values, **known}
        lowering.exits, lowering.leaves_all = dict(exits), True
        counted = again.outputs[self.loop.counter]

        def steps() -> None:
            for one in again.steps:
                if one.outputs[0] is not counted:
                    lower_of(one, lowering.typed)(lowering, one)

        try:
            written = lowering.within(steps)
            expressions = [self._expression(at) for at in self.loop.arrays]
            after = {at: lowering.number_of(again.outputs[at]) for at in numbers}
        finally:
            made = dict(lowering.values)
            values.update({v: one for v, one in made.items() if is_constant(v)})
            lowering.values, lowering.exits = values, exits
            lowering.leaves_all = False
            del lowering.warned[warned:], lowering.handed[handed:]
        return expressions, after, written

    def _expression(self, at: int) -> Map:
        found = self.lowering.operand(self.step.bodies[1].outputs[at])
        if not isinstance(found, Map) or found.dtype != self._array(at).dtype:
            raise NotLowered("an array of another kind")
        return found

    # What is carried.

    def _array(self, at: int) -> Array:
        return self.lowering.array_of(self.step.carried[at])

    def _arrays(self) -> dict[int, Array]:
        return {at: self._array(at) for at in self.loop.arrays}

    def _numbers(self) -> Numbers:
        """The numbers that a turn changes, but the counter."""
        others = {self.loop.counter, *self.loop.arrays}
        again, carried = self.step.bodies[1], self.step.carried
        return {
            at: self.lowering.number_of(before)
            for at, (one, before) in enumerate(zip(again.outputs, carried, strict=True))
            if at not in others and one is not before
        }

    def _counter(self, value: Operand | None = None) -> Number:
        number = self.lowering.number_of(self.step.carried[self.loop.counter])
        return number if value is None else number._replace(parts=(value,))

    def _counter_at(self, index: Operand) -> Number:
        (first,) = self._counter().parts
        return self._counter(plus(self.lowering, first, index))


def _leave_unless_alike(before: Numbers, after: Numbers) -> None:
    """NotLowered: a number becomes one of another kind."""
    for at, one in before.items():
        other = after[at]
        if isinstance(one.weak, Local) or one[:2] != other[:2]:
            raise NotLowered("a number of several kinds")
