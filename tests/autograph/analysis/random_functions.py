"""Random functions, and runs of them that note every read, binding and region.

Whether a test holds, a call raises or a loop goes on is drawn at random, so that runs
take paths which values would seldom take. A run knows nothing of the analysis.
"""

import random
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gast

NAMES = ["a", "b", "c", "d", "e"]
EXPRESSIONS = [
    "{0}", "{0} + {1}", "g({0})", "g()", "1", "({0} := {1})", "{0} and ({1} := {2})",
    "({0} if {1} else ({2} := 1))", "[{0} for {1} in {2}]",
    "[({1} := {0}) for k in {2}]",
]  # fmt: skip
SIMPLE = [
    "{0} = E", "{0}, {1} = E", "{0} += E", "E", "pass", "del {0}", "{0}: int",
    "{0}: int = E", "assert E", "{0} = {1} = E", "{0}[{1}] = E",
]  # fmt: skip
JUMPS = ["return E", "raise E", "raise"]
BLOCKS = [
    "if E:\n B", "if E:\n B\nelse:\n B", "if E:\n B\nelif E:\n B\nelse:\n B",
    "while E:\n L", "while E:\n L\nelse:\n B", "while True:\n L", "for {0} in E:\n L",
    "for {0}, {1} in E:\n L\nelse:\n B", "try:\n B\nexcept E:\n B",
    "try:\n B\nexcept E as {0}:\n B\nexcept:\n B", "try:\n B\nfinally:\n B",
    "try:\n B\nexcept E as {0}:\n B\nelse:\n B\nfinally:\n B", "with E as {0}:\n B",
    "with E, E as ({0}, {1}):\n B",
    "match E:\n case [{0}, {1}] if E:\n  B\n case {2}:\n  B",
    "match E:\n case {{'k': {0}}}:\n  B",
]  # fmt: skip


def random_function(choices: random.Random) -> str:
    """The text of a function `f`, nested up to three blocks deep."""

    def filled(template: str, depth: int, in_loop: bool) -> str:
        text = template.format(*choices.sample(NAMES, 3))
        lines = []
        for line in text.split("\n"):
            stripped = line.strip()
            indent = line[: len(line) - len(stripped)]
            if stripped in ("B", "L"):
                inner = block(depth - 1, in_loop or stripped == "L")
                lines.append(textwrap.indent(inner, indent))
            else:
                lines.append(indent + expressions(stripped))
        return "\n".join(lines)

    def expressions(line: str) -> str:
        while "E" in line:
            made = choices.choice(EXPRESSIONS).format(*choices.sample(NAMES, 3))
            line = line.replace("E", made, 1)
        return line

    def statement(depth: int, in_loop: bool) -> str:
        kind = choices.random()
        if kind < 0.5 and depth:
            return filled(choices.choice(BLOCKS), depth, in_loop)
        if kind < 0.6:
            jumps = JUMPS + ["break", "continue"] * 3 * in_loop
            return expressions(choices.choice(jumps))
        return filled(choices.choice(SIMPLE), depth, in_loop)

    def block(depth: int, in_loop: bool) -> str:
        return "\n".join(
            statement(depth, in_loop) for _ in range(choices.randint(1, 3))
        )

    body = "\n".join(block(3, False) for _ in range(3))
    # The annotation makes locals of names that are nowhere bound.
    return "def f(a, b, c):\n d: int; e: int\n" + textwrap.indent(body, " ")


class _Raised(Exception):
    pass


class _Jump(Exception):
    def __init__(self, way: str) -> None:
        self.way = way


class _OutOfTime(Exception):
    pass


@dataclass(eq=False)
class Region:
    """One time that statements were run: where, and how they were left."""

    statements: list[Any]
    start: int
    end: int = 0
    way: str = "end"
    rounds: list[int] = field(default_factory=list)  # where each round of a loop starts


