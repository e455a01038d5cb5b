"""and, or, not: short-circuit kept, each later operand a function."""

from __future__ import annotations

import gast

from autograph.converters.context import Context
from autograph.converters.lazy import choice
from autograph.syntax import expression, literal

UNARY = {gast.USub: "-", gast.UAdd: "+", gast.Invert: "~"}
OPERATORS = {gast.And: "and_", gast.Or: "or_"}


def convert(context: Context, node: gast.BoolOp) -> gast.expr:
    """`a and b and c`, `a or b or c`."""
    first, *others = node.values
    call = expression(
        f"ag__.{OPERATORS[type(node.op)]}(FIRST)", node, FIRST=context.expression(first)
    )
    return choice(context, call, others)


def convert_not(context: Context, node: gast.UnaryOp) -> gast.expr:
    """`not a`; others are Python's own unless a class of the user's has them."""
    operand = context.expression(node.operand)
    if isinstance(node.op, gast.Not):
        return expression("ag__.not_(OPERAND)", node, OPERAND=operand)
    node.operand = operand
    if not context.overloads or isinstance(operand, gast.Constant):
        return node
    word = literal(UNARY[type(node.op)], node)
    return expression("ag__.unary(WORD, OPERAND)", node, WORD=word, OPERAND=operand)
