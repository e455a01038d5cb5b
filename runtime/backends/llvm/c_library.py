"""c_library: which C library this is, and what of it NumPy calls."""

from __future__ import annotations

import ctypes
import math
import os
from functools import cache

import numpy as np


@cache
def version() -> str:
    """The C library, where it tells."""
    try:
        return os.confstr("CS_GNU_LIBC_VERSION") or ""
    except (AttributeError, ValueError, OSError):
        return ""


@cache
def numpys_log() -> int:
    """The address of the C library's `log` that NumPy calls.

    glibc has two for x86-64, and NumPy's wheels call the one that is older than 2.29:
    they differ by the sign of the NaN that numbers below 0 have.
    """
    library = ctypes.CDLL(None)
    found = [ctypes.cast(library.log, ctypes.c_void_p).value or 0]
    of_version = getattr(library, "dlvsym", None)
    if of_version is not None:
        of_version.restype = ctypes.c_void_p
        found.append(of_version(None, b"log", b"GLIBC_2.2.5") or found[0])
    with np.errstate(invalid="ignore"):
        wanted = bool(np.signbit(np.log(np.array([-1.0])))[0])
    signs = [math.copysign(1.0, _call(one, -1.0)) < 0.0 for one in found]
    return found[signs.index(wanted)] if wanted in signs else found[0]


def _call(address: int, x: float) -> float:
    """What a function of the C library's gives."""
    of_one = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)
    return float(of_one(address)(x))
