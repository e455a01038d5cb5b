"""Where generated functions stand: inside of the one that uses them, or beside it.

A function whose last statement calls others (the next `elif`, what follows an `if` that
may be left) would hold them, and they the next ones, deeper for each. They stand beside
it instead, so that a chain is as deep as its source and its text as long.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import gast

from autograph.syntax import span_of, walk

_DEFINITIONS = (gast.FunctionDef, gast.AsyncFunctionDef)
# Their strings are no names of the scope's.
_NAMELESS = (gast.Attribute, gast.Constant, gast.keyword)


def beside(
    body: Sequence[gast.stmt],
    generated: Collection[str],
    shared: Collection[str],
    at: gast.AST,
) -> tuple[list[gast.stmt], list[gast.stmt]]:
    """The body of a generated function, and what may stand beside it.

    That is the generated functions just before its last statement, if they know no
    variable of its own, which is none of those that are shared.
    at: where they are defined then; on their own lines a debugger would stop before
    """
    first = last = len(body) - 1
    while first > 0 and _is_generated(body[first - 1], generated):
        first -= 1
    functions, inside = body[first:last], [*body[:first], *body[last:]]
    own = bound(inside).difference(shared)
    if own and any(own & _identifiers(function) for function in functions):
        return list(body), []
    line, first_column, last_column = span_of(at)
    for function in functions:
        function.lineno = function.end_lineno = line
        function.col_offset, function.end_col_offset = first_column, last_column
    return inside, list(functions)


def _identifiers(node: gast.AST) -> set[str]:
    return {part.id for part in walk(node) if isinstance(part, gast.Name)}


def _is_generated(node: gast.stmt, generated: Collection[str]) -> bool:
    return isinstance(node, gast.FunctionDef) and node.name in generated


def bound(body: Sequence[gast.AST]) -> set[str]:
    """The names that statements or expressions bind in the scope that they stand in.

    Every name that is not only read, and every string that may be one: a name too many
    makes a `nonlocal` too many, one too few another variable.
    """
    return {name for statement in body for name in _bound(statement)}


def _bound(node: Any) -> Iterator[str]:
    if isinstance(node, (*_DEFINITIONS, gast.Lambda)):
        # Its body is a scope of its own; its defaults and decorators are not.
        yield getattr(node, "name", "")
        parts = [node.args, getattr(node, "returns", None)]
        parts += getattr(node, "decorator_list", ())
    elif isinstance(node, gast.Name):
        parts = [] if isinstance(node.ctx, gast.Load) else [node.id]
    elif isinstance(node, gast.AST):
        fields = [getattr(node, field, None) for field in node._fields]
        known = isinstance(node, _NAMELESS)
        parts = [part for part in fields if not (known and isinstance(part, str))]
    elif isinstance(node, str):
        yield node.partition(".")[0]
        return
    else:
        parts = node if isinstance(node, list) else []
    for part in parts:
        yield from _bound(part)
