"""Generator functions: run by their bodies, or as Python generators.

Run, the body is a function of `emit`, which takes an item and gives the exit of the
loop that goes through the generator: so `yield v` is `emit(v)`, and may leave the
generator. As a Python generator, what has a `yield` in it stays a Python statement, and
its tests must be known while tracing.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.analysis.exits import YIELDS, holds_yield, own_parts
from autograph.converters.context import COMPOUND, Context
from autograph.converters.functions import (
    convert_function,
    declarations,
    has_docstring,
    outer_names,
)
from autograph.syntax import expression, statements

_GUARDED = (gast.Try, gast.With, getattr(gast, "TryStar", gast.Try))
# What they evaluate later, or perhaps, is a function of its own when converted.
_LATER = (gast.BoolOp, gast.IfExp, gast.Compare, gast.AugAssign, gast.Assert)


def can_run(node: Any) -> bool:
    """Whether each `yield` is a statement, and under no handler of the generator's.

    A handler would get what the loop that goes through the generator raises.
    """
    # The value of a lambda is no statement.
    return not isinstance(node, gast.Lambda) and all(map(_runs, node.body))


def can_manage(node: Any) -> bool:
    """Whether each `yield` is a statement of its own, wherever it stands.

    A handler gets what the block raises, as it should.
    """
    if not holds_yield(node) or _uses_yield(node):
        return True
    kinds = (*COMPOUND, gast.match_case, gast.ExceptHandler, gast.FunctionDef)
    return isinstance(node, kinds) and all(map(can_manage, own_parts(node)))


def can_be_lazy(node: Any) -> bool:
    """Whether each `yield` is where it was when the rest is converted.

    Under a handler, a failure might depend on data.
    """
    if isinstance(node, _LATER) or getattr(node, "handlers", None):
        return not holds_yield(node)
    return all(map(can_be_lazy, own_parts(node)))


def _runs(node: Any) -> bool:
    if not holds_yield(node) or _uses_yield(node):
        return True
    if isinstance(node, gast.Try) and not node.handlers:
        return all(map(_runs, node.body)) and not any(map(holds_yield, node.finalbody))
    kinds = (*COMPOUND, gast.match_case)
    if not isinstance(node, kinds) or isinstance(node, _GUARDED):
        return False
    return all(
        _runs(child)
        if isinstance(child, (gast.stmt, gast.match_case))
        else not holds_yield(child)
        for child in own_parts(node)
    )


def _uses_yield(node: Any) -> bool:
    """`yield v`, `x = yield v`, `return (yield v)`, and the same with `yield from`."""
    kinds = (gast.Expr, gast.Assign, gast.Return)
    if not isinstance(node, kinds) or not isinstance(node.value, YIELDS):
        return False
    return not any(map(holds_yield, own_parts(node.value)))


def alone(body: list[Any], emit: str) -> list[Any]:
    """The statements with each `yield` as one of its own, followed by its result's use.

    What a loop sends back is None; what `yield from` gives is the generator's result.
    """
    made: list[Any] = []
    for node in body:
        for field in ("body", "orelse", "finalbody"):
            if getattr(node, field, None):
                setattr(node, field, alone(getattr(node, field), emit))
        for case in getattr(node, "cases", ()):
            case.body = alone(case.body, emit)
        made.append(node)
        if _uses_yield(node) and not isinstance(node, gast.Expr):
            text = "None" if isinstance(node.value, gast.Yield) else f"{emit}.result"
            value = expression(text, node.value)
            yields = gast.copy_location(gast.Expr(node.value), node)
            node.value = value
            made[-1:] = [yields, node]
    return made


def parts(context: Context, node: Any) -> tuple[list[gast.stmt], gast.expr]:
    """`yield v` as a statement that may leave the generator."""
    given = context.expression(node.value.value)
    values = [] if given is None else [given]
    called = "emit.from_" if isinstance(node.value, gast.YieldFrom) else "emit"
    return [], expression(
        f"{called}(VALUES)", node, emit=context.emit_name, VALUES=values
    )


def _kept(context: Context, node: Any) -> list[gast.stmt]:
    """A compound statement of a Python generator that has a `yield` or jump in it."""
    for field in ("test", "iter", "subject"):
        if hasattr(node, field):
            setattr(node, field, context.expression(getattr(node, field)))
    if hasattr(node, "test"):
        node.test = expression("ag__.decided(TEST)", node.test, TEST=node.test)
    for item in getattr(node, "items", ()):
        item.context_expr = context.expression(item.context_expr)
    for field in ("body", "orelse", "finalbody"):
        if getattr(node, field, None):
            setattr(node, field, context.block(getattr(node, field)))
    for case in getattr(node, "cases", ()):
        case.guard = context.expression(case.guard)
        case.body = context.block(case.body)
    return [node]


def convert_run(context: Context) -> Any:
    """The generator as a function that returns its body, a function of `emit`."""
    node = context.node
    start = 1 if has_docstring(node) else 0
    body = _body(context, node.body[start:], node)
    context.state_functions.finish()
    first = [*outer_names(context), *declarations(context, body, node.body[0])]
    node.body = [*node.body[:start], *first, *body]
    return node


def convert_lazy(context: Context) -> Any:
    """The generator as one of Python's."""
    context.keep = _kept
    return convert_function(context)


def _body(context: Context, body: list[Any], at: Any) -> list[gast.stmt]:
    name = context.fresh("body")
    made = context.function(name, body, at)
    made[0].args.args.append(gast.Name(context.emit_name, gast.Param(), None, None))
    return made + statements("return name", at, name=name)
