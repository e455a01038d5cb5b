"""log: traces with their reasons, cache hits and misses, and runs of graphs."""

from __future__ import annotations

import functools
import linecache
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import CodeType
from typing import TYPE_CHECKING, Any

from runtime.config import WATCH, config
from runtime.graph import Graph
from runtime.location import Location, here
from runtime.spans import spanned
from tracer.parameters import Parameters
from tracer.signature import Signature

if TYPE_CHECKING:
    from tracer.concrete import ConcreteFunction


# Why a call is run as Python.
SHARES = "it changes arrays that share memory"
FAILED = "its graph has failed"
REFUSED = "no graph can be made for it"
VARIABLES = "it makes Variables"
UNFORESEEN = "its graph was not made for what the run has met"
RAISED = "its trace has raised what the program raises"
NEW = "it has many traces, and calls of this kind are new"
UNSETTLED = "what it reads outside is of another kind again"
PUT_OFF = "its trace goes long without an operation"
BY_PYTHON = "from now on calls like the last one are run as Python"
# Those that hold for a few calls only.
PASSING = frozenset({VARIABLES, NEW, UNSETTLED, PUT_OFF})

# Lines of decorators that are passed over for a function's own line.
MOST_DECORATORS = 20

# Told of each trace that is run while calls are watched, in all threads.
LISTENERS: list[Callable[[ConcreteFunction], object]] = []
# Each gives what is run in place of a trace, meanwhile.
STAND_INS: list[Callable[[ConcreteFunction], ConcreteFunction]] = []


@contextmanager
def tracing(
    name: str,
    parameters: Parameters,
    signature: Signature,
    known: Sequence[ConcreteFunction],
    outside: Sequence[str] = (),
) -> Iterator[Callable[[ConcreteFunction], None]]:
    """A trace is about to be made; in the block, tell what was made.

    outside: what else has changed than the arguments
    """
    with spanned("trace", name, place_of(parameters.code)):
        yield from _logged(name, parameters, signature, known, outside)


def _logged(
    name: str,
    parameters: Parameters,
    signature: Signature,
    known: Sequence[ConcreteFunction],
    outside: Sequence[str],
) -> Iterator[Callable[[ConcreteFunction], None]]:
    log = config.logger("retrace")
    if log is None:
        yield _nothing
        return
    from tracer.traces import Known, known_of, reason

    earlier = [known_of(parameters, concrete) for concrete in known]
    why, since = reason(Known(parameters, signature, outside), earlier)
    number = len(known) + 1
    versus = "" if since is None else f" (trace {since})"
    log.info("%s: trace %d at %s: %s%s", name, number, here(), why, versus)
    start = time.perf_counter()

    def made(concrete: ConcreteFunction) -> None:
        took = (time.perf_counter() - start) * 1e3
        text = concrete.describe_arguments()
        count = counted(concrete.graph)
        log.info(
            "%s: trace %d made for %s in %.1f ms: %s", name, number, text, took, count
        )

    yield made


def place_of(code: CodeType | None) -> Location | None:
    """Where a function begins."""
    return None if code is None else _place_of(code)


@functools.lru_cache(1000)
def _place_of(code: CodeType) -> Location:
    first = code.co_firstlineno
    for line in range(first, first + MOST_DECORATORS):
        # The code begins where its decorators do.
        if re.match(r"\s*(async\s+)?def\b", linecache.getline(code.co_filename, line)):
            return Location(code.co_filename, line, code.co_name)
    return Location(code.co_filename, first, code.co_name)


def _nothing(concrete: ConcreteFunction) -> None:
    """Nobody listens."""


def looked_up(
    name: str, found: ConcreteFunction | None, known: Sequence[ConcreteFunction]
) -> None:
    """A call found its trace among the known ones, or needs one of its own."""
    log = config.logger("cache")
    if log is None:
        return
    if found is None:
        count = {0: "no trace yet", 1: "not trace 1"}.get(
            len(known), f"none of {len(known)} traces"
        )
        log.info("%s: miss, %s", name, count)
    else:
        number = known.index(found) + 1 if found in known else 0
        log.info("%s: hit, trace %d %s", name, number, found.describe_arguments())


def run(
    concrete: ConcreteFunction,
    leaves: Sequence[Any],
    found: Sequence[Any],
    python: Callable[[], Any] | None = None,
) -> Any:
    """A run of a graph, timed when that is logged; python: the call, as Python."""
    for listen in LISTENERS:
        listen(concrete)
    for stand_in in STAND_INS:
        concrete = stand_in(concrete)
    with spanned("run", concrete.name, place_of(concrete.code)):
        return _run(concrete, leaves, found, python)


def _run(
    concrete: ConcreteFunction,
    leaves: Sequence[Any],
    found: Sequence[Any],
    python: Callable[[], Any] | None,
) -> Any:
    log = config.logger("exec")
    if log is None:
        if python is not None:
            return concrete.call_again(leaves, found, python)
        return concrete.call_leaves(leaves, found)
    start = time.perf_counter()
    end = "failed"
    try:
        if python is not None:
            result = concrete.call_again(leaves, found, python)
        else:
            result = concrete.call_leaves(leaves, found)
        end = "ran"
        return result
    finally:
        took = (time.perf_counter() - start) * 1e6
        count = counted(concrete.graph)
        log.info("%s: %s in %.1f us: %s", concrete.name, end, took, count)


def run_as_python(name: str, why: str = SHARES) -> None:
    """A call is not run by its graph."""
    if WATCH.on and (log := config.logger("exec")):
        log.info("%s: run as Python, as %s", name, why)


def counted(graph: Graph) -> str:
    """The ops of a graph, by name, those in its loops and branches too."""
    counts: Counter[str] = Counter()
    _count(graph, counts)
    total = sum(counts.values())
    listed = ", ".join(f"{name} {n}" for name, n in counts.most_common())
    return f"{total} {'op' if total == 1 else 'ops'}" + (
        f" ({listed})" if listed else ""
    )


def _count(graph: Graph, counts: Counter[str]) -> None:
    for node in graph.nodes:
        if node.op.name != "constant":
            counts[node.op.name] += 1
        for inner in node.graphs:
            _count(inner, counts)
