"""element_turn: one turn of a loop that computes elements, as expressions of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runtime.backends.llvm.element_loops import ElementLoop
from runtime.backends.llvm.loops import Array, Block, Map, Number, Operand
from runtime.backends.llvm.lowering import Lowering, lower_of
from runtime.backends.llvm.sharing import plus
from runtime.backends.llvm.span import is_constant
from runtime.backends.llvm.values import NotLowered
from runtime.backends.numpy.program import Step
from runtime.structs import struct

Numbers = dict[int, Number]


@struct(eq=False)
class ElementTurn:
    """A turn, which may be written several times; see `element_loops`."""

    lowering: Lowering
    step: Step
    loop: ElementLoop

    def written(
        self, numbers: Numbers, arrays: Mapping[int, Array | Map], counter: Number
    ) -> tuple[list[Map], Numbers, Block]:
        """What a turn makes of the arrays, as expressions, and of the numbers.

        With the instructions for that; all else is as it was before.
        """
        lowering, again = self.lowering, self.step.bodies[1]
        values, warned = lowering.values, len(lowering.warned)
        given: dict[int, Array | Map | Number] = {**numbers, **arrays}
        given[self.loop.counter] = counter
        known = {self.step.carried[at]: one for at, one in given.items()}
        lowering.values = {**values, **known}
        lowering.leaves_all = True
        counted = again.outputs[self.loop.counter]

        def steps() -> None:
            for one in again.steps:
                if one.outputs[0] is not counted:
                    lower_of(one, lowering.typed)(lowering, one)

        try:
            written = lowering.within(steps)
            expressions = [
                self._expression(at, arrays[at].dtype) for at in self.loop.arrays
            ]
            after = {at: lowering.number_of(again.outputs[at]) for at in numbers}
        finally:
            made = dict(lowering.values)
            values.update({v: one for v, one in made.items() if is_constant(v)})
            lowering.values, lowering.leaves_all = values, False
            del lowering.warned[warned:]
        return expressions, after, written

    def _expression(self, at: int, dtype: Any) -> Map:
        found = self.lowering.operand(self.step.bodies[1].outputs[at])
        if not isinstance(found, Map) or found.dtype != dtype:
            raise NotLowered("an array of another kind")
        return found

    # What is carried.

    def array(self, at: int) -> Array:
        """What is carried at a position."""
        return self.lowering.array_of(self.step.carried[at])

    def arrays(self) -> dict[int, Array]:
        """The arrays that a turn computes, as they are before it."""
        return {at: self.array(at) for at in self.loop.arrays}

    def numbers(self) -> Numbers:
        """The numbers that a turn changes, but the counter."""
        others = {self.loop.counter, *self.loop.arrays}
        again, carried = self.step.bodies[1], self.step.carried
        return {
            at: self.lowering.number_of(before)
            for at, (one, before) in enumerate(zip(again.outputs, carried, strict=True))
            if at not in others and one is not before
        }

    def counter(self, value: Operand | None = None) -> Number:
        """What counts the turns, or a number like it."""
        number = self.lowering.number_of(self.step.carried[self.loop.counter])
        return number if value is None else number._replace(parts=(value,))

    def counter_at(self, index: Operand) -> Number:
        """The same, so many turns later."""
        (first,) = self.counter().parts
        return self.counter(plus(self.lowering, first, index))