class Run:
    """Runs a function once, at random."""

    def __init__(self, function: gast.FunctionDef, choices: random.Random) -> None:
        self.events: list[tuple[str, str]] = []  # ("read" | "bind" | "unbind", name)
        self.reads: list[tuple[gast.Name, bool]] = []  # and whether it was bound
        self.regions: list[Region] = []
        self._bound = {"a", "b", "c"}
        self._choices = choices
        self._open: list[Region] = []
        try:
            self._block(function.body)
        except (_Raised, _Jump, _OutOfTime):
            pass

    def _chance(self, probability: float = 0.5) -> bool:
        return self._choices.random() < probability

    def _note(self, kind: str, name: str) -> None:
        if name not in NAMES:
            return
        if len(self.events) > 150:
            raise _OutOfTime
        self.events.append((kind, name))
        if kind != "read":
            (self._bound.add if kind == "bind" else self._bound.discard)(name)

    def _maybe_raise(self, probability: float = 0.05) -> None:
        if self._chance(probability):
            raise _Raised

    # Statements

    def _block(self, statements: list[Any]) -> None:
        if statements:
            self._region(statements, lambda: [self._statement(s) for s in statements])

    def _statement(self, node: Any) -> None:
        method = getattr(self, "_" + type(node).__name__)
        self._region([node], lambda: method(node))

    def _region(self, statements: list[Any], run: Callable[[], Any]) -> None:
        region = Region(statements, len(self.events))
        self._open.append(region)
        try:
            run()
        except (_Raised, _Jump) as out:
            region.way = out.way if isinstance(out, _Jump) else "raise"
            raise
        except _OutOfTime:
            region.way = "unfinished"
            raise
        finally:
            self._open.pop()
            region.end = len(self.events)
            self.regions.append(region)

    def _Pass(self, node: Any) -> None:
        pass

    def _Expr(self, node: Any) -> None:
        self._value(node.value)

    def _Assert(self, node: Any) -> None:
        self._value(node.test)
        self._maybe_raise()

    def _Assign(self, node: Any) -> None:
        self._value(node.value)
        for target in node.targets:
            self._target(target)

    def _AnnAssign(self, node: Any) -> None:
        if node.value is not None:
            self._value(node.value)
            self._target(node.target)

    def _AugAssign(self, node: Any) -> None:
        self._value(node.target)
        self._value(node.value)
        self._target(node.target)

    def _Delete(self, node: Any) -> None:
        (target,) = node.targets
        self._value(target)
        self._note("unbind", target.id)

    def _Return(self, node: Any) -> None:
        self._value(node.value)
        raise _Jump("return")

    def _Raise(self, node: Any) -> None:
        if node.exc is not None:
            self._value(node.exc)
        raise _Raised

    def _Break(self, node: Any) -> None:
        raise _Jump("break")

    def _Continue(self, node: Any) -> None:
        raise _Jump("continue")

    def _If(self, node: Any) -> None:
        self._value(node.test)
        self._block(node.body if self._chance() else node.orelse)

    def _While(self, node: Any) -> None:
        endless = isinstance(node.test, gast.Constant)
        self._loop(node, lambda: self._value(node.test), lambda: None, endless)

    def _For(self, node: Any) -> None:
        self._value(node.iter)
        self._loop(node, self._maybe_raise, lambda: self._target(node.target), False)

    def _loop(self, node: Any, test: Any, enter: Any, endless: bool) -> None:
        region = self._open[-1]
        for count in range(40):
            if count == 39:  # a round without events could go on for ever
                raise _OutOfTime
            region.rounds.append(len(self.events))
            test()
            if not endless and self._chance(0.35):
                self._block(node.orelse)
                return
            enter()
            try:
                self._block(node.body)
            except _Jump as jump:
                if jump.way == "break":
                    return
                if jump.way == "return":
                    raise

    def _With(self, node: Any) -> None:
        self._with_items(node.items, node.body)

    def _with_items(self, items: list[Any], body: list[Any]) -> None:
        if not items:
            self._block(body)
            return
        self._value(items[0].context_expr)
        try:
            if items[0].optional_vars is not None:
                self._target(items[0].optional_vars)
            self._with_items(items[1:], body)
        except _Raised:
            if self._chance():
                raise

    def _Try(self, node: Any) -> None:
        try:
            try:
                self._block(node.body)
            except _Raised:
                self._handle(node)
            else:
                self._block(node.orelse)
        finally:
            if node.finalbody:
                self._block(node.finalbody)

    def _handle(self, node: Any) -> None:
        for handler in node.handlers:
            if handler.type is not None:
                self._value(handler.type)
                if self._chance():
                    continue
            if handler.name is None:
                self._block(handler.body)
                return
            self._note("bind", handler.name.id)
            try:
                self._block(handler.body)
            finally:
                self._note("unbind", handler.name.id)
            return
        raise _Raised

    def _Match(self, node: Any) -> None:
        self._value(node.subject)
        for case in node.cases:
            if isinstance(case.pattern, gast.MatchAs) or self._chance():
                for pattern in gast.walk(case.pattern):
                    if isinstance(pattern, gast.MatchAs):
                        self._note("bind", pattern.name)
                if case.guard is not None:
                    self._value(case.guard)
                    if self._chance():
                        continue
                self._block(case.body)
                return

    # Expressions and targets

    def _target(self, node: Any) -> None:
        if isinstance(node, gast.Name):
            self._note("bind", node.id)
        elif isinstance(node, gast.Tuple):
            for element in node.elts:
                self._maybe_raise()
                self._target(element)
        else:
            self._value(node.value)
            self._value(node.slice)
            self._maybe_raise()

    def _value(self, node: Any) -> None:
        if isinstance(node, gast.Name):
            self._read(node)
        elif isinstance(node, gast.NamedExpr):
            self._value(node.value)
            self._target(node.target)
        elif isinstance(node, gast.BoolOp):
            self._value(node.values[0])
            if self._chance():
                self._value(node.values[1])
        elif isinstance(node, gast.IfExp):
            self._value(node.test)
            self._value(node.body if self._chance() else node.orelse)
        elif isinstance(node, gast.ListComp):
            self._comprehension(node)
        elif isinstance(node, gast.Call | gast.BinOp):
            for part in gast.iter_child_nodes(node):
                if isinstance(part, gast.expr):
                    self._value(part)
            self._maybe_raise()

    def _comprehension(self, node: gast.ListComp) -> None:
        (loop,) = node.generators
        self._value(loop.iter)
        for _ in range(self._choices.randint(0, 2)):
            if isinstance(node.elt, gast.NamedExpr) or node.elt.id != loop.target.id:
                self._value(node.elt)

    def _read(self, node: gast.Name) -> None:
        if node.id not in NAMES:
            return
        bound = node.id in self._bound
        self.reads.append((node, bound))
        self._note("read", node.id)
        if not bound:
            raise _Raised
