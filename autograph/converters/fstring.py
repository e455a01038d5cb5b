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
    """`text % value`; other binary operators are Python's own.

    A text asks what is beside it as it is: what of the run would be asked by the trace.
    """
    if not (isinstance(node.op, gast.Mod) and _may_format(node)):
        return context.inside(node)
    return expression(
        "ag__.percent(LEFT, RIGHT)",
        node,
        LEFT=context.expression(node.left),
        RIGHT=context.expression(node.right),
    )


def _may_format(node: gast.BinOp) -> bool:
    """Whether the left side may be a text, and the right side be of the run."""
    left, right = node.left, node.right
    if isinstance(left, gast.Constant):
        return isinstance(left.value, (str, bytes))
    return not isinstance(left, _NO_TEXTS) and not isinstance(right, gast.Constant)


_NO_TEXTS = (gast.UnaryOp, gast.Compare, gast.List, gast.Tuple, gast.Dict, gast.Set)
