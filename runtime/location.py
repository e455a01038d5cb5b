"""Location: where in the user's source a node was made, found by walking the stack."""

from __future__ import annotations

import linecache
import os
import sys
from dataclasses import dataclass, field
from types import CodeType, FrameType

import numpy as np


@dataclass(frozen=True, slots=True)
class Location:
    """A line of the user's source; `columns` narrow it to the expression."""

    filename: str
    line: int
    function: str
    code: CodeType | None = field(default=None, compare=False, repr=False)
    instruction: int = field(default=-1, compare=False, repr=False)

    @property
    def source(self) -> str:
        """The text of the line, stripped; empty when the file is not to be had."""
        return linecache.getline(self.filename, self.line).strip()

    @property
    def columns(self) -> tuple[int, int] | None:
        """First and last column of the expression on its line, where Python knows."""
        if self.code is None or self.instruction < 0:
            return None
        for index, (line, end, start, stop) in enumerate(self.code.co_positions()):
            if index == self.instruction // 2:
                if line != self.line or end != line or start is None or stop is None:
                    return None
                return start, stop
        return None

    def __str__(self) -> str:
        return f"{self.filename}:{self.line}"


def _folder(file: str | None) -> str:
    return os.path.dirname(os.path.abspath(file or "")) + os.sep


_HOME = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_INTERNAL_FOLDERS = (
    *(_HOME + package + os.sep for package in ("autograph", "tracer", "runtime")),
    _folder(np.__file__),
    _folder(os.__file__) + "functools.py",
    _folder(os.__file__) + "contextlib.py",
    "<frozen ",
    "<__array_function__",
    "<graph ",  # what the NumPy executor generates
)
_internal: dict[str, bool] = {}


def is_internal(filename: str) -> bool:
    """True for the files of these packages and NumPy's: never a user's line."""
    known = _internal.get(filename)
    if known is None:
        known = filename.startswith(_INTERNAL_FOLDERS)
        _internal[filename] = known
    return known


def user_frame(frame: FrameType | None) -> FrameType | None:
    """The innermost frame at or outside `frame` that runs the user's code."""
    while frame is not None and is_internal(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def raised_at(error: BaseException) -> Location | None:
    """The innermost line of the user's source that an exception passed."""
    found = None
    traceback = error.__traceback__
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if not is_internal(code.co_filename):
            found = Location(
                code.co_filename,
                traceback.tb_lineno,
                code.co_name,
                code,
                traceback.tb_lasti,
            )
        traceback = traceback.tb_next
    return found


def here() -> Location | None:
    """The line of the user's source that is running now."""
    frame = user_frame(sys._getframe(1))
    if frame is None:
        return None
    code = frame.f_code
    return Location(code.co_filename, frame.f_lineno, code.co_name, code, frame.f_lasti)
