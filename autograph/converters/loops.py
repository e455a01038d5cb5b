"""What the converters of while and for share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from autograph.converters.context import Context, take_for_certain
from autograph.syntax import expression, literal, statements

Parts = Callable[[Context, Any], tuple[list[gast.stmt], gast.expr]]


def plain_loop(context: Context, node: Any, parts: Parts) -> list[gast.stmt]:
    """A loop that is left only at its end or by a break, as statements."""
    certain = take_for_certain(context.analysis.bound_by(node), node)
    made, call = parts(context, node)
    return made + statements("CALL", node, CALL=call) + certain


def loop_state(context: Context, node: Any) -> dict[str, Any]:
    """The template parts that pass the state of a loop."""
    carried = context.analysis.loop_carried(node)
    return context.state(carried, node, context.assigned([node]))


def loop_stores(context: Context, node: Any) -> list[gast.keyword]:
    """What a loop's call says of the arrays that it stores into; nothing of none.

    The loop begins with them: else a first round would be made to find them out.
    """
    names = tuple(sorted(context.analysis.stored_into(node)))
    return [gast.keyword("stored", literal(names, node))] if names else []


def loop_else(context: Context, node: Any) -> tuple[list[gast.stmt], list[gast.expr]]:
    """The loop's else as a function, and its name for the call; nothing without one."""
    if not node.orelse:
        return [], []
    name = context.fresh("loop_else")
    return context.function(name, node.orelse, node), [expression(name, node)]
