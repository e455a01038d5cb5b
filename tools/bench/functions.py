"""What functions of our own gain: `f(x) * 0.5 + 1`, two chains: NumPy, precise, ours.

Each runs once before it is timed; then all run by turns. Ratios are to the time with
precise=False. AVX2 shows what they are where there are no wider vectors: NumPy is told
by the environment, LLVM here.

    python tools/bench/functions.py [--count N] [--repeats N] [--avx2]
"""

import argparse
import os
import statistics
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import thread_time
from typing import Any

# The project's folder in place of this one, whose files are named like Python's own.
sys.path.pop(0)
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

WIDER = "X86_V4 AVX512_ICL AVX512_SPR"
SMALLEST = 1e-3  # seconds of one measurement


def seconds(call: Callable[[], Any], times: int) -> float:
    """What one of some calls takes of the processor, whoever else uses it."""
    start = thread_time()
    for _ in range(times):
        call()
    return (thread_time() - start) / times


def compared(calls: Sequence[Callable[[], Any]], repeats: int) -> list[float]:
    """What each takes: the median of turns."""
    for call in calls:
        call()
    once = max(seconds(calls[0], 3), 1e-9)
    times = max(1, int(SMALLEST / once))
    turns = [[seconds(call, times) for call in calls] for _ in range(repeats)]
    return [statistics.median(column) for column in zip(*turns, strict=True)]


def only_avx2() -> None:
    """Let LLVM make code for vectors of four; NumPy has been told."""
    from runtime.backends.llvm import engine, vectors

    engine.__dict__["_host"] = lambda: ("haswell", "")
    vectors.__dict__["lanes"] = lambda: 8


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--avx2", action="store_true")
    options = parser.parse_args()
    if options.avx2 and os.environ.get("NPY_DISABLE_CPU_FEATURES") != WIDER:
        os.environ["NPY_DISABLE_CPU_FEATURES"] = WIDER
        os.execv(sys.executable, [sys.executable, *sys.argv])
    import numpy as np

    import autograph as ag
    from runtime.backends.llvm.mathematics import FUNCTIONS
    from tools.bench.rows import arrays

    if options.avx2:
        only_avx2()
    ag.config(backend="native", num_threads=1, cache_dir=None)
    print("ns an element: NumPy, precise, not precise; ratios to the last")
    for dtype in (np.float64, np.float32):
        x = np.random.default_rng(0).uniform(0.1, 0.9, options.count).astype(dtype)
        forms: dict[str, Callable[..., Any]] = {
            **{
                name: _one(getattr(np, name)) for name in FUNCTIONS if hasattr(np, name)
            },
            "black-scholes": arrays.black_scholes,
            "gelu": arrays.gelu_chain,
        }
        counts = {name: one.count for name, one in FUNCTIONS.items()}
        counts["black-scholes"] = 3
        for name, form in forms.items():
            given = [x] * counts.get(name, 1)
            calls: list[Callable[[], Any]] = [partial(form, *given)]
            for precise in (True, False):
                calls.append(partial(ag.function(form, precise=precise), *given))
            _write(f"{x.dtype} {name}", compared(calls, options.repeats), x.size)


def _one(ufunc: Any) -> Callable[..., Any]:
    """One function, and what comes of it used."""

    def one(*arrays: Any) -> Any:
        return ufunc(*arrays) * 0.5 + 1.0

    return one


def _write(name: str, took: Sequence[float], count: int) -> None:
    found = [each / count * 1e9 for each in took]
    numbers = " ".join(f"{each:7.2f}" for each in found)
    ratios = " ".join(f"{each / found[-1]:6.2f}" for each in found[:-1])
    print(f"{name:22} {numbers}   {ratios}", flush=True)


if __name__ == "__main__":
    main()
