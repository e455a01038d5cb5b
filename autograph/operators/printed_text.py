"""printed_text: what code that is not converted prints while tracing.

`pprint.pprint(x)` would print once, and `Tensor(float64[])` for `x`. So what a function
of a library's writes to `sys.stdout` in a trace is held back, and the call of the
decorated function is made as Python.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from runtime import build
from runtime.errors import PythonTypeError, located


class _Held:
    """Stands for `sys.stdout` in one thread's call, and notes that it is written to.

    Who keeps it, and other threads, write to the stream that it stands for.
    """

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._thread: int | None = threading.get_ident()
        self.is_written = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> Any:
        if self._thread != threading.get_ident():
            return self._stream.write(text)
        self.is_written = True
        return len(text)

    def let_go(self) -> None:
        """What is written from now on is the stream's."""
        self._thread = None


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
        held = [stack.enter_context(_held(name)) for name in _streams(function)]
        yield
    if any(one.is_written for one in held):
        word = getattr(function, "__qualname__", type(function).__name__)
        raise located(
            PythonTypeError(f"{word} prints, which each call of it has to do"),
            "Use print, or call it by ag.py_function.",
        )


def _streams(function: Any) -> tuple[str, ...]:
    """The streams of `sys` to look at: warnings, which come once, are no prints."""
    module = getattr(function, "__module__", None)
    return ("stdout", "stderr") if module == "traceback" else ("stdout",)


@contextmanager
def _held(name: str) -> Iterator[_Held]:
    stream = getattr(sys, name)
    held = _Held(stream)
    setattr(sys, name, held)
    try:
        yield held
    finally:
        held.let_go()
        if getattr(sys, name) is held:
            setattr(sys, name, stream)
