"""raise: of a name, `ag__.raised(name)`, for it may be one of several exceptions."""

from __future__ import annotations

import gast

from autograph.converters.context import Context
from autograph.syntax import expression


def convert(context: Context, node: gast.Raise) -> list[gast.stmt]:
    """`raise error from cause`; a call makes one exception, so it stays as it is."""
    made = context.expression(node.exc)
    if node.exc is not None and not isinstance(node.exc, gast.Call):
        made = expression("ag__.raised(ERROR)", node.exc, ERROR=made)
    node.exc, node.cause = made, context.expression(node.cause)
    return [node]
