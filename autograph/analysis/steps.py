"""Evaluation: what expressions and simple statements read and bind, and in what order.

The result is a list of steps. A step reads, and ends with what it binds. A binding that
short-circuit evaluation may leave out (`a and (y := b)`) only may happen. Paths between
statements are the business of `cfg`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import gast

from autograph.analysis.scopes import SCOPES, Scope, Scopes, outside
from autograph.syntax.names import bound_by_import
from autograph.syntax.walking import children, walk
from runtime.structs import field, struct


@struct(eq=False, frozen=False)
class Step:
    """Names read, then names bound or unbound.

    mentions: Name nodes in inner functions that are made in this step; they are read
    when the inner function runs.
    """

    reads: list[gast.Name] = field(default_factory=list)
    mentions: list[gast.Name] = field(default_factory=list)
    binds: set[str] = field(default_factory=set)
    may_bind: set[str] = field(default_factory=set)
    unbinds: set[str] = field(default_factory=set)


def steps_of(
    scopes: Scopes, nodes: Iterable[Any], *, target: bool = False
) -> list[Step]:
    """The steps of expressions, simple statements or patterns, run one after another.

    target: the expressions are assigned to. None is left out of `nodes`.
    """
    evaluator = _Evaluator(scopes)
    for node in nodes:
        if node is not None:
            (evaluator.assign if target else evaluator.visit)(node)
    return evaluator.steps


class _Evaluator:
    """Walks trees in the order of evaluation."""

    def __init__(self, scopes: Scopes) -> None:
        self.steps: list[Step] = []
        self._scopes = scopes
        self._conditions = 0  # surrounding tests by which a part may be left out

    def visit(self, node: Any) -> None:
        """Evaluate an expression, run a simple statement, match a pattern."""
        if isinstance(node, SCOPES):
            self._scope(node)
            return
        method = _VISIT.get(type(node))
        if method is not None:
            method(self, node)
            return
        for part in children(node):
            self.visit(part)

    def assign(self, target: Any) -> None:
        """Assign to a target, or delete it, after its own parts are evaluated."""
        if isinstance(target, gast.Tuple | gast.List):
            for element in target.elts:
                self.assign(element)
        elif isinstance(target, gast.Starred):
            self.assign(target.value)
        elif isinstance(target, gast.Name) and isinstance(target.ctx, gast.Del):
            self._read(target)  # which fails if it is not bound
            self.steps[-1].unbinds.add(target.id)
        elif isinstance(target, gast.Name):
            self._bind(target.id)
        else:
            for part in children(target):
                self.visit(part)

    def _open(self) -> Step:
        """The step to which reads go: a new one if the last one has bound something."""
        last = self.steps[-1] if self.steps else None
        if last is None or last.binds or last.may_bind or last.unbinds:
            last = Step()
            self.steps.append(last)
        return last

    def _read(self, name: gast.Name) -> None:
        self._open().reads.append(name)

    def _bind(self, name: str) -> None:
        if not self.steps or self.steps[-1].unbinds:
            self._open()
        step = self.steps[-1]
        (step.may_bind if self._conditions else step.binds).add(name)

    @contextmanager
    def _perhaps(self) -> Iterator[None]:
        self._conditions += 1
        yield
        self._conditions -= 1

    def _scope(self, node: Any) -> None:
        """Make an inner function, class or generator, or run a comprehension."""
        for part in outside(node):
            self.visit(part)
        scope = self._scopes.inner[id(node)]
        step = self._open()
        here = _loads_here(scope)
        for name in scope.outer_loads():
            (step.reads if id(name) in here else step.mentions).append(name)
        with self._perhaps():
            for written in sorted(scope.outer_writes()):
                self._bind(written)
        if isinstance(node, gast.stmt):
            self._bind(node.name if isinstance(node.name, str) else node.name.id)

    def _name(self, node: gast.Name) -> None:
        if isinstance(node.ctx, gast.Load):
            self._read(node)
        else:
            self.assign(node)

    def _named_expr(self, node: gast.NamedExpr) -> None:
        self.visit(node.value)
        self._bind(node.target.id)

    def _bool_op(self, node: gast.BoolOp) -> None:
        self.visit(node.values[0])
        with self._perhaps():
            for value in node.values[1:]:
                self.visit(value)

    def _compare(self, node: gast.Compare) -> None:
        self.visit(node.left)
        self.visit(node.comparators[0])
        with self._perhaps():
            for value in node.comparators[1:]:
                self.visit(value)

    def _if_exp(self, node: gast.IfExp) -> None:
        self.visit(node.test)
        with self._perhaps():
            self.visit(node.body)
            self.visit(node.orelse)

    def _assert(self, node: gast.Assert) -> None:
        # Python run with -O leaves out all of it.
        with self._perhaps():
            self.visit(node.test)
            if node.msg is not None:
                self.visit(node.msg)

    def _assign(self, node: gast.Assign) -> None:
        self.visit(node.value)
        for target in node.targets:
            self.assign(target)

    def _aug_assign(self, node: gast.AugAssign) -> None:
        if isinstance(node.target, gast.Name):
            self._read(node.target)
            self.visit(node.value)
            self._bind(node.target.id)
        else:
            self.assign(node.target)
            self.visit(node.value)

    def _ann_assign(self, node: gast.AnnAssign) -> None:
        # A function does not evaluate the annotation.
        if node.value is not None:
            self.visit(node.value)
            self.assign(node.target)
        elif not isinstance(node.target, gast.Name):
            self.assign(node.target)

    def _delete(self, node: gast.Delete) -> None:
        for target in node.targets:
            self.assign(target)

    def _import(self, node: gast.Import | gast.ImportFrom) -> None:
        for alias in node.names:
            if alias.name != "*":
                self._bind(bound_by_import(alias))

    def _pattern(self, node: Any) -> None:
        """A pattern reads values; what it captures is bound if all of it matches."""
        captured: list[str | None] = []
        for part in walk(node):
            if isinstance(part, gast.Name):
                self._read(part)
            field_name = _CAPTURES.get(type(part).__name__)
            if field_name is not None:
                captured.append(getattr(part, field_name))
        for name in filter(None, captured):
            self._bind(name)


def _loads_here(scope: Scope) -> set[int]:
    """The ids of the names in an inner scope that are read while its statement runs."""
    if not scope.runs_inline and not isinstance(scope.node, gast.ClassDef):
        return set()
    here = {id(name) for name in scope.loads}
    return here.union(*(_loads_here(child) for child in scope.children))


# Where patterns keep the names that they capture.
_CAPTURES = {"MatchAs": "name", "MatchStar": "name", "MatchMapping": "rest"}
_PATTERNS = (
    gast.MatchValue,
    gast.MatchSingleton,
    gast.MatchSequence,
    gast.MatchMapping,
    gast.MatchClass,
    gast.MatchStar,
    gast.MatchAs,
    gast.MatchOr,
)
_VISIT: dict[type, Callable[[_Evaluator, Any], None]] = {
    gast.Name: _Evaluator._name,
    gast.NamedExpr: _Evaluator._named_expr,
    gast.BoolOp: _Evaluator._bool_op,
    gast.Compare: _Evaluator._compare,
    gast.IfExp: _Evaluator._if_exp,
    gast.Assert: _Evaluator._assert,
    gast.Assign: _Evaluator._assign,
    gast.AugAssign: _Evaluator._aug_assign,
    gast.AnnAssign: _Evaluator._ann_assign,
    gast.Delete: _Evaluator._delete,
    gast.Import: _Evaluator._import,
    gast.ImportFrom: _Evaluator._import,
    **dict.fromkeys(_PATTERNS, _Evaluator._pattern),
}
