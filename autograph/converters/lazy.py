"""Operands that Python evaluates later, or not at all: each becomes a function.

What `:=` binds in one is state of the choice, as for the branches of an `if`, so the
choice is passed the functions that read and set these names.
"""

from __future__ import annotations

from collections.abc import Sequence

import gast

from autograph.converters.context import DECLARED, Context, walrus_names
from autograph.syntax import expression, statements


def choice(
    context: Context, call: gast.Call, operands: Sequence[gast.expr]
) -> gast.Call:
    """`call`, with a function for each operand after its arguments, and their state."""
    call.args = [*call.args, *(thunk(context, operand) for operand in operands)]
    bound = set[str]().union(*map(walrus_names, operands))
    if bound:
        parts = context.state(bound, call)
        del parts["GET"], parts["N"]
        state = expression("ag__.state_of(NAMES, SET)", call, **parts)
        call.keywords = [gast.keyword("state", state)]
    return call


def thunk(context: Context, node: gast.expr) -> gast.expr:
    """A function of no arguments that gives the converted expression."""
    bound = walrus_names(node)
    if not bound:
        return expression("lambda: VALUE", node, VALUE=context.expression(node))
    # A walrus in a lambda would bind a name of the lambda's own.
    name = context.fresh("operand")
    declared = context.declare(bound)
    outer, context.prelude = context.prelude, []
    value = context.expression(node)
    inside, context.prelude = context.prelude, outer
    context.prelude += statements(
        f"def operand():\n{DECLARED}    INSIDE\n    return VALUE",
        node,
        operand=name,
        INSIDE=inside,
        VALUE=value,
        **declared,
    )
    return expression(name, node)
