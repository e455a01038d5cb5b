"""debugger: `breakpoint()` and its like in converted code, while it is traced.

What stops has to be called from the user's own frame, which has to know the user's
names: a generated function knows only those that it uses.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable
from typing import Any

from autograph import breakpoints
from autograph.operators.calls import converted_call
from runtime import build
from runtime.config import is_pdb_wanted

# Packages whose functions look at the frame of their caller.
DEBUGGERS = frozenset(
    {"pdb", "bdb", "ipdb", "IPython", "pudb", "web_pdb", "debugpy", "pytest", "_pytest"}
)


def debugger(function: Any, names: Callable[[], Any]) -> Callable[..., Any]:
    """What a call of `breakpoint` or `set_trace` calls.

    names: a function that is never called; its closure holds the user's local names
    """
    stops: Callable[..., Any] = function
    if function is breakpoints.breakpoint:
        if build.current() is None:
            return stops
        return lambda **values: breakpoints.stage(values or _held(names))
    if function is builtins.breakpoint:
        return _stop if is_pdb_wanted() else stops
    if function is getattr(sys.modules.get("pdb"), "set_trace", None):
        return _stop
    module = getattr(function, "__module__", None) or ""
    if module.partition(".")[0] in DEBUGGERS:
        return stops
    return lambda *args, **kwargs: converted_call(function, args, kwargs)


def _stop(*, header: str | None = None) -> None:
    from runtime.debugger import stop_at

    stop_at(sys._getframe(1), header)


def _held(names: Callable[[], Any]) -> dict[str, Any]:
    """The user's local names that are bound."""
    held = {}
    cells = names.__closure__ or ()
    for name, cell in zip(names.__code__.co_freevars, cells, strict=True):
        try:
            held[name] = cell.cell_contents
        except ValueError:
            # Not bound yet.
            continue
    return held
