"""float_errors: what NumPy says of numbers that overflow, or of divisions by zero.

A loop that became machine code asks the processor once, at its end, what has happened
in it, and warns as NumPy does, of the first operation that may have been the cause.
Where `np.errstate` asks for more than a warning, the loop stays Python.
"""

from __future__ import annotations

import contextvars
import ctypes
import platform
import sys
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy._core import umath

from runtime.backends.numpy.program import Step

# The variable that holds NumPy's settings, and what it holds where nothing was set.
SETTINGS = umath._extobj_contextvar
DEFAULT = contextvars.Context().run(SETTINGS.get)

# The processor's flags: invalid, division by zero, overflow.
_ON_ARM = platform.machine().lower() in ("arm64", "aarch64")
INVALID, DIVIDE, OVER = (1, 2, 4) if _ON_ARM else (1, 4, 8)
FLAGS = INVALID | DIVIDE | OVER
_WORDS = {
    DIVIDE: ("divide", "divide by zero"),
    OVER: ("over", "overflow"),
    INVALID: ("invalid", "invalid value"),
}
# NumPy's one word for them.
REDUCED = {"sum", "prod", "mean"}
# Its words for what it does in a variance, by Python's lines.
_IN_VARIANCES = {"invalid value": "subtract", "overflow": "square"}
VARIANCES = {"var", "std"}
# Which ops may be the cause; of an invalid value any.
_CAUSES = {
    DIVIDE: {"divide", "power", "array_power", "log", "log2", "log10", "log1p"}
    | {"reciprocal", "arctanh"},
    OVER: {"add", "subtract", "multiply", "divide", "power", "array_power", "square"}
    | {"exp", "exp2", "expm1", "sinh", "cosh", "hypot", "cast", "matmul"}
    | REDUCED
    | VARIANCES,
}
_SCALAR = {"add", "subtract", "multiply", "divide", "power", "negative"}


def raises() -> bool:
    """Whether a fault is to be more than a warning now, or an underflow is one."""
    modes = {**np.geterr()}
    # Machine code does not note that a number has become too small.
    is_told = modes.pop("under") != "ignore"
    return is_told or not {"ignore", "warn"}.issuperset(modes.values())


# The list of filters, its length and the first, when no warning was an error.
SEEN = (ctypes.c_void_p * 3)()
_held: list[Any] = []


def warnings_raise() -> bool:
    """Whether NumPy's warning may be an error, now."""
    filters = warnings.filters
    if any(one[0] == "error" and issubclass(RuntimeWarning, one[2]) for one in filters):
        return True
    if type(filters) is list and filters:
        # What is held is at no other place, so the addresses tell.
        _held[:] = [filters, filters[0]]
        SEEN[:] = [id(filters), len(filters), id(filters[0])]
    return False


def warn(flags: int, steps: Sequence[Step]) -> None:
    """Warn of what the flags say, at the line of the first step that may be the cause.

    FloatingPointError, or what a filter makes of the warning: never where all is usual
    """
    modes = {**np.geterr()}
    for flag, (kind, words) in _WORDS.items():
        if not flags & flag or modes[kind] != "warn":
            continue
        causes = _CAUSES.get(flag)
        fits = [s for s in steps if causes is None or s.node.op.name in causes]
        if fits:
            _warn_at(fits[0], words)


def _warn_at(step: Step, words: str) -> None:
    name = step.node.op.name.removeprefix("array_")
    if name in REDUCED:
        name = "reduce"
    if name in VARIANCES:
        name = _IN_VARIANCES[words]
    is_scalar = name in _SCALAR and step.outputs[0].spec.shape == ()
    text = f"{words} encountered in {'scalar ' * is_scalar}{name}"
    place = step.node.location
    if place is None:
        warnings.warn(text, RuntimeWarning, stacklevel=3)
        return
    module = sys.modules.get(place.module)
    registry = vars(module).setdefault("__warningregistry__", {}) if module else {}
    warnings.warn_explicit(
        text, RuntimeWarning, place.filename, place.line, place.module, registry
    )
