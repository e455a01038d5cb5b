"""comparing: what comparisons, logic and the operators of bits become."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from runtime.backends.llvm.loops import BIT, Local, Number
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.numbers import (
    convert,
    is_weak,
    may_be_weak,
    out_of,
    row,
    truth_of,
    within_exact,
)
from runtime.backends.llvm.values import NotLowered, machine_type
from runtime.backends.llvm.walking import is_in_loop
from runtime.backends.numpy.program import Step

# --- comparison -----------------------------------------------------------------------
ORDERS = {
    "less": ("slt", "ult", "olt"),
    "less_equal": ("sle", "ule", "ole"),
    "greater": ("sgt", "ugt", "ogt"),
    "greater_equal": ("sge", "uge", "oge"),
    "equal": ("eq", "eq", "oeq"),
    "not_equal": ("ne", "ne", "une"),
}


@row(*ORDERS)
def compare(lowering: Lowering, step: Step, op: str) -> None:
    """Comparisons, in the dtype that both are promoted to."""
    out_of(step)
    numbers = [lowering.number_of(v) for v in step.inputs]
    dtype = compared_as(step, numbers)
    if all(map(may_be_weak, numbers)) and dtype.kind == "f":
        for number in numbers:
            within_exact(lowering, number)
    a, b = (convert(lowering, number, dtype) for number in numbers)
    kind = machine_type(dtype)
    if dtype.kind == "c":
        if op not in ("equal", "not_equal"):
            raise NotLowered("the order of complex numbers")
        word, joined = ("oeq", "and") if op == "equal" else ("une", "or")
        both = [
            lowering.compute(f"fcmp {word}", BIT, x, y, type=kind)
            for x, y in zip(a, b, strict=True)
        ]
        lowering.give(step, lowering.compute(joined, BIT, *both, type=BIT))
        return
    if not isinstance(a[0], Local) and not isinstance(b[0], Local):
        lowering.give(step, bool(getattr(np, op)(a[0], b[0])))
        return
    if op == "greater" and dtype.kind == "b" and b[0] is False:
        lowering.give(step, a[0])
        return
    place = {"i": 0, "u": 1, "b": 1, "f": 2}[dtype.kind]
    word = ("fcmp " if place == 2 else "icmp ") + ORDERS[op][place]
    lowering.give(step, lowering.compute(word, BIT, a[0], b[0], type=kind))


def compared_as(step: Step, numbers: list[Number]) -> np.dtype[Any]:
    """The dtype that the operands are compared in; NotLowered if only the run knows."""
    either = [
        [n._replace(weak=flag) for flag in (True, False)]
        if isinstance(n.weak, Local)
        else [n]
        for n in numbers
    ]
    found = {_compared_as(step, [*kinds]) for kinds in itertools.product(*either)}
    if len(found) != 1:
        raise NotLowered("numbers that may be Python's or NumPy's")
    return found.pop()


def _compared_as(step: Step, numbers: list[Number]) -> np.dtype[Any]:
    if all(is_weak(number) for number in numbers):
        return max((n.dtype for n in numbers), key=lambda d: "bifc".index(d.kind))
    ufunc = step.node.op.numpy
    assert isinstance(ufunc, np.ufunc)
    types = {np.dtype(int): int, np.dtype(float): float, np.dtype(complex): complex}
    given = [types.get(n.dtype, n.dtype) if is_weak(n) else n.dtype for n in numbers]
    a, b, _ = ufunc.resolve_dtypes((*given, None))
    if a != b or a.kind not in "biufc":
        raise NotLowered(f"comparison of {numbers[0].dtype} and {numbers[1].dtype}")
    return a


# --- logic ----------------------------------------------------------------------------
@row("truth", "not")
def truth(lowering: Lowering, step: Step, op: str) -> None:
    """`bool(x)`, `not x`."""
    found = truth_of(lowering, lowering.number_of(step.inputs[0]))
    if op == "not":
        found = lowering.compute("xor", BIT, found, True, type=BIT)
    lowering.give(step, found)


@row("logical_and", "logical_or", "logical_xor", "logical_not")
def logical(lowering: Lowering, step: Step, op: str) -> None:
    """NumPy's functions of truth."""
    out_of(step)
    found = [truth_of(lowering, lowering.number_of(v)) for v in step.inputs]
    if op == "logical_not":
        op, found = "logical_xor", [*found, True]
    word = op.removeprefix("logical_")
    lowering.give(step, lowering.compute(word, BIT, *found, type=BIT))


@row("bitwise_and", "bitwise_or", "bitwise_xor", "invert")
def bitwise(lowering: Lowering, step: Step, op: str) -> None:
    """Of bools and ints, bit by bit."""
    dtype = out_of(step)
    kind = machine_type(dtype)
    found = [convert(lowering, lowering.number_of(v), dtype)[0] for v in step.inputs]
    if op == "invert":
        op, found = "bitwise_xor", [*found, True if dtype.kind == "b" else -1]
    word = op.removeprefix("bitwise_")
    lowering.give(step, lowering.compute(word, kind, *found, type=kind))


@row("left_shift", "right_shift")
def shifts(lowering: Lowering, step: Step, op: str) -> None:
    """`x << y`, `x >> y`, where y is smaller than the number of bits."""
    dtype = out_of(step)
    kind = machine_type(dtype)
    a, b = (convert(lowering, lowering.number_of(v), dtype)[0] for v in step.inputs)
    bits = 8 * dtype.itemsize
    lowering.leave_if(lowering.compute("icmp uge", BIT, b, bits, type=kind))
    right = "ashr" if dtype.kind == "i" else "lshr"
    word = right if op == "right_shift" else "shl"
    made = lowering.compute(word, kind, a, b, type=kind)
    if op == "left_shift" and lowering.number_of(step.inputs[0]).weak:
        back = lowering.compute("ashr", kind, made, b, type=kind)
        lowering.leave_if(lowering.compute("icmp ne", BIT, back, a, type=kind))
    lowering.give(step, made)


@row("require_defined")
def require_defined(lowering: Lowering, step: Step, op: str) -> None:
    """Go on as Python where a name is not bound, which raises."""
    found = truth_of(lowering, lowering.number_of(step.inputs[0]))
    if isinstance(found, Local):
        found = lowering.compute("xor", BIT, found, True, type=BIT)
        lowering.leave_if(found)
    else:
        lowering.leave_if(not found)


@row("raise", "assert")
def raised(lowering: Lowering, step: Step, op: str) -> None:
    """Go on as Python where something is raised: it makes the exception, and raises.

    What a message is made of is handed to it; the text itself is Python's.
    NotLowered: it is in no loop, where it would gain nothing
    """
    if not is_in_loop(lowering.place[0]):
        raise NotLowered("what raises, in no loop")
    if op == "raise":
        lowering.leave_if(True)
        return
    lowering.leave_unless(truth_of(lowering, lowering.number_of(step.inputs[0])))


@row("require_output")
def require_output(lowering: Lowering, step: Step, op: str) -> None:
    """Go on as Python, which raises, where a result is not as large as its `out`."""
    made, out = (lowering.operand(variable) for variable in step.inputs[:2])
    if not np.can_cast(made.dtype, out.dtype, "same_kind"):
        raise NotLowered(f"a result of {made.dtype} for an out of {out.dtype}")
    sizes = [() if isinstance(one, Number) else one.dims for one in (made, out)]
    if len(sizes[0]) != len(sizes[1]):
        lowering.leave_if(True)
        return
    for size, known in zip(*sizes, strict=True):
        lowering.leave_unless_equal(size, known)
