"""printed_text: what code that is not converted prints while tracing.

`pprint.pprint(x)` would print once, and `Tensor(float64[])` for `x`. So what a function
of a library's writes to `sys.stdout` in a trace is held back, and the call of the
decorated function is made as Python.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from runtime import build
from runtime.errors import PythonTypeError, located
from runtime.streams import held


@contextmanager
def held_back(function: Any) -> Iterator[None]:
    """For a call of a library's function in a trace, which may print.

    PythonTypeError: it has printed, so that each call has to.
    """
    frame = build.current()
    if frame is None or frame.trace.python_effects == "trace":
        yield
        return
    with ExitStack() as stack:
        noted = [stack.enter_context(held(name)) for name in _streams(function)]
        yield
    if any(one.is_written for one in noted):
        word = getattr(function, "__qualname__", type(function).__name__)
        raise located(
            PythonTypeError(f"{word} prints, which each call of it has to do"),
            "Use print, or call it by ag.py_function.",
        )


def _streams(function: Any) -> tuple[str, ...]:
    """The streams of `sys` to look at: warnings, which come once, are no prints."""
    module = getattr(function, "__module__", None)
    return ("stdout", "stderr") if module == "traceback" else ("stdout",)
