"""Exits: how statements leave the region they are in, read off their structure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import gast

from autograph.analysis.cfg import is_always_true, is_irrefutable
from autograph.analysis.scopes import FUNCTIONS
from autograph.syntax.walking import children

YIELDS = (gast.Yield, gast.YieldFrom)
BREAK, CONTINUE, RETURN = "break", "continue", "return"
# Ways out, and whether the end is never reached.
Ways = tuple[frozenset[str], bool]

_NO_WAY: Ways = (frozenset(), False)
_JUMPS: dict[type, Ways] = {
    gast.Break: (frozenset({BREAK}), True),
    gast.Continue: (frozenset({CONTINUE}), True),
    gast.Return: (frozenset({RETURN}), True),
    gast.Raise: (frozenset(), True),
}


def is_yield(node: Any) -> bool:
    """True for the statement `yield v` or `yield from v`."""
    return isinstance(node, gast.Expr) and isinstance(node.value, YIELDS)


def holds_yield(node: Any) -> bool:
    """True when a `yield` of the function's own is in the statement or expression."""
    if isinstance(node, (*FUNCTIONS, gast.ClassDef)):
        return False
    return isinstance(node, YIELDS) or any(map(holds_yield, own_parts(node)))


def own_parts(node: Any) -> Iterator[Any]:
    """The parts of a node that belong to the same function."""
    for child in children(node):
        if not isinstance(child, (*FUNCTIONS, gast.ClassDef)):
            yield child


class Exits:
    """The ways out of statements, each found once."""

    def __init__(self, runs_generator: bool = False) -> None:
        # Of a generator that is run, `yield` may leave it.
        self._runs_generator = runs_generator
        self._known: dict[int, Ways] = {}

    def of(self, statements: Sequence[Any]) -> Ways:
        """The ways out of consecutive statements."""
        ways: set[str] = set()
        always = False
        for statement in statements:
            found, ends = self._statement(statement)
            ways |= found
            always = always or ends
        return frozenset(ways), always

    def _statement(self, node: Any) -> Ways:
        if type(node) in _JUMPS:
            return _JUMPS[type(node)]
        if self._runs_generator and is_yield(node):
            return frozenset({RETURN}), False
        method = _WAYS.get(type(node))
        if method is None:
            return _NO_WAY
        if id(node) not in self._known:
            self._known[id(node)] = method(self, node)
        return self._known[id(node)]

    def _if(self, node: gast.If) -> Ways:
        body, orelse = self.of(node.body), self.of(node.orelse)
        return body[0] | orelse[0], body[1] and orelse[1]

    def _loop(self, node: Any) -> Ways:
        body, orelse = self.of(node.body), self.of(node.orelse)
        endless = isinstance(node, gast.While) and is_always_true(node.test)
        ways = (body[0] - {BREAK, CONTINUE}) | orelse[0]
        return ways, (endless or orelse[1]) and BREAK not in body[0]

    def _with(self, node: gast.With) -> Ways:
        # It may swallow the exception of the expression that is to be returned.
        return self.of(node.body)[0], False

    def _try(self, node: gast.Try) -> Ways:
        body, orelse = self.of(node.body), self.of(node.orelse)
        final = self.of(node.finalbody)
        handlers = [self.of(handler.body) for handler in node.handlers]
        ways = body[0] | orelse[0] | final[0]
        for handler in handlers:
            ways |= handler[0]
        always = (body[1] or orelse[1]) and all(handler[1] for handler in handlers)
        return ways, final[1] or always

    def _match(self, node: gast.Match) -> Ways:
        cases = [self.of(case.body) for case in node.cases]
        ways = frozenset[str]().union(*(case[0] for case in cases))
        return ways, is_irrefutable(node.cases[-1]) and all(case[1] for case in cases)


_WAYS: dict[type, Any] = {
    gast.If: Exits._if,
    gast.While: Exits._loop,
    gast.For: Exits._loop,
    gast.AsyncFor: Exits._loop,
    gast.With: Exits._with,
    gast.AsyncWith: Exits._with,
    gast.Try: Exits._try,
    gast.TryStar: Exits._try,
    gast.Match: Exits._match,
}
