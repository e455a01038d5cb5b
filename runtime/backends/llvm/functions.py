"""functions: what functions of numbers become: powers, casts, `math`, NumPy's ufuncs.

A function like `exp` is NumPy's own loop for one element, or the C library's function
where Python calls that: not a bit differs from what the executor gives.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.backends.llvm import abi
from runtime.backends.llvm.distances import hypot
from runtime.backends.llvm.elements import SIMPLE, element, is_own, is_simple, own
from runtime.backends.llvm.library_bits import of_elements, of_numbers, of_single
from runtime.backends.llvm.loops import (
    BIT,
    DOUBLE,
    INT,
    Instruction,
    Local,
    Number,
    Operand,
)
from runtime.backends.llvm.lowering import LOWER, OTHERS, Lowering
from runtime.backends.llvm.mathematics import FUNCTIONS
from runtime.backends.llvm.number_calls import close
from runtime.backends.llvm.numbers import (
    as_floats,
    convert,
    fits,
    is_weak,
    leave_at_zero,
    leave_unless_finite,
    may_be_weak,
    out_of,
    real_as,
    row,
    signs,
    truth_of,
)
from runtime.backends.llvm.outgrown import checked
from runtime.backends.llvm.plain_math import PLAIN
from runtime.backends.llvm.quotients import power_of_complex
from runtime.backends.llvm.values import (
    NotLowered,
    machine_type,
    parts_of,
    ufunc_of,
)
from runtime.backends.llvm.whole_math import of_ints
from runtime.backends.numpy.program import Step
from runtime.failing import has_no_quotient, is_no_float, is_no_index
from runtime.numpy_api.methods import imag_part, real_part


# --- powers ---------------------------------------------------------------------------
@row("array_power", "power", "number_power")
def power(lowering: Lowering, step: Step, op: str) -> None:
    """`x ** y`: of ints by a small constant, of floats by the C library."""
    dtype = out_of(step)
    base, exponent = (lowering.number_of(v) for v in step.inputs)
    (n,) = exponent.parts if len(exponent.parts) == 1 else (None,)
    if dtype.kind in "iu":
        if isinstance(n, Local) or n not in (2, 3, 4):
            raise NotLowered("a power of ints")
        (x,) = convert(lowering, base, dtype)
        found = x
        for _ in range(int(n) - 1):
            found = checked(lowering, "mul", dtype, found, x)
        lowering.give(step, found)
        return
    if dtype.kind == "c" and power_of_complex(lowering, step, base, n):
        return
    if dtype.kind != "f" or (op == "power" and not step.outputs[0].spec.weak):
        by_numpys_loop(lowering, step)
        return
    x, y = (convert(lowering, number, dtype)[0] for number in (base, exponent))
    kind = machine_type(dtype)
    weak = may_be_weak(base) and may_be_weak(exponent)
    whole = not isinstance(y, Local) and float(y).is_integer() and y > 0
    if weak and not whole:
        # Of numbers below 0 it gives a complex number, of 0 Python may raise.
        word = "fcmp ogt" if isinstance(y, Local) or y <= 0 else "fcmp oge"
        above = lowering.compute(word, BIT, x, 0.0, type=kind)
        lowering.leave_unless(above)
    if not lowering.precise and not isinstance(y, Local) and y == 2:
        made = lowering.compute("fmul", kind, x, x, type=kind)
    elif lowering.precise or is_product(kind, y):
        made = _librarys(lowering, "pow", kind, (x, y))
    else:
        made = own(lowering, "power", dtype, (x, y))
    if weak:
        leave_unless_finite(lowering, made)
    lowering.give(step, made)


def is_product(kind: str, exponent: Operand) -> bool:
    """Whether a power by it is made of products, a root and the like."""
    if kind != DOUBLE or isinstance(exponent, Local):
        return False
    return of_numbers("pow", exponent) != of_numbers("pow")


def _librarys(
    lowering: Lowering, libm: str, kind: str, args: Sequence[Operand]
) -> Local:
    """The C library's function of floats, or ours that has its bits."""
    exponent = args[1] if libm == "pow" and not isinstance(args[1], Local) else None
    name = of_numbers(libm, exponent) if kind == DOUBLE else of_single(exponent)
    if name is not None:
        return lowering.compute("own", kind, *args, symbol=name, type=kind)
    suffix = "" if kind == DOUBLE else "f"
    return lowering.compute("call", kind, *args, symbol=f"m_{libm}{suffix}")


