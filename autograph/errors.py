"""Errors of conversion: a source that is not to be had, a construct not supported."""

from __future__ import annotations

from runtime.errors import StagingError


class SourceNotFoundError(OSError):
    """The text of a function cannot be had, or is not what the function was made of."""

    __module__ = "autograph"  # where users import it from, so tracebacks say it too


class UnsupportedError(StagingError, NotImplementedError):
    """A construct that cannot be converted, with its line.

    It is raised when the function is converted, before anything of it has run.
    """

    __module__ = "autograph"  # where users import it from, so tracebacks say it too

    def __init__(self, what: str, line: int, remedy: str) -> None:
        super().__init__(f"{what} cannot be converted")
        self.line = line
        self.remedy = remedy
