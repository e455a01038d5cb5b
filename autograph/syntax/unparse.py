"""Trees to text: readable code that parses back to the same tree.

This extends astunparse's Unparser by what it lacks (`match`, `except*`, type
parameters, the f-strings of Python 3.12) and by expressions with no more parentheses
than Python's precedences ask for. It takes gast and ast trees alike. Comments, spacing
and type comments are not in a tree and so are not written.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from astunparse.unparser import Unparser

from autograph.syntax.expressions import (
    BINARY,
    EXPRESSION_NODES,
    NAMED,
    TUPLE,
    Expressions,
    is_literal,
)

_BLOCKS = ("FunctionDef", "AsyncFunctionDef", "ClassDef")


def unparse(node: Any) -> str:
    """The source text of a gast or ast tree, without a final newline.

    ValueError: before Python 3.12, an f-string holds an expression that cannot be
    written inside its quotes; no source text has such a tree.

    >>> import gast
    >>> unparse(gast.parse("x = a[1:2,...,None]*(b+(c))"))
    'x = a[1:2, ..., None] * (b + c)'
    """
    file = io.StringIO()
    _Statements(node, file)
    return file.getvalue().strip("\n")


class _Statements(Unparser):
    """Statements, written as they come; expressions arrive as text."""

    def __init__(self, tree: Any, file: io.StringIO) -> None:
        self._writer = Expressions()
        super().__init__(tree, file)  # which writes it

    def dispatch(self, tree: Any) -> None:
        """Write one node, or a list of statements."""
        if isinstance(tree, list):
            self._suite(tree)
        elif type(tree).__name__ in EXPRESSION_NODES:
            self.write(self._writer.text(tree))
        else:
            getattr(self, "_" + type(tree).__name__)(tree)

    def _suite(self, body: Sequence[Any]) -> None:
        last = ""
        for statement in body:
            kind = type(statement).__name__
            if last and (kind in _BLOCKS or (last in _BLOCKS and not self._indent)):
                self.write("\n" if self._indent else "\n\n")
            self.dispatch(statement)
            last = kind

    def _Module(self, t: Any) -> None:
        self._suite(t.body)

    def _Expr(self, t: Any) -> None:
        value = t.value
        if type(value).__name__ == "Constant" and isinstance(value.value, str):
            self.fill(_docstring(value))
        else:
            self.fill(self._writer.text(value, TUPLE))

    def _Assign(self, t: Any) -> None:
        targets = "".join(
            self._writer.text(target, TUPLE) + " = " for target in t.targets
        )
        self.fill(targets + self._writer.text(t.value, TUPLE))

    def _AugAssign(self, t: Any) -> None:
        sign, _ = BINARY[type(t.op).__name__]
        self.fill(
            f"{self._writer.text(t.target)} {sign}= {self._writer.text(t.value, TUPLE)}"
        )

    def _AnnAssign(self, t: Any) -> None:
        target = self._writer.text(t.target)
        if type(t.target).__name__ == "Name" and not t.simple:
            target = f"({target})"
        value = "" if t.value is None else " = " + self._writer.text(t.value, TUPLE)
        self.fill(f"{target}: {self._writer.text(t.annotation)}{value}")

    def _TypeAlias(self, t: Any) -> None:
        name = self._writer.text(t.name) + self._writer.type_parameters(t)
        self.fill(f"type {name} = {self._writer.text(t.value)}")

    def _Return(self, t: Any) -> None:
        self.fill(
            "return" if t.value is None else "return " + self._writer.bare(t.value)
        )

    def _ImportFrom(self, t: Any) -> None:
        names = ", ".join(
            alias.name + (f" as {alias.asname}" if alias.asname else "")
            for alias in t.names
        )
        self.fill(f"from {'.' * (t.level or 0)}{t.module or ''} import {names}")

    def _block(self, header: str, body: Sequence[Any]) -> None:
        self.fill(header)
        self.enter()
        self._suite(body)
        self.leave()

    def _optional_block(self, header: str, body: Sequence[Any]) -> None:
        if body:
            self._block(header, body)

    def _If(self, t: Any) -> None:
        self._block("if " + self._writer.test(t.test), t.body)
        while len(t.orelse) == 1 and type(t.orelse[0]).__name__ == "If":
            t = t.orelse[0]
            self._block("elif " + self._writer.test(t.test), t.body)
        self._optional_block("else", t.orelse)

    def _While(self, t: Any) -> None:
        self._block("while " + self._writer.test(t.test), t.body)
        self._optional_block("else", t.orelse)

    def _For(self, t: Any, prefix: str = "") -> None:
        target, iterable = self._writer.text(t.target, TUPLE), self._writer.bare(t.iter)
        self._block(f"{prefix}for {target} in {iterable}", t.body)
        self._optional_block("else", t.orelse)

    def _AsyncFor(self, t: Any) -> None:
        self._For(t, "async ")

    def _With(self, t: Any, prefix: str = "") -> None:
        items = [
            self._writer.text(item.context_expr)
            + (
                f" as {self._writer.text(item.optional_vars)}"
                if item.optional_vars
                else ""
            )
            for item in t.items
        ]
        first = t.items[0]
        if len(items) == 1 and not first.optional_vars:
            # `with (a, b):` has two items; the item that is a tuple needs more.
            if type(first.context_expr).__name__ == "Tuple":
                items = [f"({items[0]})"]
        self._block(f"{prefix}with {', '.join(items)}", t.body)

    def _AsyncWith(self, t: Any) -> None:
        self._With(t, "async ")

    def _Try(self, t: Any, keyword: str = "except") -> None:
        self._block("try", t.body)
        for handler in t.handlers:
            header = keyword
            if handler.type is not None:
                header += " " + self._writer.text(handler.type)
            if handler.name is not None:
                name = handler.name  # a string in ast, a Name in gast
                header += f" as {name if isinstance(name, str) else name.id}"
            self._block(header, handler.body)
        self._optional_block("else", t.orelse)
        self._optional_block("finally", t.finalbody)

    def _TryStar(self, t: Any) -> None:
        self._Try(t, "except*")

    def _Match(self, t: Any) -> None:
        self.fill("match " + self._writer.text(t.subject))
        self.enter()
        for case in t.cases:
            guard = "" if case.guard is None else " if " + self._writer.test(case.guard)
            self._block(
                "case " + self._writer.text(case.pattern, NAMED) + guard, case.body
            )
        self.leave()

    def _decorated(self, t: Any, header: str) -> None:
        for decorator in t.decorator_list:
            self.fill("@" + self._writer.text(decorator))
        self._block(header, t.body)

    def _ClassDef(self, t: Any) -> None:
        bases = ", ".join(self._writer.text(base) for base in [*t.bases, *t.keywords])
        header = f"class {t.name}{self._writer.type_parameters(t)}"
        self._decorated(t, f"{header}({bases})" if bases else header)

    def _FunctionDef(self, t: Any, prefix: str = "") -> None:
        name = t.name + self._writer.type_parameters(t)
        header = f"{prefix}def {name}({self._writer.text(t.args)})"
        if t.returns is not None:
            header += " -> " + self._writer.text(t.returns)
        self._decorated(t, header)

    def _AsyncFunctionDef(self, t: Any) -> None:
        self._FunctionDef(t, "async ")


def _docstring(node: Any) -> str:
    """A string that is a statement: with its own line breaks, if that is the same."""
    inside = node.value.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    if inside.endswith('"'):
        inside = inside[:-1] + '\\"'
    prefix = node.kind or ""
    text = f'{prefix}"""{inside}"""'
    return text if is_literal(text, node.value) else prefix + repr(node.value)
