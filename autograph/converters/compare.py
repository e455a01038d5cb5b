"""Comparisons: chains keep their short-circuit, `in` asks a tensor's elements."""

from __future__ import annotations

from typing import Any

import gast

from autograph.converters.context import Context
from autograph.converters.lazy import choice
from autograph.syntax import expression, literal

WORDS = {
    gast.Eq: "==",
    gast.NotEq: "!=",
    gast.Lt: "<",
    gast.LtE: "<=",
    gast.Gt: ">",
    gast.GtE: ">=",
    gast.Is: "is",
    gast.IsNot: "is not",
    gast.In: "in",
    gast.NotIn: "not in",
}
# Those that ask Python's objects themselves, so have no method that could be staged;
# a list asks for its length before it asks for its items.
NAMED = {
    **{gast.In: "in_", gast.NotIn: "not_in", gast.Is: "is_", gast.IsNot: "is_not"},
    **{gast.Eq: "eq", gast.NotEq: "ne"},
}


def convert(context: Context, node: gast.Compare) -> gast.expr:
    """`a < b`, `a < b <= c`, `a in b`."""
    if len(node.ops) > 1:
        return _chain(context, node)
    node.left = context.expression(node.left)
    node.comparators = [context.expression(node.comparators[0])]
    operator = NAMED.get(type(node.ops[0]))
    if operator in ("eq", "ne") and not (context.overloads or _may_be_lists(node)):
        return node
    if operator is None:
        asked = context.overloads or _has_display(node)
        return _overloaded(node) if asked else node
    return expression(
        f"ag__.{operator}(LEFT, RIGHT)",
        node,
        LEFT=node.left,
        RIGHT=node.comparators[0],
    )


def _has_display(node: gast.Compare) -> bool:
    """True for `xs > []`, where Python's own would ask no item of the list."""
    operands = (node.left, node.comparators[0])
    return any(isinstance(operand, _DISPLAYS) for operand in map(_made, operands))


_DISPLAYS = (gast.List, gast.Tuple)


def _made(node: Any) -> Any:
    """The display in `ag__.new([...])`."""
    return node.args[0] if isinstance(node, gast.Call) and node.args else node


def _overloaded(node: gast.Compare) -> gast.expr:
    """`a < b` where a class of the user's has comparisons, or with lists."""
    word = WORDS[type(node.ops[0])]
    if word not in ("==", "!=", "<", "<=", ">", ">="):
        return node
    return expression(
        "ag__.compare(WORDS, LEFT, RIGHT)",
        node,
        WORDS=literal((word,), node),
        LEFT=node.left,
        RIGHT=node.comparators[0],
    )


def _may_be_lists(node: gast.Compare) -> bool:
    """True unless an operand is a constant, which no list is compared with."""
    operands = (node.left, node.comparators[0])
    return not any(isinstance(operand, gast.Constant) for operand in operands)


def _chain(context: Context, node: gast.Compare) -> gast.expr:
    words = tuple(WORDS[type(operator)] for operator in node.ops)
    first, *others = node.comparators
    call = expression(
        "ag__.compare(WORDS, LEFT, FIRST)",
        node,
        WORDS=literal(words, node),
        LEFT=context.expression(node.left),
        FIRST=context.expression(first),
    )
    return choice(context, call, others)
