"""Quasi-quotation: trees written as Python text with placeholders.

A placeholder is an identifier of the template that is also the name of a part. All
nodes that the template makes stand at the place of one node of the user's source, so
that tracebacks and debuggers point there; the parts keep their own positions.
"""

from __future__ import annotations

import copy
from functools import lru_cache
from typing import Any

import gast

# What may stand for a placeholder: str | gast.AST | Sequence of these, spliced in.
Part = Any  # gast carries no types
Span = tuple[int, int, int]  # line, first and last column

# Fields that hold identifiers as strings and that a template may rename.
_NAME_FIELDS = {
    "FunctionDef": "name",
    "AsyncFunctionDef": "name",
    "ClassDef": "name",
    "Attribute": "attr",
    "keyword": "arg",
}

# The part of a node that stands for it when it spans several lines.
_HEADERS = {
    "If": "test",
    "While": "test",
    "For": "iter",
    "AsyncFor": "iter",
    "With": "items",
    "AsyncWith": "items",
    "withitem": "context_expr",
    "Match": "subject",
    "Expr": "value",
    "Return": "value",
    "Assign": "value",
    "AugAssign": "value",
    "AnnAssign": "value",
    "Assert": "test",
    "Raise": "exc",
    "Call": "func",
    "Subscript": "value",
    "Attribute": "value",
    "Await": "value",
    "BinOp": "left",
    "Compare": "left",
    "BoolOp": "values",
    "IfExp": "test",
    "Lambda": "body",
}


def statements(template: str, at: gast.AST, **parts: Part) -> list[gast.stmt]:
    """The statements of `template` with its placeholders filled in.

    at: the node of the user's source where generated nodes are said to stand.
    A part is a string (another identifier), an expression, a sequence of statements
    (in place of a statement that is the placeholder alone) or a sequence of strings or
    expressions (spliced into arguments, displays, `nonlocal`; a `nonlocal` of no names
    is left out). ValueError: the template has no such placeholder.

    >>> here = gast.parse("x = 1").body[0]
    >>> made = statements(
    ...     "def f():\\n    nonlocal NAMES\\n    BODY",
    ...     here,
    ...     f="if_body",
    ...     NAMES=("x",),
    ...     BODY=[here],
    ... )
    >>> print(gast.unparse(gast.Module(made, [])).strip())
    def if_body():
        nonlocal x
        x = 1
    """
    filler = _Filler(parts, span_of(at))
    made: list[gast.stmt] = filler.block(_parsed(template).body)
    filler.check(template)
    return made


def expression(template: str, at: gast.AST, **parts: Part) -> gast.expr:
    """The expression of `template` with its placeholders filled in, as `statements`.

    >>> here = gast.parse("y").body[0].value
    >>> gast.unparse(expression("f(X, NAMES)", here, X=here, NAMES=("a", "b"))).strip()
    'f(y, a, b)'
    """
    filler = _Filler(parts, span_of(at))
    (statement,) = _parsed(template).body
    if not isinstance(statement, gast.Expr):
        raise ValueError(f"the template is not one expression: {template}")
    made = filler.fill(statement.value)
    filler.check(template)
    return made


def literal(value: object, at: gast.AST) -> gast.expr:
    """The tree of a constant, or of a tuple of constants, at the place of `at`.

    >>> gast.unparse(literal(("x", 1), gast.parse("y").body[0])).strip()
    "('x', 1)"
    """
    if isinstance(value, tuple):
        elements = [literal(element, at) for element in value]
        return _place(gast.Tuple(elements, gast.Load()), span_of(at))
    return _place(gast.Constant(value, None), span_of(at))


def span_of(at: gast.AST) -> Span:
    """Where to show `at` in a traceback, on one line: line, first and last column.

    One line, because CPython reports a call that spans several lines at its last one.
    A node of several lines is shown at its header: the test of an `if`, say. Columns
    are -1, which means unknown, when the header itself has several lines.
    """
    if isinstance(at, list):
        at = at[0]
    if not hasattr(at, "lineno"):  # withitem and the like have no position
        return span_of(getattr(at, _HEADERS[type(at).__name__]))
    if at.end_lineno == at.lineno:
        return at.lineno, at.col_offset, at.end_col_offset
    header = getattr(at, _HEADERS.get(type(at).__name__, ""), None)
    if not header:
        return at.lineno, -1, -1
    return span_of(header)


