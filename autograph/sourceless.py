"""Functions whose source is not to be had: they run as they are, and errors say so."""

from __future__ import annotations

import functools
import types
import warnings
import weakref
from typing import Any

from autograph.operators.list_calls import refuse
from runtime import build
from runtime.errors import OnlyPythonError, StagingError
from runtime.location import is_internal_frame
from tracer.list_objects import holds_staged


def unconverted(function: types.FunctionType, reason: str) -> types.FunctionType:
    """`function` itself, but a refusal to stage what it does names `reason`.

    Without tensors in its control flow it needs no conversion. Where a call is made as
    Python for that, one warning says so.
    """
    why = f"`{function.__name__}` could not be converted: {reason}"

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        frame = build.current()
        # It would find one thing in it, which stands for all items.
        has_list = frame is not None and holds_staged((args, kwargs))
        try:
            return refuse() if has_list else function(*args, **kwargs)
        except StagingError as error:
            if has_list or _raised_in(function.__code__, error.__traceback__):
                error.add_note(f"  {why}")
                # Where lists are inputs, there is a trace without them yet.
                is_last = frame is None or not frame.trace.has_objects
                if isinstance(error, OnlyPythonError) and is_last:
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
