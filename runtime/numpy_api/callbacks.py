"""Callbacks: the user's functions among the arguments of a host call.

A function that is defined inside the decorated one may use its tensors. Those are
inputs of the host call, and when the graph runs, the function is made again with what
they are then in its closure, and called as plain Python. What it changes of what it
shares with the decorated function would be lost, so such a run is refused.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.build import require_current
from runtime.errors import OnlyPythonError, StagingTypeError, located, with_notes
from runtime.numpy_api.codes import read_of
from runtime.ops.template import encode
from runtime.structs import struct
from runtime.tensor import Tensor


@dataclass(frozen=True, slots=True)  # a struct's function is a method to mypy
class Callback:
    """A function of the user's, and what stands in its closure and its defaults."""

    function: types.FunctionType
    closure: tuple[Any, ...]
    defaults: Any
    keywords: Any

    def made(self) -> types.FunctionType:
        """The function with these contents."""
        cells = tuple(map(types.CellType, self.closure))
        whole = self.function
        again = types.FunctionType(
            whole.__code__, whole.__globals__, whole.__name__, self.defaults, cells
        )
        again.__kwdefaults__ = self.keywords
        again.__dict__.update(whole.__dict__)
        for cell in cells:
            held = _content(cell)
            if held is EMPTY:
                del cell.cell_contents
            elif held is ITSELF:
                cell.cell_contents = again
            else:
                cell.cell_contents = _made(_read_only(held))
        return again


@struct
class Partial:
    """A functools.partial of one."""

    function: Any
    args: tuple[Any, ...]
    keywords: dict[str, Any]

    def made(self) -> Any:
        """The partial."""
        args = map(_made, self.args)
        named = {name: _made(part) for name, part in self.keywords.items()}
        return functools.partial(_made(self.function), *args, **named)


@struct
class Vectorized:
    """A np.vectorize of one."""

    function: Any
    options: dict[str, Any]

    def made(self) -> Any:
        """The np.vectorize object."""
        return np.vectorize(_made(self.function), **self.options)


class _Mark:
    """What stands in a cell that is empty, or that holds the function itself."""


EMPTY, ITSELF = _Mark(), _Mark()
_KINDS = (Callback, Partial, Vectorized)
# Callables that are as harmless as what they call.
WHOSE_FUNCTION_IS_ASKED = (*_KINDS, np.vectorize)


def callback(part: Any, around: tuple[Any, ...] = ()) -> Any:
    """A function that holds tensors as a Callback; anything else as it is."""
    if type(part) is functools.partial:
        inner = callback(part.func, around)
        held = _holds_tensor((part.args, part.keywords))
        if inner is part.func and not held:
            return part
        return Partial(inner, part.args, dict(part.keywords))
    if type(part) is np.vectorize:
        inner = callback(part.pyfunc, around)
        return part if inner is part.pyfunc else Vectorized(inner, _options(part))
    if type(part) is not types.FunctionType or any(part is one for one in around):
        return part
    inside = (*around, part)
    contents = [_content(cell) for cell in part.__closure__ or ()]
    found = [ITSELF if held is part else callback(held, inside) for held in contents]
    defaults = part.__defaults__, part.__kwdefaults__
    if not _holds_tensor((found, defaults)):
        return part
    return Callback(part, tuple(found), *defaults)


def _options(made: np.vectorize) -> dict[str, Any]:
    names = ("otypes", "excluded", "cache", "signature")
    return {name: getattr(made, name) for name in names}


