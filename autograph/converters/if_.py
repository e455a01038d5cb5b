"""if/elif/else: `ag__.if_stmt`, with each branch a function that shares the names."""

from __future__ import annotations

from typing import Any

import gast

from autograph.converters.context import Context
from autograph.syntax import expression, statements


def convert(context: Context, node: gast.If) -> list[gast.stmt]:
    """An if that no branch leaves."""
    made, call = parts(context, node)
    return made + statements("CALL", node, CALL=call)


def parts(context: Context, node: Any) -> tuple[list[gast.stmt], gast.expr]:
    """The functions of the two branches, and the call that chooses."""
    body = context.fresh("if_body")
    assigned = context.assigned([*node.body, *node.orelse])
    names = assigned & context.live_after(node)
    condition = context.expression(node.test)
    state = context.state(names, node, assigned)
    # What follows an if that may be left, and an elif, stand no deeper than the if.
    grown = id(node) in context.moved
    follows = [type(part) for part in node.orelse] == [gast.If]
    made = context.function(body, node.body, node, flat=grown)
    if node.orelse:
        orelse = context.fresh("else_body")
        made += context.function(orelse, node.orelse, node, flat=grown or follows)
    else:
        functions, orelse = context.nothing("else_body", node)
        made += functions
    call = expression(
        "ag__.if_stmt(CONDITION, BODY, ORELSE, GET, SET, NAMES, N)",
        node,
        CONDITION=condition,
        BODY=body,
        ORELSE=orelse,
        **state,
    )
    return made, call
