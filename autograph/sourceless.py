"""Functions whose source is not to be had: they run as they are, and errors say so."""

from __future__ import annotations

import functools
import types
import warnings
import weakref
from typing import Any

from runtime.errors import OnlyPythonError, StagingError
from runtime.location import is_internal_frame


def unconverted(function: types.FunctionType, reason: str) -> types.FunctionType:
    """`function` itself, but a refusal to stage what it does names `reason`.

    Without tensors in its control flow it needs no conversion. Where a call is made as
    Python for that, one warning says so.
    """
    why = f"`{function.__name__}` could not be converted: {reason}"

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except StagingError as error:
            if _raised_in(function.__code__, error.__traceback__):
                error.add_note(f"  {why}")
                if isinstance(error, OnlyPythonError):
                    _warn(function.__code__, why)
            raise

    assert isinstance(run, types.FunctionType)
    return run


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
