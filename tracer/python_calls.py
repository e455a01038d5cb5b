"""python_calls: what the functions that a graph calls as Python may look at and change.

A list or attribute that a call changes is put where it belongs when the call ends. What
`ag.py_function` calls meanwhile would see it as it was, and what it changes there would
be lost.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from runtime.build import Slot
from runtime.errors import OnlyPythonError, with_notes
from runtime.location import Location
from tracer.cells import CellSlot, GlobalSlot
from tracer.places import AttributeSlot

MOST = 1_000  # objects that are looked at
_NO_OBJECTS = (types.ModuleType, type, str, bytes, int, float, complex, type(None))


def require_apart(
    calls: Iterable[tuple[Any, Location | None]], slots: Iterable[Slot]
) -> None:
    """OnlyPythonError: a function that is called as Python may use such a place."""
    for function, location in calls:
        reach = _Reach(function)
        for slot in slots:
            if reach.may_use(slot):
                name = getattr(function, "__name__", type(function).__name__)
                raise with_notes(
                    OnlyPythonError(
                        f"`{name}` is called as Python, and may use {slot}, too"
                    ),
                    location,
                    "Give it what it needs as arguments, and let it return the rest.",
                )


class _Reach:
    """What a function can come to by the names in its code, and in that of others.

    things: the objects and cells, by id
    names:  the attributes and variables that are named somewhere in that code
    scoped: the globals, each with its module's variables
    """

    def __init__(self, function: Any) -> None:
        self.things: dict[int, Any] = {}
        self.names: set[str] = set()
        self.scoped: set[tuple[int, str]] = set()
        self._waiting = [function]
        while self._waiting and len(self.things) < MOST:
            while self._waiting and len(self.things) < MOST:
                self._look(self._waiting.pop())
            # Methods are named by code that may be found after their object.
            met = self.things
            self._waiting = [one for one in self._methods() if id(one) not in met]

    def may_use(self, slot: Slot) -> bool:
        """Whether code in reach may read or change what is there."""
        if isinstance(slot, GlobalSlot):
            return (id(slot.scope), slot.name) in self.scoped
        if isinstance(slot, CellSlot):
            return id(slot.cell) in self.things
        is_named = not isinstance(slot, AttributeSlot) or slot.name in self.names
        return is_named and id(slot.holder()) in self.things

    def _look(self, thing: Any) -> None:
        if id(thing) in self.things:
            return
        self.things[id(thing)] = thing
        if isinstance(thing, _NO_OBJECTS):
            return
        self._waiting += _held_by(thing)
        if isinstance(thing, types.FunctionType):
            self._look_at_code(thing, thing.__code__)

    def _look_at_code(self, function: types.FunctionType, code: types.CodeType) -> None:
        scope = function.__globals__
        self.names.update(code.co_names)
        for name in code.co_names:
            if name in scope:
                self.scoped.add((id(scope), name))
                self._waiting.append(scope[name])
        for inner in code.co_consts:
            if isinstance(inner, types.CodeType):
                self._look_at_code(function, inner)

    def _methods(self) -> Iterator[Any]:
        """Those of the objects that are named, or called as functions are."""
        kinds = {type(thing) for thing in self.things.values()}
        for kind in kinds:
            if kind.__module__ == "builtins":
                continue
            for name in (*self.names, "__call__"):
                found = inspect.getattr_static(kind, name, None)
                for part in (found, *_functions_of(found)):
                    if isinstance(part, types.FunctionType):
                        yield part


def _functions_of(found: Any) -> tuple[Any, ...]:
    if isinstance(found, property):
        return found.fget, found.fset, found.fdel
    return (getattr(found, "__func__", None),)


def _held_by(thing: Any) -> list[Any]:
    """What an object holds that code may come to through it."""
    if isinstance(thing, partial):
        return [thing.func, *thing.args, *thing.keywords.values()]
    if isinstance(thing, (types.MethodType, types.BuiltinMethodType)):
        return [thing.__self__, getattr(thing, "__func__", None)]
    if isinstance(thing, types.CellType):
        return [thing.cell_contents] if _is_full(thing) else []
    if isinstance(thing, dict):
        return list(thing.values())
    if isinstance(thing, (list, tuple, set, frozenset)):
        return list(thing)
    held = list(getattr(thing, "__dict__", {}).values())
    if isinstance(thing, types.FunctionType):
        named = (thing.__kwdefaults__ or {}).values()
        held += [*(thing.__closure__ or ()), *(thing.__defaults__ or ()), *named]
    return held


def _is_full(cell: types.CellType) -> bool:
    try:
        return cell.cell_contents is cell.cell_contents
    except ValueError:
        return False
