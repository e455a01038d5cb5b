"""What lanes gain: Mandelbrot of N x N, one pixel at a time and several at once.

Beside NumPy's way, masks over whole arrays, and Numba, where it is installed. Each runs
once before it is timed; then all run by turns. Ratios are of the scalar code's time.

    python tools/bench/lanes.py [--size N] [--limit TURNS] [--repeats N]
"""

import argparse
import platform
import statistics
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any
from unittest import mock

import numpy as np

# The project's folder in place of this one, whose files are named like Python's own.
sys.path.pop(0)
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import autograph as ag
from runtime.backends.llvm.lanes import with_lanes

Function = Callable[..., Any]
PASS = "runtime.backends.llvm.improved.with_lanes"


def mandelbrot(real: Any, imag: Any, limit: Any, out: Any) -> Any:
    """A loop over pixels with a loop by data in it."""
    for i in range(len(imag)):
        for j in range(len(real)):
            a, b = real[j], imag[i]
            x = y = 0.0
            k = 0
            while k < limit and x * x + y * y <= 4.0:
                x, y = x * x - y * y + a, 2 * x * y + b
                k += 1
            out[i, j] = k
    return out


def by_masks(real: Any, imag: Any, limit: Any, out: Any) -> Any:
    """All pixels at once, until none is at work."""
    a, b = np.meshgrid(real, imag)
    x, y = np.zeros_like(a), np.zeros_like(a)
    out[...] = 0
    for _ in range(limit):
        at_work = x * x + y * y <= 4.0
        if not at_work.any():
            break
        more, less = x * x - y * y + a, 2 * x * y + b
        x, y = np.where(at_work, more, x), np.where(at_work, less, y)
        out += at_work
    return out


def compiled(lanes: bool, arguments: tuple[Any, ...]) -> Function:
    """The decorated function as machine code, with lanes or without."""
    with mock.patch(PASS, with_lanes if lanes else _as_it_is):
        with ag.config(backend="native"):
            # A function of its own for each: traces are kept with the code.
            staged: Function = ag.function(lambda *given: mandelbrot(*given))
            staged(*arguments)
    return staged


def _as_it_is(lowering: Any, function: Any) -> Any:
    return function


def ways(arguments: tuple[Any, ...]) -> dict[str, Function]:
    """Each way with its name, the one that is compared with first."""
    found = {
        "scalar": compiled(False, arguments),
        "lanes": compiled(True, arguments),
        "NumPy's masks": by_masks,
    }
    try:
        numba: Any = import_module("numba")
    except ImportError:
        return found
    found[f"Numba {numba.__version__}"] = numba.njit(mandelbrot)
    return found


def seconds(function: Function, arguments: tuple[Any, ...]) -> float:
    """Of one call."""
    start = perf_counter()
    function(*arguments)
    return perf_counter() - start


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=512)
    parser.add_argument("--limit", type=int, default=200)
    parser.add_argument("--repeats", type=int, default=9)
    options = parser.parse_args()
    n = options.size
    out = np.zeros((n, n), int)
    real, imag = np.linspace(-2, 1, n), np.linspace(-1.5, 1.5, n)
    arguments = (real, imag, np.int64(options.limit), out)
    runs = ways(arguments)
    results = {name: run(*arguments).copy() for name, run in runs.items()}
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(options.repeats):
        for name, run in runs.items():
            times[name].append(seconds(run, arguments))
    print(f"{platform.machine()}, Python {platform.python_version()}, ", end="")
    print(f"NumPy {np.__version__}; {n} x {n}, at most {options.limit} turns; ", end="")
    print(f"ms, medians of {options.repeats}")
    first = statistics.median(times["scalar"])
    for name, kept in times.items():
        same = np.array_equal(results[name], results["scalar"])
        middle = statistics.median(kept)
        words = "same" if same else "DIFFERS"
        print(f"{name:16}{1e3 * middle:10.2f}{first / middle:8.2f}  {words}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
