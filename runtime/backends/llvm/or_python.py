"""or_python: a number that the machine has where it can, and Python gives elsewhere.

A way out would be taken a few times, and the loop be Python's then; this is one call,
in that very turn. What it raises is what Python raises there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from runtime.backends.llvm.fallback import call_python
from runtime.backends.llvm.from_front import SELDOM
from runtime.backends.llvm.loops import BIT, Operand, operands_of
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.numpy.program import Step


def or_python(
    lowering: Lowering,
    step: Step,
    fits: Operand,
    write: Callable[[], Sequence[Operand]],
) -> None:
    """The step's number: as `write` has it where `fits` holds, else as Python does.

    write: gives the number's parts
    """
    (variable,) = step.outputs
    made = lowering.entering(variable)
    asked = lowering.within(lambda: call_python(lowering, step, (made,)))
    into = [*operands_of(made)]
    plain = lowering.within(lambda: lowering.assign(into, write()))
    is_not = lowering.compute("xor", BIT, fits, True, type=BIT)
    lowering.emit("if", is_not, blocks=(asked, plain), type=SELDOM)
    lowering.give(step, *into)
