"""match: `ag__.match_stmt`, with each case a pattern, a function and perhaps a guard.

A pattern is an object that knows what it asks of the subject; the values and classes
in it are functions, since Python evaluates them when it comes to them. What a pattern
captures is given to the guard and to the body, which bind the names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import gast

from autograph.converters.context import (
    Context,
    take_for_certain,
    walrus_names,
)
from autograph.syntax import expression, literal, statements, walk


def convert(context: Context, node: gast.Match) -> list[gast.stmt]:
    """A match that no case leaves."""
    made, call = parts(context, node)
    return made + statements("CALL", node, CALL=call)


def parts(context: Context, node: Any) -> tuple[list[gast.stmt], gast.expr]:
    """The functions of the cases, and the call that chooses."""
    subject = context.expression(node.subject)
    assigned = context.assigned([node])
    names = assigned & (context.live_after(node) | _bound_by_guards(node))
    state = context.state(names, node, assigned)
    made: list[gast.stmt] = []
    cases = []
    for case in node.cases:
        functions, part = _case(context, case, node)
        made += functions
        cases.append(part)
    call = expression(
        "ag__.match_stmt(SUBJECT, (CASES,), GET, SET, NAMES, N)",
        node,
        SUBJECT=subject,
        CASES=cases,
        **state,
    )
    return made, call


def _bound_by_guards(node: gast.Match) -> set[str]:
    """Names that are bound when a guard fails, and so by no body alone."""
    return {
        name
        for case in node.cases
        if case.guard is not None
        for name in (*captured(case.pattern), *walrus_names(case.guard))
    }


def _case(
    context: Context, case: Any, at: gast.Match
) -> tuple[list[gast.stmt], gast.expr]:
    names = tuple(captured(case.pattern))
    body = context.fresh("case_body")
    bound = walrus_names(case.guard) if case.guard is not None else set()
    # What the guard has bound is not bound again, and is there for certain.
    before = context.analysis.bound_before(case.body[0])
    taken = take_for_certain(sorted(bound & before), at)
    function = _function(
        context,
        body,
        names,
        bound,
        case.pattern,
        lambda: taken + context.body(case.body),
        context.assigned(case.body) | set(names) | bound,
    )
    call = expression(
        "ag__.Case(PATTERN, NAMES, BODY)",
        at,
        PATTERN=_pattern(context, case.pattern, at),
        NAMES=literal(names, at),
        BODY=body,
    )
    if case.guard is None:
        return function, call
    guard = context.fresh("case_guard")
    call.args.append(expression(guard, at))
    return function + _guard(context, case, guard, names, bound), call


def _guard(
    context: Context, case: Any, name: str, names: tuple[str, ...], bound: set[str]
) -> list[gast.stmt]:
    def body() -> list[gast.stmt]:
        outer, context.prelude = context.prelude, []
        value = context.expression(case.guard)
        inside, context.prelude = context.prelude, outer
        return inside + statements("return VALUE", case.guard, VALUE=value)

    return _function(context, name, names, set(), case.guard, body, bound.union(names))


def _function(
    context: Context,
    name: str,
    names: tuple[str, ...],
    bound: set[str],
    at: gast.AST,
    convert_body: Callable[[], list[gast.stmt]],
    assigned: Iterable[str],
) -> list[gast.stmt]:
    """`def name(captured): names = captured; body`; without names, no parameter.

    bound: names that keep what they hold
    """
    if not names:
        return context.define(name, convert_body(), at, assigned)
    fresh = context.namer.fresh
    parameter = fresh("captured")
    taken = statements(
        "(NAMES,) = CAPTURED",
        at,
        CAPTURED=parameter,
        NAMES=[fresh("unused") if name in bound else name for name in names],
    )
    return context.define(name, taken + convert_body(), at, assigned, [parameter])


def captured(pattern: Any) -> list[str]:
    """The names that a pattern captures, in order, each once."""
    found = [
        getattr(part, _CAPTURES[type(part)])
        for part in walk(pattern)
        if type(part) in _CAPTURES
    ]
    return list(dict.fromkeys(name for name in found if name is not None))


# Where patterns keep the names that they capture.
_CAPTURES: dict[type, str] = {
    gast.MatchAs: "name",
    gast.MatchStar: "name",
    gast.MatchMapping: "rest",
}


def _pattern(context: Context, pattern: Any, at: gast.AST) -> gast.expr:
    """The pattern as an expression that makes it."""
    kind = type(pattern)
    made = expression(f"ag__.{kind.__name__}()", at)
    made.args = _ARGUMENTS[kind](context, pattern, at)
    return made


def _patterns(context: Context, patterns: list[Any], at: gast.AST) -> gast.expr:
    each = [_pattern(context, pattern, at) for pattern in patterns]
    return _tuple(each, at)


def _tuple(elements: list[gast.expr], at: gast.AST) -> gast.expr:
    made = literal((), at)
    made.elts = elements
    return made


def _later(context: Context, value: Any) -> gast.expr:
    """A value or class of a pattern, evaluated when the pattern comes to it."""
    return expression("lambda: VALUE", value, VALUE=context.expression(value))


def _as(context: Context, pattern: Any, at: gast.AST) -> list[gast.expr]:
    if pattern.name is None:
        return []
    name = literal(pattern.name, at)
    if pattern.pattern is None:
        return [name]
    return [name, _pattern(context, pattern.pattern, at)]


def _mapping(context: Context, pattern: Any, at: gast.AST) -> list[gast.expr]:
    keys = _tuple([_later(context, key) for key in pattern.keys], at)
    made = [keys, _patterns(context, pattern.patterns, at)]
    return [*made, literal(pattern.rest, at)] if pattern.rest else made


def _class(context: Context, pattern: Any, at: gast.AST) -> list[gast.expr]:
    made = [_later(context, pattern.cls), _patterns(context, pattern.patterns, at)]
    if not pattern.kwd_attrs:
        return made
    named = _patterns(context, pattern.kwd_patterns, at)
    return [*made, literal(tuple(pattern.kwd_attrs), at), named]


_ARGUMENTS: dict[type, Callable[[Context, Any, gast.AST], list[gast.expr]]] = {
    gast.MatchValue: lambda context, p, at: [_later(context, p.value)],
    gast.MatchSingleton: lambda context, p, at: [literal(p.value, at)],
    gast.MatchSequence: lambda context, p, at: [_patterns(context, p.patterns, at)],
    gast.MatchStar: lambda context, p, at: [literal(p.name, at)] if p.name else [],
    gast.MatchMapping: _mapping,
    gast.MatchClass: _class,
    gast.MatchAs: _as,
    gast.MatchOr: lambda context, p, at: [_patterns(context, p.patterns, at)],
}
