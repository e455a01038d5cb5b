"""What calls of one function within another cost: inlined, or as a graph for each call.

The first call, which traces each of them; and a warm one, beside a plain Python
function that calls the decorated function as often.

    python tools/bench/nested_calls.py
"""

import linecache
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

# The project's folder in place of this one, whose files are named like Python's own.
sys.path.pop(0)
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import autograph as ag

X, W, B = np.ones((1, 8)), np.eye(8), np.ones(8)
REPEATS, CALLS = 40, 20


def layer(x: Any, w: Any, b: Any) -> Any:
    """Ten operations."""
    y = x @ w + b
    y = np.tanh(y) * 0.5 + x
    return y / (1 + np.abs(y)) - y * 0.1


def stack(count: int) -> Any:
    """A function that calls `layer` so often, line by line: no loop is staged."""
    lines = ["def stack(x, w, b):", *["    x = layer(x, w, b)"] * count, "    return x"]
    name, text = f"<stack of {count}>", "\n".join(lines)
    linecache.cache[name] = len(text), None, text.splitlines(True), name
    scope: dict[str, Any] = {"layer": layer}
    exec(compile(text, name, "exec"), scope)
    return scope["stack"]


def first_call(count: int) -> tuple[float, float]:
    """In ms: the quickest of some first calls, and what outlining takes."""
    took = []
    for _ in range(7):
        function = ag.function(stack(count))
        start = perf_counter()
        function(X, W, B)
        took.append(perf_counter() - start)
    (concrete,) = function.concrete_functions
    start = perf_counter()
    assert len(concrete.outlined.nodes) == count
    return min(took) * 1e3, (perf_counter() - start) * 1e3


def warm_calls(count: int) -> tuple[float, float]:
    """In us: of the whole, and of as many calls of the part."""
    whole, part = ag.function(stack(count)), ag.function(layer)

    def by_calls() -> None:
        x: Any = X
        for _ in range(count):
            x = part(x, W, B)

    def inlined() -> None:
        whole(X, W, B)

    kinds: tuple[Callable[[], None], ...] = inlined, by_calls
    took: list[list[float]] = [[], []]
    for turn in range(REPEATS):
        for times, call in zip(took, kinds, strict=True):
            start = perf_counter()
            for _ in range(CALLS):
                call()
            if turn > 1:
                times.append((perf_counter() - start) / CALLS * 1e6)
    first, second = map(statistics.median, took)
    return first, second


def main() -> None:
    """Print both."""
    ag.function(stack(2))(X, W, B)
    for count in (1, 10, 50):
        first, outlined = first_call(count)
        print(f"{count:3} calls: first call {first:6.1f} ms, outlining {outlined:5.2f}")
    for backend in ("numpy", "native"):
        with ag.config(backend=backend):
            inlined, by_calls = warm_calls(10)
        print(f"10 calls, {backend}: {inlined:6.1f} us, one by one {by_calls:6.1f}")


if __name__ == "__main__":
    main()
