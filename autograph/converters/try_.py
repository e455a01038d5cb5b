"""try/except/else/finally: `ag__.try_stmt`, with each block a function."""

from __future__ import annotations

from typing import Any

import gast

from autograph.converters.context import Context
from autograph.converters.lazy import thunk
from autograph.syntax import expression, literal, statements

# Python unbinds the name on every way out of the block.
NAMED = """NAME = error
try:
    BODY
finally:
    NAME = None
    del NAME
"""


def convert(context: Context, node: Any) -> list[gast.stmt]:
    """A try that no block leaves."""
    made, call = parts(context, node)
    return made + statements("CALL", node, CALL=call)


def parts(context: Context, node: Any) -> tuple[list[gast.stmt], gast.expr]:
    """The functions of the blocks, and the call that runs them."""
    body = context.fresh("try_body")
    state = _state(context, node)
    made = context.function(body, node.body, node)
    clauses = []
    for handler in node.handlers:
        functions, clause = _clause(context, handler)
        made += functions
        clauses.append(clause)
    blocks: dict[str, Any] = {}
    for field, name in (("orelse", "try_else"), ("finalbody", "try_finally")):
        block = getattr(node, field)
        blocks[field] = expression("None", node)
        if block:
            name = context.fresh(name)
            made += context.function(name, block, node)
            blocks[field] = expression(name, node)
    call = expression(
        "ag__.try_stmt(BODY, (CLAUSES,), GET, SET, NAMES, N, K, ORELSE, FINAL)",
        node,
        BODY=body,
        CLAUSES=clauses,
        ORELSE=blocks["orelse"],
        FINAL=blocks["finalbody"],
        **state,
    )
    return made, call


def _state(context: Context, node: Any) -> dict[str, Any]:
    """The parts of the state: what is read afterwards, then what the blocks read."""
    analysis = context.analysis
    assigned = context.assigned([node])
    after = context.live_after(node)
    if node.finalbody:
        after |= analysis.live_in(node.finalbody)
    inside = after | (analysis.live_in(node.orelse) if node.orelse else frozenset())
    for handler in node.handlers:
        own = {handler.name.id} if handler.name else set()
        inside |= analysis.live_in(handler.body) - own
    parts = context.state(after & assigned, node, assigned, inside & assigned)
    parts["K"] = literal(len(inside & assigned), node)
    return parts


def _clause(context: Context, handler: Any) -> tuple[list[gast.stmt], gast.expr]:
    """The function of an `except`, and the tuple that stands for the clause."""
    name = context.fresh("handler")
    types = (
        thunk(context, handler.type) if handler.type else expression("None", handler)
    )
    body = context.body(handler.body)
    names = context.assigned(handler.body)
    error = context.namer.fresh("error")
    if handler.name is not None:
        bound = {"NAME": handler.name.id, "error": error}
        body = statements(NAMED, handler, BODY=body, **bound)
        names |= {handler.name.id}
    made = context.define(name, body, handler, names, [error])
    clause = expression(
        "(TYPES, HANDLER, NAMED)",
        handler,
        TYPES=types,
        HANDLER=name,
        NAMED=literal(handler.name is not None, handler),
    )
    return made, clause
