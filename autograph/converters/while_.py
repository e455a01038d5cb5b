"""while/else: `ag__.while_stmt`, with the test, the body and the else as functions."""

from __future__ import annotations

from typing import Any

import gast

from autograph.converters.context import Context, walrus_names
from autograph.converters.loops import loop_else, loop_state, loop_stores, plain_loop
from autograph.syntax import expression, statements


def convert(context: Context, node: gast.While) -> list[gast.stmt]:
    """A while that is left only by its test or a break."""
    return plain_loop(context, node, parts)


def parts(context: Context, node: Any) -> tuple[list[gast.stmt], gast.expr]:
    """The functions of the loop, and the call that runs it."""
    test, body = context.fresh("loop_test"), context.fresh("loop_body")
    state, stored = loop_state(context, node), loop_stores(context, node)
    made = _test(context, node, test)
    made += context.function(body, node.body, node)
    functions, orelse = loop_else(context, node)
    call = expression(
        "ag__.while_stmt(TEST, BODY, GET, SET, NAMES, N, ORELSE)",
        node,
        TEST=test,
        BODY=body,
        ORELSE=orelse,
        **state,
    )
    call.keywords = stored
    return made + functions, call


def _test(context: Context, node: gast.While, name: str) -> list[gast.stmt]:
    outer, context.prelude = context.prelude, []
    value = context.expression(node.test)
    inside, context.prelude = context.prelude, outer
    result = statements("return VALUE", node.test, VALUE=value)
    names = walrus_names(node.test)
    return context.define(name, inside + result, node.test, names)
