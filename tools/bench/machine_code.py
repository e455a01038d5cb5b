"""What machine code gains: the same function plain, by NumPy's executor and compiled.

Each runs once before it is timed; then all run by turns. "same" says that the results
are the same to the bit. Ratios are of the plain function's time.

    python tools/bench/machine_code.py [--repeats N]
"""

import argparse
import platform
import statistics
import sys
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

# The project's folder in place of this one, whose files are named like Python's own.
sys.path.pop(0)
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import autograph as ag
from tools.bench.rows.loops import escape

Function = Callable[..., Any]
SMALLEST = 2e-3  # seconds of one measurement


def collatz(n: Any) -> Any:
    """Numbers alone: steps of a sequence."""
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def newton(a: Any) -> Any:
    """A few turns with a break."""
    x = a
    for _ in range(50):
        y = 0.5 * (x + a / x)
        if abs(y - x) < 1e-12:
            break
        x = y
    return x


def smooth(x: Any, n: Any) -> Any:
    """Elements by their index."""
    y = x.copy()
    for i in range(1, n - 1):
        y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3
    return y


def chain(x: Any, y: Any, count: Any) -> Any:
    """A chain of operations of whole arrays, in a loop."""
    for _ in range(count):
        x = (x * y + 0.5) / (1.0 + x * x) - y
    return x


def normalized(x: Any, count: Any) -> Any:
    """Sums and means of whole arrays."""
    for _ in range(count):
        x = x / np.sqrt(np.sum(x * x))
        x = x - x.mean()
    return x


def softmax(x: Any, count: Any) -> Any:
    """The largest and the sum of each row."""
    for _ in range(count):
        e = np.exp(x - np.max(x, axis=1, keepdims=True))
        x = e / np.sum(e, axis=1, keepdims=True)
    return x


def jacobi(a: Any, b: Any, count: Any) -> Any:
    """A stencil of slices."""
    for _ in range(count):
        b[1:-1, 1:-1] = 0.25 * (a[1:-1, :-2] + a[1:-1, 2:] + a[:-2, 1:-1] + a[2:, 1:-1])
        a[1:-1, 1:-1] = 0.25 * (b[1:-1, :-2] + b[1:-1, 2:] + b[:-2, 1:-1] + b[2:, 1:-1])
    return a


def black_scholes(s: Any, k: Any, t: Any, r: Any, v: Any) -> Any:
    """A chain outside of loops, with functions of NumPy's."""
    d = (np.log(s / k) + (r + v * v / 2) * t) / (v * np.sqrt(t))
    return s * np.tanh(d) - k * np.exp(-r * t) * d


def linear(x: Any) -> Any:
    """Nearly nothing: what a call costs."""
    return x * 2 + 1


def works() -> list[tuple[str, Function, tuple[Any, ...]]]:
    """Each with a name and its arguments."""
    draw = np.random.default_rng(0).random
    n = np.int64
    found: list[tuple[str, Function, tuple[Any, ...]]] = [
        ("collatz", collatz, (n(837799),)),
        ("newton", newton, (np.float64(2.0),)),
        ("mandelbrot 64 x 64", escape, (*np.linspace([-2, -1], 1, 64).T, n(50))),
        ("mandelbrot 512 x 512", escape, (*np.linspace([-2, -1], 1, 512).T, n(50))),
        ("smooth 10,000", smooth, (draw(10_000), n(10_000))),
    ]
    for size, count in ((4, 1000), (1_000, 1000), (100_000, 20), (1_000_000, 3)):
        found.append((f"chain {size:,}", chain, (draw(size), draw(size), n(count))))
    for size, count in ((10, 1000), (1_000, 1000), (100_000, 20)):
        found.append((f"normalized {size:,}", normalized, (draw(size), n(count))))
    for size, count in ((10, 300), (300, 10)):
        rows = draw((size, size))
        found.append((f"softmax {size} x {size}", softmax, (rows, n(count))))
    for size, count in ((10, 300), (100, 100), (1_000, 2)):
        square = draw((size, size)), draw((size, size))
        found.append((f"jacobi {size:,} x {size:,}", jacobi, (*square, n(count))))
    for size in (4, 1_000, 1_000_000):
        options = (draw(size) + 1, draw(size) + 1, draw(size) + 1, 0.1, 0.2)
        found.append((f"black_scholes {size:,}", black_scholes, options))
        found.append((f"linear {size:,}", linear, (draw(size),)))
    return found


def seconds(function: Function, arguments: tuple[Any, ...], times: int) -> float:
    """Of one call on average."""
    start = perf_counter()
    for _ in range(times):
        function(*arguments)
    return (perf_counter() - start) / times


def made(function: Function, backend: str, arguments: tuple[Any, ...]) -> Function:
    """The decorated function, traced and compiled by a backend."""
    with ag.config(backend=backend):
        staged: Function = ag.function(function)
        for _ in range(3):
            staged(*deepcopy(arguments))
    return staged


def is_same(a: Any, b: Any) -> bool:
    """Whether two results are the same, to the bit."""
    return type(a) is type(b) and np.asarray(a).tobytes() == np.asarray(b).tobytes()


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=9)
    options = parser.parse_args()
    print(f"{platform.machine()}, Python {platform.python_version()}, ", end="")
    print(f"NumPy {np.__version__}; us a call, medians of {options.repeats}")
    print(f"{'':24}{'plain':>12}{'executor':>12}{'compiled':>12}   ratios")
    for name, function, arguments in works():
        runs = [function, *(made(function, b, arguments) for b in ("numpy", "native"))]
        results = [run(*deepcopy(arguments)) for run in runs]
        own = [deepcopy(arguments) for _ in runs]
        pairs = list(zip(runs, own, strict=True))
        # As many calls as take some time: each measurement begins with cold caches.
        times = [max(1, int(SMALLEST / seconds(run, a, 1))) for run, a in pairs]
        found: list[list[float]] = [[] for _ in runs]
        for _ in range(options.repeats):
            for kept, (run, given), count in zip(found, pairs, times, strict=True):
                kept.append(seconds(run, given, count))
        plain, executor, compiled = map(statistics.median, found)
        figures = "".join(f"{1e6 * t:12.2f}" for t in (plain, executor, compiled))
        same = "same" if all(is_same(results[0], one) for one in results) else "DIFFERS"
        ratios = f"{plain / executor:7.2f}{plain / compiled:8.2f}"
        print(f"{name:24}{figures}{ratios}  {same}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
