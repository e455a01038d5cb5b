"""read_slots: the places behind the names and attributes that a trace has asked for."""

from __future__ import annotations

import types
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tracer import plain
from tracer.cells import CellSlot, GlobalSlot
from tracer.managed import is_managed
from tracer.manners import found_on
from tracer.places import AttributeSlot
from tracer.read_checks import MethodSlot, ReadSlot
from tracer.telling import has_dict, own_dict
from tracer.undefined import UNDEFINED


def of_function(thing: Any) -> Iterator[ReadSlot]:
    """What a function of the user's has of its own, which may be set anew."""
    if type(thing) is types.FunctionType and not plain.is_library(thing.__module__):
        # A reloader sets the code, and so do those who add a default.
        yield AttributeSlot(thing, "__code__")
        yield from defaults_of(thing)


def asked(slots: Iterable[Any]) -> Iterator[tuple[Any, str]]:
    """The objects among these, and what each was asked for by its name."""
    for slot in slots:
        if isinstance(slot, AttributeSlot):
            yield slot.owner, slot.name
        elif isinstance(slot, MethodSlot):
            # What the class has under the name is a read itself.
            yield slot.owner, "__getattribute__"


def defaults_of(function: types.FunctionType) -> Iterator[AttributeSlot]:
    """Those of its defaults that it has."""
    for name in ("__defaults__", "__kwdefaults__"):
        if getattr(function, name):
            yield AttributeSlot(function, name)


def cells(function: types.FunctionType) -> dict[str, CellSlot]:
    """The variables of the functions around it, by their names."""
    closed = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return {name: CellSlot(cell, name) for name, cell in closed}


def built_in(scope: dict[str, Any], name: str) -> GlobalSlot | None:
    """The name in `builtins`, as the function that has these globals sees it."""
    builtins = scope.get("__builtins__", {})
    known = vars(builtins) if isinstance(builtins, types.ModuleType) else builtins
    return GlobalSlot(known, name) if name in known else None


def along(owner: Any, names: Sequence[str]) -> Iterator[ReadSlot]:
    """The places of `owner.a.b`, as far as no function of the user's gives one."""
    for name in names:
        slot = _attribute(owner, name)
        if slot is None:
            return
        yield slot
        if isinstance(slot, MethodSlot):
            return
        owner = slot.get()


def _attribute(owner: Any, name: str) -> ReadSlot | None:
    if isinstance(owner, types.ModuleType):
        is_library = plain.is_library(owner.__name__)
        return None if is_library else GlobalSlot(vars(owner), name)
    of_class = isinstance(owner, type)
    kind = owner if of_class else type(owner)
    held = found_on(kind, name)
    in_dict = not of_class and has_dict(owner)
    own = in_dict and (
        name in own_dict(owner) or held is UNDEFINED or name == "__dict__"
    )
    if plain.is_library(kind.__module__) and not own:
        return None
    in_slot = isinstance(held, types.MemberDescriptorType)
    if in_slot or (own and not is_managed(kind, name)) or not hasattr(held, "__get__"):
        return AttributeSlot(owner, name)
    return MethodSlot(owner, name)
