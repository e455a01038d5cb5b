"""Reads: a name that may be unbound is read with a check; items go through `ag__`."""

from __future__ import annotations

from typing import Any

import gast

from autograph.converters.assign import key
from autograph.converters.context import Context
from autograph.syntax import expression, literal


def convert(context: Context, node: gast.Name) -> gast.expr:
    """A name that is read."""
    if not isinstance(node.ctx, gast.Load):
        return node
    if node.id in context.outer_arrays:
        return expression("ag__.outer(READ)", node, READ=node)
    if not context.may_be_undefined(node):
        return node
    name = literal(node.id, node)
    return expression("ag__.ld(lambda: READ, NAME)", node, READ=node, NAME=name)


def convert_subscript(context: Context, node: gast.Subscript) -> gast.expr:
    """`x[i]`: as it is for a constant index, else by `ag__`, since i may be staged."""
    if not isinstance(node.ctx, gast.Load) or _is_constant(node.slice):
        return context.inside(node)
    return expression(
        "ag__.get_item(OF, KEY)",
        node,
        OF=context.expression(node.value),
        KEY=key(context, node.slice),
    )


def _is_constant(node: Any) -> bool:
    if isinstance(node, gast.UnaryOp):
        return _is_constant(node.operand)
    if isinstance(node, gast.Slice):
        return all(_is_constant(x) for x in (node.lower, node.upper, node.step) if x)
    if isinstance(node, gast.Tuple):
        return all(_is_constant(part) for part in node.elts)
    return isinstance(node, gast.Constant)
