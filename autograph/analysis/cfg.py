"""Control flow: in which order the parts of a function may run.

A node is a step of a statement: what it reads, then what it binds. Edges are either
taken after the step or, when the step raises, instead of its end. The nodes of a
statement have consecutive numbers, so that a region of the source is a range of them.
The graph is on the safe side: it has every path that Python can take, and some more
around `finally` and `with`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import gast

from autograph.analysis.scopes import Scopes
from autograph.analysis.steps import Step, steps_of
from runtime.structs import field, struct


@struct(eq=False, frozen=False)
class Node:
    """One step; names are bits, see `Graph.bits`."""

    reads: int = 0
    binds: int = 0
    may_bind: int = 0
    unbinds: int = 0
    successors: list[int] = field(default_factory=list)
    on_exception: int | None = None


@struct(eq=False, frozen=False)
class Graph:
    """The control flow of one function.

    bits: the bit of each name that the function binds, declares or has as parameter.
    spans: for a statement's id, the range of its nodes; entries: the node at which it
    starts, which for a loop is where each round starts.
    steps: for the id of a Name node that is read, the step that reads it.
    """

    bits: dict[str, int]
    nodes: list[Node] = field(default_factory=list)
    spans: dict[int, range] = field(default_factory=dict)
    entries: dict[int, int] = field(default_factory=dict)
    steps: dict[int, int] = field(default_factory=dict)

    def names(self, bits: int) -> frozenset[str]:
        """The names of a set of bits."""
        return frozenset(name for name, bit in self.bits.items() if bits & bit)

    def region(self, statements: Sequence[Any]) -> range:
        """The nodes of consecutive statements."""
        first, last = statements[0], statements[-1]
        return range(self.spans[id(first)].start, self.spans[id(last)].stop)

    def exits(self, region: range) -> set[int]:
        """The nodes outside of the region to which edges lead from inside."""
        found: set[int] = set()
        for index in region:
            node = self.nodes[index]
            found.update(node.successors)
            if node.on_exception is not None:
                found.add(node.on_exception)
        return {index for index in found if index not in region}


@struct(eq=False, frozen=False)
class _Loop:
    header: int
    end: int


@struct(eq=False, frozen=False)
class _Finally:
    """What is run on every way out: a finally block, the end of an except clause."""

    entry: int
    pending: set[str] = field(default_factory=set)  # exits that go on afterwards


def build_graph(function: Any, scopes: Scopes) -> Graph:
    """The control-flow graph of `function`, in time linear in its length."""
    root = scopes.root
    names = sorted(root.bound | root.globals | root.nonlocals)
    graph = Graph({name: 1 << place for place, name in enumerate(names)})
    builder = _Builder(graph, scopes)
    builder.step(binds=builder.bits(scopes.parameters))
    if isinstance(function, gast.Lambda):
        builder.evaluate(function.body)
    else:
        builder.block(function.body)
    builder.leave("return")
    return graph


class _Builder:
    """Adds the nodes of statements; `_ends` are those whose next step is not known."""

    def __init__(self, graph: Graph, scopes: Scopes) -> None:
        self.graph = graph
        self._scopes = scopes
        self._ends: list[int] = []
        self._reached: set[int] = set()  # junctions with an edge into them
        self._frames: list[_Loop | _Finally] = []
        self._handler: int | None = None
        # Where every return goes: a step that does nothing, before all others.
        self._exit = self.junction()

    # Nodes and edges

    def bits(self, names: Iterable[str]) -> int:
        """The bits of names; those that the function does not bind have none."""
        return sum(self.graph.bits.get(name, 0) for name in set(names))

    def step(self, binds: int = 0, may_bind: int = 0, unbinds: int = 0) -> int:
        """A node after those that are open; an exception in it goes to the handler."""
        index = self.junction()
        node = self.graph.nodes[index]
        node.binds, node.may_bind, node.unbinds = binds, may_bind, unbinds
        node.on_exception = self._handler
        self.join(index)
        self._ends = [index]
        return index

    def junction(self) -> int:
        """A node without edges, to be joined later."""
        self.graph.nodes.append(Node())
        return len(self.graph.nodes) - 1

    def join(self, index: int) -> None:
        """Let all open ends go on at `index`."""
        for end in self._ends:
            self.graph.nodes[end].successors.append(index)
            self._reached.add(index)
        self._ends = []

    def _go_out(self, junction: int, handler: int | None) -> None:
        """Let an exception that came to `junction` go further out."""
        if handler is not None:
            self.graph.nodes[junction].successors.append(handler)

    def resume(self, index: int) -> None:
        """Go on after the junction `index`, if anything leads there."""
        self._ends = [index] if index in self._reached else []

    def evaluate(self, *nodes: Any) -> None:
        """Steps of expressions, simple statements or patterns; None is left out."""
        self._add(steps_of(self._scopes, nodes))

    def bind(self, target: Any) -> None:
        """Steps that assign to a target: a name, display, item or attribute."""
        self._add(steps_of(self._scopes, [target], target=True))

    def _add(self, steps: list[Step]) -> None:
        for step in steps:
            binds, may_bind = self.bits(step.binds), self.bits(step.may_bind)
            index = self.step(binds, may_bind, self.bits(step.unbinds))
            self.graph.nodes[index].reads = self.bits(name.id for name in step.reads)
            for name in (*step.reads, *step.mentions):
                self.graph.steps[id(name)] = index

    def leave(self, kind: str) -> None:
        """Open ends leave by "return", "break" or "continue"."""
        for frame in reversed(self._frames):
            if isinstance(frame, _Finally):
                if self._ends:
                    frame.pending.add(kind)
                self.join(frame.entry)
                return
            if kind != "return":
                self.join(frame.end if kind == "break" else frame.header)
                return
        self.join(self._exit)

    # Statements

    def block(self, statements: Sequence[Any]) -> None:
        for statement in statements:
            start = len(self.graph.nodes)
            build = _STATEMENTS.get(type(statement), _Builder._simple)
            self.graph.entries[id(statement)] = start
            build(self, statement)
            self._close(statement, start)

    def _close(self, statement: Any, start: int) -> None:
        self.graph.spans[id(statement)] = range(start, len(self.graph.nodes))

    def _simple(self, statement: Any) -> None:
        self.step()
        self.evaluate(statement)

    def _jump(self, statement: Any) -> None:
        self.step()
        self.leave(type(statement).__name__.lower())

    def _return(self, statement: Any) -> None:
        self.step()
        self.evaluate(statement.value)
        self.leave("return")

    def _raise(self, statement: Any) -> None:
        self.step()
        self.evaluate(statement.exc, statement.cause)
        self._ends = []

    def _if(self, statement: Any) -> None:
        end, chain = self.junction(), []
        self.graph.entries[id(statement)] = end + 1
        while True:
            self.step()
            self.evaluate(statement.test)
            tests = self._ends
            self.block(statement.body)
            self.join(end)
            self._ends = tests
            orelse = statement.orelse
            if len(orelse) != 1 or not isinstance(orelse[0], gast.If):
                break
            # By a loop, since a chain of elif may be longer than Python's stack.
            statement = orelse[0]
            chain.append((statement, len(self.graph.nodes)))
            self.graph.entries[id(statement)] = len(self.graph.nodes)
        self.block(orelse)
        self.join(end)
        self.resume(end)
        for inner, start in chain:
            self._close(inner, start)

    def _while(self, statement: Any) -> None:
        end = self.junction()
        header = self.step()
        self.graph.entries[id(statement)] = header
        self.evaluate(statement.test)
        tests = [] if is_always_true(statement.test) else self._ends
        self._body(statement, header, end)
        self._ends = tests
        self.block(statement.orelse)
        self.join(end)
        self.resume(end)

    def _for(self, statement: Any) -> None:
        end = self.junction()
        self.step()
        self.evaluate(statement.iter)
        header = self.step()
        self.graph.entries[id(statement)] = header
        self.bind(statement.target)
        self._body(statement, header, end)
        self._ends = [header]
        self.block(statement.orelse)
        self.join(end)
        self.resume(end)

    def _body(self, statement: Any, header: int, end: int) -> None:
        self._frames.append(_Loop(header, end))
        self.block(statement.body)
        self.join(header)
        self._frames.pop()

    def _with(self, statement: Any) -> None:
        end, failed, outer = self.junction(), self.junction(), self._handler
        self.graph.entries[id(statement)] = self.step()
        for item in statement.items:
            self.evaluate(item.context_expr)
            # From here on, leaving it may swallow an exception; storing into a name
            # raises none.
            if isinstance(item.optional_vars, gast.Name):
                self.bind(item.optional_vars)
            self._handler = failed
            if not isinstance(item.optional_vars, gast.Name):
                self.bind(item.optional_vars)
        self.block(statement.body)
        self.join(end)
        self._handler = outer
        self._go_out(failed, outer)
        self._ends = [failed]
        self.join(end)
        self.resume(end)

    def _match(self, statement: Any) -> None:
        end = self.junction()
        self.graph.entries[id(statement)] = self.step()
        self.evaluate(statement.subject)
        for case in statement.cases:
            test = self.step()
            self.evaluate(case.pattern)
            self.evaluate(case.guard)
            failing = [] if is_irrefutable(case) else [test]
            if case.guard is not None:
                failing = [test, *self._ends]
            self.block(case.body)
            self.join(end)
            self._ends = failing
        self.join(end)
        self.resume(end)

    def _try(self, statement: Any) -> None:
        outer = self._handler
        end, raised, entry = self.junction(), self.junction(), self.junction()
        around = entry if statement.finalbody else outer
        self._go_out(raised, around)
        frame = _Finally(entry)
        if statement.finalbody:
            self._frames.append(frame)
        self._handler = raised
        self.graph.entries[id(statement)] = self.step()
        self.block(statement.body)
        self._handler = around
        self.block(statement.orelse)
        self.join(end)
        for handler in statement.handlers:
            self._except(handler, raised, end)
        self._handler = outer
        self.resume(end)
        if statement.finalbody:
            self._frames.pop()
            self._final(statement.finalbody, frame)

    def _except(self, handler: Any, raised: int, end: int) -> None:
        around = self._handler
        self._ends = [raised]
        self.step()
        self.evaluate(handler.type)
        if handler.name is None:
            self.block(handler.body)
            self.join(end)
            return
        # Python deletes the name on every way out of the clause.
        name = self.bits([handler.name.id])
        frame, failed = _Finally(self.junction()), self.junction()
        for index in (frame.entry, failed):
            self.graph.nodes[index].unbinds = name
        self._go_out(failed, around)
        self._frames.append(frame)
        self._handler = failed
        self.bind(handler.name)
        self.block(handler.body)
        self._frames.pop()
        self._handler = around
        normally = bool(self._ends)
        self.join(frame.entry)
        self._go_on(frame, [frame.entry])
        self._ends = [frame.entry] if normally else []
        self.join(end)

    def _final(self, body: Sequence[Any], frame: _Finally) -> None:
        normally = bool(self._ends)
        self.join(frame.entry)
        self._ends = [frame.entry]
        self.block(body)
        ends = self._ends
        self._go_on(frame, ends)
        self._ends = ends if normally else []

    def _go_on(self, frame: _Finally, ends: list[int]) -> None:
        """After what runs on every way out, each of those ways is taken further."""
        for kind in sorted(frame.pending):
            self._ends = list(ends)
            self.leave(kind)


def is_always_true(test: Any) -> bool:
    """Whether a test is a constant that holds, as in `while True`."""
    return isinstance(test, gast.Constant) and bool(test.value)


def is_irrefutable(case: Any) -> bool:
    """Whether a case of `match` takes everything."""
    pattern = case.pattern
    while isinstance(pattern, gast.MatchAs) and pattern.pattern is not None:
        pattern = pattern.pattern
    return case.guard is None and isinstance(pattern, gast.MatchAs)


_STATEMENTS: dict[type, Any] = {
    gast.Break: _Builder._jump,
    gast.Continue: _Builder._jump,
    gast.Return: _Builder._return,
    gast.Raise: _Builder._raise,
    gast.If: _Builder._if,
    gast.While: _Builder._while,
    gast.For: _Builder._for,
    gast.AsyncFor: _Builder._for,
    gast.With: _Builder._with,
    gast.AsyncWith: _Builder._with,
    gast.Match: _Builder._match,
    gast.Try: _Builder._try,
    gast.TryStar: _Builder._try,
}
