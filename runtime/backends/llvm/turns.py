"""turns: numbers for what is the same in all turns of a loop.

A product packs such a matrix once (`packed_once.py`), and knows it by that number: each
time that a loop begins it has new ones, since the memory may have another content then.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

from runtime.backends.llvm.loops import INT, Array, Instruction, Local, Operand
from runtime.backends.numpy.program import Step, Variable

if TYPE_CHECKING:
    from runtime.backends.llvm.lines import Lines
    from runtime.backends.llvm.lowering import Lowering

BEGIN, SYMBOL = "begin", "runs"
# The numbers that a run of a loop has.
IN_A_RUN = 64
# The first one of the next run: 0 is no number.
NEXT = ctypes.c_int64(IN_A_RUN)


class Turns:
    """The loops of a function that have numbers, and of which variables."""

    def __init__(self) -> None:
        self._first: dict[Step, Local] = {}
        self._numbers: dict[Step, dict[Variable, int]] = {}

    def number(self, lowering: Lowering, variable: Variable) -> Operand:
        """A number for a variable that all turns of a loop around read, or 0.

        Of a part of another array it is the number of that one.
        """
        root = _root(lowering, variable)
        loop = _outermost(lowering, root)
        if loop is None:
            return 0
        numbers = self._numbers.setdefault(loop, {})
        number = numbers.setdefault(root, len(numbers))
        if number >= IN_A_RUN:
            return 0
        if loop not in self._first:
            self._first[loop] = lowering.local(INT)
        return lowering.compute("add", INT, self._first[loop], number, type=INT)

    def begin(self, lowering: Lowering, loop: Step) -> None:
        """What comes before a loop whose body has been written."""
        first = self._first.get(loop)
        if first is not None:
            made = Instruction(BEGIN, (first,))
            lowering.block.instructions.append(made)


def _root(lowering: Lowering, variable: Variable) -> Variable:
    """Whose content it is, where it is a part of another array."""
    value = lowering.values.get(variable)
    while isinstance(value, Array) and value.is_view and variable.index >= 0:
        step = variable.home.steps[variable.index]
        # What a branch or a loop gives is no part of what it asks first.
        if not step.node.op.view:
            break
        variable = step.inputs[0]
        value = lowering.values.get(variable)
    return variable


def _outermost(lowering: Lowering, variable: Variable) -> Step | None:
    """The outermost loop of the function that reads it and does not make it."""
    body, found = lowering.place[0], None
    while body is not variable.home and body is not lowering.span.body:
        assert body.parent is not None, "a body of the span has one around it"
        step = body.parent.steps[body.position]
        found = step if step.carried else found
        body = body.parent
    return found


def write(text: Lines, one: Instruction) -> None:
    """The first number of a run of a loop."""
    text.symbol(SYMBOL, f"@{SYMBOL} = external global i64")
    more = f"atomicrmw add ptr @{SYMBOL}, i64 {IN_A_RUN} monotonic"
    text.keep(one.outs[0], text.set(more))
