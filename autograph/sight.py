"""Sight: whether a function may meet objects whose operators are the user's methods.

`a + b` of such objects has to go through `ag__`, so that the methods are converted; of
arrays and numbers it stays as it is, which is what people read. So it is asked once for
each function: is a class with operators in its module, in a module that this one takes
something from, in its closure, or among the objects of the trace?
"""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from autograph.operators.objects import BINARY, COMPARISONS, IN_PLACE, UNARY
from autograph.rules import why_left_alone, why_module
from runtime import build, foreign
from runtime.methods import is_users
from runtime.structs import struct


@struct(eq=False)
class _Module:
    """What was seen in a module when it had `size` names."""

    size: int
    overloads: bool
    computed: frozenset[str]
    others: tuple[str, ...]


_modules: dict[str, _Module] = {}
_kinds: WeakKeyDictionary[type, bool] = WeakKeyDictionary()
_properties: WeakKeyDictionary[type, frozenset[str]] = WeakKeyDictionary()
_SLOTS = (
    *(f"__{prefix}{name}__" for name, _ in BINARY.values() for prefix in ("", "r")),
    *(f"__{name}__" for name in IN_PLACE),
    *(f"__{name}__" for name, _ in UNARY.values()),
    *(name for name, _, _ in COMPARISONS.values()),
    "__getitem__",
    "__setitem__",
    "__delitem__",
)


class Sight(NamedTuple):
    """What a function may meet.

    overloads: whether operators in it may be methods of the user's
    computed:  attributes that it names and that a class in sight computes; those of
               arrays (`T`) that an object has as well
    """

    overloads: bool
    computed: frozenset[str]


def sight_of(function: types.FunctionType) -> Sight:
    """What is in sight of a function, as the trace being made stands."""
    frame = build.current()
    held = [_kind(_content(cell)) for cell in function.__closure__ or ()]
    near = _together(held)
    if frame is None:
        return _sight(function, near)
    trace, scope = frame.trace, function.__globals__
    # Asked at each call of a trace, and another one only when classes came into sight.
    # No class is kept: one that the trace makes is gone after it.
    counted = len(trace.kinds), len(trace.named), len(scope), len(sys.modules)
    stands = trace.varies, *counted
    key = function.__code__, id(scope), near
    known = trace.sights.get(key)
    if known is None or known[0] != stands:
        around = _together(trace.kinds)
        overloads = trace.varies or near.overloads or around.overloads
        both = Sight(overloads, near.computed | around.computed | trace.named)
        known = trace.sights[key] = stands, _sight(function, both)
    if near.overloads and not trace.varies:
        # What the function calls may be given such objects.
        trace.kinds.update(filter(_overloads, held))
    found: Sight = known[1]
    return found


def _together(kinds: Collection[type]) -> Sight:
    """What classes have by themselves."""
    names = frozenset().union(*map(_computed, kinds))
    return Sight(any(map(_overloads, kinds)), names)


def _sight(function: types.FunctionType, near: Sight) -> Sight:
    """What is in sight by the classes near to a function, and by its modules."""
    modules = list(_reached(function))
    overloads = near.overloads or any(module.overloads for module in modules)
    names = near.computed.union(*(module.computed for module in modules))
    own = frozenset(_names_in(function.__code__))
    return Sight(overloads, own if _ANY in names else names & own)


def _names_in(code: types.CodeType) -> Iterator[str]:
    """The names of globals and attributes in a function and in those inside of it."""
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from _names_in(inner)


# Methods that may be asked for any name.
_ASKED = ("__getattr__", "__getattribute__")
_ANY = "*"


def _computed(kind: type) -> frozenset[str]:
    """The properties that a user wrote, of a class and its bases."""
    known = _properties.get(kind)
    if known is None:
        known = _properties[kind] = _find_computed(kind)
    return known


def _find_computed(kind: type) -> frozenset[str]:
    home = kind.__module__
    if not isinstance(home, str) or why_module(home):
        return frozenset()
    if any(is_users(getattr(kind, name, None)) for name in _ASKED):
        return frozenset({_ANY})
    return frozenset(
        name
        for base in kind.__mro__
        for name, held in list(vars(base).items())
        if isinstance(held, (property, functools.cached_property))
    )


def _content(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _kind(thing: Any) -> type:
    return thing if isinstance(thing, type) else type(thing)


def _overloads(kind: type) -> bool:
    """Whether a class has an operator that a user wrote."""
    known = _kinds.get(kind)
    if known is None:
        known = any(_is_written(kind, name) for name in _SLOTS)
        _kinds[kind] = known = known or _is_librarys(kind)
    return known


def _is_librarys(kind: type) -> bool:
    """Whether its operators look at an array, which a tensor cannot be for them."""
    written = foreign.package(kind) == "scipy" and hasattr(kind, "__matmul__")
    return written or foreign.has_protocol(kind)


def _is_written(kind: type, name: str) -> bool:
    function = getattr(kind, name, None)
    if type(function) is not types.FunctionType or why_left_alone(function):
        return False
    # Not by `dataclass`, which asks all fields for their equality.
    return function.__code__.co_filename != "<string>"


def _reached(function: types.FunctionType) -> Iterator[_Module]:
    """A function's module, and those that it takes something from."""
    name = function.__module__ or ""
    if vars(sys.modules.get(name, sys)) is function.__globals__:
        module = _look(name)
    else:  # of code that was run by itself, as in a notebook or by exec
        module = _seen(list(function.__globals__.values()))
    seen = {name}
    waiting = [module]
    while waiting:
        module = waiting.pop()
        yield module
        others = [other for other in module.others if other not in seen]
        seen.update(others)
        waiting += map(_look, others)


def _look(name: str) -> _Module:
    module = sys.modules.get(name)
    if module is None or why_module(name):
        return _Module(0, False, frozenset(), ())
    # Asked at each call of a trace: names are counted, and looked at if some came.
    known, names = _modules.get(name), vars(module)
    if known is None or known.size != len(names):
        known = _modules[name] = _seen(list(names.values()))
    return known


def _seen(things: list[Any]) -> _Module:
    """What a module whose names hold `things` has."""
    found = any(_overloads(_kind(thing)) for thing in things)
    computed = frozenset().union(*map(_computed, set(map(_kind, things))))
    others = tuple(dict.fromkeys(map(_home, things)))
    return _Module(len(things), found, computed, others)


def _home(thing: Any) -> str:
    """The module that a thing is of."""
    if isinstance(thing, types.ModuleType):
        return thing.__name__
    made = thing if isinstance(thing, (type, types.FunctionType)) else type(thing)
    home = getattr(made, "__module__", None)
    return home if isinstance(home, str) else ""