# --- casts --------------------------------------------------------------------------
@row("cast")
def cast(lowering: Lowering, step: Step, op: str) -> None:
    """As another dtype; a float as an int only where it fits."""
    dtype = out_of(step)
    number = lowering.number_of(step.inputs[0])
    lowering.give(step, *cast_parts(lowering, number, dtype))


def cast_parts(
    lowering: Lowering, number: Number, dtype: np.dtype[Any]
) -> tuple[Operand, ...]:
    """The parts of a number cast as `astype` and assignments do."""
    if dtype.kind == "b":
        return (truth_of(lowering, number),)
    if number.dtype.kind == "f" and dtype.kind in "iu":
        (part,) = convert(lowering, number, np.dtype(float))
        return (whole(lowering, part, dtype),)
    if number.dtype.kind in "iu" and dtype.kind in "iu" and not is_weak(number):
        return (real_as(lowering, number.parts[0], number.dtype, dtype),)
    return convert(lowering, number, dtype)


def assigned(
    lowering: Lowering, number: Number, dtype: np.dtype[Any]
) -> tuple[Operand, ...]:
    """The parts of a number that is assigned: a signed int does not wrap round."""
    if number.dtype == dtype:
        return number.parts
    if dtype.kind == "i" and number.dtype.kind in "iu" and not is_weak(number):
        part = real_as(lowering, number.parts[0], number.dtype, np.dtype(int))
        if number.dtype == np.uint64 and isinstance(part, Local):
            lowering.leave_if(lowering.compute("icmp slt", BIT, part, 0, type=INT))
        fits(lowering, part, dtype)
    return cast_parts(lowering, number, dtype)


def whole(lowering: Lowering, part: Operand, dtype: np.dtype[Any]) -> Operand:
    """A float cut to an int; where there is none of this dtype, Python is asked."""
    known = np.iinfo(dtype)
    low, high = float(known.min) - 1.0, float(known.max)
    if dtype.itemsize == 8 and dtype.kind == "i":
        # One comparison, which the least of all ints does not pass.
        size = lowering.compute("fabs", DOUBLE, part, type=DOUBLE)
        near = lowering.compute("fcmp olt", BIT, size, high, type=DOUBLE)
        lowering.leave_unless(near)
        return lowering.compute("fptosi", machine_type(dtype), part, type=DOUBLE)
    if dtype.itemsize == 8:
        # The float below the least, and the one above the greatest.
        low = math.nextafter(float(known.min), -math.inf)
    else:
        high += 1.0
    above = lowering.compute("fcmp ogt", BIT, part, low, type=DOUBLE)
    below = lowering.compute("fcmp olt", BIT, part, high, type=DOUBLE)
    fine = lowering.compute("and", BIT, above, below, type=BIT)
    lowering.leave_unless(fine)
    word = "fptosi" if dtype.kind == "i" else "fptoui"
    return lowering.compute(word, machine_type(dtype), part, type=DOUBLE)


@row("real", "imag")
def part(lowering: Lowering, step: Step, op: str) -> None:
    """The parts of a complex number."""
    out_of(step)
    number = lowering.number_of(step.inputs[0])
    if number.dtype.kind != "c":
        raise NotLowered(f"{op} of a real number")
    lowering.give(step, number.parts[op == "imag"])


# --- functions of Python's ------------------------------------------------------------
def _of_libm(*names: str) -> dict[Any, str]:
    return {getattr(math, name): f"m_{name}" for name in names}


