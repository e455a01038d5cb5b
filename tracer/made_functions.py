"""made_functions: functions and classes that take with them what a trace has made.

What a function is closed over is there after the call, and each call of Python makes
variables of its own: a tensor in one would be known to no run, a list or counter would
be shared by all that come out of one trace, and what stands for a list of the arguments
is empty once the trace is over.
"""

from __future__ import annotations

import dis
import types
from collections.abc import Iterator
from functools import lru_cache, partial
from typing import Any

from runtime import build
from tracer import tree
from tracer.function import Function
from tracer.method import Method

_STORES = frozenset({"STORE_DEREF", "DELETE_DEREF"})


def takes_along(thing: Any) -> str:
    """What `thing` is, if it holds what this trace has made; "" if it holds none.

    >>> takes_along(len), takes_along(3)
    ('', '')
    """
    for kinds, word in _WORDS:
        # Not `isinstance`: the class of a caught exception is known to the run alone.
        if issubclass(type(thing), kinds) or (kinds is _FUNCTION and _wraps(thing)):
            return word if _holds(thing, set()) else ""
    return ""


def _wraps(thing: Any) -> bool:
    """Whether it is a decorated function, or says by `functools` what it wraps."""
    return callable(thing) and "__wrapped__" in getattr(thing, "__dict__", ())


_FUNCTION = types.FunctionType
_WORDS: tuple[tuple[Any, str], ...] = (
    (_FUNCTION, "a function, whose variables"),
    ((types.MethodType, Method), "a method, whose object"),
    (partial, "a partial, whose arguments"),
    (type, "a class, whose attributes"),
)


def _holds(thing: Any, known: set[int]) -> bool:
    if id(thing) in known:
        return False
    known.add(id(thing))
    is_function = isinstance(thing, types.FunctionType)
    if is_function and _sets_variables(thing.__code__) and _is_new(thing.__code__):
        return True
    return any(_is_made(part, known) for part in _inside(thing))


def _inside(thing: Any) -> Iterator[Any]:
    """What a function, method, partial or class holds, and what wraps one."""
    if isinstance(thing, types.FunctionType):
        yield from (thing.__defaults__, thing.__kwdefaults__, vars(thing))
        for cell in thing.__closure__ or ():
            if cell != types.CellType():
                yield cell.cell_contents
    elif isinstance(thing, (types.MethodType, Method)):
        yield from (thing.__self__, thing.__func__)
    elif isinstance(thing, partial):
        yield from (thing.func, thing.args, thing.keywords)
    elif isinstance(thing, type) and "<locals>" in thing.__qualname__:
        yield from vars(thing).values()
    elif isinstance(thing, Function):
        # What it wraps may be another function, by `functools.wraps`.
        yield from (thing.python_function, vars(thing))
    elif isinstance(thing, property):
        yield from (thing.fget, thing.fset, thing.fdel)
    elif isinstance(thing, (staticmethod, classmethod)) or _wraps(thing):
        yield from (thing.__wrapped__, vars(thing))


def _is_made(part: Any, known: set[int]) -> bool:
    """Whether what is held is, or has inside, what the trace made or the call gives."""
    trace, found = build.require_current("a result").trace, list[Any]()
    tree.visit(part, found.append)
    if tree.holds_tensor(part) or any(id(one) in trace.given for one in found):
        return True
    return any(id(one) in trace.created or _holds(one, known) for one in found)


def _is_new(code: types.CodeType) -> bool:
    """Whether a function of this trace has it inside; converted code says the same."""
    functions = build.require_current("a result").trace.functions.values()
    return any(_said(code) in _inner(function.__code__) for function in functions)


@lru_cache
def _inner(code: types.CodeType) -> frozenset[tuple[str, int, str]]:
    """What the code within some code says of itself."""
    inner = [one for one in code.co_consts if isinstance(one, types.CodeType)]
    return frozenset(map(_said, inner)).union(*map(_inner, inner))


def _said(code: types.CodeType) -> tuple[str, int, str]:
    return code.co_filename, code.co_firstlineno, code.co_qualname


@lru_cache
def _sets_variables(code: types.CodeType) -> bool:
    """Whether it sets variables of the functions around it, as a counter does."""
    found = (step for step in dis.get_instructions(code) if step.opname in _STORES)
    return any(step.argval in code.co_freevars for step in found)
