"""What the converters ask about a function, answered from one analysis of its tree.

The analysis runs once, on the tree as the user wrote it, and keeps what it finds beside
the tree, by node identity. A region is a list of consecutive statements of that tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import gast

from autograph.analysis.cfg import build_graph
from autograph.analysis.definitions import reaching_definitions
from autograph.analysis.exits import Exits
from autograph.analysis.liveness import live_before
from autograph.analysis.scopes import build_scopes
from autograph.syntax.walking import walk

LOOPS = (gast.While, gast.For, gast.AsyncFor)


def analyze(function: Any, runs_generator: bool = False) -> Analysis:
    """The analysis of `function`, a FunctionDef, AsyncFunctionDef or Lambda of gast.

    runs_generator: it is a generator whose body is run, so that `yield` may leave it

    >>> f = gast.parse("def f(n):\\n while n:\\n  n = g(n)\\n  k = n\\n return n").body[
    ...     0
    ... ]
    >>> sorted(analyze(f).loop_carried(f.body[0])), sorted(analyze(f).locals)
    (['n'], ['k', 'n'])
    """
    return Analysis(function, runs_generator)


class Analysis:
    """Facts about one function and about regions of it.

    locals: its names, parameters included; globals, nonlocals: those it declares so.
    captured: locals that inner functions, lambdas, classes or generator expressions
    keep; they are taken to be live everywhere.
    """

    def __init__(self, function: Any, runs_generator: bool = False) -> None:
        # The tree is kept alive: its nodes are known by their ids.
        self.function = function
        self._scopes = build_scopes(function)
        root = self._scopes.root
        self.parameters = self._scopes.parameters
        self.locals = frozenset(root.own)
        self.globals = frozenset(root.globals)
        self.nonlocals = frozenset(root.nonlocals)
        self.captured = self._scopes.captured
        self._read_here = self._scopes.read_here
        self.is_generator = root.has_yield
        self.is_async = isinstance(function, gast.AsyncFunctionDef)
        self._written_inside = self._scopes.written_inside
        self._deleted_inside = self._scopes.deleted_inside
        self._always_live = self.captured | self.globals | self.nonlocals
        self._graph = build_graph(function, self._scopes)
        self._live = live_before(self._graph)
        self._definitions = reaching_definitions(self._graph)
        self._exits = Exits(runs_generator)
        self._assigned_by: dict[int, frozenset[str]] = {}

    def assigned(self, statements: Sequence[Any]) -> frozenset[str]:
        """Names that running the statements may bind or delete.

        Of this function, or declared global or nonlocal in it; with those that inner
        functions write through `nonlocal`, at whatever time.
        """
        if not statements:
            return frozenset()
        bits = 0
        for index in self._graph.region(statements):
            node = self._graph.nodes[index]
            bits |= node.binds | node.may_bind | node.unbinds
        return self._graph.names(bits) | self._written_inside

    def assigned_by(self, statement: Any) -> frozenset[str]:
        """What `assigned` says of one statement, found once."""
        found = self._assigned_by.get(id(statement))
        if found is None:
            found = self._assigned_by[id(statement)] = self.assigned([statement])
        return found

    def live_out(self, statements: Sequence[Any]) -> frozenset[str]:
        """Names that may be read after the statements, however they are left.

        Ways out are the end, `break`, `continue`, the next round of a loop around, and
        exceptions that this function handles; after `return` nothing is read, except
        in `finally`. Names declared global or nonlocal are always live.
        """
        if not statements:
            return self._always_live
        region = self._graph.region(statements)
        bits = 0
        for index in self._graph.exits(region):
            bits |= self._live[index]
        return self._graph.names(bits) | self._always_live

    def live_in(self, statements: Sequence[Any]) -> frozenset[str]:
        """Names that the statements, or what follows, may read as they are now.

        For a loop this is the start of each round: before the test of a `while`, before
        the next element of a `for`.
        """
        if not statements:
            return self._always_live
        entry = self._graph.entries[id(statements[0])]
        return self._graph.names(self._live[entry]) | self._always_live

    def loop_carried(self, loop: Any) -> frozenset[str]:
        """Names whose value a round hands to the next one or to what follows the loop.

        They are assigned in its test, target, body or else clause.
        """
        live = self.live_in([loop]) | self.live_out([loop])
        return self.assigned([loop]) & live

    def stored_into(self, loop: Any) -> frozenset[str]:
        """Names of what a loop changes in place, made before the round that does.

        By a subscript or `out=`: of `x += 1` nobody knows here whether x is an array,
        and what a helper does is not seen.
        """
        found = frozenset(filter(None, map(_stored_name, walk(loop))))
        return found & self.live_in(loop.body)

    def may_be_undefined(self, name: gast.Name) -> bool:
        """Whether a local may be unbound where this Name node reads it.

        In an inner function it is asked where that function is made: it may run after
        any deletion, and after paths met of which some do not bind the name. False for
        names that are no locals of this function.
        """
        if name.id not in self.locals or id(name) not in self._graph.steps:
            return False
        late = name.id in self._scopes.root.deleted | self._bound_on_some
        if name.id in self._deleted_inside or (late and not self.reads(name)):
            return True
        step = self._graph.steps[id(name)]
        return self._definitions.may_be_unbound(step, name.id)

    @cached_property
    def _bound_on_some(self) -> frozenset[str]:
        """Names of inner functions that a statement may bind on some paths alone.

        Where it may be left by a jump, what follows is one of its paths.
        """
        nodes, found = self._graph.nodes, 0
        for statement, span in self._graph.spans.items():
            inside = [nodes[index] for index in span]
            ways = {way for node in inside for way in node.successors}
            forks = any(len(node.successors) > 1 for node in inside)
            if not forks and not any(node.on_exception in span for node in inside):
                continue
            bits = -1 if len(ways.difference(span)) > 1 else 0
            for node in inside:
                bits |= node.binds | node.may_bind
            start = self._graph.entries.get(statement, span.start)
            found |= bits & self._definitions.before[start]
        return self._graph.names(found) & self.captured

    def reads(self, name: gast.Name) -> bool:
        """Whether the function itself reads the Name node, not an inner one."""
        return id(name) in self._read_here

    def bound_before(self, statement: Any) -> frozenset[str]:
        """Locals that are bound on every path that reaches the statement."""
        # A loop's region starts with what follows the loop, so its entry is asked.
        start = self._graph.region([statement]).start
        step = self._graph.entries.get(id(statement), start)
        unsure = self._definitions.may_be_unbound
        known = self.locals & self._graph.bits.keys()
        bound = (name for name in known if not unsure(step, name))
        return frozenset(bound) - self._deleted_inside

    def bound_by(self, loop: Any) -> frozenset[str]:
        """Locals that a loop binds however it ends, unbound before, read after it."""
        # A loop's region starts with what follows the loop.
        step = self._graph.region([loop]).start
        unsure = self._definitions.may_be_unbound
        known = self.locals & self._graph.bits.keys() & self.assigned([loop])
        after = frozenset(name for name in known if not unsure(step, name))
        unbound = after - self._deleted_inside - self.bound_before(loop)
        return unbound & self.live_out([loop])

    def kept(self, comprehension: Any) -> frozenset[str]:
        """Names of its own that functions made in a comprehension keep."""
        scope = self._scopes.inner[id(comprehension)]
        inner = (child.captured() for child in scope.children)
        return frozenset(scope.own).intersection(frozenset().union(*inner))

    def exits(self, statements: Sequence[Any]) -> frozenset[str]:
        """How the statements may be left: some of "break", "continue", "return"."""
        return self._exits.of(statements)[0]

    def always_exits(self, statements: Sequence[Any]) -> bool:
        """Whether their end is never reached: all paths jump, return or raise."""
        return self._exits.of(statements)[1]


def _stored_name(node: Any) -> str | None:
    """The name whose array a node changes in place, if it is of those that do."""
    part = None
    if isinstance(node, gast.keyword):
        part = node.value if node.arg == "out" else None
    elif isinstance(node, gast.Subscript) and type(node.ctx) is gast.Store:
        part = node
    while isinstance(part, gast.Subscript | gast.Attribute):
        part = part.value
    return part.id if isinstance(part, gast.Name) else None