LIBM = _of_libm(
    *("sqrt", "exp", "log", "log2", "log10", "log1p", "expm1", "sin", "cos", "tan"),
    *("asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "erf", "erfc"),
)
# Those that are Python's own in Python: we have them of our own only.
NOT_LIBM = {math.lgamma: "m_lgamma"}
# Those of all that we have of our own: under the name of NumPy's or SciPy's.
OF_PYTHON = {
    function: name
    for function, symbol in (LIBM | NOT_LIBM).items()
    for name, one in FUNCTIONS.items()
    if symbol == f"m_{one.libm}"
}
# Of two floats. What is not finite Python is asked about.
OF_TWO = _of_libm("atan2", "pow", "fmod")
LIBM |= OF_TWO
NEVER = (is_no_float, has_no_quotient, is_no_index)
CASTS = {int: np.dtype(int), float: np.dtype(float), bool: np.dtype(bool)}
PARTS = {real_part: 0, imag_part: 1}
ROUNDS = {
    math.floor: "floor",
    math.ceil: "ceil",
    math.trunc: "trunc",
    round: "rint",  # halves to the even one, of a float alone
}


@row("python_call")
def python_call(lowering: Lowering, step: Step, op: str) -> None:
    """The functions of Python numbers that are known here."""
    function = step.node.attributes["function"]
    numbers = [lowering.number_of(v) for v in step.inputs]
    dtype = out_of(step)
    arity = 2 if function in OF_TWO else 1  # math.log has a form with two
    if function in CASTS and len(numbers) == 1 and CASTS[function] == dtype:
        _as_python(lowering, step, numbers[0], dtype)
    elif function in PARTS and numbers[0].dtype.kind == "c":
        lowering.give(step, numbers[0].parts[PARTS[function]])
    elif function is complex:
        _made_complex(lowering, step, numbers)
    elif function is abs and len(numbers) == 1:
        signs(lowering, step, op="absolute")
    elif (
        (function in LIBM or (function in OF_PYTHON and not lowering.precise))
        and dtype == np.dtype(float)
        and len(numbers) == arity
    ):
        made = _of_floats(lowering, function, as_floats(lowering, numbers))
        # Where Python raises, or the argument was infinite or NaN.
        leave_unless_finite(lowering, made)
        lowering.give(step, made)
    elif function is math.log and len(numbers) == 2:
        _log_to_a_base(lowering, step, numbers)
    elif not _of_math(lowering, step, function, numbers):
        raise NotLowered(f"a call of {getattr(function, '__name__', function)}")


def _log_to_a_base(lowering: Lowering, step: Step, numbers: list[Number]) -> None:
    """`math.log(x, base)`: a quotient of two, as CPython has it."""
    logs = []
    for part in as_floats(lowering, numbers):
        logs.append(_of_floats(lowering, math.log, (part,)))
        leave_unless_finite(lowering, logs[-1])
    leave_at_zero(lowering, logs[1], DOUBLE)
    lowering.give(step, lowering.compute("fdiv", DOUBLE, *logs, type=DOUBLE))


def _of_math(
    lowering: Lowering, step: Step, function: Any, numbers: list[Number]
) -> bool:
    """One of `math`'s functions that a machine has; whether it is one."""
    if function in PLAIN:
        lowering.give(step, PLAIN[function](lowering, as_floats(lowering, numbers)))
    elif function in ROUNDS and _is_rounded(numbers[0], function):
        (x,) = convert(lowering, numbers[0], np.dtype(float))
        cut = lowering.compute(ROUNDS[function], DOUBLE, x, type=DOUBLE)
        lowering.give(step, whole(lowering, cut, out_of(step)))
    elif function in NEVER and all(one.dtype.kind == "i" for one in numbers):
        lowering.give(step, False)  # of 64 bits
    elif function is is_no_index and numbers[0].dtype == np.uint64:
        (x,) = numbers[0].parts
        lowering.give(step, lowering.compute("icmp slt", BIT, x, 0, type=INT))
    elif function is math.isclose:
        return close(lowering, step, numbers)
    elif function is math.hypot:
        return hypot(lowering, step, numbers)
    else:
        return of_ints(lowering, step, function, numbers)
    return True


def _is_rounded(number: Number, function: Any) -> bool:
    """Whether it is a float that is rounded so; a NumPy float32 has no `__trunc__`."""
    known = function is not math.trunc or hasattr(number.dtype.type, "__trunc__")
    return known and number.dtype.kind == "f"


def _of_floats(lowering: Lowering, function: Any, parts: Sequence[Operand]) -> Local:
    """A function of Python's floats: the C library's, or our own."""
    name = OF_PYTHON.get(function)
    if name is None or lowering.precise:
        if function is math.sqrt:
            return lowering.compute("sqrt", DOUBLE, *parts, type=DOUBLE)
        return _librarys(lowering, LIBM[function].removeprefix("m_"), DOUBLE, parts)
    return own(lowering, name, np.dtype(float), parts)


def _as_python(
    lowering: Lowering, step: Step, number: Number, dtype: np.dtype[Any]
) -> None:
    """`int(x)`, `float(x)`, `bool(x)`; an int of more than 63 bits is Python's."""
    (part, *_) = number.parts
    if number.dtype == np.uint64 and dtype.kind == "i":
        lowering.leave_if(lowering.compute("icmp slt", BIT, part, 0, type=INT))
    lowering.give(step, *cast_parts(lowering, number, dtype))


def _made_complex(lowering: Lowering, step: Step, numbers: list[Number]) -> None:
    if len(numbers) == 1 and numbers[0].dtype.kind == "c":
        lowering.give(step, *convert(lowering, numbers[0], np.dtype(complex)))
        return
    if any(number.dtype.kind == "c" for number in numbers):
        raise NotLowered("complex() of complex numbers")
    parts = [convert(lowering, number, np.dtype(float))[0] for number in numbers]
    lowering.give(step, *[*parts, 0.0][:2])


# --- all the others -------------------------------------------------------------------
# Their loops raise, or warn in a way of their own.
OWN_ERRORS = frozenset(
    {"power", "left_shift", "right_shift", "divmod", "gcd", "lcm", "fmod", "reciprocal"}
)


def by_numpys_loop(lowering: Lowering, step: Step) -> None:
    """Any other ufunc, by the loop that NumPy would run."""
    ufunc = ufunc_of(step.node, lowering.precise)
    name = step.node.op.name
    if ufunc is None or ufunc.nout != 1 or name == "ufunc_into":
        raise NotLowered(name)
    dtype = out_of(step)
    numbers = [lowering.number_of(v) for v in step.inputs]
    types = {np.dtype(int): int, np.dtype(float): float, np.dtype(complex): complex}
    weak = [is_weak(number) for number in numbers]
    strong: list[Any] = [n.dtype for n in numbers]
    given = [types.get(d, d) if w else d for d, w in zip(strong, weak, strict=True)]
    if all(weak):
        given = strong
    found = ufunc.resolve_dtypes((*given, None))
    if found[-1] != dtype or (dtype.kind in "iu" and name in OWN_ERRORS):
        raise NotLowered(f"{name} of {strong}")
    if _by_machine(lowering, step, ufunc.__name__, numbers, found):
        return
    address, data = abi.ufunc_loop(ufunc, found)
    if not address:
        raise NotLowered(f"{name} of {found}")
    parts: list[Operand] = []
    for number, wanted in zip(numbers, found, strict=False):
        parts += convert(lowering, number, wanted)
    kind = machine_type(dtype)
    outs = tuple(lowering.local(kind) for _ in range(parts_of(dtype)))
    # Of each how many parts it has, and of which machine type.
    kinds = ",".join(f"{parts_of(one)}{machine_type(one)}" for one in found)
    symbol = f"{ufunc.__name__}_{'_'.join(str(one.num) for one in found)}"
    lowering.outside[symbol] = (address, data)
    made = Instruction("numpy", outs, tuple(parts), symbol=symbol, type=kinds)
    lowering.block.instructions.append(made)
    lowering.give(step, *outs)


def _by_machine(
    lowering: Lowering,
    step: Step,
    name: str,
    numbers: Sequence[Number],
    found: Sequence[np.dtype[Any]],
) -> bool:
    """Give what our own function, or an operation of the machine's, makes of floats.

    False: there is none. As for elements of arrays, so it gives the same bits
    """
    ours = name if not lowering.precise and is_own(name, found) else None
    if lowering.precise and len(numbers) == 1:
        ours = of_elements(name, found, numbers)
    # Of ints most may wrap round, which is told of.
    is_known = found[0].kind in "fc" or (found[0].kind in "iu" and name == "sign")
    is_machines = is_known and is_simple(name, found, numbers)
    if not (ours or is_machines):
        return False
    pairs = zip(numbers, found, strict=False)
    each = [(wanted, convert(lowering, one, wanted)) for one, wanted in pairs]
    if ours in SIMPLE:
        lowering.give(step, *element(lowering, ours, found[-1], each))
    elif ours:
        parts = [part for _, (part,) in each]
        lowering.give(step, own(lowering, ours, found[-1], parts))
    else:
        lowering.give(step, *element(lowering, name, found[-1], each))
    return True


LOWER[OTHERS] = by_numpys_loop
