"""Pointing an exception at the user's line: a traceback whose last entry is theirs."""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Sequence
from functools import lru_cache
from types import CodeType, TracebackType
from typing import TypeVar

from runtime.config import config
from runtime.location import MADE, Location, is_internal_frame

ErrorType = TypeVar("ErrorType", bound=BaseException)


def point_at(error: ErrorType, location: Location | None) -> ErrorType:
    """`error` with a traceback that starts at `location`; internal frames are cut.

    The entry is made by raising the error from a code object that claims the user's
    file, line, function and columns, so that every tool shows it as any other. What
    follows are the frames of user's code that the graph called, if any.
    """
    whole = error.__traceback__ if config.tracebacks == "full" else None
    if location is None:
        return cut(error)
    error.__traceback__ = users_own(_below_graph(error.__traceback__))
    # The calls of helpers that it is inside of are passed, too, as in Python.
    for line in (location, *(call.location for call in reversed(location.calls))):
        error.__traceback__ = _passed(error, line) if line else error.__traceback__
    error.__traceback__ = _joined(whole, error.__traceback__)
    _cut_linked(error)
    return error


def point_along(error: ErrorType, lines: Sequence[Location]) -> ErrorType:
    """`error` with a traceback of these lines, the outermost first, and of no others.

    >>> at = Location("f.py", 1, "f"), Location("g.py", 7, "g")
    >>> [str(line) for line in users_lines(point_along(KeyError("a"), at))]
    ['f.py:1', 'g.py:7']
    """
    error.__traceback__ = None
    for line in reversed(lines):
        error.__traceback__ = _passed(error, line)
    return error


def users_lines(error: BaseException) -> tuple[Location, ...]:
    """The lines of the user's source that an exception passed, the outermost first."""
    found, entry = [], users_own(error.__traceback__)
    while entry is not None:
        code, line = entry.tb_frame.f_code, entry.tb_lineno
        at = code, entry.tb_lasti
        found.append(Location(code.co_filename, line, code.co_name, *at))
        entry = entry.tb_next
    return tuple(found)


def _passed(error: BaseException, location: Location) -> TracebackType | None:
    """The traceback of `error`, below an entry that says it has passed the location."""
    context, suppressed = error.__context__, error.__suppress_context__
    try:
        exec(_raising(location), {"error": error})
    except BaseException as raised:
        # It was raised here, while no other was handled: its context stays as it was.
        error.__context__, error.__suppress_context__ = context, suppressed
        traceback = raised.__traceback__
        assert traceback is not None
        return traceback.tb_next
    return None


def cut(error: ErrorType) -> ErrorType:
    """`error` with a traceback of the user's frames only, unless all are wanted."""
    traceback = error.__traceback__
    if config.tracebacks != "full":
        _cut_linked(error)
        return error.with_traceback(users_own(traceback))
    # The caller is about to raise it again, which adds its own frame once more.
    caller = sys._getframe(1)
    while traceback is not None and traceback.tb_frame is caller:
        traceback = traceback.tb_next
    return error.with_traceback(traceback)


def _cut_linked(error: BaseException) -> None:
    """Cut what is shown with it: its cause or its context, and theirs."""
    seen = {id(error)}
    linked = error.__cause__ or error.__context__
    while linked is not None and id(linked) not in seen:
        seen.add(id(linked))
        if config.tracebacks != "full":
            linked.__traceback__ = users_own(linked.__traceback__)
        linked = linked.__cause__ or linked.__context__


def users_own(traceback: TracebackType | None) -> TracebackType | None:
    """`traceback` without the entries of these packages and NumPy."""
    entries: list[TracebackType] = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if not is_internal_frame(traceback.tb_frame):
            # A converted statement's body is a function inside the user's function:
            # only the inner one's line tells something.
            if entries and code in entries[-1].tb_frame.f_code.co_consts:
                if code.co_name == entries[-1].tb_frame.f_code.co_name:
                    entries.pop()
            entries.append(traceback)
        traceback = traceback.tb_next
    made: TracebackType | None = None
    for entry in reversed(entries):
        made = TracebackType(made, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return made


def _joined(
    first: TracebackType | None, then: TracebackType | None
) -> TracebackType | None:
    """The entries of `first`, but for its outermost, and after them those of `then`."""
    entries = []
    while first is not None:
        entries.append(first)
        first = first.tb_next
    for entry in reversed(entries[1:]):
        then = TracebackType(then, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return then


def _below_graph(traceback: TracebackType | None) -> TracebackType | None:
    """The entries below the last generated function; what called it is not kept."""
    found = None
    while traceback is not None:
        if MADE in traceback.tb_frame.f_globals:
            found = traceback.tb_next
        traceback = traceback.tb_next
    return found


def _raising(location: Location) -> CodeType:
    """A code object that raises `error` from the expression at `location`."""
    line = linecache.getline(location.filename, location.line)
    # The whole line gets no carets, as where Python does not know the columns. It is
    # blank where the file was changed since.
    end = len(line.rstrip())
    whole = min(len(line) - len(line.lstrip()), end), end
    columns = location.columns or whole
    of = location.filename, location.line, *columns, location.function
    return _raising_at(*of)


@lru_cache(maxsize=1_000)  # to compile it takes half of what such an error takes
def _raising_at(
    filename: str, line: int, start: int, stop: int, function: str
) -> CodeType:
    name = ast.Name("error", ast.Load())
    statement = ast.Raise(name, None)
    for node in (statement, name):
        node.lineno = node.end_lineno = line
        node.col_offset, node.end_col_offset = start, stop
    code = compile(ast.Module([statement], []), filename, "exec")
    return code.replace(co_name=function, co_qualname=function)
