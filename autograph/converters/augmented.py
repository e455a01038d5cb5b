"""Augmented assignment: read once, operate in place, store through `ag__`.

`x += v` on a name is Python's own, since a tensor knows `+=`; not so where x may be a
list, whose change must be seen (the function may be called in a branch, and x be one of
several), for a name that may be unbound, which is read with a check first, or for
`x %= v`, where x may be a text.
"""

from __future__ import annotations

import copy

import gast

from autograph.converters.assign import key
from autograph.converters.context import Context
from autograph.converters.lazy import thunk
from autograph.syntax import expression, literal, statements

OPERATORS = {
    gast.Add: "iadd",
    gast.Sub: "isub",
    gast.Mult: "imul",
    gast.Div: "itruediv",
    gast.FloorDiv: "ifloordiv",
    gast.Mod: "imod",
    gast.Pow: "ipow",
    gast.MatMult: "imatmul",
    gast.BitAnd: "iand",
    gast.BitOr: "ior",
    gast.BitXor: "ixor",
    gast.LShift: "ilshift",
    gast.RShift: "irshift",
}


def convert(context: Context, node: gast.AugAssign) -> list[gast.stmt]:
    """`target op= value`."""
    target = node.target
    operator = literal(OPERATORS[type(node.op)], node)
    if isinstance(target, gast.Subscript):
        return statements(
            "ag__.update_item(TARGET, KEY, OPERATOR, OPERAND)",
            node,
            TARGET=context.expression(target.value),
            KEY=key(context, target.slice),
            OPERATOR=operator,
            OPERAND=thunk(context, node.value),
        )
    if isinstance(target, gast.Attribute):
        return statements(
            "ag__.update_attr(TARGET, NAME, OPERATOR, OPERAND)",
            node,
            TARGET=context.expression(target.value),
            NAME=literal(target.attr, node),
            OPERATOR=operator,
            OPERAND=thunk(context, node.value),
        )
    return _name(context, node, operator)


def _name(
    context: Context, node: gast.AugAssign, operator: gast.expr
) -> list[gast.stmt]:
    node.value = context.expression(node.value)
    name = node.target.id
    outer = name in context.analysis.globals or name in context.analysis.nonlocals
    unclear = not outer and context.may_be_undefined(node.target)
    seen = context.overloads or _may_change(node) or _may_format(node)
    if not (outer or unclear or seen):
        return [node]
    read = copy.copy(node.target)
    read.ctx = gast.Load()
    loaded = expression(
        "ag__.ld(lambda: READ, NAME)", node, READ=read, NAME=literal(name, node)
    )
    updated = expression(
        "ag__.update(LOADED, OPERATOR, VALUE)",
        node,
        LOADED=loaded if unclear else read,
        OPERATOR=operator,
        VALUE=node.value,
    )
    if outer:
        updated = expression(
            "ag__.to_outer(VALUE, NAME)", node, VALUE=updated, NAME=literal(name, node)
        )
    return statements("TARGET = VALUE", node, TARGET=name, VALUE=updated)


def _may_format(node: gast.AugAssign) -> bool:
    """Whether the name may hold a text, which Python gives what the run has."""
    return isinstance(node.op, gast.Mod) and not isinstance(node.value, gast.Constant)


# `items += other`, `items *= 2`, `known |= other`: those that Python's containers have.
_OF_CONTAINERS = (gast.Add, gast.Mult, gast.BitOr, gast.BitAnd, gast.BitXor, gast.Sub)


def _may_change(node: gast.AugAssign) -> bool:
    """Whether the name may hold a container, which this changes in place."""
    if not isinstance(node.op, _OF_CONTAINERS):
        return False
    if not isinstance(node.value, gast.Constant):
        return True
    # Of constants a container takes an int as a factor, and a list what is in a text.
    taken: type | tuple[type, ...] = int
    if isinstance(node.op, gast.Add):
        taken = str, bytes
    return isinstance(node.op, gast.Add | gast.Mult) and isinstance(
        node.value.value, taken
    )
