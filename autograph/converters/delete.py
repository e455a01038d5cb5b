"""Delete: `del x[i]`, `del x.a` go through `ag__`; a bound name is deleted as it is."""

from __future__ import annotations

from typing import Any

import gast

from autograph.converters.assign import key
from autograph.converters.context import Context
from autograph.syntax import literal, statements


def convert(context: Context, node: gast.Delete) -> list[gast.stmt]:
    """`del a, b`, from left to right."""
    return [made for target in node.targets for made in _delete(context, target)]


def _delete(context: Context, target: Any) -> list[gast.stmt]:
    if isinstance(target, (gast.Tuple, gast.List)):
        return [made for part in target.elts for made in _delete(context, part)]
    if isinstance(target, gast.Subscript):
        return statements(
            "ag__.del_item(TARGET, KEY)",
            target,
            TARGET=context.expression(target.value),
            KEY=key(context, target.slice),
        )
    if isinstance(target, gast.Attribute):
        return statements(
            "ag__.del_attr(TARGET, NAME)",
            target,
            TARGET=context.expression(target.value),
            NAME=literal(target.attr, target),
        )
    deleted = gast.copy_location(gast.Delete([target]), target)
    if not context.may_be_undefined(target):
        return [deleted]
    # Where only some runs bind it, Python's error is raised by the others.
    form = "ag__.ld" if target.id in context.analysis.locals else "ag__.ldf"
    name = literal(target.id, target)
    read = gast.copy_location(gast.Name(target.id, gast.Load(), None, None), target)
    return [
        *statements(f"{form}(lambda: READ, NAME)", target, READ=read, NAME=name),
        deleted,
    ]
