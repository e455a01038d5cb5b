"""Assignments: stores into subscripts and attributes go through `ag__`.

Names are assigned as they are. `x[i] = v` becomes `ag__.set_item(v, x, i)`, in Python's
order of evaluation, so that a plain array can take a tensor, and so that a store into
an object that outlives the trace is seen.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.converters.context import Context
from autograph.syntax import expression, literal, statements


def convert(context: Context, node: gast.Assign) -> list[gast.stmt]:
    """`a = b = value`.

    An array that is taken out of a container is the user's own, if that is, so
    `w = table["w"]` gives the name the tensor that stands for it.
    """
    borrowed = _is_item(node.value)
    value = context.expression(node.value)
    if borrowed:
        value = expression("ag__.borrow(VALUE)", node.value, VALUE=value)
    return assign(context, node.targets, value, node)


def _is_item(node: Any) -> bool:
    """True for `table["w"]`; an item of `x.shape`, or a slice, is no array's own."""
    item = isinstance(node, gast.Subscript) and not isinstance(node.slice, gast.Slice)
    return item and getattr(node.value, "attr", None) != "shape"


def convert_annotated(context: Context, node: gast.AnnAssign) -> list[gast.stmt]:
    """`a: T = value`; a bare `a: T` stays, since it makes the name local.

    In a generated body the name is nonlocal already, which may not be annotated.
    """
    if node.value is None:
        return statements("pass", node) if context.in_body else [node]
    value = context.expression(node.value)
    if context.in_body:
        return assign(context, [node.target], value, node)
    if isinstance(node.target, gast.Name) and node.target.id not in _outer(context):
        node.value = value
        return [node]
    return assign(context, [node.target], value, node)


def assign(
    context: Context, targets: list[Any], value: gast.expr, at: gast.AST
) -> list[gast.stmt]:
    """The statements that give `value` to each target, left to right."""
    if len(targets) == 1 and not _is_nested(targets[0]):
        return _store(context, targets[0], value, at)
    if all(_has_names_alone(target, context) for target in targets):
        if len(targets) == 1:
            value = _unpacked(targets[0], value)
        made = gast.Assign(targets, value, None)
        lists = [one for target in targets for one in _new_lists(target, at)]
        return [gast.copy_location(made, at), *lists]
    if len(targets) == 1:
        return _unpack(context, targets[0], value, at)
    name = context.namer.fresh("value")
    made = statements("name = VALUE", at, name=name, VALUE=value)
    for target in targets:
        if _is_nested(target):
            made += _unpack(context, target, expression(name, at), at)
        else:
            made += _store(context, target, expression(name, at), at)
    return made


def _unpack(
    context: Context, target: Any, value: gast.expr, at: gast.AST
) -> list[gast.stmt]:
    """Unpack into names; from a part on that is more than a name, one by one."""
    later: list[tuple[Any, str]] = []

    def replaced(part: Any) -> Any:
        if isinstance(part, gast.Starred):
            starred = gast.Starred(replaced(part.value), gast.Store())
            return gast.copy_location(starred, part)
        if not (later or _is_nested(part) or _has_store(part, context)):
            return part
        name = context.namer.fresh("value")
        later.append((part, name))
        return gast.copy_location(gast.Name(name, gast.Store(), None, None), part)

    value = _unpacked(target, value)
    names = gast.Tuple([replaced(element) for element in target.elts], gast.Store())
    gast.copy_location(names, target)
    unpacked = gast.copy_location(gast.Assign([names], value, None), at)
    made = [unpacked, *_new_lists(names, at)]
    for part, name in later:
        store = _unpack if _is_nested(part) else _store
        made += store(context, part, expression(name, part), part)
    return made


def _has_names_alone(target: Any, context: Context) -> bool:
    if _has_store(target, context):
        return False
    return not (_is_nested(target) and any(map(_is_nested, map(_part, target.elts))))


def _part(target: Any) -> Any:
    """The target itself of one with a star."""
    return target.value if isinstance(target, gast.Starred) else target


def _new_lists(target: Any, at: gast.AST) -> list[gast.stmt]:
    """The names with a star refer to lists that Python has made here."""
    if isinstance(target, gast.Starred):
        name = target.value.id
        return statements("NAME = ag__.new(NAME)", at, NAME=name)
    elements = target.elts if _is_nested(target) else ()
    return [one for element in elements for one in _new_lists(element, at)]


def _unpacked(target: Any, value: gast.expr) -> gast.expr:
    """`value` as what Python can unpack: it may be a list whose length is staged."""
    if _is_nested(value):
        return value
    stars = [k for k, part in enumerate(target.elts) if isinstance(part, gast.Starred)]
    before = stars[0] if stars else len(target.elts)
    counts = [before, *(len(target.elts) - k - 1 for k in stars)]
    text = ", ".join(map(str, counts))
    return expression(f"ag__.unpack(VALUE, {text})", value, VALUE=value)


def _store(
    context: Context, target: Any, value: gast.expr, at: gast.AST
) -> list[gast.stmt]:
    if isinstance(target, gast.Subscript):
        return statements(
            "ag__.set_item(VALUE, TARGET, KEY)",
            at,
            VALUE=value,
            TARGET=context.expression(target.value),
            KEY=key(context, target.slice),
        )
    if isinstance(target, gast.Attribute):
        return statements(
            "ag__.set_attr(VALUE, TARGET, NAME)",
            at,
            VALUE=value,
            TARGET=context.expression(target.value),
            NAME=literal(target.attr, target),
        )
    if isinstance(target, gast.Name) and target.id in _outer(context):
        value = expression(
            "ag__.to_outer(VALUE, NAME)", at, VALUE=value, NAME=literal(target.id, at)
        )
    return [gast.copy_location(gast.Assign([target], value, None), at)]


def key(context: Context, node: Any) -> gast.expr:
    """A subscript's key as an expression; slices through `ag__.key[...]`."""
    converted = context.expression(node)
    if not _has_slice(node):
        return converted
    made = expression("ag__.key[0]", node)
    made.slice = converted
    return made


def _has_slice(node: Any) -> bool:
    parts = node.elts if isinstance(node, gast.Tuple) else [node]
    return any(isinstance(part, gast.Slice) for part in parts)


def _outer(context: Context) -> frozenset[str]:
    """Names that outlive the function: declared global or nonlocal in it."""
    return frozenset(context.analysis.globals) | frozenset(context.analysis.nonlocals)


def _is_nested(target: Any) -> bool:
    return isinstance(target, (gast.Tuple, gast.List))


def _has_store(target: Any, context: Context) -> bool:
    if isinstance(target, gast.Starred):
        return _has_store(target.value, context)
    if _is_nested(target):
        return any(_has_store(element, context) for element in target.elts)
    if isinstance(target, gast.Name):
        return target.id in _outer(context)
    return True
