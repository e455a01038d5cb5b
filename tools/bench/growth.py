"""What stays in memory after many calls, and after many Functions that were dropped.

    python tools/bench/growth.py [--calls 100000] [--functions 10000]

Objects that the garbage collector knows and resident KiB, more than before; a tenth
of the work, which fills caches, is done before that.
"""

import argparse
import gc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import autograph as ag


@ag.function
def halve(x: Any, limit: float) -> int:
    """The function that is called: a loop that changes its argument."""
    steps = 0
    while np.sum(x) > limit:
        x *= 0.5
        steps += 1
    return steps


def make_and_drop(number: int) -> None:
    """Make a Function with a loop and a Variable, trace it twice, and drop it."""
    total = ag.Variable(0.0)

    @ag.function
    def walk(x: Any) -> Any:
        while np.sum(x) > 1.0:
            x = x * 0.5
            total.assign_add(1.0)
        return x + total.read()

    walk(np.ones(3) * number)
    walk(np.float64(number))


def call(number: int) -> None:
    """A call of `halve`, with other sizes and numbers now and then."""
    halve(np.ones(2 + number % 7), np.float64(number % 5 + 0.5))


def grown(work: Callable[[int], None], count: int) -> tuple[int, int]:
    """How many objects and KiB there are more after `work` was done so often."""
    for number in range(count // 10):
        work(number)
    before = _held()
    for number in range(count):
        work(number)
    after = _held()
    return after[0] - before[0], after[1] - before[1]


def _held() -> tuple[int, int]:
    for _ in range(3):
        gc.collect()
    lines = Path("/proc/self/status").read_text().splitlines()
    resident = next(line for line in lines if line.startswith("VmRSS"))
    return len(gc.get_objects()), int(resident.split()[1])


def main() -> None:
    """Print both figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=100_000)
    parser.add_argument("--functions", type=int, default=10_000)
    options = parser.parse_args()
    for what, work, count in (
        ("calls", call, options.calls),
        ("dropped Functions", make_and_drop, options.functions),
    ):
        objects, resident = grown(work, count)
        print(f"{count} {what}: {objects:+} objects, {resident:+} KiB")


if __name__ == "__main__":
    main()
