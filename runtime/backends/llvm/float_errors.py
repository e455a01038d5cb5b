"""float_errors: what NumPy says of numbers that overflow, or of divisions by zero.

A loop that became machine code asks the processor once, at its end, what has happened
in it, and warns as NumPy does, of the first operation that may have been the cause.
Where `np.errstate` asks for more than a warning, the loop stays Python.
"""

from __future__ import annotations

import contextvars
import ctypes
import math
import platform
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy._core import umath

from runtime.backends.numpy.program import Step, Variable
from runtime.location import Location
from runtime.structs import struct

# The variable that holds NumPy's settings, and what it holds where nothing was set.
SETTINGS = umath._extobj_contextvar
DEFAULT = contextvars.Context().run(SETTINGS.get)
_USUAL = {**contextvars.Context().run(np.geterr)}

# The processor's flags: invalid, division by zero, overflow.
_ON_ARM = platform.machine().lower() in ("arm64", "aarch64")
INVALID, DIVIDE, OVER = (1, 2, 4) if _ON_ARM else (1, 4, 8)
FLAGS = INVALID | DIVIDE | OVER
# Beside them: Python's own floats, of which it warns of nothing, may be the cause.
UNTOLD = 256
# Runs with something to warn of that Python makes anew, of each piece of machine code.
# Each takes it less than 0.1 s more: a loop goes on as machine code after so long.
MADE_ANEW = 8
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
# Its words for what it is made of, of the ops that NumPy composes.
_INSIDE = {
    **dict.fromkeys(("diff", "ptp"), "subtract"),
    **dict.fromkeys(("outer", "kron", "cross", "linspace"), "multiply"),
    **dict.fromkeys(("cumsum", "cumprod"), "accumulate"),
    **{"trace": "reduce", "inner": "dot"},
}
# Which ops may be the cause; of an invalid value any.
_CAUSES = {
    DIVIDE: {"divide", "power", "array_power", "log", "log2", "log10", "log1p"}
    | {"reciprocal", "arctanh"},
    OVER: {"add", "subtract", "multiply", "divide", "power", "array_power", "square"}
    | {"exp", "exp2", "expm1", "sinh", "cosh", "hypot", "ldexp", "cast", "matmul"}
    | {"dot", *_INSIDE}
    | REDUCED
    | VARIANCES,
}
# What is never the cause where one operand is a number between these, not even of an
# infinity. A product that is not 0 may come to 0 in a narrower dtype.
_NEVER = {
    (INVALID, "add"): (0.0, math.inf),
    (INVALID, "subtract"): (0.0, math.inf),
    (INVALID, "multiply"): (1e-4, math.inf),
    (INVALID, "divide"): (1e-4, math.inf),
    (OVER, "multiply"): (0.0, 1.0),
}
# What `**` is by the exponents that it has short cuts for (`powers.py`).
_SHORT_CUTS = {2: "square", 0.5: "sqrt"}
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


@struct(eq=False, frozen=False)
class Cause:
    """What NumPy would say of a step, and where it stands.

    told: when Python was told last, the filters up to that for it, and whether that one
          lets nothing be shown; both at once, for other threads
    """

    text: str
    place: Location | None
    told: tuple[list[Any], bool] = ([], False)


_LASTING = {type(None), str, re.Pattern}
# Causes by the flags, each kind with its name in NumPy's settings.
Found = dict[int, list[tuple[str, list[Cause]]]]


def warn(flags: int, steps: Sequence[Step], found: Found) -> None:
    """Warn of what the flags say, at the line of the first step that may be the cause.

    Or of one that Python has warned of before: it has made the first such runs.
    found: what may be the cause, by the flags, where that has been looked for before
    FloatingPointError, or what a filter makes of the warning: never where all is usual
    """
    # A hash of a few bytes takes less time than to ask NumPy for its settings.
    modes = _USUAL if SETTINGS.get() is DEFAULT else {**np.geterr()}
    told = found.get(flags)
    if told is None:
        told = found[flags] = [*_told(flags, steps)]
    for kind, causes in told:
        if modes[kind] == "warn":
            _warn_at(_first_known(causes) if len(causes) > 1 else causes[0])


