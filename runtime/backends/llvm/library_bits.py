"""library_bits: which functions are the C library's to the bit by our own code.

What is computed, and why it is the same, `mathematics/rounded.py` says. Of numbers
Python and NumPy call the library. Of arrays NumPy has its own functions for some
processors: so its loops are asked once whether they give what the library gives.
"""

from __future__ import annotations

import ctypes
import math
import platform
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any
from zlib import crc32

import numpy as np

from runtime.backends.llvm.c_library import version
from runtime.backends.llvm.loops import Local, Number
from runtime.backends.llvm.mathematics import ROUNDED, single_powers
from runtime.backends.llvm.mathematics.rounded import HALVES, known_name
from runtime.backends.llvm.switch import has_fma

# The first glibc whose functions are those, on machines that have no others.
FIRST, MACHINES = (2, 28), ("x86_64", "aarch64")
# Elements by which a loop of NumPy's is known: of another library that is nearly as
# exact about one of two hundred differs.
POINTS = 4096
# The library's names for NumPy's functions; and between which numbers they are asked.
_ASKED: dict[str, tuple[Callable[..., float], float, float]] = {
    "exp": (math.exp, -20.0, 20.0),
    "log": (math.log, 0.01, 20.0),
    "sin": (math.sin, -20.0, 20.0),
    "cos": (math.cos, -20.0, 20.0),
    "power": (math.pow, 0.05, 20.0),
}
# What our formulas give (`mathematics/numpys.py`), as `digest` has it, by dtypes.
_DIGESTS = {
    ("exp", "f"): 0x32DF816A,
    ("log", "f"): 0x078E5395,
    ("sin", "f"): 0x9F0E7E84,
    ("cos", "f"): 0x3B625238,
    ("tanh", "f"): 0xF30D2F7A,
    ("tanh", "d"): 0xB811731E,
}


@cache
def is_known() -> bool:
    """Whether this is a library whose errors are bounded, and we have what it takes."""
    name, _, number = version().partition(" ")
    parts = number.split(".")[:2]
    if name != "glibc" or not all(one.isdigit() for one in parts):
        return False
    is_new = (*map(int, parts),) >= FIRST
    return is_new and platform.machine() in MACHINES and has_fma()


def of_numbers(libm: str, exponent: float | None = None) -> str | None:
    """Our name for a function of the library's, of float64; None: it is only called.

    exponent: of a power, where it is known
    """
    if not is_known():
        return None
    if exponent is not None:
        halves = 2.0 * exponent
        if halves.is_integer() and 0 < abs(halves) <= HALVES:
            return known_name(int(halves))
    name = f"rounded_{libm}"
    return name if name in ROUNDED else None


def of_single(exponent: float | None) -> str | None:
    """The same of a power of float32 by a known exponent."""
    halves = 2.0 * exponent if exponent is not None and is_known() else 0.0
    if not halves.is_integer() or not 0 < abs(halves) <= single_powers.HALVES:
        return None
    return known_name(int(halves), single_powers.NAME)


def of_known_power(exponent: Any) -> str | None:
    """Our name for a power that is made of products and a root; None: it is not.

    exponent: a number that the text knows, or another operand
    """
    if not isinstance(exponent, Number) or isinstance(exponent.parts[0], Local):
        return None
    name = of_numbers("pow", float(exponent.parts[0]))
    return name if name != of_numbers("pow") else None


def of_elements(
    name: str, dtypes: Sequence[np.dtype[Any]], args: Sequence[Any]
) -> str | None:
    """The same for a ufunc of arrays; None where NumPy has a function of its own.

    Some of its own are ours, too, where they give what our formulas do
    """
    char = dtypes[-1].char
    if (name, char) in _DIGESTS and dtypes[0].char == char:
        return f"numpys_{name}" if is_numpys(name, char) else None
    if name == "exp" and char == "D":
        return "complex_exp" if is_known() else None
    if name not in _ASKED or {one.char for one in dtypes} not in ({"d"}, {"f"}):
        return None
    exponent, is_power = None, name == "power"
    if is_power and isinstance(args[1], Number):
        (known,) = args[1].parts
        if isinstance(known, Local):
            return None  # for some exponents its loop has a short cut
        exponent = float(known)
    if char == "f":
        made = of_single(exponent)
        return made if made and is_single_librarys(exponent) else None
    made = of_numbers("pow" if is_power else name, exponent)
    return made if made and is_librarys(name, exponent) else None


@cache
def is_numpys(name: str, char: str) -> bool:
    """Whether NumPy's loop gives what our formulas do, on this machine."""
    if not has_fma():
        return False
    return digest(getattr(np, name), char) == _DIGESTS[name, char]


def digest(ufunc: Callable[..., Any], char: str) -> int:
    """Of what a function gives of floats between 0 and 20."""
    return crc32(ufunc((20.0 * _places()).astype(char)).tobytes())


def _places() -> np.ndarray:
    """Numbers between 0 and 1, evenly spread, in no order."""
    return np.arange(1, POINTS + 1) * 0.6180339887498949 % 1.0


@cache
def is_librarys(name: str, exponent: float | None = None) -> bool:
    """Whether NumPy's loop of float64 gives the library's bits, on this machine.

    exponent: of powers, where it is one number for all elements
    """
    function, low, high = _ASKED[name]
    given: list[Any] = [low + (high - low) * _places()]
    if name == "power":
        given.append(given[0][::-1] - 10.0 if exponent is None else exponent)
    columns = [np.broadcast_to(one, POINTS).tolist() for one in given]
    try:
        wanted = [*map(function, *columns)]
    except OverflowError:
        return False  # a power by hundreds
    return bool(getattr(np, name)(*given).tolist() == wanted)


@cache
def is_single_librarys(exponent: float) -> bool:
    """Whether NumPy's loop of powers of float32 gives the library's bits."""
    powf = ctypes.CDLL(None).powf
    powf.argtypes, powf.restype = [ctypes.c_float] * 2, ctypes.c_float
    x = (0.05 + 20.0 * _places()).astype(np.float32)
    wanted = [powf(one, exponent) for one in x.tolist()]
    return bool(np.power(x, np.float32(exponent)).tolist() == wanted)


@cache
def are_second_of_equals() -> bool:
    """Whether NumPy's extremes of floats are what this processor's are, in any place.

    Of two equal ones the second, of two NaNs the first, however they lie in memory.
    """
    zeros = np.tile([0.0, -0.0, 0.0, -0.0, np.nan, 1.0, -np.nan], 20)
    others = np.tile([-0.0, 0.0, 0.0, -0.0, -np.nan, -np.nan, 2.0], 20)
    return all(
        _are_chosen(zeros[where].astype(char), others[where].astype(char), step)
        for char in "fd"
        for where in (slice(1), slice(7), slice(38), slice(None))
        for step in (1, 2)
    )


def _are_chosen(a: np.ndarray, b: np.ndarray, step: int) -> bool:
    """The same of some floats, and of one of them, with gaps between them."""
    a, b = a.repeat(step)[::step], b.repeat(step)[::step]
    for first, second in ((a, b), (a[1:2], b), (a, b[:1])):
        for ufunc, beyond in ((np.maximum, np.greater), (np.minimum, np.less)):
            wanted = np.where(beyond(first, second) | np.isnan(first), first, second)
            if ufunc(first, second).tobytes() != wanted.tobytes():
                return False
    return True
