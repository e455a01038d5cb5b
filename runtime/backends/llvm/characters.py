"""characters: what reading the code points of a text becomes, and asking what they are.

Of those that ASCII has the machine knows all; of others Python is asked.
"""

from __future__ import annotations

import numpy as np

from runtime.backends.llvm.arrays import load, part_of
from runtime.backends.llvm.loops import BIT, INT, Local, Number, Operand
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.numbers import convert, row
from runtime.backends.numpy.program import Step
from runtime.ops.template import Input

ASCII, WORD, ALL = 128, 64, 0x110000
# The letters that a method changes begin there, and become those so far away.
LETTERS = 26
CHANGED = {"lower": (ord("A"), ord("a") - ord("A")), "upper": (ord("a"), -32)}
INT64 = np.dtype(np.int64)


@row("char_code")
def code(lowering: Lowering, step: Step, op: str) -> None:
    """The code point at a place; outside, Python raises."""
    codes, *dynamic = step.inputs
    found = part_of(lowering, lowering.array_of(codes), (Input(0),), dynamic)
    number = Number(found.dtype, False, load(lowering, found))
    lowering.give(step, *convert(lowering, number, INT64))


def _within_ascii(lowering: Lowering, step: Step) -> Operand:
    """The operand, of which Python is asked where ASCII does not have it."""
    (found,) = lowering.number_of(step.inputs[0]).parts
    lowering.leave_if(lowering.compute("icmp uge", BIT, found, ASCII, type=INT))
    return found


@row("char_is")
def is_so(lowering: Lowering, step: Step, op: str) -> None:
    """A method that asks: one bit of 128."""
    found = _within_ascii(lowering, step)
    method = step.node.attributes["method"]
    low, high = (
        sum(getattr(chr(first + place), method)() << place for place in range(WORD))
        for first in (0, WORD)
    )
    is_low = lowering.compute("icmp ult", BIT, found, WORD, type=INT)
    bits = lowering.compute("select", INT, is_low, _signed(low), _signed(high))
    place = lowering.compute("and", INT, found, WORD - 1, type=INT)
    moved = lowering.compute("lshr", INT, bits, place, type=INT)
    bit = lowering.compute("and", INT, moved, 1, type=INT)
    lowering.give(step, lowering.compute("icmp ne", BIT, bit, 0, type=INT))


def _signed(word: int) -> int:
    return word - 2**WORD if word >= 2 ** (WORD - 1) else word


@row("char_case")
def case(lowering: Lowering, step: Step, op: str) -> None:
    """A method that gives another letter."""
    found = _within_ascii(lowering, step)
    first, away = CHANGED[step.node.attributes["method"]]
    is_letter = _is_among(lowering, found, first, LETTERS)
    other = lowering.compute("add", INT, found, away, type=INT)
    lowering.give(step, lowering.compute("select", INT, is_letter, other, found))


@row("char_of")
def of_number(lowering: Lowering, step: Step, op: str) -> None:
    """`chr(n)`: of what is no character Python raises."""
    (found,) = lowering.number_of(step.inputs[0]).parts
    lowering.leave_if(lowering.compute("icmp uge", BIT, found, ALL, type=INT))
    lowering.give(step, found)


@row("char_digit")
def digit(lowering: Lowering, step: Step, op: str) -> None:
    """`int(c)`: what is no digit of ASCII's is Python's, or raises."""
    (found,) = lowering.number_of(step.inputs[0]).parts
    made = lowering.compute("sub", INT, found, ord("0"), type=INT)
    lowering.leave_if(lowering.compute("icmp uge", BIT, made, 10, type=INT))
    lowering.give(step, made)


def _is_among(lowering: Lowering, found: Operand, first: int, count: int) -> Local:
    away = lowering.compute("sub", INT, found, first, type=INT)
    return lowering.compute("icmp ult", BIT, away, count, type=INT)
