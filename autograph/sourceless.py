"""Functions whose source is not to be had: they run as they are, and errors say so.

Only what computes can be traced so: an effect (a print, a draw, a change of a global)
would be had once, while tracing. Where the code may do more, a call is Python's. So it
is with generators that have a `yield` where no form has one.
"""

from __future__ import annotations

import builtins
import cmath
import dis
import functools
import math
import types
import warnings
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np

from autograph.operators.list_calls import refuse
from runtime import build
from runtime.errors import OnlyPythonError, StagingError, located
from runtime.location import is_internal_frame
from runtime.numpy_api.table import FUNCTIONS
from tracer.list_objects import holds_staged


def unconverted(function: types.FunctionType, reason: str) -> types.FunctionType:
    """`function` itself, but a refusal to stage what it does names `reason`.

    Without effects, and tensors in its control flow, it needs no conversion. Where a
    call is made as Python for that, one warning says so.
    """
    why = f"`{function.__name__}` could not be converted: {reason}"

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        frame = build.current()
        # It would find one thing in it, which stands for all items.
        has_list = frame is not None and holds_staged((args, kwargs))
        acts = (
            frame is not None
            and frame.trace.python_effects == "run"
            and _may_act(function, (*args, *kwargs.values()))
        )
        try:
            if acts:
                raise _act(function)
            return refuse() if has_list else function(*args, **kwargs)
        except StagingError as error:
            if has_list or acts or _raised_in(function.__code__, error.__traceback__):
                error.add_note(f"  {why}")
                # Where lists are inputs, there is a trace without them yet.
                is_last = frame is None or not frame.trace.has_objects
                if isinstance(error, OnlyPythonError) and is_last:
                    _warn(function.__code__, why)
            raise

    assert isinstance(run, types.FunctionType)
    return run


def require_computing(
    function: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    """Before a generator function that has no form in a trace is called as it is.

    OnlyPythonError: it may do more than compute.
    """
    frame = build.current()
    if frame is None or frame.trace.python_effects != "run":
        return
    given = (*args, *kwargs.values())
    # What else it goes on with it has made.
    goes_on = any(hasattr(type(one), "__next__") for one in given)
    known = _BUILTINS if goes_on else _BUILTINS | {iter, next}
    if _may_act(function, given, _STEPS - {"YIELD_VALUE"}, known):
        words = (
            f"`{function.__name__}` may do more than compute, and a `yield` of it is "
            "not staged where it stands"
        )
        hint = "Write `yield` as a statement of its own, outside of a `try`."
        raise located(OnlyPythonError(words), hint)


# The code of which it was said.
_told: weakref.WeakSet[types.CodeType] = weakref.WeakSet()


def _warn(code: types.CodeType, why: str) -> None:
    if code in _told:
        return
    _told.add(code)
    words = f"calls that reach this are run as Python: {why}"
    warnings.warn_explicit(words, RuntimeWarning, code.co_filename, code.co_firstlineno)


def _raised_in(code: types.CodeType, traceback: types.TracebackType | None) -> bool:
    """Whether the innermost frame of the user's runs `code`."""
    innermost = None
    while traceback is not None:
        if not is_internal_frame(traceback.tb_frame):
            innermost = traceback.tb_frame.f_code
        traceback = traceback.tb_next
    return innermost is code


_TEXTS = ("__repr__", "__str__", "__format__")
# What a function may name and still only compute.
_MODULES = (np, math, cmath)
_BUILTINS = frozenset(
    {abs, bool, complex, divmod, enumerate, float, int, isinstance, len, list, max, min}
    | {pow, range, reversed, round, sum, tuple, zip}
)
# Methods that change an array, a list, a dict or a set.
_CHANGING = frozenset(
    "byteswap ctypes dump fill partition put resize setfield setflags sort tofile "
    "add append clear discard extend insert pop popitem remove reverse setdefault "
    "update".split()
)
_ATTRIBUTES = frozenset((*dir(np.ndarray), *dir(math)))
# What changes something that may be another's, or brings in what is not looked at.
_STEPS = frozenset(
    "STORE_GLOBAL DELETE_GLOBAL STORE_ATTR DELETE_ATTR STORE_SUBSCR DELETE_SUBSCR "
    "STORE_SLICE STORE_DEREF LOAD_DEREF LOAD_CLASSDEREF IMPORT_NAME YIELD_VALUE".split()
)


def _may_act(
    function: types.FunctionType,
    args: tuple[Any, ...],
    acting: frozenset[str] = _STEPS,
    computing: frozenset[Any] = _BUILTINS,
) -> bool:
    """Whether it may do or read what a trace does not see: all but known functions.

    acting: the steps of code that are taken to do so; computing: what only computes

    Methods that Python calls by itself, as dataclasses make them, are left alone; but
    a text of what stands for data in the trace would be that of each call.
    """
    name = function.__name__
    if name.startswith("__") and name.endswith("__") and name not in _TEXTS:
        return False
    codes = list(_codes(function.__code__))
    steps = [step for code in codes for step in dis.get_instructions(code)]
    names = {name for code in codes for name in code.co_names}
    computes = not any(step.opname in acting or _is_in_place(step) for step in steps)
    known = computes and all(_is_known(n, function, computing) for n in names)
    return any(map(callable, args)) or not known


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for part in code.co_consts:
        if isinstance(part, types.CodeType):
            yield from _codes(part)


def _is_in_place(step: dis.Instruction) -> bool:
    return step.opname == "BINARY_OP" and step.argrepr.endswith("=")


def _is_known(
    name: str, function: types.FunctionType, computing: frozenset[Any]
) -> bool:
    """Whether what it names, as a global or an attribute, only computes."""
    missing = object()
    held = function.__globals__.get(name, getattr(builtins, name, missing))
    if held is missing:
        numpys = name in _ATTRIBUTES or _is_numpys(getattr(np, name, None))
        return numpys and name not in _CHANGING
    if isinstance(held, types.ModuleType):
        return any(held is one for one in _MODULES)
    if isinstance(held, type) and issubclass(held, BaseException):
        return held.__module__ == "builtins"
    return _is_numpys(held) or (type(held) in _KINDS and held in computing)


_KINDS = (type, types.BuiltinFunctionType)


def _is_numpys(held: Any) -> bool:
    if isinstance(held, np.ufunc):
        return True
    return callable(held) and type(held) in _FUNCTIONS and held in FUNCTIONS


_FUNCTIONS = (types.FunctionType, type(np.sum), types.BuiltinFunctionType)


def _act(function: types.FunctionType) -> OnlyPythonError:
    words = (
        f"`{function.__name__}` may do more than compute, which its source would say"
    )
    return located(
        OnlyPythonError(words),
        "A trace would do that once: put it in a file, so that each run does it.",
    )
