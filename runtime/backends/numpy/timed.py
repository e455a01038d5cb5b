"""A graph's program that measures itself: how long each node took, and how often.

The text of the program stays as it is; around each of its statements come two readings
of the clock. So a node is timed with what its result costs to be kept, and a loop or a
branch with all that is in it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from time import perf_counter
from typing import Any

from runtime.backends.numpy.executor import compile_graph
from runtime.backends.numpy.lines import Places
from runtime.config import config
from runtime.graph import Graph, Node
from runtime.location import MADE

CLOCK, SPENT, RUNS, START = "clock_", "spent_", "runs_", "start_"


class Timed:
    """A compiled graph that adds up times.

    >>> from runtime.text import parse
    >>> graph = parse("graph f(x: float64[]) { y: float64[] = sin(x) return y }")
    >>> timed = Timed(graph)
    >>> timed(0.0), timed.timings()
    ((np.float64(0.0),), {})

    Texts that were read back have no places, so their nodes cannot be told apart.
    """

    def __init__(
        self,
        graph: Graph,
        donated: Iterable[int] = (),
        ends: Mapping[int, int] | None = None,
        *,
        late: bool = False,
    ) -> None:
        self._graph = graph
        # Machine code is one step for the clock.
        with config(backend="numpy"):
            run: Any = compile_graph(graph, donated, ends or {}, late=late)
        self.source, self.in_place = run.source, run.in_place
        namespace = dict(run.__globals__)
        self._places: Places = namespace[MADE].places
        # Of each line; then of the loops whose heads are tests, at the same lines.
        self._spent = [0.0] * (2 * len(self._places))
        self._runs = [0] * (2 * len(self._places))
        namespace |= {CLOCK: perf_counter, SPENT: self._spent, RUNS: self._runs}
        tree = _Clocks(len(self._places)).visit(ast.parse(run.source))
        ast.fix_missing_locations(tree)
        exec(compile(tree, f"<graph {graph.name}>", "exec"), namespace)
        self._run = namespace["run"]

    def __call__(self, *inputs: Any) -> tuple[Any, ...]:
        """The graph's outputs."""
        outputs: tuple[Any, ...] = self._run(*inputs)
        return outputs

    def timings(self) -> dict[Node, tuple[float, int]]:
        """For each node that ran the seconds in all, and how many runs."""
        nodes: dict[int, Node] = {}
        loops: dict[Node, Node] = {}
        for node in self._graph.walk():
            loops |= {inner: node for graph in node.graphs for inner in graph.nodes}
            if node.location is not None and node.op.name != "constant":
                # Nodes at one place were made together, and the first is the user's.
                nodes.setdefault(id(node.location), node)
        found: dict[Node, tuple[float, int]] = {}
        spent = zip(self._spent, self._runs, strict=True)
        for line, (seconds, runs) in enumerate(spent):
            place = self._places[line % len(self._places)]
            timed = nodes.get(id(place)) if runs else None
            if timed is not None and line >= len(self._places):
                timed = loops.get(timed)
            if timed is not None:
                before = found.get(timed, (0.0, 0))
                found[timed] = (before[0] + seconds, max(before[1], runs))
        return found


class _Clocks(ast.NodeTransformer):
    """Puts a reading of the clock before and after each statement.

    count: of the lines; the times of loops whose heads are tests come after those
    """

    def __init__(self, count: int) -> None:
        self._count = count

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.body = self._timed(node.body)
        return node

    def _timed(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        return [line for statement in body for line in self._statement(statement)]

    def _statement(self, node: ast.stmt) -> Iterator[ast.stmt]:
        if isinstance(node, ast.Return | ast.Break | ast.Pass) or _leaves(node):
            yield node
            return
        line = node.lineno
        if isinstance(node, ast.While) and not isinstance(node.test, ast.Constant):
            # The test is a node of its own: measured at each turn.
            name = f"test_{line}"
            test = ast.Assign([ast.Name(name, ast.Store())], node.test)
            (out,) = ast.parse(f"if not {name}: break").body
            body = [*_clocked([test], line), out, *self._timed(node.body)]
            loop = ast.While(ast.Constant(True), body, [])
            yield from _clocked([loop], self._count + line)
            return
        for name in ("body", "orelse", "handlers", "finalbody"):
            inner = getattr(node, name, None)
            if inner and name == "handlers":
                for handler in inner:
                    handler.body = self._timed(handler.body)
            elif inner:
                setattr(node, name, self._timed(inner))
        yield from _clocked([node], line)


def _clocked(body: list[ast.stmt], line: int) -> list[ast.stmt]:
    before = f"{START}{line} = {CLOCK}()"
    after = f"{SPENT}[{line - 1}] += {CLOCK}() - {START}{line}; {RUNS}[{line - 1}] += 1"
    return [*ast.parse(before).body, *body, *ast.parse(after).body]


def _leaves(node: ast.stmt) -> bool:
    """The end of a loop: `if not verdict: break`."""
    return isinstance(node, ast.If) and isinstance(node.body[-1], ast.Break)
