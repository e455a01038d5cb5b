"""with: `ag__.with_stmt(manager, body)`, the body a function of what entering gives."""

from __future__ import annotations

from typing import Any

import gast

from autograph.converters.assign import assign
from autograph.converters.context import Context
from autograph.converters.for_ import target_names
from autograph.syntax import expression, statements


def convert(context: Context, node: gast.With) -> list[gast.stmt]:
    """A with that its body does not leave."""
    made, call = parts(context, node)
    return made + statements("CALL", node, CALL=call)


def parts(context: Context, node: Any) -> tuple[list[gast.stmt], gast.expr]:
    """The functions of the body, and the call that enters, runs and leaves."""
    assigned = context.assigned([node])
    names = assigned & context.live_after(node)
    state = context.state(names, node, assigned)
    state.pop("N")
    return _item(context, node, list(node.items), assigned, state)


def _item(
    context: Context, node: Any, items: list[Any], assigned: Any, state: dict[str, Any]
) -> tuple[list[gast.stmt], gast.expr]:
    """What the first manager is around: the others, or the body."""
    item, *others = items
    outer, context.prelude = context.prelude, []
    manager = context.expression(item.context_expr)
    before, context.prelude = context.prelude, outer
    name, value = context.fresh("with_body"), context.namer.fresh("entered")
    was, context.in_body = context.in_body, True
    taken: list[gast.stmt] = []
    if item.optional_vars is not None:
        given = expression(value, item.optional_vars)
        taken = assign(context, [item.optional_vars], given, item.optional_vars)
    if others:
        functions, inner = _item(context, node, others, assigned, state)
        body = taken + functions + statements("return CALL", node, CALL=inner)
    else:
        body = taken + context.block(node.body)
    context.in_body = was
    names = assigned | target_names(item.optional_vars)
    made = context.define(name, body, node, names, [value])
    call = expression(
        "ag__.with_stmt(MANAGER, BODY, GET, SET, NAMES)",
        item.context_expr,
        MANAGER=manager,
        BODY=name,
        **state,
    )
    return before + made, call
