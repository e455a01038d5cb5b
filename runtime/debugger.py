"""debugger: pdb that passes over these packages, at a real frame or at a made one.

Imported when a program stops for the first time: `pdb` is slow to load.
"""

from __future__ import annotations

import ast
import os
import pdb
import sys
from types import CodeType, FrameType
from typing import Any

from runtime.config import is_pdb_wanted
from runtime.location import Location, is_internal_frame, user_frame

_STANDARD = os.path.dirname(os.__file__) + os.sep
_OURS = frozenset({"autograph", "tracer", "runtime", "numpy", "optree"})


class Debugger(pdb.Pdb):
    """pdb whose steps lead from a line of the user's to the next one of the user's."""

    # A frame that stands for a place in a graph: it is not called, and does not return.
    made: CodeType | None = None

    def stop_here(self, frame: FrameType) -> bool:
        """Whether to stop at the next event of a frame."""
        return not _is_internal(frame) and super().stop_here(frame)

    def user_call(self, frame: FrameType, argument_list: Any) -> None:
        """Stop at a call."""
        if not self._is_generated(frame):
            super().user_call(frame, argument_list)

    def user_line(self, frame: FrameType) -> None:
        """Stop at a line; the line of a statement's head was stopped at before."""
        if not (self._is_generated(frame) and _is_at_head(frame)):
            super().user_line(frame)

    def user_return(self, frame: FrameType, return_value: Any) -> None:
        """Stop at a return."""
        if not self._is_generated(frame):
            super().user_return(frame, return_value)

    def user_exception(self, frame: FrameType, exc_info: Any) -> None:
        """Stop at an exception."""
        if not self._is_generated(frame):
            super().user_exception(frame, exc_info)

    def _is_generated(self, frame: FrameType) -> bool:
        """True for the body of a statement that became a function, or a name's load."""
        outer = user_frame(frame.f_back)
        if frame.f_code is self.made:
            return True
        if outer is None or frame.f_code not in outer.f_code.co_consts:
            return False
        name = frame.f_code.co_name
        return name == outer.f_code.co_name or (
            name == "<lambda>" and _is_at_head(frame)
        )


def _is_at_head(frame: FrameType) -> bool:
    """Whether the user's frame around this one is at the same line."""
    outer = user_frame(frame.f_back)
    return outer is not None and outer.f_lineno == frame.f_lineno


def _is_internal(frame: FrameType | None) -> bool:
    """True for a frame of these packages, and of the standard library under one."""
    while frame is not None:
        name = frame.f_globals.get("__name__") or ""
        if is_internal_frame(frame) or name.partition(".")[0] in _OURS:
            return True
        if not frame.f_code.co_filename.startswith(_STANDARD):
            return False
        frame = frame.f_back
    return False


def stop_at(frame: FrameType, header: str | None = None) -> None:
    """Stop in a frame of the user's, as `pdb.set_trace` does in its caller's."""
    debugger = Debugger()
    if header is not None:
        debugger.message(header)
    debugger.set_trace(frame)


def stop_with(
    values: dict[str, Any], location: Location, scope: dict[str, Any]
) -> None:
    """Stop at a line of the user's, with these values as its local names.

    scope: the globals of the line
    """
    if not is_pdb_wanted():
        hook = {"breakpoint_hook": sys.breakpointhook}
        exec(_code("breakpoint_hook()", location), {**scope, **hook}, values)
        return
    debugger = Debugger()
    debugger.made = _code("pass", location)
    debugger.set_trace(sys._getframe())
    # Since Python 3.13 the first stop would be at an instruction, before any line.
    debugger.set_step()
    exec(debugger.made, scope, values)


def _code(text: str, location: Location) -> CodeType:
    """The code of one statement that says to be at a line of the user's function."""
    tree = ast.parse(text)
    first = location.code.co_firstlineno if location.code else location.line
    for node in ast.walk(tree):
        if isinstance(node, (ast.stmt, ast.expr)):
            # Relative to the first line of the function, which it gets below.
            node.lineno = node.end_lineno = location.line - first + 1
    code = compile(tree, location.filename, "exec", dont_inherit=True)
    name = location.function
    return code.replace(co_name=name, co_qualname=name, co_firstlineno=first)
