"""again: a run that has failed is made once more as Python, from the same start.

What an exception leaves changed is known to Python only: a graph writes most arguments
and places when it ends. So a function that changes any is called as it is when its
graph has failed, unless the graph has done what cannot be done twice.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.build import Frame
from runtime.effects import Guard
from runtime.errors import UnforeseenError, require_no_refusal
from runtime.failing import may_fail_at
from runtime.graph import Graph, Node
from runtime.hushed import unheard
from runtime.ops.random import is_source, standing
from runtime.ops.world import Looked
from runtime.signals import is_of_handler
from runtime.spec import TensorSpec
from runtime.structs import struct
from tracer import log
from tracer.memory import lies_anyhow
from tracer.traced import Traced

if TYPE_CHECKING:
    from runtime.backends.numpy import InPlace

# What a run has done besides computing can be done once more without being seen.
_SAID_AGAIN = frozenset(
    """
    print assert raise reraise require_defined require_writable require_array
    require_output
    enter_errstate leave_errstate
    """.split()
)


_SAID = frozenset({"raise", "reraise", "assert"})
# What is made of an empty list, as of one of floats.
EMPTY_STACK = TensorSpec((None,), np.dtype(float))


def can_be_done_again(graph: Graph) -> bool:
    """Whether nobody sees that a graph is run, or its function called, twice."""
    return all(map(_is_said_again, _done(graph)))


def ends(traced: Traced) -> dict[int, int]:
    """For the inputs that are arrays that it changes, the outputs that they become."""
    places = {leaf: at for at, leaf in enumerate(traced.inputs)}
    return {places[leaf]: output for leaf, output in traced.arguments_changed}


def cannot_be_undone(graph: Graph) -> bool:
    """Whether what a failing run has written stays in the caller's arrays."""
    return fails(graph) and not can_be_done_again(graph)


def _drops_failures(graph: Graph) -> bool:
    """Whether something that may raise is not run, since nobody uses what it gives."""
    from runtime.passes.prune import prune

    return _failing(prune(graph)) < _failing(graph)


def fails(graph: Graph | Frame) -> bool:
    """Whether a run of a graph, or of what one holds so far, may raise."""
    return any(
        may_fail_at(graph.nodes, at) or any(map(fails, node.graphs))
        for at, node in enumerate(graph.nodes)
    )


def _tries(graph: Graph) -> int:
    return sum(node.op.name == "try" for node in graph.walk())


@struct
class Plan:
    """What is known of the runs of a trace that may fail.

    as_traced: the graph before the passes
    in_place:  which arrays the graph writes as Python does
    """

    traced: Traced
    as_traced: Graph
    graph: Graph
    in_place: InPlace

    def is_made_again(self, writes: bool) -> bool:
        """Whether a run that fails is made once more as Python.

        Not where it leaves what Python leaves, and raises what Python raises.
        writes: whether it changes anything that is not its own
        """
        writes = writes or self._loses_changes()
        leaves = not writes or self._leaves_what_python_leaves()
        if leaves and not self._is_lost() and not self._may_be_given_up():
            return False
        known = {id(node) for node in self._draws()}
        done = _done(self.graph)
        return all(_is_said_again(node) or id(node) in known for node in done)

    def drawn(self) -> tuple[Any, ...]:
        """The sources of random numbers that each run leaves where they stood."""
        found = {id(node.attributes["generator"]): node for node in self._draws()}
        return tuple(node.attributes["generator"] for node in found.values())

    def _draws(self) -> list[Node]:
        """The draws of a program that says `raise`, which Python may make once more.

        Of others that may fail no run keeps where its sources stand: 2 to 30 us.
        """
        if not any(node.op.name in _SAID for node in _done(self.graph)):
            return []
        return [node for node in _done(self.graph) if _is_draw(node)]

    def _may_be_given_up(self) -> bool:
        """Whether a run may meet what the graph was not made for.

        That a function gives something else than it did when it was tried is so
        seldom that nothing is copied for it before each run.
        """
        return any(map(_asks_data, _done(self.graph))) or (
            not self.kept() and not is_foreseen(self.graph)
        )

    def _leaves_what_python_leaves(self) -> bool:
        """All is written as it is computed."""
        traced = self.traced
        others = bool(
            traced.containers_changed
            or traced.rows_changed
            or traced.arrays_changed
            or traced.loses_writes
            or self._loses_changes()
            or traced.outer
        )
        return not others and self.in_place.ends.issuperset(ends(traced).items())

    def _loses_changes(self) -> bool:
        """Whether what a path that raises has changed is in no graph.

        A try that has become a branch raises in it, and nobody uses what it computes.
        """
        loses = self.traced.loses
        return "others" in loses or (
            "arrays" in loses and _tries(self.graph) < _tries(self.as_traced)
        )

    def _is_lost(self) -> bool:
        """Whether it ends in an error, of which another one may come first in Python.

        What would raise that is not run, since nobody uses what it gives.
        """
        return self.traced.structure is None and _drops_failures(self.as_traced)

    def kept(self) -> tuple[int, ...]:
        """The leaves of which each run keeps what they hold before it."""
        written = self.in_place.written
        if not written or not fails(self.graph):
            return ()
        return tuple(self.traced.inputs[at] for at in written)


