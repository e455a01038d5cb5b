"""python_draws: numbers that a loop draws from generators of Python's `random`.

`random.random()` is one C function of CPython's, `getrandbits` another; the methods
that are known here are Python around these, and machine code does what that does.
Whoever draws holds Python's lock, and so does machine code.
"""

from __future__ import annotations

import ctypes
import functools
import random
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.backends.llvm.draws import leave_unless_near, note_draw
from runtime.backends.llvm.loops import BIT, DOUBLE, INT, Local, Number, Operand
from runtime.backends.llvm.lowering import LOWER, Lowering
from runtime.backends.llvm.numbers import convert, out_of, within_exact
from runtime.backends.llvm.values import NotLowered
from runtime.backends.numpy.program import Step
from runtime.ops.template import Input

# The C functions, with what the machine code calls them.
RANDOM, BITS = "python_random", "python_getrandbits"
_C_NAMES = {RANDOM: ("random", 0x04), BITS: ("getrandbits", 0x08)}
# How many arguments a method may have.
METHODS = {"random": (0,), "uniform": (2,), "randint": (2,), "randrange": (1, 2)}
FLOATS = frozenset({"random", "uniform"})
# A method descriptor's definition; in that the function, and how it is called.
DEFINITION, FUNCTION, FLAGS = 40, 8, 16
# The widest range that is drawn from here.
WIDEST = 2**62
TRIED = 60


def is_known(step: Step) -> bool:
    """Whether there is machine code for a draw."""
    known = step.node.attributes
    counts = METHODS.get(known["method"], ())
    is_plain = type(known["generator"]) is random.Random and not known["kwargs"]
    return is_plain and len(known["args"]) in counts and _is_same(known["method"])


@functools.cache
def address_of(symbol: str) -> int:
    """The address of a C function of `random.Random`; 0 where it is not found."""
    name, flags = _C_NAMES[symbol]
    method = random.Random.__mro__[1].__dict__.get(name)
    kind = type(list.append)
    if type(method) is not kind or kind.__basicsize__ < DEFINITION + 8:
        return 0
    definition = ctypes.c_void_p.from_address(id(method) + DEFINITION).value or 0
    text = ctypes.c_char_p.from_address(definition).value
    found = ctypes.c_int.from_address(definition + FLAGS).value
    if text != name.encode() or found != flags:
        return 0
    return ctypes.c_void_p.from_address(definition + FUNCTION).value or 0


@functools.cache
def _is_same(method: str) -> bool:
    """Whether what is done here draws what the method draws, and as often."""
    if not all(map(address_of, _C_NAMES)):
        return False
    one, other = random.Random(3), random.Random(3)
    given: list[tuple[Any, ...]] = [(2, 9), (-(10**6), 10**12), (0, 2**40 + 1)]
    if method in FLOATS:
        given = [()] if method == "random" else [(-1.5, 2.0), (3.5, 9.0)]
    draw = getattr(one, method)
    pairs = [(draw(*args), _DONE[method](other, *args)) for args in given * TRIED]
    return all(a == b for a, b in pairs) and one.getstate() == other.getstate()


def _called(generator: Any, symbol: str, *given: Any) -> Any:
    kinds = ctypes.py_object, ctypes.c_void_p
    call = ctypes.PYFUNCTYPE(ctypes.py_object, *kinds)(address_of(symbol))
    return call(generator, id(given[0]) if given else None)


def _below(generator: Any, width: int) -> int:
    bits = width.bit_length()
    found: int = _called(generator, BITS, bits)
    while found >= width:
        found = _called(generator, BITS, bits)
    return found


# What machine code does, in Python.
_DONE: dict[str, Callable[..., Any]] = {
    "random": lambda one: _called(one, RANDOM),
    "uniform": lambda one, a, b: a + (b - a) * _called(one, RANDOM),
    "randint": lambda one, a, b: a + _below(one, b - a + 1),
    "randrange": lambda one, a, b: a + _below(one, b - a),
}


def ask(lowering: Lowering, step: Step) -> None:
    """One number of a generator's."""
    known = step.node.attributes
    generator, method = known["generator"], known["method"]
    if not is_known(step) or len(step.outputs) != 1:
        raise NotLowered(f"a draw by {method}")
    wanted = np.dtype(float if method in FLOATS else int)
    if out_of(step) != wanted or step.outputs[0].spec.weak is not True:
        raise NotLowered(f"a draw by {method} of {out_of(step)}")
    numbers = [_number(lowering, step, one, wanted) for one in known["args"]]
    source = lowering.named_source(generator)
    if wanted == np.dtype(float):
        lowering.give(step, _float(lowering, source, numbers))
    else:
        lowering.give(step, _int(lowering, source, numbers, method == "randint"))


def _float(lowering: Lowering, source: str, numbers: list[Operand]) -> Operand:
    for number in numbers:
        leave_unless_near(lowering, number)
    # From here on nothing may leave: it would be drawn once more.
    lowering.named[RANDOM] = address_of(RANDOM), random.Random
    made = lowering.compute("ask_random", DOUBLE, symbol=source, type=RANDOM)
    note_draw(lowering)
    if not numbers:
        return made
    low, high = numbers
    width = lowering.compute("fsub", DOUBLE, high, low, type=DOUBLE)
    part = lowering.compute("fmul", DOUBLE, width, made, type=DOUBLE)
    return lowering.compute("fadd", DOUBLE, low, part, type=DOUBLE)


def _int(
    lowering: Lowering, source: str, numbers: list[Operand], closed: bool
) -> Operand:
    low, high = numbers if len(numbers) == 2 else (0, numbers[0])
    # Both lie so near to 0 that no difference outgrows the machine.
    for part in (low, high):
        moved = lowering.compute("add", INT, part, WIDEST // 4, type=INT)
        far = lowering.compute("icmp ugt", BIT, moved, WIDEST // 2, type=INT)
        lowering.leave_if(far)
    width = lowering.compute("sub", INT, high, low, type=INT)
    if closed:
        width = lowering.compute("add", INT, width, 1, type=INT)
    lowering.leave_if(lowering.compute("icmp slt", BIT, width, 1, type=INT))
    lowering.named[BITS] = address_of(BITS), random.Random
    made = lowering.compute("ask_below", INT, width, symbol=source, type=BITS)
    note_draw(lowering)
    return lowering.compute("add", INT, low, made, type=INT)


def _number(
    lowering: Lowering, step: Step, given: Any, wanted: np.dtype[Any]
) -> Operand:
    """An argument, one of Python's numbers, as a float or an int."""
    if type(given) is Input:
        number = lowering.number_of(step.inputs[given.k])
    elif type(given) in (int, float) and abs(given) < WIDEST:
        number = Number(np.dtype(type(given)), True, (given,))
    else:
        raise NotLowered("a draw by what is no number of Python's")
    if number.weak is not True or number.dtype.kind not in "if":
        raise NotLowered("a draw by what is no number of Python's")
    if wanted == np.dtype(int):
        if number.dtype != wanted:
            raise NotLowered("a draw of ints by floats")
        return number.parts[0]
    within_exact(lowering, number)
    (part,) = convert(lowering, number, wanted)
    return part if isinstance(part, Local) else float(part)


LOWER["ask"] = ask
