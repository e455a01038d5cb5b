"""Exits: how statements leave the region they are in, read off their structure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from autograph.analysis.cfg import is_always_true, is_irrefutable

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


class Exits:
    """The ways out of statements, each found once."""

    def __init__(self) -> None:
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
