"""Run every example plain and as a graph, compare the two, and print a table.

The same means: the result has the same types, dtypes, shapes and values to the last
bit, and the arguments are left in the same state.

    python examples/run.py [NAME ...]
"""

import copy
import importlib.util
import statistics
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from types import ModuleType
from typing import Any

import numpy as np

import autograph as ag

FOLDER = Path(__file__).resolve().parent
HEADER = ("program", "same?", "nodes", "trace ms", "plain us", "graph us", "ratio")
ROW = "{:26} {:>5} {:>6} {:>9} {:>11} {:>11} {:>6}"
# A program is timed as often as fits into this, but at least three times.
SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Comparison:
    """One program, run plain and as a graph: how they differ, and what each took."""

    name: str
    difference: str | None
    nodes: int
    trace_seconds: float
    plain_seconds: float
    graph_seconds: float

    def row(self) -> str:
        """The line of the table."""
        return ROW.format(
            self.name,
            "no" if self.difference else "yes",
            self.nodes,
            f"{1e3 * self.trace_seconds:.1f}",
            f"{1e6 * self.plain_seconds:.1f}",
            f"{1e6 * self.graph_seconds:.1f}",
            f"{self.graph_seconds / self.plain_seconds:.2f}",
        )


def load(path: Path) -> ModuleType:
    """The example in the file at `path`, imported without a package around it."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    # True of every file that ends in .py.
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def examples() -> Iterator[tuple[str, Callable[..., Any], tuple[Any, ...]]]:
    """Name, plain program and arguments of everything in this folder."""
    for path in sorted(FOLDER.glob("*.py")):
        if path.name == Path(__file__).name:
            continue
        module = load(path)
        for program in module.PROGRAMS:
            yield program.__name__, program.python_function, module.inputs()


def difference(plain: Any, graph: Any, where: str) -> str | None:
    """How `graph` differs from `plain`, in words, or None when it is the same."""
    if type(plain) is not type(graph):
        kinds = type(plain).__name__, type(graph).__name__
        return f"{where} is of type {kinds[0]} in Python and {kinds[1]} in the graph"
    if isinstance(plain, tuple | list):
        if len(plain) != len(graph):
            return (
                f"{where} has {len(plain)} parts in Python, {len(graph)} in the graph"
            )
        parts = (
            difference(a, b, f"{where}[{i}]")
            for i, (a, b) in enumerate(zip(plain, graph, strict=True))
        )
        return next((part for part in parts if part), None)
    if isinstance(plain, np.ndarray | np.generic):
        a, b = f"{plain.dtype}{plain.shape}", f"{graph.dtype}{graph.shape}"
        if a != b:
            return f"{where} is {a} in Python and {b} in the graph"
    if not np.array_equal(plain, graph, equal_nan=True):
        return f"{where} is {plain!r} in Python and {graph!r} in the graph"
    return None


def differs(result: Any, after: Any, staged: Any, staged_after: Any) -> str | None:
    """How the graph's result and arguments differ from Python's, or None."""
    return difference(result, staged, "the result") or difference(
        after, staged_after, "the arguments after the call"
    )


def timed(
    program: Callable[..., Any], arguments: tuple[Any, ...]
) -> tuple[float, Any, tuple[Any, ...]]:
    """Seconds of one call on a copy of `arguments`, its result, and the copy after."""
    own = copy.deepcopy(arguments)
    start = perf_counter()
    result = program(*own)
    return perf_counter() - start, result, own


def compare(
    name: str, program: Callable[..., Any], arguments: tuple[Any, ...]
) -> Comparison:
    """Run `program` plain and decorated on the same arguments, by turns."""
    decorated = ag.function(program)
    _, result, after = timed(program, arguments)
    trace_seconds, *staged = timed(decorated, arguments)
    found = differs(result, after, *staged)
    times: list[tuple[float, float]] = []
    start = perf_counter()
    while len(times) < 3 or perf_counter() - start < SECONDS:
        plain, *_ = timed(program, arguments)
        graph, *again = timed(decorated, arguments)
        times.append((plain, graph))
        found = found or differs(result, after, *again)
    concrete = decorated.get_concrete_function(*copy.deepcopy(arguments))
    return Comparison(
        name,
        found,
        sum(1 for _ in concrete.graph.walk()),
        trace_seconds,
        statistics.median(plain for plain, _ in times),
        statistics.median(graph for _, graph in times),
    )


def main(names: list[str]) -> int:
    """Print the table; the status is 1 when a program differs."""
    print(ROW.format(*HEADER))
    comparisons = []
    for name, program, arguments in examples():
        if names and name not in names:
            continue
        comparisons.append(compare(name, program, arguments))
        print(comparisons[-1].row(), flush=True)
    failed = [one for one in comparisons if one.difference]
    for one in failed:
        print(f"{one.name}: {one.difference}")
    print(f"{len(comparisons) - len(failed)} of {len(comparisons)} the same")
    return 1 if failed or not comparisons else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
