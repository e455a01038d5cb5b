"""Ongoing: what gives tensors of a trace one by one, and so ends with it.

A generator of the user's, an iterator over what a run knows, a view of such a dict. A
host call would go on with it where the graph runs, after the trace.
"""

from __future__ import annotations

from typing import Any

from runtime.errors import PythonTypeError, located


class Ongoing:
    """What the tracer stages and goes on with while tracing.

    stands_for: Python's own type for it, if it has one
    """

    __slots__ = ()
    stands_for: type | None = None


def refuse(part: Any) -> None:
    """PythonTypeError: a host call is given what only the trace can go on with."""
    if isinstance(part, Ongoing):
        raise located(
            PythonTypeError(
                "a library is given an iterator, whose items it would ask for after "
                "the trace"
            ),
            "Give it a list of the items.",
        )
