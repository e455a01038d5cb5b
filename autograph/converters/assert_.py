"""assert: `ag__.assert_stmt(condition, lambda: message)`."""

from __future__ import annotations

import gast

from autograph.converters.context import Context
from autograph.converters.lazy import choice
from autograph.syntax import expression, statements


def convert(context: Context, node: gast.Assert) -> list[gast.stmt]:
    """`assert condition, message`; left alone where Python ignores assertions."""
    if not __debug__:
        return [node]
    condition = context.expression(node.test)
    if node.msg is None:
        return statements("ag__.assert_stmt(CONDITION)", node, CONDITION=condition)
    call = expression("ag__.assert_stmt(CONDITION)", node, CONDITION=condition)
    return statements("CALL", node, CALL=choice(context, call, [node.msg]))
