"""Plain loops during a trace: unrolled while that is cheap, else staged.

A loop over Python values runs as Python. When its body adds nodes to the graph, every
iteration adds them again, so a long loop is gone back on and staged; when that cannot
be (a list is indexed by the counter, say), it is unrolled after all. A loop whose body
turns out to be left depending on data is gone back on too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import CodeType
from typing import Any

from runtime import build
from runtime.build import Frame, Mark
from runtime.errors import StagingError
from runtime.graph import Node
from tracer import only_python
from tracer.exits import Exit
from tracer.state import State

# Nodes that a plain loop may add by unrolling before it is staged instead. A staged
# iteration runs as fast as an unrolled one, so this only bounds tracing time. Those
# that stand in branches and loops count, too, but a few turns of many are no harm.
UNROLLED_NODES = 200
UNROLLED_INNER = 2
# Turns of one that stores into arrays: with more it is staged, whatever a turn adds.
MOST_STORED = 50
# Nodes for what a comprehension puts into a list: unrolled, its length is known.
UNROLLED_ITEMS = 300


class Checkpoint:
    """The point before a loop or iteration, to which a trace can go back."""

    def __init__(self, frame: Frame, state: State) -> None:
        self._frame = frame
        self._state = state
        self._mark: Mark = frame.mark()
        self._contents = state.get()
        # How many nodes were counted, and how many they are with those inside them.
        self._counted, self._whole = self._mark.nodes, 0

    def go_back(self) -> None:
        """Undo nodes, changes of arrays, and names."""
        self._frame.go_back(self._mark)
        self._state.put(self._contents)

    def note_turn(self) -> None:
        """A turn that began here has ended. IdleError: many have added nothing."""
        only_python.note_turn(self._frame, self._mark.nodes)

    def turns(self, items: Iterable[Any]) -> Iterator[Any]:
        """The items, for a loop that begins here."""
        return only_python.turns(items, self._frame)

    @property
    def known_dear(self) -> set[CodeType]:
        """The bodies of plain loops that this trace has staged."""
        return self._frame.trace.dear_loops

    @property
    def nodes_since(self) -> int:
        """How many nodes the trace has added since."""
        return len(self._frame.nodes) - self._mark.nodes

    def is_dear(self, done: int, turns: int) -> bool:
        """Whether a loop of so many turns, some of them done, adds too many nodes."""
        nodes = self._frame.nodes
        self._whole += sum(map(_size, nodes[self._counted :]))
        self._counted = len(nodes)
        added = max(self.nodes_since, self._whole / UNROLLED_INNER)
        # What the first turn has added the others will; later ones may add more.
        return added * (turns if done == 1 else 1) > UNROLLED_NODES


def _size(node: Node) -> int:
    inner = (one for graph in node.graphs for one in graph.nodes)
    return 1 + sum(map(_size, inner))


def checkpoint(state: State) -> Checkpoint | None:
    """The present point of the trace, None when no trace is on."""
    frame = build.current()
    return None if frame is None else Checkpoint(frame, state)


def try_staged(start: Checkpoint, stage: Callable[[], Exit]) -> tuple[bool, Exit]:
    """Go back to `start` and stage from there; (False, None), undone, if refused."""
    start.go_back()
    try:
        return True, stage()
    except StagingError:
        start.go_back()
        return False, None
