"""switch: whether loops become machine code, and when; costs nothing to import."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from types import FunctionType, MappingProxyType
from typing import Any

import numpy as np

from runtime.config import config
from runtime.location import Location

# Steps that a loop has run before it is compiled: some 3 ms of Python. To compile takes
# 10 to 20 ms, and the first time 30 more, for LLVM is loaded then.
WORK = 40_000
# Seconds that loops over arrays, and other steps, have run before they are compiled.
SECONDS = 0.02
# The same before it is asked whether an earlier program has compiled them: at least,
# and for each step, as long as asking takes; of so many steps twice as long for each.
SECONDS_ASKING = 3e-3
SECONDS_ASKING_EACH = 2e-4
MANY_STEPS = 500


class Native:
    """What a generated program holds of its machine code, to be or made: see hot.py.

    run: runs it; gives None where Python is to do so
    looking: seconds that it took to see what its machine code costs
    called: the steps that its machine code calls as Python, by their names
    """

    run: Callable[..., Any]
    looking = 0.0
    called: Mapping[str, FunctionType] = MappingProxyType({})

    @property
    def awaited(self) -> float:
        """Seconds that Python is to spend in it until it is settled what it becomes.

        0.0: it is settled; inf: it is being compiled
        """
        return 0.0

    @property
    def is_counting(self) -> bool:
        """Whether it counts steps in place of seconds, and is on the way to its number.

        What a step takes is a guess: of NumPy's numbers, on a busy machine, far more.
        """
        return False

    @property
    def is_making(self) -> bool:
        """Whether its machine code is being made, and is not there to be taken."""
        return False


def seconds_awaited(run: Any) -> float:
    """Seconds that Python is to spend in a program until its parts are settled.

    run: what `compile_graph` has made, or another function of a graph's inputs
    """
    return max((part.awaited for part in _parts(run)), default=0.0)


def seconds_looking(run: Any) -> float:
    """Seconds of a program's calls in which Python has not gone on with its steps."""
    return sum(part.looking for part in _parts(run))


def is_counting(run: Any) -> bool:
    """Whether a part of a program is on its way, but not by the clock."""
    return any(part.is_counting for part in _parts(run))


def is_making(run: Any) -> bool:
    """Whether machine code of a part of a program is being made, beside it."""
    return any(part.is_making for part in _parts(run))


class Spent:
    """The seconds that machine code takes of a run, by a clock.

    pythons: those of the steps that it calls as Python
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self.seconds = self.pythons = 0.0
        self.clock = clock

    @contextmanager
    def of(self, run: Any) -> Iterator[None]:
        """Time the parts of a program, as `seconds_awaited` has it, while it runs."""
        timed, called = [], list[tuple[FunctionType, Any, Any]]()
        for part in _parts(run):
            called += [self._by_the_clock(one) for one in part.called.values()]
            # Its own, not its class's method, by which it would hold itself.
            own, by_the_clock = vars(part).get("run"), self._timed(part.run)
            timed.append((part, own, by_the_clock))
            part.run = by_the_clock
        try:
            yield
        finally:
            for part, own, by_the_clock in timed:
                if part.run is not by_the_clock:
                    continue
                if own is not None:
                    part.run = own
                else:
                    vars(part).pop("run", None)
            for function, code, by_the_clock in called:
                # It may have been made meanwhile, by its first call.
                if function.__code__ is by_the_clock:
                    function.__code__ = code

    def _by_the_clock(self, function: FunctionType) -> tuple[FunctionType, Any, Any]:
        """Have a step timed that machine code calls; it, and its code then and now."""
        code, known = function.__code__, function.__globals__
        # They stay: another thread may be in the step when it is timed no more.
        known[_STEP], known[_SPENT] = FunctionType(code, known), self
        # A code of its own tells whether it is still this that times it.
        function.__code__ = made = _timed_step.__code__.replace()
        return function, code, made

    def _timed(self, run: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*values: Any) -> Any:
            start, pythons = self.clock(), self.pythons
            found = run(*values)
            if found is not None:
                within = self.pythons - pythons
                self.seconds += self.clock() - start - within
            return found

        return timed


# Among the globals of a step that is timed: the step, and what times it.
_STEP, _SPENT = "step_", "spent_"


def _timed_step(*given: Any) -> Any:
    """What a step is while it is timed, with globals of its own."""
    known = globals()
    spent = known["spent_"]
    start = spent.clock()
    try:
        return known["step_"](*given)
    finally:
        spent.pythons += spent.clock() - start


def _parts(run: Any) -> list[Native]:
    found = getattr(run, "__globals__", {}).values()
    return [one for one in found if isinstance(one, Native)]


def first_look(count: int) -> float:
    """The seconds that so many steps run before it is asked what they would cost."""
    each = SECONDS_ASKING_EACH * (1 + count / MANY_STEPS)
    asking = max(SECONDS_ASKING, count * each)
    return asking if config.cache_dir else max(asking, SECONDS)


def is_on() -> bool:
    """Whether loops that run for long are compiled, now.

    ImportError: machine code is asked for, and llvmlite is not installed
    """
    wanted = config.backend
    if wanted == "native" and not _is_there():
        error = ImportError("backend='native' needs llvmlite, which is not installed")
        error.add_note("  `pip install llvmlite`, or leave the backend at 'auto'.")
        raise error
    return wanted != "numpy" and _is_there()


def is_asked_for() -> bool:
    """Whether all is to be compiled before it runs."""
    return config.backend == "native"


def is_precise() -> bool:
    """Whether functions like exp are NumPy's to the bit: without `fma` always."""
    return config.precise or not has_fma()


@cache
def has_fma() -> bool:
    """Whether this machine adds to a product in one step, rounding once.

    Our own functions need it. NumPy knows the machine; all but x86 have it.
    """
    has = features()
    return bool(has.get("FMA3") or not has.get("SSE2"))


def features() -> dict[str, bool]:
    """What this machine has, by NumPy's names."""
    found = np._core._multiarray_umath  # type: ignore[attr-defined] # its own
    told: dict[str, bool] = found.__cpu_features__
    return told


@cache
def _is_there() -> bool:
    return find_spec("llvmlite") is not None


def tell_of_fault(place: Location | None, error: Exception) -> None:
    """Warn that what runs there stays Python, which should have become machine code."""
    where = f" at {place}" if place else ""
    warnings.warn(
        f"what runs{where} stays Python: compiling it failed ({error!r})",
        RuntimeWarning,
        stacklevel=5,
    )
