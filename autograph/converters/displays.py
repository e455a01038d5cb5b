"""Displays: `ag__.new([...])` tells the trace who made a list; stars in displays.

A list that a loop body makes for itself is no state of the loop. What a star spreads
may have a length that depends on data.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.converters import fstring
from autograph.converters.context import Context
from autograph.syntax import expression, literal


def convert(context: Context, node: Any) -> gast.expr:
    """A list, dict or set that is made here; a list of targets stays as it is."""
    inside = context.inside(node)
    if isinstance(node, gast.Dict):
        _convert_spread(inside)
        _convert_keys(inside)
    if isinstance(node, gast.Set) and all(map(_is_constant, inside.elts)):
        # Python makes it of a frozenset, which gives it another order than `add` does.
        return expression("ag__.new(MADE)", node, MADE=inside)
    if isinstance(node, gast.Set) and not _has_star(inside.elts):
        items = gast.copy_location(gast.Tuple(inside.elts, gast.Load()), node)
        return expression("ag__.new_set(ITEMS)", node, ITEMS=items)
    if isinstance(node, gast.List) and not isinstance(node.ctx, gast.Load):
        return inside
    return expression("ag__.new(MADE)", node, MADE=inside)


def _is_constant(item: gast.expr) -> bool:
    of = item.operand if isinstance(item, gast.UnaryOp) else item
    return isinstance(of, gast.Constant)


def _convert_spread(node: gast.Dict) -> None:
    """The values of `**d`, which have no key."""
    for at, key in enumerate(node.keys):
        if key is None:
            value = node.values[at]
            node.values[at] = expression("ag__.star_mapping(V)", value, V=value)


def _convert_keys(node: gast.Dict) -> None:
    """The keys, which Python would hash while tracing; a constant is what it is."""
    node.keys = [
        key
        if key is None or isinstance(key, gast.Constant)
        else expression("ag__.key_of(K)", key, K=key)
        for key in node.keys
    ]


def convert_star(context: Context, node: gast.Starred) -> gast.expr:
    """`*value` of a display or call; a target with a star stays as it is."""
    inside: gast.Starred = context.inside(node)
    if isinstance(node.ctx, gast.Load):
        inside.value = expression("ag__.star(VALUE)", node, VALUE=inside.value)
    return inside


def convert_tuple(context: Context, node: gast.Tuple) -> gast.expr:
    """A tuple with stars."""
    inside: gast.Tuple = context.inside(node)
    if isinstance(node.ctx, gast.Load) and _has_star(node.elts):
        return expression("ag__.starred(MADE)", node, MADE=inside)
    return inside


def _has_star(elements: list[Any]) -> bool:
    return any(isinstance(element, gast.Starred) for element in elements)


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
