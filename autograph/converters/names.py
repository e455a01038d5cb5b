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
    kept = node.id in context.kept
    if not (kept or context.may_be_undefined(node)):
        return node
    name = literal(node.id, node)
    form = "ag__.ldf" if kept or context.is_free(node) else "ag__.ld"
    return expression(f"{form}(lambda: READ, NAME)", node, READ=node, NAME=name)


# Attributes that hold no array of the user's own: of arrays, and, of an array that a
# name holds, its views, since the name has its tensor already.
_FACTS = frozenset({"shape", "ndim", "size", "dtype", "nbytes", "itemsize"})
_VIEWS = frozenset({"T", "mT", "real", "imag", "flat"})


def convert_attribute(context: Context, node: gast.Attribute) -> gast.expr:
    """`self.a.b`: by `ag__` where it may be of an object of the user's."""
    if not (isinstance(node.ctx, gast.Load) and _may_be_users(context, node)):
        node.value = context.expression(node.value)
        return node
    of, names = node.value, [literal(node.attr, node)]
    while isinstance(of, gast.Attribute):
        names.insert(0, literal(of.attr, node))
        of = of.value
    return expression(
        "ag__.get_attr(OF, NAMES)", node, OF=context.expression(of), NAMES=names
    )


def _may_be_users(context: Context, node: gast.Attribute) -> bool:
    of_name = isinstance(node.value, gast.Name)
    of_array = node.attr in _FACTS or (of_name and node.attr in _VIEWS)
    if of_array and not (context.overloads or node.attr in context.computed):
        return False
    root = node.value
    while isinstance(root, gast.Attribute):
        root = root.value
    return not isinstance(root, gast.Name) or context.holds_object(root.id)


def convert_subscript(context: Context, node: gast.Subscript) -> gast.expr:
    """`x[i]`: by `ag__` where i may be staged, or x a list whose length is.

    Where a class of the user's has items, x may be one of its objects.
    """
    known = _is_constant(node.slice) and not _may_be_of_list(node)
    plain = known and not context.overloads
    if not isinstance(node.ctx, gast.Load) or plain:
        return context.inside(node)
    return expression(
        "ag__.get_item(OF, KEY)",
        node,
        OF=context.expression(node.value),
        KEY=key(context, node.slice),
    )


def _may_be_of_list(node: gast.Subscript) -> bool:
    """True for what may be an item of a list or dict, which may be an array.

    A constant int or slice, unless it is one of `x.shape`, or what is no index but may
    be a key: a text, a float and the like, or a tuple with one in it, or of ints alone.
    """
    part = node.slice
    if isinstance(part, gast.Tuple):
        kinds = set(map(_kind, part.elts))
        return kinds == {int} or not kinds.isdisjoint(_KEYS)
    kind = _kind(part)
    listed = isinstance(part, gast.Slice) or kind is int or kind in _KEYS
    return listed and getattr(node.value, "attr", None) != "shape"


def _kind(part: Any) -> type:
    """The type of a constant, `-1` too; NoneType for what is none."""
    while isinstance(part, gast.UnaryOp):
        part = part.operand
    return type(getattr(part, "value", None))


_KEYS = (str, bytes, float, complex, bool)


def _is_constant(node: Any) -> bool:
    if isinstance(node, gast.UnaryOp):
        return _is_constant(node.operand)
    if isinstance(node, gast.Slice):
        return all(_is_constant(x) for x in (node.lower, node.upper, node.step) if x)
    if isinstance(node, gast.Tuple):
        return all(_is_constant(part) for part in node.elts)
    return isinstance(node, gast.Constant)
