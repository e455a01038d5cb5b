"""Functions whose source is not to be had: they run as they are, and errors say so."""

from __future__ import annotations

import functools
import types
from typing import Any

from runtime.errors import StagingError
from runtime.location import is_internal_frame


def unconverted(function: types.FunctionType, reason: str) -> types.FunctionType:
    """`function` itself, but a refusal to stage what it does names `reason`.

    Without tensors in its control flow it needs no conversion.
    """

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except StagingError as error:
            if _raised_in(function.__code__, error.__traceback__):
                name = function.__name__
                error.add_note(f"  `{name}` could not be converted: {reason}")
            raise

    assert isinstance(run, types.FunctionType)
    return run


def _raised_in(code: types.CodeType, traceback: types.TracebackType | None) -> bool:
    """Whether the innermost frame of the user's runs `code`."""
    innermost = None
    while traceback is not None:
        if not is_internal_frame(traceback.tb_frame):
            innermost = traceback.tb_frame.f_code
        traceback = traceback.tb_next
    return innermost is code