def _content(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return EMPTY


def _holds_tensor(parts: Any) -> bool:
    return bool(encode(parts, lambda part: isinstance(part, Tensor))[1])


def callbacks(part: Any) -> Any:
    """`part` with the functions in it that hold tensors as Callbacks."""
    if type(part) in (tuple, list):
        return type(part)(map(callbacks, part))
    if type(part) is dict:
        return {name: callbacks(value) for name, value in part.items()}
    return callback(part)


def holds_callback(part: Any) -> bool:
    """True when a function in `part` holds a tensor."""
    if isinstance(part, _KINDS):
        return True
    if type(part) in (tuple, list):
        return any(map(holds_callback, part))
    return type(part) is dict and any(map(holds_callback, part.values()))


def _made(part: Any) -> Any:
    if isinstance(part, _KINDS):
        return part.made()
    if type(part) in (tuple, list):
        return type(part)(map(_made, part))
    if type(part) is dict:
        return {name: _made(value) for name, value in part.items()}
    return part


def _read_only(part: Any) -> Any:
    """An array of the run as one that the function can only read."""
    if type(part) is not np.ndarray:
        return part
    seen = part.view()
    seen.flags.writeable = False
    return seen


def with_callbacks(
    function: Callable[..., Any], args: Any, kwargs: dict[str, Any]
) -> Any:
    """`function(*args, **kwargs)` with the Callbacks made functions of this run.

    OnlyPythonError: one has changed what it shares with the decorated function.
    """
    made = [_made(part) for part in (args, kwargs)]
    shared = list(_shared((*made[0], *made[1].values())))
    before = [_seen(held) for _, held in shared]
    try:
        answer = function(*made[0], **made[1])
    except ValueError as error:
        if shared and "is read-only" in str(error):
            raise with_notes(unseen(_name(function)), None, MEND) from None
        raise
    for (cell, _), (held, items) in zip(shared, before, strict=True):
        if _content(cell) is not held or _items(held) != items:
            raise with_notes(unseen(_name(function)), None, MEND)
    return answer


def unseen(name: str) -> OnlyPythonError:
    """A library function, of this name, calls one that changes what it shares."""
    return OnlyPythonError(
        f"a function that is called by {name} changes a variable or a container of the "
        "decorated function, which would not be seen there"
    )


MEND = (
    "Let it return what it finds, or put both into a function that ag.py_function "
    "calls."
)


def _shared(parts: Any) -> Iterator[tuple[types.CellType, Any]]:
    for part in parts:
        for cell in getattr(part, "__closure__", None) or ():
            yield cell, _content(cell)


def _seen(held: Any) -> tuple[Any, Any]:
    return held, _items(held)


def _items(held: Any) -> Any:
    """What a container holds, each thing by what it is."""
    if type(held) is dict:
        return [(id(key), id(part)) for key, part in held.items()]
    return list(map(id, held)) if type(held) in (list, set) else None


def _name(function: Any) -> str:
    return getattr(function, "__name__", type(function).__name__)


# Which functions a trial may call: what they do cannot be seen outside.


def is_harmless(part: Any, around: tuple[Any, ...] = ()) -> bool:
    """True for a function of the user's that only computes, as far as can be told."""
    if isinstance(part, Callback):
        return _computes(part.function, part.closure, around, copied=True)
    if isinstance(part, (Partial, Vectorized)):
        return is_harmless(part.function, around)
    if type(part) is functools.partial:
        return is_harmless(part.func, around)
    if type(part) is np.vectorize:
        return is_harmless(part.pyfunc, around)
    if type(part) is not types.FunctionType:
        return isinstance(part, _HARMLESS)
    return _computes(part, tuple(map(_content, part.__closure__ or ())), around)


_HARMLESS = (np.ufunc, types.BuiltinFunctionType, type, np.poly1d)
# What acts on the world, and what may change an object that is reached from outside.
_ACTS = frozenset(
    "write writelines seed open input exec eval setattr next send while_stmt".split()
)
_LIBRARIES = ("numpy", "scipy", "math", "cmath", "autograph", "runtime")
# What does not change, and what a trial has copies of.
_FIXED = (type(None), int, float, complex, str, bytes, tuple, np.generic, np.dtype)
_FIXED_TOO = (types.ModuleType, types.FunctionType, Tensor, _Mark, *_KINDS, *_HARMLESS)


def _computes(
    function: types.FunctionType,
    held: tuple[Any, ...],
    around: tuple[Any, ...],
    copied: bool = False,
) -> bool:
    """Whether it only computes; copied: a trial gives it copies of what it holds."""
    code = function.__code__
    held = (*held, *(function.__defaults__ or ()))
    if any(code is one for one in around):
        return True
    read = read_of(code)
    if read.names & _ACTS or "YIELD_VALUE" in read.steps or read.binds_others:
        return False
    if read.has_while:
        # On a sample it might not end.
        return False
    scope = function.__globals__
    reached = [scope[name] for name in read.names if name in scope]
    may_change = [*reached, *(() if copied else held)]
    if read.changes and not all(map(_is_fixed, may_change)):
        return False
    inside = (*around, code)
    return all(_is_harmless_part(part, inside) for part in (*held, *reached))


def _is_fixed(part: Any) -> bool:
    return isinstance(part, (*_FIXED, *_FIXED_TOO))


def require_only_computing(name: str, parts: Any) -> None:
    """Refuse what calls a function that changes what the decorated one has made.

    OnlyPythonError: a graph would not see it, so the call is made as Python.
    """
    if _changes_shared(parts):
        raise located(unseen(name), MEND)


def _changes_shared(part: Any) -> bool:
    if type(part) in (tuple, list):
        return any(map(_changes_shared, part))
    if type(part) is dict:
        return _changes_shared(list(part.values()))
    if isinstance(part, (Callback, Partial, Vectorized)):
        return _changes_shared(part.function)
    if type(part) is functools.partial:
        return _changes_shared((part.func, part.args, part.keywords))
    if type(part) is np.vectorize:
        return _changes_shared(part.pyfunc)
    if type(part) is not types.FunctionType:
        return False
    read = read_of(part.__code__)
    held = [_content(cell) for cell in part.__closure__ or () if not _is_ours(cell)]
    binds = read.binds_others and "STORE_DEREF" in read.steps
    return binds or (read.changes and any(map(_is_local, held)))


def acts(part: Any) -> bool:
    """True where a function of the user's, that may do anything, is in `part`."""
    if type(part) in (tuple, list):
        return any(map(acts, part))
    if type(part) is dict:
        return acts(list(part.values()))
    users = isinstance(part, (types.FunctionType, functools.partial, np.vectorize))
    return (users or isinstance(part, _KINDS)) and not _is_harmless_part(part, ())


def require_harmless(name: str, function: Any) -> None:
    """Refuse a function that the library will call when nobody knows it any more.

    OnlyPythonError: it does something, or holds what is known when the graph runs.
    """
    holds = callback(function) is not function
    if holds or acts(function) or _changes_shared(function):
        raise located(unseen(name), MEND)


def _is_ours(cell: types.CellType) -> bool:
    return isinstance(_content(cell), types.ModuleType)


def _is_local(held: Any) -> bool:
    """True for a container or an array of the decorated function's."""
    trace = require_current("a function").trace
    if isinstance(held, (list, dict, set, bytearray, np.ndarray)):
        return id(held) not in trace.holding and id(held) not in trace.users
    return id(held) in trace.created


def _is_harmless_part(part: Any, around: tuple[Any, ...]) -> bool:
    if isinstance(part, _KINDS):
        return is_harmless(part, around)
    if callable(part):
        module = (getattr(part, "__module__", None) or "").partition(".")[0]
        return module in _LIBRARIES or is_harmless(part, around)
    return True


def refuse_method(part: Any) -> None:
    """Refuse a method of an object that holds tensors: it cannot be made again."""
    owner = getattr(part, "__self__", None)
    held = getattr(owner, "__dict__", None)
    if type(part) is types.MethodType and held and _holds_tensor(dict(held)):
        raise located(
            StagingTypeError(
                f"`{part.__name__}` is a method of an object that holds what is known "
                "only when the graph runs, so a library cannot call it then"
            ),
            "Pass a function that takes what it needs from variables.",
        )
