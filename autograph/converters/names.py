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
    if node.id in context.outer_arrays - context.hidden:
        return expression("ag__.outer(READ)", node, READ=node)
    if not context.may_be_undefined(node):
        return node
    name = literal(node.id, node)
    return expression("ag__.ld(lambda: READ, NAME)", node, READ=node, NAME=name)


# Attributes that hold no array of the user's own: of arrays, and, of an array that a
# name holds, its views, since the name has its tensor already.
_FACTS = frozenset({"shape", "ndim", "size", "dtype", "nbytes", "itemsize"})
_VIEWS = frozenset({"T", "mT", "real", "imag", "flat"})


def convert_attribute(context: Context, node: gast.Attribute) -> gast.expr:
    """`self.w`: the tensor that stands for it where it is an array of the user's."""
    borrows = isinstance(node.ctx, gast.Load) and _may_hold_array(context, node)
    read = plain_attribute(context, node)
    return expression("ag__.borrow(READ)", node, READ=read) if borrows else read


def plain_attribute(context: Context, node: gast.Attribute) -> gast.expr:
    """The attribute as it is, of whatever the converted value is."""
    value = node.value
    chained = isinstance(value, gast.Attribute)
    node.value = (
        plain_attribute(context, value) if chained else context.expression(value)
    )
    return node


def _may_hold_array(context: Context, node: gast.Attribute) -> bool:
    of_name = isinstance(node.value, gast.Name)
    if node.attr in _FACTS or (of_name and node.attr in _VIEWS):
        return False
    root = node.value
    while isinstance(root, gast.Attribute):
        root = root.value
    return not isinstance(root, gast.Name) or context.holds_object(root.id)


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
