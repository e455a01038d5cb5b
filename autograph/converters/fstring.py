"""f-strings: `ag__.f_string("text", ag__.formatted(value, conversion, spec), ...)`.

Also `"..." % value`. Where no value depends on data they give the same str.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.converters.context import Context
from autograph.syntax import expression, literal


def convert(context: Context, node: gast.JoinedStr) -> gast.expr:
    """An f-string; one without values stays as it is."""
    if not any(isinstance(part, gast.FormattedValue) for part in node.values):
        return node
    parts = [_part(context, part) for part in node.values]
    return expression("ag__.f_string(PARTS)", node, PARTS=parts)


def _part(context: Context, part: Any) -> gast.expr:
    if not isinstance(part, gast.FormattedValue):
        return part
    spec = part.format_spec
    return expression(
        "ag__.formatted(VALUE, CONVERSION, SPEC)",
        part,
        VALUE=context.expression(part.value),
        CONVERSION=literal(part.conversion, part),
        SPEC=literal("", part) if spec is None else context.expression(spec),
    )


def convert_percent(context: Context, node: gast.BinOp) -> gast.expr:
    """`"..." % value`; other binary operators are Python's own."""
    is_text = isinstance(node.left, gast.JoinedStr) or (
        isinstance(node.left, gast.Constant) and isinstance(node.left.value, str)
    )
    if not (is_text and isinstance(node.op, gast.Mod)):
        return context.inside(node)
    return expression(
        "ag__.percent(LEFT, RIGHT)",
        node,
        LEFT=context.expression(node.left),
        RIGHT=context.expression(node.right),
    )
