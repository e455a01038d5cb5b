"""The conditional expression: `ag__.if_exp(condition, lambda: a, lambda: b)`."""

from __future__ import annotations

import gast

from autograph.converters.context import Context
from autograph.converters.lazy import choice
from autograph.syntax import expression


def convert(context: Context, node: gast.IfExp) -> gast.expr:
    """`a if condition else b`."""
    condition = context.expression(node.test)
    call = expression("ag__.if_exp(CONDITION)", node, CONDITION=condition)
    return choice(context, call, [node.body, node.orelse])
