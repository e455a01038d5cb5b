"""A graph's program that counts what its steps cost: see runtime/ops/costs.py.

The arrays of the run say what the sizes are. An array that a step has made is in memory
until Python lets it go, so the peak is that of this program, with its stores in place;
what a step needs beside its results is not seen. Constants and arguments are there
before.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.backends.numpy.executor import compile_graph
from runtime.backends.numpy.watching import Watch
from runtime.config import config
from runtime.graph import Graph, Node
from runtime.ops.costs import COSTS
from runtime.structs import struct

if TYPE_CHECKING:
    from runtime.backends.numpy.emit import Writer
    from runtime.backends.numpy.program import Step


@struct(frozen=False)
class Spent:
    """What the runs of one node have cost.

    runs: how often it ran;  flops, functions: see runtime/ops/costs.py
    read, written: bytes;  known: False where it runs code that nobody has counted
    """

    runs: int = 0
    flops: float = 0.0
    functions: float = 0.0
    read: int = 0
    written: int = 0
    known: bool = True


class _Lines(Watch):
    """Shows a counter each step's inputs and, after it, its outputs."""

    def __init__(self, counted: Counted) -> None:
        super().__init__()
        self._counted = counted

    def before(self, writer: Writer, step: Step, number: int) -> str:
        """Keep the inputs: their names may be given to others by the step."""
        # A loop's would be in memory as long as it runs.
        inputs = [] if step.bodies else step.inputs
        return f"in{number} = ({''.join(f'{one.name}, ' for one in inputs)})"

    def after(self, writer: Writer, step: Step, number: int) -> str:
        """Count."""
        counter = writer.bind("counted", self._counted.count)
        outputs = "".join(f"{one.name}, " for one in step.outputs)
        return f"in{number} = {counter}({number}, in{number}, ({outputs}))"


class Counted:
    """A compiled graph that adds up what its nodes cost.

    >>> from runtime.text import parse
    >>> graph = parse("graph f(x: float64[3]) { y: float64[3] = sin(x) return y }")
    >>> counted = Counted(graph)
    >>> counted(np.zeros(3)), counted.memory
    ((array([0., 0., 0.]),), 24)
    >>> [(node.op.name, spent.functions) for node, spent in counted.spent().items()]
    [('sin', 3.0)]

    memory:    the bytes, at their peak, of the arrays that a run has made
    memory_at: the node that made the last of those
    """

    def __init__(
        self,
        graph: Graph,
        donated: Iterable[int] = (),
        ends: Mapping[int, int] | None = None,
        *,
        late: bool = False,
    ) -> None:
        self.memory = 0
        self.memory_at: Node | None = None
        self._held = 0
        self._arrays: dict[int, weakref.ref[Any]] = {}
        self._foreign: list[Any] = []
        self._spent: dict[int, Spent] = {}
        self._lines = _Lines(self)
        # Machine code makes fewer arrays: what the graph means is counted.
        with config(backend="numpy"):
            self._run: Any = compile_graph(
                graph, donated, ends or {}, late=late, watch=self._lines
            )

    def __call__(self, *inputs: Any) -> tuple[Any, ...]:
        """The graph's outputs."""
        self._foreign = [_owner(value) for value in inputs]
        try:
            outputs: tuple[Any, ...] = self._run(*inputs)
        finally:
            self._foreign = []
        return outputs

    def count(self, number: int, inputs: Any, outputs: Any) -> None:
        """A step has run."""
        node = self._lines.nodes[number]
        row = COSTS[node.op.name]
        spent = self._spent.setdefault(number, Spent(known=row.known))
        spent.runs += 1
        if node.graphs:
            return
        given = (inputs, outputs, node.attributes)
        spent.flops += row.flops(*given)
        spent.functions += row.functions(*given)
        read, written = row.moved(*given)
        spent.read += read
        spent.written += written
        if row.kept:
            self._foreign += map(_owner, outputs)
        for value in outputs:
            self._note(value, node)

    def _note(self, value: Any, node: Node) -> None:
        """An array that was not there before is in memory from now on."""
        owner = _owner(value)
        if owner is None or id(owner) in self._arrays:
            return
        if any(owner is known for known in self._foreign):
            return
        at, size = id(owner), owner.nbytes

        def gone(reference: Any) -> None:
            self._held -= size
            del self._arrays[at]

        self._arrays[at] = weakref.ref(owner, gone)
        self._held += size
        if self._held > self.memory:
            self.memory, self.memory_at = self._held, node

    def spent(self) -> dict[Node, Spent]:
        """For each node that ran what all its runs cost."""
        nodes = self._lines.nodes
        return {nodes[number]: self._spent[number] for number in sorted(self._spent)}


def _owner(value: Any) -> Any:
    """The array whose memory a view lies in; None of what is no array."""
    if not isinstance(value, np.ndarray):
        return None
    while isinstance(value.base, np.ndarray):
        value = value.base
    return value
