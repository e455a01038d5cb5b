"""Functions: the one being converted, and the defs and lambdas inside it."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import gast

from autograph.analysis import analyze
from autograph.converters.context import Context, names_read
from autograph.syntax import children, expression, statements, walk
from autograph.syntax.names import bound_by_import


def convert_function(context: Context) -> Any:
    """Convert the context's own function; returns the tree, changed in place."""
    node = context.node
    if isinstance(node, gast.Lambda):
        return _convert_lambda(context, node)
    start = 1 if has_docstring(node) else 0
    body = context.block(node.body[start:])
    context.state_functions.finish()
    first = [*outer_names(context), *declarations(context, body, node.body[0])]
    node.body = [*node.body[:start], *first, *_keywords_are_new(node), *body]
    return node


def _keywords_are_new(node: Any) -> list[gast.stmt]:
    """The dict of `**keywords` is made by each call: no state of a loop around it."""
    keywords = node.args.kwarg
    if keywords is None:
        return []
    return statements("ag__.new(KEYWORDS)", node.body[0], KEYWORDS=keywords.id)


def _convert_lambda(context: Context, node: gast.Lambda) -> Any:
    """A lambda; a def where its expression needs functions that bind its names."""
    value = context.expression(node.body)
    if not context.prelude:
        node.body = value
        return node
    functions = context.state_functions.place(node.body)
    context.state_functions.finish()
    body = (
        functions + context.prelude + statements("return VALUE", node.body, VALUE=value)
    )
    body = declarations(context, body, node.body) + body
    made = gast.FunctionDef(
        context.fresh("lambda_"), node.args, body, [], None, None, []
    )
    return gast.copy_location(made, node)


def convert_def(context: Context, node: Any) -> list[gast.stmt]:
    """A def inside the function: its defaults here, its body on its own."""
    _convert_arguments(context, node)
    inner = _inner(context, node)
    if not inner.analysis.is_generator and not inner.analysis.is_async:
        convert_function(inner)
    return [node]


def convert_lambda(context: Context, node: gast.Lambda) -> gast.expr:
    """A lambda inside the function."""
    _convert_arguments(context, node)
    inner = _inner(context, node)
    if inner.analysis.is_generator:
        return node
    made = convert_function(inner)
    if made is node:
        return node
    # Made where the lambda stood: that is where its defaults are evaluated.
    maker = context.fresh("make_lambda")
    context.prelude += statements(
        "def maker():\n    MADE\n    return NAME",
        node,
        maker=maker,
        MADE=[made],
        NAME=made.name,
    )
    return expression("MAKER()", node, MAKER=maker)


def convert_class(context: Context, node: gast.ClassDef) -> list[gast.stmt]:
    """A class inside the function stays; its methods are converted when called.

    What its body does, and binds to no name, is done by each call.
    """
    bound = _bound_in(node.body) | {"__module__", "__qualname__"}
    body: list[gast.stmt] = []
    for statement in node.body:
        if isinstance(statement, gast.Expr):
            body += _of_class(context, statement, bound)
        else:
            body.append(statement)
    node.body = body
    return [node]


def _bound_in(body: list[gast.stmt]) -> set[str]:
    """The names that a class body may bind, and some that its methods do."""
    parts = [part for statement in body for part in walk(statement)]
    imports = {bound_by_import(one) for one in parts if isinstance(one, gast.alias)}
    defs = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)
    named = {part.name for part in parts if isinstance(part, defs)}
    names = [part for part in parts if isinstance(part, gast.Name)]
    stored = {one.id for one in names if not isinstance(one.ctx, gast.Load)}
    return imports | named | stored


def _of_class(
    context: Context, statement: gast.Expr, bound: set[str]
) -> list[gast.stmt]:
    """An expression of a class body.

    A part that is evaluated later (`v and print(v)`) becomes a lambda, which does not
    see the names that the body has bound: then it is left to Python.
    """
    before, prelude = copy.deepcopy(statement), list(context.prelude)
    old = {id(part) for part in walk(statement)}
    statement.value = context.expression(statement.value)
    for part in walk(statement.value):
        is_new = isinstance(part, gast.Lambda) and id(part) not in old
        if is_new and not bound.isdisjoint(names_read([part])):
            context.prelude[:] = prelude
            return [*statements("ag__.of_class_body()", statement), before]
    return [statement]


def _inner(context: Context, node: Any) -> Context:
    parameters = node.args.posonlyargs + node.args.args
    return Context(
        node,
        analyze(node),
        context.tables,
        context.namer,
        outer=context,
        first_parameter=parameters[0].id if parameters else None,
    )


def _convert_arguments(context: Context, node: Any) -> None:
    defaults = node.args
    defaults.defaults = [context.expression(value) for value in defaults.defaults]
    defaults.kw_defaults = [context.expression(value) for value in defaults.kw_defaults]
    if not isinstance(node, gast.Lambda):
        node.decorator_list = [_decorator(context, d) for d in node.decorator_list]


def _decorator(context: Context, node: gast.expr) -> gast.expr:
    """One that is converted where it is called."""
    return expression("ag__.decorator(IT)", node, IT=context.expression(node))


def has_docstring(node: Any) -> bool:
    """True for a def whose first statement is its docstring."""
    first = node.body[0]
    is_text = isinstance(first, gast.Expr) and isinstance(first.value, gast.Constant)
    return is_text and isinstance(first.value.value, str)


def convert_declaration(context: Context, node: Any) -> list[gast.stmt]:
    """Move global and nonlocal to the function's start, for all its bodies."""
    return []


def outer_names(context: Context) -> list[gast.stmt]:
    """The function's global and nonlocal statements, as one of each."""
    at = context.node.body[0]
    made: list[gast.stmt] = []
    for word, names in (
        ("global", context.analysis.globals),
        ("nonlocal", context.analysis.nonlocals),
    ):
        if names:
            made += statements(f"{word} {', '.join(sorted(names))}", at)
    return made


def declarations(
    context: Context, body: list[gast.stmt], at: gast.AST
) -> list[gast.stmt]:
    """A bare annotation, which runs nothing, for each name bound in bodies only.

    It makes the name a local of the function, as it was, so that the bodies can share
    it; an unbound local raises Python's own error.
    """
    if not context.declared:
        return []
    parameters = context.analysis.parameters
    bound = set(parameters).union(*(_bound(statement) for statement in body), ())
    missing = sorted(context.declared - bound)
    made: list[gast.stmt] = []
    for name in missing:
        made += statements("name: ag__.local", at, name=name)
    return made


def _bound(node: gast.AST) -> Iterator[str]:
    """Names that a statement of the function's own scope binds."""
    if isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
        yield node.name
        return
    if isinstance(node, gast.Lambda):
        return
    if isinstance(node, gast.comprehension):
        # Its target is of the comprehension's own scope; what `:=` binds is not.
        for part in (node.iter, *node.ifs):
            yield from _bound(part)
        return
    if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load):
        yield node.id
    if isinstance(node, gast.ExceptHandler) and node.name:
        yield node.name if isinstance(node.name, str) else node.name.id
    for child in children(node):
        yield from _bound(child)