def _told(flags: int, steps: Sequence[Step]) -> Iterator[tuple[str, list[Cause]]]:
    """What may be the causes, by NumPy's name of each setting that has any."""
    for flag, (kind, words) in _WORDS.items():
        causes = [
            Cause(_text(step, words), step.node.location)
            for step in (steps if flags & flag else ())
            if _may_cause(flag, step)
        ]
        if causes:
            yield kind, causes


def _may_cause(flag: int, step: Step) -> bool:
    name, dtype = step.node.op.name, step.outputs[0].spec.dtype
    if flag in _CAUSES and name not in _CAUSES[flag]:
        return False
    if (flag, name) not in _NEVER or dtype is None or dtype.kind == "c":
        return True
    least, most = _NEVER[flag, name]
    numbers = [_number(variable) for variable in step.inputs]
    return not any(n is not None and least <= abs(n) <= most for n in numbers)


def _number(variable: Variable) -> Any:
    """The finite number that a constant is; None where it is none."""
    if variable.index < 0 or variable.spec.shape != ():
        return None
    node = variable.home.steps[variable.index].node
    if node.op.name != "constant" or not np.isfinite(node.attributes["value"]):
        return None
    return node.attributes["value"]


def _first_known(causes: list[Cause]) -> Cause:
    """One of which Python has warned, and says it once for each line; or the first."""
    module, registry = None, dict[Any, Any]()
    for cause in causes:
        text, place = cause.text, cause.place
        if place is None:
            continue
        # They stand in few modules: a hash of some bytes takes less time than to find
        # the one of each.
        if place.module != module:
            module, registry = place.module, _registry(place)
        if registry.get((text, RuntimeWarning, place.line)):
            return cause
    return causes[0]


def _registry(place: Location) -> dict[Any, Any]:
    module = sys.modules.get(place.module)
    if module is None:
        return {}
    found: dict[Any, Any] = vars(module).setdefault("__warningregistry__", {})
    return found


def _text(step: Step, words: str) -> str:
    name = step.node.op.name.removeprefix("array_")
    if step.node.op.name == "array_power":
        name = _SHORT_CUTS.get(_number(step.inputs[1]), name)
    if name in REDUCED:
        name = "reduce"
    if name in VARIANCES:
        name = _IN_VARIANCES[words]
    name = _INSIDE.get(name, name)
    is_scalar = name in _SCALAR and step.outputs[0].spec.shape == ()
    return f"{words} encountered in {'scalar ' * is_scalar}{name}"


def _is_hushed(cause: Cause, place: Location) -> bool:
    """Whether Python would show nothing, by the filters that it showed nothing by.

    Which filter says it is looked for where they have changed up to that one; Python is
    told then, which puts the registry of the module in order.
    """
    filters = warnings.filters
    by, is_hushed = cause.told
    if by and filters[: len(by)] == by:
        return is_hushed
    if type(filters) is list:
        first = next((n for n, one in enumerate(filters) if _tells(one, cause)), None)
        by = filters[:] if first is None else filters[: first + 1]
        is_hushed = first is not None and filters[first][0] == "ignore"
        cause.told = (by, is_hushed) if all(map(_is_lasting, by)) else ([], False)
    return False


def _is_lasting(one: Any) -> bool:
    """Whether a filter is for the same warnings later, and in each thread.

    Those of `hushed` ask by a pattern of their own which thread it is.
    """
    return type(one) is tuple and {type(by) for by in one[1:4:2]} <= _LASTING


def _tells(one: Any, cause: Cause) -> bool:
    """Whether a filter is for the warning."""
    if type(one) is not tuple or len(one) != 5 or cause.place is None:
        return False
    _, message, category, module, line = one
    asked = (message, cause.text), (module, cause.place.module)
    return (
        issubclass(RuntimeWarning, category)
        and line in (0, cause.place.line)
        and all(
            by is None or (by == of if type(by) is str else bool(by.match(of)))
            for by, of in asked
        )
    )


def _warn_at(cause: Cause) -> None:
    text, place = cause.text, cause.place
    if place is None:
        warnings.warn(text, RuntimeWarning, stacklevel=3)
        return
    if _is_hushed(cause, place):
        return
    warnings.warn_explicit(
        text,
        RuntimeWarning,
        place.filename,
        place.line,
        place.module,
        _registry(place),
    )
