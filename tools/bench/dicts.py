"""What dicts with keys of data cost: nanoseconds an item, in Python and in the graph.

python tools/bench/dicts.py
"""

import statistics
from collections import Counter, defaultdict
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

import autograph as ag

COUNT = 100_000
REPEATS = 5


def counted(x: Any) -> Any:
    """Counting by hand."""
    counts: dict[Any, int] = {}
    for v in x:
        counts[v] = counts.get(v, 0) + 1
    return counts


def counted_by_default(x: Any) -> Any:
    """Counting in a defaultdict."""
    counts: dict[Any, int] = defaultdict(int)
    for v in x:
        counts[v] += 1
    return counts


def grouped(x: Any) -> Any:
    """The indices of each value."""
    groups: dict[Any, list[int]] = {}
    for i, v in enumerate(x):
        groups.setdefault(v, []).append(i)
    return groups


def as_a_whole(x: Any) -> Any:
    """`Counter(x)`."""
    return Counter(x)


def nanoseconds(call: Callable[[], Any]) -> float:
    """The median of some repeats, for each item."""
    found = []
    for _ in range(REPEATS):
        start = perf_counter()
        call()
        found.append(perf_counter() - start)
    return statistics.median(found) * 1e9 / COUNT


def main() -> None:
    """Print a line for each program and kind of keys."""
    random = np.random.default_rng(0)
    numbers = random.integers(0, 1000, COUNT)
    words = random.choice(np.array(["a", "bb", "ccc", "dd"]), COUNT)
    for program in (counted, counted_by_default, grouped, as_a_whole):
        for x in (numbers, words):
            staged = ag.function(program)
            staged(x)
            python = nanoseconds(lambda: program(x))  # noqa: B023 - called at once
            graph = nanoseconds(lambda: staged(x))  # noqa: B023 - called at once
            kind = x.dtype.name
            print(f"{program.__name__}, {kind}: {python:.0f} ns, graph {graph:.0f} ns")


if __name__ == "__main__":
    main()
