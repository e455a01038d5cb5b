"""raised: what a converted `raise` of a name asks."""

from __future__ import annotations

from typing import Any, NoReturn

from tracer.choice import Choice, each


def raised(error: Any) -> Any:
    """`error`, to be raised; one of several is raised here, by each path its own."""
    return each(error, _raise) if isinstance(error, Choice) else error


def _raise(error: Any) -> NoReturn:
    raise error
