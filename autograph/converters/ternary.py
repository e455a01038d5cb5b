"""The conditional expression: `ag__.if_exp(condition, lambda: a, lambda: b)`."""

from __future__ import annotations

import gast

from autograph.converters.context import Context
from autograph.syntax import expression


def convert(context: Context, node: gast.IfExp) -> gast.expr:
    """`a if condition else b`."""
    return expression(
        "ag__.if_exp(CONDITION, BODY, ORELSE)",
        node,
        CONDITION=context.expression(node.test),
        BODY=context.thunk(node.body),
        ORELSE=context.thunk(node.orelse),
    )
