"""characters: what reading the code points of a text becomes, and asking what they are.

What methods say of them stands in tables; of what these do not have Python is asked.
"""

from __future__ import annotations

import numpy as np

from runtime.backends.llvm.arrays import load, part_of
from runtime.backends.llvm.loops import BIT, INT, Number
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.numbers import convert, row
from runtime.backends.llvm.values import NotLowered
from runtime.backends.numpy.program import Step
from runtime.ops.template import Input

ALL = 0x110000
INT64 = np.dtype(np.int64)


@row("char_code")
def code(lowering: Lowering, step: Step, op: str) -> None:
    """The code point at a place; outside, Python raises."""
    codes, *dynamic = step.inputs
    found = part_of(lowering, lowering.array_of(codes), (Input(0),), dynamic)
    number = Number(found.dtype, False, load(lowering, found))
    lowering.give(step, *convert(lowering, number, INT64))


@row("char_is", "char_case")
def by_table(lowering: Lowering, step: Step, op: str) -> None:
    """A method: what its table has; of other code points Python is asked."""
    number, table = step.inputs
    found = part_of(lowering, lowering.array_of(table), (Input(0),), [number])
    lowering.give(step, *load(lowering, found))


@row("char_of")
def of_number(lowering: Lowering, step: Step, op: str) -> None:
    """`chr(n)`: of what is no character Python raises."""
    number = lowering.number_of(step.inputs[0])
    if number.dtype.kind not in "iu":
        raise NotLowered(f"a character of {number.dtype}")
    (found,) = convert(lowering, number, INT64)
    lowering.leave_if(lowering.compute("icmp uge", BIT, found, ALL, type=INT))
    lowering.give(step, found)


@row("char_digit")
def digit(lowering: Lowering, step: Step, op: str) -> None:
    """`int(c)`: what is no digit of ASCII's is Python's, or raises."""
    (found,) = lowering.number_of(step.inputs[0]).parts
    made = lowering.compute("sub", INT, found, ord("0"), type=INT)
    lowering.leave_if(lowering.compute("icmp uge", BIT, made, 10, type=INT))
    lowering.give(step, made)
