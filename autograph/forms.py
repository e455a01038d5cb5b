"""forms: what a function is converted to, and what of its surroundings that depends on.

Beside the function's text these are all that a conversion goes by, so two functions of
one code object, one form and equal surroundings have one conversion.
"""

from __future__ import annotations

import types
from enum import Enum
from typing import Any, NamedTuple

import numpy as np

from autograph.rules import why_module
from autograph.sight import sight_of
from runtime.structs import struct
from tracer import captures
from tracer.function import Function


class Outer(NamedTuple):
    """Globals and closure variables of a function that hold arrays, or objects.

    computed:  attributes that the function names, of which properties are in sight
    overloads: whether objects whose operators are the user's methods are in sight
    """

    arrays: frozenset[str]
    objects: frozenset[str]
    overloads: bool = False
    computed: frozenset[str] = frozenset()


NOTHING = Outer(frozenset(), frozenset())


class Form(Enum):
    """What a function becomes: a generator of the user's has two forms."""

    FUNCTION = "a function"
    RUN = "a generator that is run by its body"
    LAZY = "a generator that is asked item by item"
    MANAGER = "a generator that a `with` runs around its block"


@struct(eq=False)
class Converted:
    """A converted code object, and the tree that it was compiled from.

    tree: None where the code is what an earlier process has kept
    """

    code: types.CodeType
    tree: Any = None


def outer_of(function: types.FunctionType) -> Outer:
    """What the function's globals and closure variables hold now."""
    code, scope = function.__code__, function.__globals__
    held = {name: scope[name] for name in code.co_names if name in scope}
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        try:
            held[name] = cell.cell_contents
        except ValueError:
            # The variable is bound later, or never.
            continue
    arrays = {name for name, thing in held.items() if isinstance(thing, np.ndarray)}
    names = frozenset(captures.names_in(code))
    objects = {name for name, thing in held.items() if _has_state(thing, names)}
    own = frozenset(objects - arrays)
    return Outer(frozenset(arrays), own, *sight_of(function))


def _has_state(
    thing: Any, names: frozenset[str], around: tuple[types.ModuleType, ...] = ()
) -> bool:
    """Whether attributes of these names may be arrays of a program's state."""
    if isinstance(thing, types.ModuleType):
        if why_module(thing.__name__) is not None or thing in around:
            return False
        around, of = (*around, thing), [vars(thing)]
    elif not isinstance(thing, _PLAIN):
        return True
    else:
        kinds = thing.__mro__ if isinstance(thing, type) else (thing,)
        of = [vars(kind) for kind in kinds if hasattr(kind, "__dict__")]
    parts = [held[name] for held in of for name in names & held.keys()]
    if not around:
        return any(isinstance(part, np.ndarray) for part in parts)
    return any(_has_state(part, names, around) for part in parts)


# Their attributes are no arrays of a program's state, but where one is found there.
_PLAIN = (
    types.ModuleType,
    types.FunctionType,
    types.BuiltinFunctionType,
    type,
    Function,
    np.ufunc,
    str,
    int,
    float,
)
