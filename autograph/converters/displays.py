"""Displays and comprehensions: `ag__.new([...])` tells the trace who made a list.

A list that a loop body makes for itself is no state of the loop.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.converters import fstring
from autograph.converters.context import Context
from autograph.syntax import expression, literal


def convert(context: Context, node: Any) -> gast.expr:
    """A list, dict or set that is made here; a list of targets stays as it is."""
    if _is_list_of(node):
        return expression(
            "ag__.listed(ITEMS)", node, ITEMS=context.expression(node.elts[0].value)
        )
    inside = context.inside(node)
    if isinstance(node, gast.List) and not isinstance(node.ctx, gast.Load):
        return inside
    return expression("ag__.new(MADE)", node, MADE=inside)


def _is_list_of(node: Any) -> bool:
    """True for `[*items]`, whose length is that of the items."""
    if not isinstance(node, gast.List) or not isinstance(node.ctx, gast.Load):
        return False
    return len(node.elts) == 1 and isinstance(node.elts[0], gast.Starred)


_DISPLAYS = (gast.List, gast.ListComp)


def convert_operation(context: Context, node: gast.BinOp) -> gast.expr:
    """`[0] * n` and `[a] + b` make lists, too; others are texts or Python's own."""
    if not _makes_list(node):
        return _operation(context, fstring.convert_percent(context, node))
    return expression("ag__.new(MADE)", node, MADE=context.inside(node))


def _operation(context: Context, node: Any) -> gast.expr:
    """`a + b`: by `ag__` where a class of the user's has operators."""
    if not (context.overloads and isinstance(node, gast.BinOp)):
        return node
    return expression(
        "ag__.binary(LEFT, WORD, RIGHT)",
        node,
        LEFT=node.left,
        WORD=literal(BINARY[type(node.op)], node),
        RIGHT=node.right,
    )


# The words of the operators in the source, as `ag__` takes them.
BINARY = {
    gast.Add: "+",
    gast.Sub: "-",
    gast.Mult: "*",
    gast.Div: "/",
    gast.FloorDiv: "//",
    gast.Mod: "%",
    gast.Pow: "**",
    gast.MatMult: "@",
    gast.BitAnd: "&",
    gast.BitOr: "|",
    gast.BitXor: "^",
    gast.LShift: "<<",
    gast.RShift: ">>",
}


def _makes_list(node: gast.BinOp) -> bool:
    return isinstance(node.op, (gast.Add, gast.Mult)) and (
        isinstance(node.left, _DISPLAYS) or isinstance(node.right, _DISPLAYS)
    )
