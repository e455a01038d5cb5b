"""try with `except*`: when it is left from inside, its blocks return exits.

It stays a Python statement, whose handlers are Python's business while tracing; a block
that may be left becomes a function, and its exit is asked for after the statement.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.converters.context import Context
from autograph.syntax import expression, statements


def parts(context: Context, node: Any) -> tuple[list[gast.stmt], gast.expr]:
    """The statement with its blocks as functions, and the name of its exit."""
    exit_ = context.namer.fresh("exit_")
    made = statements("exit_ = None", node, exit_=exit_)
    for owner, field in _blocks(node):
        block = getattr(owner, field)
        if not context.analysis.exits(block):
            setattr(owner, field, context.body(block))
            continue
        if field == "finalbody":
            raise context.refuse(
                "break, continue or return inside `finally`",
                block[0],
                "Leave after the try statement instead.",
            )
        functions, called = _captured(context, block, exit_, field, owner)
        made += functions
        setattr(owner, field, called)
    _convert_headers(context, node)
    return [*made, node], expression(exit_, node)


def _captured(
    context: Context, block: list[gast.stmt], exit_: str, field: str, at: gast.AST
) -> tuple[list[gast.stmt], list[gast.stmt]]:
    """The block as a function, and the statement that calls it for its exit."""
    name = context.fresh(f"{field}_block")
    functions = context.function(name, block, at)
    call = "exit_ = name()"
    if field == "orelse":
        # Python runs the else of a try only when the try ended without leaving.
        call = "exit_ = name() if exit_ is None else exit_"
    return functions, statements(call, at, exit_=exit_, name=name)


def convert_plain(context: Context, node: Any) -> list[gast.stmt]:
    """A try with `except*` that nothing leaves."""
    for owner, field in _blocks(node):
        setattr(owner, field, context.block(getattr(owner, field)))
    _convert_headers(context, node)
    return [node]


def _blocks(node: Any) -> list[tuple[Any, str]]:
    """Every block of the statement: (owner, field)."""
    fields = ("body", "orelse", "finalbody")
    found = [(node, field) for field in fields if getattr(node, field, None)]
    found += [(handler, "body") for handler in getattr(node, "handlers", ())]
    return found


def _convert_headers(context: Context, node: Any) -> None:
    """Convert what is evaluated outside of the blocks, and mark a guarded body."""
    for handler in getattr(node, "handlers", ()):
        handler.type = context.expression(handler.type)
    if getattr(node, "handlers", None):
        node.body = statements("with ag__.handled():\n    BODY", node, BODY=node.body)
