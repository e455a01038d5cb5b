"""ag.print: prints at each execution, whatever `python_effects` says."""

from __future__ import annotations

import builtins
from typing import Any

from autograph.operators.builtin_calls import emit_print
from runtime import build
from tracer.opened import opened


def print(*args: Any, **kwargs: Any) -> None:
    """Python's `print`, run each time the graph is, with the values of that run.

    >>> print("x is", np.float64(1.5))
    x is 1.5
    """
    if build.current() is None:
        builtins.print(*args, **kwargs)
    else:
        emit_print(opened(args), kwargs)
