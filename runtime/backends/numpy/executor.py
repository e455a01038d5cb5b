"""From a graph to a Python function of arrays: text, compiled once.

The text is kept as `run.source`. An exception of a node leaves `run` as it is; `locate`
tells which line of the user's program the node stands for.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from types import FrameType, TracebackType
from typing import Any

from runtime.backends.numpy.emit import Writer
from runtime.backends.numpy.emit_calls import CALLED
from runtime.backends.numpy.list_sharing import ListSharing
from runtime.backends.numpy.program import flatten
from runtime.backends.numpy.sharing import Sharing
from runtime.graph import Graph
from runtime.location import Location

Run = Callable[..., tuple[Any, ...]]
_PLACES = "places_of_lines_"


def compile_graph(graph: Graph, donated: Iterable[int] = ()) -> Run:
    """A function of the graph's inputs, positional, that returns its outputs, a tuple.

    donated: positions of inputs that it may overwrite; no other input is changed
    returns: a Python function; its text is its attribute `source`

    Inputs are ndarrays or NumPy scalars, Python numbers where the spec is weak; outputs
    the same, 0-d ones NumPy scalars. Nothing is checked against the specs.
    """
    program, inputs = flatten(graph)
    sharing = Sharing(program, inputs, frozenset(donated))
    ListSharing(program, inputs, frozenset(donated))
    writer = Writer(sharing)
    source, places = writer.write(program, inputs)
    namespace = writer.namespace
    namespace[_PLACES] = places
    exec(compile(source, f"<graph {graph.name}>", "exec", dont_inherit=True), namespace)
    run: Run = namespace["run"]
    run.source = source  # type: ignore[attr-defined]
    return run


def locate(error: BaseException) -> Location | None:
    """Where in the user's program the node stands whose run raised `error`."""
    traceback = error.__traceback__
    place: Location | None = None
    while traceback is not None:
        places = _places(traceback.tb_frame)
        if places is not None:
            # The innermost line of the outermost graph: its helpers call one another.
            place = places[traceback.tb_lineno - 1] or place
        elif place is not None:
            return place
        traceback = traceback.tb_next
    return place


def explain(error: BaseException) -> None:
    """Word Python's recursion limit for the user, where the graph's calls met it."""
    if not isinstance(error, RecursionError):
        return
    place = locate(error)
    names = Counter(_open_functions(error.__traceback__))
    name, depth = names.most_common(1)[0] if names else ("", 0)
    if not name.startswith(CALLED) or depth < names.total() / 4:
        # Something else that a graph called went too deep.
        return
    error.args = (
        f"`{place.function if place else name.removeprefix(CALLED)}` called itself "
        f"{depth} deep: Python's recursion limit is {sys.getrecursionlimit()}",
    )
    error.add_note(
        "  Raise the limit by sys.setrecursionlimit, or write the recursion as a loop."
    )


def _open_functions(traceback: TracebackType | None) -> Iterator[str]:
    """The functions that calls were open of, those of the graph by their names."""
    while traceback is not None:
        yield traceback.tb_frame.f_code.co_name
        traceback = traceback.tb_next


def _places(frame: FrameType) -> list[Location | None] | None:
    found = frame.f_globals.get(_PLACES)
    return found if isinstance(found, list) else None
