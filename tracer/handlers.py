"""handlers: a try with handlers, in which nothing may fail that depends on data.

Python's handlers run while tracing; a failure that comes when the graph runs would pass
them by, so it is refused where it is staged.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from runtime import build
from runtime.errors import StagingNotImplementedError, with_notes
from runtime.location import Location


@contextmanager
def handled() -> Iterator[None]:
    """The body of a try with handlers."""
    frame = build.current()
    if frame is None:
        yield
        return
    frame.trace.handlers += 1
    try:
        yield
    finally:
        frame.trace.handlers -= 1


def refuse_failure(what: str, location: Location | None) -> None:
    """Refuse `what`, an assert or raise on the path of a branch, inside such a try."""
    frame = build.current()
    if frame is not None and frame.trace.handlers:
        error = StagingNotImplementedError(
            f"{what} that depends on data is inside a try with handlers, which is not "
            "staged"
        )
        mend = (
            "Move the try out of the decorated function, or test the condition first."
        )
        raise with_notes(error, location, mend)
