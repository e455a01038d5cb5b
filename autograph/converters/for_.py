"""for/else: `ag__.for_stmt`, with the body a function of the item."""

from __future__ import annotations

from typing import Any

import gast

from autograph.converters.assign import assign
from autograph.converters.context import Context
from autograph.converters.loops import loop_else, loop_state, loop_stores, plain_loop
from autograph.syntax import expression


def convert(context: Context, node: gast.For) -> list[gast.stmt]:
    """A for that is left only at its end or by a break."""
    return plain_loop(context, node, parts)


def parts(context: Context, node: Any) -> tuple[list[gast.stmt], gast.expr]:
    """The functions of the loop, and the call that runs it."""
    body, item = context.fresh("loop_body"), context.namer.fresh("item")
    iterable = context.expression(node.iter)
    state, stored = loop_state(context, node), loop_stores(context, node)
    made = _body(context, node, body, item)
    functions, orelse = loop_else(context, node)
    call = expression(
        "ag__.for_stmt(ITERABLE, BODY, GET, SET, NAMES, N, ORELSE)",
        node,
        ITERABLE=iterable,
        BODY=body,
        ORELSE=orelse,
        **state,
    )
    call.keywords = stored
    return made + functions, call


def _body(context: Context, node: Any, name: str, item: str) -> list[gast.stmt]:
    before, context.in_body = context.in_body, True
    taken = assign(context, [node.target], expression(item, node.target), node.target)
    context.in_body = before
    names = context.assigned(node.body) | target_names(node.target)
    converted = taken + context.body(node.body)
    return context.define(name, converted, node.target, names, [item])


def target_names(target: Any) -> frozenset[str]:
    """The names that assigning to a target binds."""
    if isinstance(target, gast.Name):
        return frozenset({target.id})
    if isinstance(target, gast.Starred):
        return target_names(target.value)
    if isinstance(target, (gast.Tuple, gast.List)):
        return frozenset().union(*map(target_names, target.elts))
    return frozenset()
