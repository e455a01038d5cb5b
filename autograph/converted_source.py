"""to_code: the converted source of a function, as text."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from autograph.conversion import tree_of
from autograph.rules import why_left_alone
from autograph.syntax.unparse import unparse
from runtime.depth import deeper
from tracer.function import Function
from tracer.method import Method


def to_code(function: Callable[..., Any], recursive: bool = False) -> str:
    """The converted source of `function`, as Python that a reader can follow.

    recursive: also of the user's functions that it names, each once, callees first
    OSError: the source is not to be had. TypeError: it is no Python function.
    """
    root = _python_function(function)
    functions = _reachable(root) if recursive else [root]
    with deeper():
        texts = [unparse(tree_of(f)).rstrip() + "\n" for f in functions]
    return "\n\n".join(texts)


def _python_function(function: Any) -> types.FunctionType:
    while not isinstance(function, types.FunctionType):
        if isinstance(function, Function):
            function = function.python_function
        elif isinstance(function, (Method, types.MethodType)):
            function = function.__func__
        elif hasattr(function, "func"):
            function = function.func
        elif isinstance(getattr(type(function), "__call__", None), types.FunctionType):  # noqa: B004
            function = type(function).__call__
        else:
            raise TypeError(f"to_code takes a Python function, not {function!r}")
    return function


def _reachable(root: types.FunctionType) -> list[types.FunctionType]:
    found: dict[types.CodeType, types.FunctionType] = {}
    waiting = [root]
    order: list[types.FunctionType] = []
    while waiting:
        function = waiting.pop()
        if function.__code__ in found:
            continue
        found[function.__code__] = function
        order.append(function)
        waiting += reversed(list(_named(function)))
    return order[::-1]


def _named(function: types.FunctionType) -> list[types.FunctionType]:
    """The user's functions that the function's code names."""
    code = function.__code__
    cells = zip(code.co_freevars, function.__closure__ or (), strict=True)
    closure = {name: cell.cell_contents for name, cell in cells if _is_set(cell)}
    things = [*closure.values(), *map(function.__globals__.get, code.co_names)]
    return [
        thing
        for thing in map(_unwrapped, things)
        if isinstance(thing, types.FunctionType) and why_left_alone(thing) is None
    ]


def _is_set(cell: types.CellType) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def _unwrapped(thing: Any) -> Any:
    return thing.python_function if isinstance(thing, Function) else thing
