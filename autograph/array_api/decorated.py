"""Lookup: functions that become decorated calls when they are first asked for."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from autograph.function import function

Plain = Callable[..., Any]


class Lookup:
    """The functions of a module, by name."""

    def __init__(self, module: str, functions: Mapping[str, Plain]) -> None:
        self._module = module
        self._functions = dict(functions)

    def own(self, *functions: Plain) -> None:
        """Enter functions that are not NumPy's as they are."""
        self._functions |= {made.__name__: made for made in functions}

    @property
    def names(self) -> list[str]:
        """All of them."""
        return sorted(self._functions)

    def __call__(self, name: str) -> Any:
        """The decorated function. AttributeError: there is none of this name."""
        if name not in self._functions:
            raise AttributeError(f"module {self._module!r} has no attribute {name!r}")
        return _decorated(name, self._functions[name])


def _decorated(name: str, plain: Plain) -> Any:
    def call(*args: Any, **kwargs: Any) -> Any:
        return plain(*args, **kwargs)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = plain.__doc__
    made: Any = function(call)
    # For users alone: the arguments go on as they are given.
    made.__signature__ = inspect.signature(plain)
    return made
