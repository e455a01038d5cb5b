"""A graph's program that measures itself: when each step begins and ends.

Around each step come two readings of the clock. So a step is timed with what its result
costs to be kept, and a loop or a branch with all that is in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from time import perf_counter
from typing import TYPE_CHECKING, Any

from runtime.backends.numpy.executor import compile_graph
from runtime.backends.numpy.watching import Watch
from runtime.config import config
from runtime.graph import Graph, Node

if TYPE_CHECKING:
    from runtime.backends.numpy.emit import Writer
    from runtime.backends.numpy.program import Step

# Is told the number of a step, and what `begin` gave when it began.
Done = Callable[[int, float], object]


class Clocks(Watch):
    """Readings of the clock around each step; `done` is told when one ends.

    begin:  reads the clock
    native: which of the numbers are calls of machine code
    """

    def __init__(self, done: Done, begin: Callable[[], float] = perf_counter) -> None:
        super().__init__()
        self._begin = begin
        self.native: set[int] = set()
        self._done = done

    def before(self, writer: Writer, step: Step, number: int) -> str:
        """Read the clock."""
        return f"start{number} = {writer.bind('clock', self._begin)}()"

    def after(self, writer: Writer, step: Step, number: int) -> str:
        """Tell that the step is done."""
        return f"{writer.bind('done', self._done)}({number}, start{number})"

    def around_native(
        self, writer: Writer, step: Step, called: str
    ) -> tuple[list[str], list[str]]:
        """The same around a call of machine code."""
        number = len(self.nodes)
        self.nodes.append(step.node)
        self.native.add(number)
        before = self.before(writer, step, number)
        return [before], [self.after(writer, step, number)]


class Timed:
    """A compiled graph that adds up times.

    >>> from runtime.text import parse
    >>> graph = parse("graph f(x: float64[]) { y: float64[] = sin(x) return y }")
    >>> timed = Timed(graph)
    >>> timed(0.0), [runs for _, runs in timed.timings().values()]
    ((np.float64(0.0),), [1])
    """

    def __init__(
        self,
        graph: Graph,
        donated: Iterable[int] = (),
        ends: Mapping[int, int] | None = None,
        *,
        late: bool = False,
    ) -> None:
        self._spent: dict[int, float] = {}
        self._runs: dict[int, int] = {}
        self._clocks = Clocks(self._done)
        # Machine code is one step for the clock.
        with config(backend="numpy"):
            run: Any = compile_graph(
                graph, donated, ends or {}, late=late, watch=self._clocks
            )
        self.source, self.in_place = run.source, run.in_place
        self._run = run

    def _done(self, number: int, start: float) -> None:
        end = perf_counter()
        self._spent[number] = self._spent.get(number, 0.0) + end - start
        self._runs[number] = self._runs.get(number, 0) + 1

    def __call__(self, *inputs: Any) -> tuple[Any, ...]:
        """The graph's outputs."""
        outputs: tuple[Any, ...] = self._run(*inputs)
        return outputs

    def timings(self) -> dict[Node, tuple[float, int]]:
        """For each node that ran the seconds in all, and how many runs."""
        nodes = self._clocks.nodes
        return {
            nodes[number]: (self._spent[number], self._runs[number])
            for number in sorted(self._runs)
        }
