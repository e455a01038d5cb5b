"""What loops by index take while their machine code is awaited, beside plain Python.

Until then they are run by the Python that is made of the graph. Here that is all there
is (`backend="numpy"`); it and the plain function run by turns. Figures are the
thread's own time, the shortest of some runs.

    python tools/bench/loops_in_python.py [--rows NAME ...] [--seconds N]
"""

from __future__ import annotations

import argparse
import statistics
import sys
import warnings
from copy import deepcopy
from pathlib import Path
from time import thread_time
from typing import Any

# The project's folder in place of this one, whose files are named like Python's own.
sys.path.pop(0)
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import autograph as ag
from tools.bench import by_index
from tools.bench.rows.row import Program, Row

LEAST, MOST = 3, 30  # runs of each


def seconds(program: Program, arguments: tuple[Any, ...]) -> float:
    """Of one call."""
    own = deepcopy(arguments)
    start = thread_time()
    program(*own)
    return thread_time() - start


def measured(row: Row, budget: float) -> tuple[float, float]:
    """The shortest of the plain program, and of its graph as Python."""
    arguments = next(iter(row.sizes.values()))()
    staged = ag.function(row.program)
    seconds(staged, arguments)
    plain: list[float] = []
    graph: list[float] = []
    while len(plain) < LEAST or (sum(plain) < budget and len(plain) < MOST):
        plain.append(seconds(row.program, arguments))
        graph.append(seconds(staged, arguments))
    return min(plain), min(graph)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", nargs="+", default=[], help="parts of names")
    parser.add_argument("--seconds", type=float, default=0.2, help="for a program")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    ratios = []
    print(f"{'ms a call':28}{'plain':>10}{'graph':>10}{'ratio':>8}")
    with ag.config(backend="numpy"):
        for row in by_index.ROWS:
            if options.rows and not any(name in row.name for name in options.rows):
                continue
            plain, graph = measured(row, options.seconds)
            ratios.append(graph / plain)
            figures = f"{1e3 * plain:10.2f}{1e3 * graph:10.2f}{ratios[-1]:8.2f}"
            print(f"{row.name:28}{figures}", flush=True)
    slower = sum(ratio > 1.1 for ratio in ratios)
    print(
        f"median {statistics.median(ratios):.2f}, {slower} above 1.1 of {len(ratios)}"
    )


if __name__ == "__main__":
    main()