class _Raised(threading.local):
    """What the latest trace of this thread that raised before any effect has raised.

    acts: it has called what may be seen, so that it is not to be called twice
    held: it, until it is raised again; frames that held it would be a cycle
    """

    error = 0
    may_fail = acts = False
    held: Exception | None = None


_raised = _Raised()


def note_raised(error: Exception, frame: Frame) -> None:
    """A program raises on every path, before it has any effect: there is no graph."""
    require_no_refusal(error)
    _raised.error, _raised.may_fail = id(error), fails(frame)
    _raised.acts = frame.trace.acts


def is_raised(error: Exception) -> bool:
    """Whether it is what a trace has raised so; it is held for `raised` then."""
    if id(error) != _raised.error:
        return False
    _raised.error, _raised.held = 0, error
    return True


def let_go() -> None:
    """What a trace has raised is not raised again: the call is made as Python."""
    _raised.held = None


def raised(given: Any, python: Callable[..., Any]) -> Any:
    """A call of which there is no graph, since a trace has raised at once.

    Python raises another one where something before it fails when it runs, and may do
    otherwise with arrays of which the trace has known nothing. What the trace has
    called as it is may have been seen, a line written to a file: that is done once.
    given: the arguments; python: the call
    """
    error, _raised.held = _raised.held, None
    assert error is not None
    try:
        if _raised.acts:
            raise error
        if lies_anyhow(given):
            return python(log.SHARES)
        if _raised.may_fail:
            quietly(python)
        raise error
    finally:
        del error


def quietly(call: Callable[[], Any]) -> Any:
    """`call()`, with nothing of what it prints, or warns of, said once more."""
    with unheard():
        return call()


def made(failed: Exception, graph: Graph, python: Callable[..., Any]) -> list[Any]:
    """What a call gives as Python; nothing where Python was to raise, and has not.

    A run that was given up in its midst may have printed what Python prints then. A
    signal that has stopped one, a timeout say, is not to come to nothing.
    """
    if is_of_handler(failed):
        return []
    if not isinstance(failed, UnforeseenError):
        quietly(python)
        return []
    done = _done(graph)
    silent = all(_is_said_again(node) and node.op.name != "print" for node in done)
    return [python(log.UNFORESEEN)] if silent else []


class Kept:
    """What arrays hold before a run that may write into them and fail.

    drawn: sources of random numbers that it draws from
    """

    def __init__(
        self, leaves: Sequence[Any], written: Sequence[int], drawn: Sequence[Any] = ()
    ) -> None:
        self._arrays = [(leaves[at], leaves[at].copy()) for at in written]
        self._sources = [standing(source)[1] for source in drawn]

    def put_back(self) -> None:
        """Make them hold it again."""
        for array, content in self._arrays:
            array[...] = content
        for put_back in self._sources:
            put_back()


def is_foreseen(graph: Graph) -> bool:
    """Whether no run can meet what the graph was not made for."""
    return not any(_asks_data(node) or _was_tried(node) for node in _done(graph))


def _failing(graph: Graph | Frame) -> int:
    """How many of its nodes may raise."""
    found = sum(may_fail_at(graph.nodes, at) for at in range(len(graph.nodes)))
    return found + sum(_failing(inner) for node in graph.nodes for inner in node.graphs)


def _asks_data(node: Node) -> bool:
    """Whether what is made of no data is of another kind than of others."""
    spec = node.attributes.get("spec")
    return node.op.name == "list_stack" and spec != EMPTY_STACK


def _was_tried(node: Node) -> bool:
    return isinstance(node.attributes.get("function"), Looked)


def _is_draw(node: Node) -> bool:
    source = node.attributes.get("generator")
    of = sys.modules.get("random")  # who has such a source has loaded it
    return is_source(source) or (of is not None and isinstance(source, of.Random))


def _is_said_again(node: Node) -> bool:
    writes = [e for e in node.effects if e.kind == "write"]
    only_fails = all(isinstance(effect.what, Guard) for effect in writes)
    file = node.attributes.get("kwargs", {}).get("file")
    unseen = node.op.name in _SAID_AGAIN and file in (None, "stdout", "stderr")
    # What a further level of a recursion does, the nodes of the recursion do.
    further = node.op.name == "call"
    return only_fails or unseen or further or bool(node.attributes.get("looks"))


def _done(graph: Graph) -> Iterator[Node]:
    """The nodes of a graph that hold no others."""
    for node in graph.nodes:
        for inner in node.graphs:
            yield from _done(inner)
        if not node.graphs:
            yield node
