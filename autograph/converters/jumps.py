"""break, continue, return: in a generated body they become values that it returns."""

from __future__ import annotations

import gast

from autograph.converters.context import Context
from autograph.syntax import statements


def convert_break(context: Context, node: gast.Break) -> list[gast.stmt]:
    """`break` of a converted loop."""
    if not context.in_body:  # of a loop that stays in a Python generator
        return [node]
    return statements("return ag__.BREAK", node)


def convert_continue(context: Context, node: gast.Continue) -> list[gast.stmt]:
    """`continue` of a converted loop."""
    if not context.in_body:  # of a loop that stays in a Python generator
        return [node]
    return statements("return ag__.CONTINUE", node)


def convert_return(context: Context, node: gast.Return) -> list[gast.stmt]:
    """`return` from the user's function, or out of a generated body."""
    value = context.expression(node.value)
    if not context.in_body:
        node.value = value
        return [node]
    if value is None:
        return statements("return ag__.Return()", node)
    if context.emit_name:
        return statements(
            "return emit.return_(VALUE)", node, emit=context.emit_name, VALUE=value
        )
    return statements("return ag__.Return(VALUE)", node, VALUE=value)
