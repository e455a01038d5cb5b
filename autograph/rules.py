"""Rules: which callables are converted and which are left alone, and why.

Left alone means called as they are: what tensors meet in them is then Python's own
`if`, which a tensor refuses.
"""

from __future__ import annotations

import functools
import inspect
import os
import sys
import types
from collections.abc import Callable
from typing import Any, TypeVar, cast

# Top-level packages that are never converted: their control flow is not the user's,
# and their array functions are nodes or host calls.
LEFT_ALONE = frozenset(
    {
        "autograph",
        "tracer",
        "runtime",
        "numpy",
        "scipy",
        "pandas",
        "sklearn",
        "matplotlib",
        "ml_dtypes",
        "optree",
        "gast",
        "astunparse",
        "llvmlite",
        "numba",
        "jax",
        "jaxlib",
        "torch",
        "tensorflow",
        "onnx",
        "pytest",
        "_pytest",
        "hypothesis",
        "IPython",
        "coverage",
    }
)
# The reason for a function that conversion has made.
CONVERTED = "it is converted already"
# That of a generator function of the user's, which has forms of its own in a trace.
GENERATOR = "it is a generator function"
# The standard library's functions that only call methods of the user's, by module and
# the beginnings of their names: they are converted as the user's own.
THROUGH = {
    "functools": ("_gt_from_", "_lt_from_", "_ge_from_", "_le_from_"),
    "contextlib": ("closing.", "ContextDecorator.__call__.<locals>."),
    "collections": ("UserDict.", "UserList.", "ChainMap."),
    "collections.abc": ("Mapping.", "MutableMapping."),
    "os": ("_Environ.", "getenv"),
}
_NONE = ("<none>",)
_MARK = "__ag_do_not_convert__"
F = TypeVar("F", bound=Callable[..., Any])


def do_not_convert(function: F) -> F:
    """Mark a function to be called as it is, also inside converted code.

    >>> @do_not_convert
    ... def debug(x):
    ...     return x
    """
    try:
        setattr(function, _MARK, True)
        return function
    except (AttributeError, TypeError):  # C's, or a bound method: it has no attributes
        wrapper = functools.wraps(function)(lambda *args, **kw: function(*args, **kw))
        setattr(wrapper, _MARK, True)
        return cast(F, wrapper)


def why_left_alone(function: Any) -> str | None:
    """The reason for which a Python function is not converted; None: it is.

    >>> import json
    >>> why_left_alone(json.dumps)
    'it belongs to the standard library'
    """
    if getattr(function, _MARK, False):
        return "it is marked with do_not_convert"
    code = getattr(function, "__code__", None)
    if code is None:
        return "it has no Python code"
    if "ag__" in code.co_freevars and _is_ours(function, code):
        return CONVERTED
    if code.co_flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        return "it is a coroutine function"
    reason = _why_of_module(code, getattr(function, "__module__", None) or "")
    if reason is not None and hasattr(function, "__wrapped__"):
        # The module may be that of what it is around (`functools.wraps`).
        reason = _why_of_module(code, function.__globals__.get("__name__") or "")
    if reason is None and code.co_flags & inspect.CO_GENERATOR:
        return GENERATOR
    return reason


def _why_of_module(code: types.CodeType, module: str) -> str | None:
    calls_through = code.co_qualname.startswith(THROUGH.get(module, _NONE))
    return None if calls_through else why_module(module)


def _is_ours(function: Any, code: types.CodeType) -> bool:
    """Whether its `ag__` is our operators, and not a variable of the user's."""
    cell = function.__closure__[code.co_freevars.index("ag__")]
    return getattr(cell.cell_contents, "__name__", "") == "autograph.operators"


def _is_users(top: str) -> bool:
    """True for a file of the user's that is called as a module of the library is."""
    file = getattr(sys.modules.get(top), "__file__", None)
    return file is not None and not file.startswith(_LIBRARY)


# With the links followed and not: a virtual environment has links.
_LIBRARY = (
    os.path.dirname(os.__file__),
    os.path.dirname(os.path.realpath(os.__file__)),
)


# Written to be converted, in the place of a library's.
OURS = ("autograph.equivalents", "autograph.heap_steps", "autograph.turns")


def why_module(module: str) -> str | None:
    """The reason for which the functions of a module are not converted, or None."""
    if module in OURS:
        return None
    top = module.partition(".")[0]
    if top in LEFT_ALONE:
        return f"it belongs to {top}"
    if top in sys.stdlib_module_names and top != "__main__" and not _is_users(top):
        return "it belongs to the standard library"
    return None


def _makes_plainly(kind: type) -> bool:
    """True when `kind.__new__` is object's, or an exception's, which notes the args."""
    makes_objects: Any = kind.__new__
    is_error = issubclass(kind, BaseException)
    return makes_objects is object.__new__ or (
        is_error and not isinstance(makes_objects, types.FunctionType)
    )


def is_converted_class(kind: type) -> bool:
    """True for a class of the user's whose `__init__` can be converted."""
    if type(kind) is not type or not _makes_plainly(kind):
        return False
    init = kind.__init__  # type: ignore[misc] # of this very class, no other one
    return isinstance(init, types.FunctionType) and why_left_alone(init) is None
