"""raise: `raise ag__.raised(error)`, for it may be one of several exceptions."""

from __future__ import annotations

import builtins
from typing import Any

import gast

from autograph.converters.context import Context
from autograph.syntax import expression


def convert(context: Context, node: gast.Raise) -> list[gast.stmt]:
    """`raise error from cause`; `raise ValueError(...)` stays as it is."""
    if node.exc is None:
        return [node]
    of_one = node.cause is None and _makes_one(context, node.exc)
    node.exc = context.expression(node.exc)
    if node.cause is not None:
        cause, node.cause = context.expression(node.cause), None
        form = "ag__.raised(ERROR, CAUSE)"
        node.exc = expression(form, node.exc, ERROR=node.exc, CAUSE=cause)
    elif not of_one:
        node.exc = expression("ag__.raised(ERROR)", node.exc, ERROR=node.exc)
    return [node]


def _makes_one(context: Context, error: Any) -> bool:
    """True for a call of one of Python's own classes of what a graph may raise."""
    if not (isinstance(error, gast.Call) and isinstance(error.func, gast.Name)):
        return False
    name = error.func.id
    kind = getattr(builtins, name, None)
    is_graphs = isinstance(kind, type) and issubclass(kind, Exception)
    return name not in context.analysis.locals and is_graphs
