"""worker: one peer in a process of its own, which does what the table's lines say.

    python tools/bench/shared/worker.py PEER

A line that comes in is JSON, and so is the answer: `row` and `size`, of a `set`, make
ready, check the result and say how long the first call took; `measure` gives the
seconds of a call, with `least` the processor's.
"""

from __future__ import annotations

import copy
import json
import math
import pickle
import sys
import warnings
from collections.abc import Callable
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

# The project's folder in place of this one, whose files are named like Python's own.
sys.path.pop(0)
sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from tools.bench import by_index, small_arrays
from tools.bench.rows import ROWS
from tools.bench.rows.row import Row
from tools.bench.shared.languages import LANGUAGES, Language, copy_of, same
from tools.bench.shared.resting import rest

LEAST = 0.02  # seconds of calls in a measurement
BATCHES = 10  # into which one is divided where the shortest is asked for


class Refused(Exception):
    """The peer has no result for a row, or a wrong one; why, in one line."""


class Worker:
    """One peer."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._copies: dict[str, Any] = {}
        self._call: Callable[[], Any] = lambda: None
        self._times = 1

    def prepare(self, row: Row, size: str, expected: Path) -> dict[str, Any]:
        """Compile, compare the result with Python's, and warm up."""
        language = self.language
        if language.idiom in row.without:
            raise Refused(row.without[language.idiom])
        args = row.sizes[size]()
        if row.fresh:
            return self._fresh(row, args)
        program = self._program(row)
        given = [language.give(value) for value in copy.deepcopy(args)]
        start = perf_counter()
        result = language.wait(program(*given))
        first = perf_counter() - start
        self._check(row, result, args, expected)
        # As little as can be beside the call, which may take a tenth of a microsecond.
        self._call = partial(program, *given)
        if language.wait is not same:
            self._call = lambda: language.wait(program(*given))
        return {"first": first, **self._warm(first)}

    def _program(self, row: Row) -> Callable[..., Any]:
        language, file = self.language, sys.modules[row.program.__module__]
        made = self._copies.get(file.__name__)
        if made is None:
            made = self._copies[file.__name__] = copy_of(file, language)
        name = row.idioms.get(language.idiom, row.program.__name__)
        program: Callable[..., Any] = getattr(made, name)
        return program if language.wraps else language.compile(program)

    def _check(self, row: Row, result: Any, args: Any, expected: Path) -> None:
        """Compare with what plain Python gives, which the first worker has kept."""
        found = [np.asarray(self.language.fetch(part)) for part in _parts(result)]
        if self.language.idiom == "numpy":
            expected.write_bytes(pickle.dumps(found))
            return
        if not expected.exists():
            wanted = [np.asarray(part) for part in _parts(row.program(*args))]
        else:
            wanted = pickle.loads(expected.read_bytes())
        for one, other in zip(found, wanted, strict=True):
            if one.shape != other.shape:
                raise Refused(f"another shape: {one.shape}, not {other.shape}")
            scale = max(1.0, float(np.abs(other).max(initial=0.0)))
            error = np.abs(one.astype(float) - other.astype(float)).max(initial=0.0)
            if not error <= scale * 10.0**-row.digits:
                raise Refused(f"another result: it differs by {error:.2g}")

    def _warm(self, first: float) -> dict[str, Any]:
        """Call until it is as fast as it gets; say how many calls are measured."""
        stop = perf_counter() + self.language.warm
        took = first
        while perf_counter() < stop:
            start = perf_counter()
            self._call()
            took = perf_counter() - start
        self._times = max(1, math.ceil(LEAST / max(took, 1e-8)))
        self._times = max(1, math.ceil(LEAST / max(self.measure(), 1e-9)))
        return {"times": self._times}

    def _fresh(self, row: Row, args: Any) -> dict[str, Any]:
        """A row that is made anew for each measurement."""
        self._call = row.program(self.language, *args)
        self._times = 1
        self._call()
        return {"first": 0.0, "times": 1}

    def measure(self) -> float:
        """The seconds of one call, on average."""
        call, times = self._call, self._times
        start = perf_counter()
        for _ in range(times):
            call()
        return (perf_counter() - start) / times

    def measure_least(self) -> float:
        """The processor's seconds of one call, of the shortest of some batches."""
        call, times = self._call, max(1, self._times // BATCHES)
        found = []
        for _ in range(BATCHES):
            start = process_time()
            for _ in range(times):
                call()
            found.append((process_time() - start) / times)
        return min(found)


def _parts(result: Any) -> list[Any]:
    return list(result) if isinstance(result, (tuple, list)) else [result]


def versions(language: Language) -> str:
    """`jax 0.10.2`, of what is installed."""
    found = []
    for name in language.modules:
        try:
            found.append(f"{name.replace('_', '-')} {version(name)}")
        except PackageNotFoundError:
            continue
    return ", ".join(found) or f"{language.modules[0]} of this tree"


def main() -> int:
    """Answer until no line comes in any more."""
    warnings.simplefilter("ignore")
    answers, sys.stdout = sys.stdout, sys.stderr  # what programs print is no answer
    sets = {"": ROWS, "by_index": by_index.ROWS, "small_arrays": small_arrays.ROWS}
    rows = {key: {row.name: row for row in found} for key, found in sets.items()}

    def answer(**told: Any) -> None:
        print(json.dumps(told), file=answers, flush=True)

    language = LANGUAGES[sys.argv[1]]()
    worker = Worker(language)
    answer(versions=versions(language))
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            if "row" in asked:
                row = rows[asked.get("set", "")][asked["row"]]
                size = asked["size"]
                told = worker.prepare(row, size, Path(asked["expected"]))
            else:
                measure = worker.measure_least if asked.get("least") else worker.measure
                told = {"seconds": measure()}
            rest()
            answer(**told)
        except Exception as error:
            said = str(error).strip().partition("\n")[0][:150]
            name = "" if isinstance(error, Refused) else f"{type(error).__name__}: "
            answer(refused=f"{name}{said}")
            language.reset()
    return 0


if __name__ == "__main__":
    sys.exit(main())
