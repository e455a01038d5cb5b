"""handlers: a try in whose body nothing may fail that depends on data.

`except*` is left to Python, whose handlers run while tracing; a failure that comes when
the graph runs would pass them by, so it is refused where it is staged.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from runtime import build
from runtime.build import Frame
from runtime.errors import StagingNotImplementedError, with_notes
from runtime.graph import Node


class _Refusal:
    """A guard that sees nothing fail, because it refuses what may."""

    passes_on = True

    def about_to_fail(self, frame: Frame, node: Node) -> NoReturn:
        """Refuse the node."""
        error = StagingNotImplementedError(
            "this may fail depending on data, inside a try with `except*`, which is "
            "not staged"
        )
        mend = "Use `except`, or move the try out of the decorated function."
        raise with_notes(error, node.location, mend)


@contextmanager
def handled() -> Iterator[None]:
    """The body of a try with `except*`."""
    frame = build.current()
    if frame is None:
        yield
        return
    guards = frame.trace.guards
    refusal = _Refusal()
    guards.append(refusal)
    try:
        yield
    finally:
        guards.remove(refusal)
