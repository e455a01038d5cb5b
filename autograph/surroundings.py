"""Surroundings: what a function may change around it, put back after each call.

These are the globals and closure variables that it names: their bindings, and the
content of arrays, lists, dicts, sets, Variables and plain objects. What functions that
it calls reach by themselves is not looked for.
"""

from __future__ import annotations

import copy
import inspect
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.differences import between
from runtime.variable import Variable
from tracer.function import Function

_KEPT = (
    types.ModuleType,
    type,
    types.FunctionType,
    types.BuiltinFunctionType,
    Function,
)


class Surroundings:
    """The outer names of a function, as they were when this was made."""

    def __init__(self, function: Callable[..., Any]) -> None:
        function = inspect.unwrap(function)
        code = getattr(function, "__code__", None)
        self._scope: dict[str, Any] = getattr(function, "__globals__", {})
        cells = getattr(function, "__closure__", None) or ()
        self._cells = dict(zip(code.co_freevars, cells, strict=True)) if code else {}
        names = [
            name for name in (code.co_names if code else ()) if name in self._scope
        ]
        self._before = {
            name: (thing, content)
            for name in (*names, *self._cells)
            if (thing := self._get(name)) is not _UNBOUND
            and not isinstance(thing, _KEPT)
            and (content := _copied(thing)) is not _UNBOUND
        }

    def restored(self) -> dict[str, Any]:
        """What the names hold now; afterwards they hold what they held at first."""
        now = {name: _copied(self._get(name)) for name in self._before}
        for name, (thing, content) in self._before.items():
            self._set(name, thing)
            if any(between(name, content, thing)):
                _fill(thing, copy.deepcopy(content))
        return now

    def _get(self, name: str) -> Any:
        if name not in self._cells:
            return self._scope.get(name, _UNBOUND)
        try:
            return self._cells[name].cell_contents
        except ValueError:
            return _UNBOUND

    def _set(self, name: str, thing: Any) -> None:
        if name in self._cells:
            self._cells[name].cell_contents = thing
        else:
            self._scope[name] = thing


class _Unbound:
    """What a name without a value holds."""


_UNBOUND = _Unbound()


def _copied(thing: Any) -> Any:
    try:
        return copy.deepcopy(thing)
    except Exception:
        # A file, a lock, a generator: it stays what the calls make of it.
        return _UNBOUND


def _fill(thing: Any, content: Any) -> None:
    """Make a thing hold again what a copy of it holds."""
    if isinstance(thing, np.ndarray):
        if thing.flags.writeable:
            thing[...] = content
    elif isinstance(thing, Variable):
        thing.store(content.value)
    elif isinstance(thing, list):
        thing[:] = content
    elif isinstance(thing, (dict, set)):
        thing.clear()
        thing.update(content)
    elif hasattr(thing, "__dict__"):
        thing.__dict__.clear()
        thing.__dict__.update(content.__dict__)
