"""kinds_told: which kind a number is of, where only the run knows, and that number.

A Python number, or one of NumPy's of some dtype: machine code has it in its locals.
"""

from __future__ import annotations

from runtime.backends.llvm.loops import INT, Local, Mixed, Number
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.numbers import row
from runtime.backends.llvm.values import NotLowered, parts_of
from runtime.backends.numpy.program import Step


@row("identity", "strong")
def same(lowering: Lowering, step: Step, op: str) -> None:
    """The same value; perhaps as a NumPy scalar."""
    if step.outputs[0].spec.shape != ():
        raise NotLowered(f"{op} of arrays")
    found = lowering.value(step.inputs[0])
    if isinstance(found, Mixed) and op == "identity":
        lowering.values[step.outputs[0]] = found
        return
    lowering.give(step, *lowering.number_of(step.inputs[0]).parts)


@row("as_kind")
def as_kind(lowering: Lowering, step: Step, op: str) -> None:
    """The same value where it is of that kind; elsewhere nobody looks at it."""
    number = lowering.value(step.inputs[0])
    dtype, weak = step.node.attributes["kind"]
    if isinstance(number, Mixed):
        number = next(
            (one for one in number.options if (one.dtype, one.weak) == (dtype, weak)),
            number.options[0],
        )
    if not isinstance(number, Number):
        raise NotLowered("one kind of what is no number")
    parts = number.parts if number.dtype == dtype else (0,) * parts_of(dtype)
    lowering.values[step.outputs[0]] = Number(dtype, weak, parts)


@row("kind_of")
def kind_of(lowering: Lowering, step: Step, op: str) -> None:
    """Which of several kinds it is: machine code knows a number's dtype."""
    found, kinds = lowering.value(step.inputs[0]), step.node.attributes["kinds"]
    if isinstance(found, Mixed):
        if tuple((one.dtype, one.weak) for one in found.options) != kinds:
            raise NotLowered("a number of other kinds than are told")
        lowering.give(step, found.tag)
        return
    number = lowering.number_of(step.inputs[0])
    if not isinstance(number.weak, Local):
        lowering.give(step, kinds.index((number.dtype, number.weak)))
        return
    places = (kinds.index((number.dtype, weak)) for weak in (True, False))
    lowering.give(step, lowering.compute("select", INT, number.weak, *places, type=INT))
