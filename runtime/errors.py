"""Errors of tracing: builtin types that Python users expect, and where to look.

A StagingError says that a program cannot be staged; it is a fault of the trace, never
an exception that the user's program raised, so no branch may swallow it.
"""

from __future__ import annotations

from typing import Any, TypeVar

from runtime.location import Location, here

ErrorType = TypeVar("ErrorType", bound=BaseException)


class StagingError(Exception):
    """Base of all refusals to stage; each is also a builtin exception type."""


class StagingTypeError(StagingError, TypeError):
    """A value of the wrong kind for a graph."""


class StagingValueError(StagingError, ValueError):
    """A value that a graph cannot hold."""


class StagingNotImplementedError(StagingError, NotImplementedError):
    """A construct that is not staged."""


class LeakedTensorError(StagingError, RuntimeError):
    """A tensor is used outside of the trace, or the branch, that made it."""

    @classmethod
    def of_value(cls, value: Any) -> LeakedTensorError:
        """The value belongs to no frame that is open here."""
        return located(
            cls(
                f"a {value.spec!r} tensor is used outside of the trace or branch that "
                "made it"
            ),
            "Tensors exist only while the function is traced: return the value, or "
            "keep it in an ag.Variable.",
        )

    @classmethod
    def outside(cls, what: str) -> LeakedTensorError:
        """No trace is on at all."""
        return located(
            cls(f"{what} is used outside of the trace that made it"),
            "Tensors exist only while the function is traced: return the value, or "
            "keep it in an ag.Variable.",
        )


def place(location: Location | None) -> str:
    """`  in f, file.py line 3:  source` for an error's note; empty when unknown."""
    if location is None:
        return ""
    source = f":  {location.source}" if location.source else ""
    return f"  in {location.function}, {location.filename} line {location.line}{source}"


def located(error: ErrorType, mend: str = "") -> ErrorType:
    """`error` with notes: the user's line, and how to mend it."""
    return with_notes(error, here(), mend)


def with_notes(
    error: ErrorType, location: Location | None, mend: str = ""
) -> ErrorType:
    """`error` with notes: the place, and how to mend it."""
    if where := place(location):
        error.add_note(where)
    if mend:
        error.add_note("  " + mend)
    return error