def set_context(node: gast.expr, context: type[gast.expr_context]) -> None:
    """Make `node` a place to load from, store to or delete, as `context` says."""
    node.ctx = context()
    if isinstance(node, gast.Tuple | gast.List):
        for element in node.elts:
            set_context(element, context)
    elif isinstance(node, gast.Starred):
        set_context(node.value, context)


@lru_cache(maxsize=1024)
def _parsed(template: str) -> gast.Module:
    return gast.parse(template)


def _place(node: gast.AST, span: Span) -> Any:
    node.lineno, node.col_offset, node.end_col_offset = span
    node.end_lineno = node.lineno
    return node


class _Filler:
    """Copies a template, filling in parts."""

    def __init__(self, parts: dict[str, Part], span: Span) -> None:
        self._parts = parts
        self._span = span
        self._used: set[str] = set()
        self._placed_parts: set[int] = set()

    def check(self, template: str) -> None:
        """Refuse a part that no placeholder asked for: a misspelt one."""
        unused = sorted(self._parts.keys() - self._used)
        if unused:
            raise ValueError(f"no placeholder {', '.join(unused)} in {template!r}")

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        """Copies of statements; a placeholder may stand for none of them."""
        return [new for statement in body for new in self._statement(statement)]

    def fill(self, node: Any) -> Any:
        """A copy of one node, string or constant of the template."""
        if not isinstance(node, gast.AST):
            return node
        if isinstance(node, gast.Name) and node.id in self._parts:
            return self._name(node)
        fields = {name: self._field(node, name) for name in node._fields}
        made = type(node)(**fields)
        return _place(made, self._span) if node._attributes else made

    def _field(self, node: gast.AST, field: str) -> Any:
        value = getattr(node, field)
        if not isinstance(value, list):
            if field == _NAME_FIELDS.get(type(node).__name__):
                return self._identifier(value)
            return self.fill(value)
        if value and isinstance(value[0], gast.stmt):
            made = self.block(value)
            # A body must not be empty, an else or finally is left out.
            return (
                made if made or field != "body" else [_place(gast.Pass(), self._span)]
            )
        return [new for element in value for new in self._element(element)]

    def _statement(self, node: gast.stmt) -> list[gast.stmt]:
        if isinstance(node, gast.Expr) and isinstance(node.value, gast.Name):
            part = self._part(node.value.id)
            if isinstance(part, gast.stmt):
                return [part]
            if isinstance(part, list | tuple):
                return list(part)
        made = self.fill(node)
        if isinstance(made, gast.Nonlocal | gast.Global) and not made.names:
            return []
        return [made]

    def _element(self, element: Any) -> list[Any]:
        """What stands for one element of a list: several for a spliced part."""
        name = element.id if isinstance(element, gast.Name) else element
        part = self._part(name) if isinstance(name, str) else None
        if isinstance(element, str):
            return list(part) if isinstance(part, list | tuple) else [part or element]
        if not isinstance(part, list | tuple):
            return [self.fill(element)]
        return [
            self._renamed(element, entry)
            if isinstance(entry, str)
            else self._placed(entry, element.ctx)
            for entry in part
        ]

    def _name(self, node: gast.Name) -> gast.expr:
        part = self._part(node.id)
        if isinstance(part, str):
            return self._renamed(node, part)
        if isinstance(part, gast.expr):
            return self._placed(part, node.ctx)
        raise TypeError(f"{node.id} stands for one expression, not for {part!r}")

    def _renamed(self, node: gast.Name, name: str) -> gast.Name:
        renamed = gast.Name(name, type(node.ctx)(), self.fill(node.annotation), None)
        return _place(renamed, self._span)

    def _placed(self, part: gast.expr, context: gast.expr_context) -> gast.expr:
        """`part` itself where it is used first, so that its identity is kept."""
        if id(part) in self._placed_parts:
            part = copy.deepcopy(part)
        self._placed_parts.add(id(part))
        if hasattr(part, "ctx") and type(part.ctx) is not type(context):
            set_context(part, type(context))
        return part

    def _identifier(self, name: str | None) -> str | None:
        part = self._part(name) if name is not None else None
        if part is None:
            return name
        if isinstance(part, str):
            return part
        raise TypeError(f"{name} stands for an identifier, not for {part!r}")

    def _part(self, name: str) -> Part | None:
        if name not in self._parts:
            return None
        self._used.add(name)
        return self._parts[name]
