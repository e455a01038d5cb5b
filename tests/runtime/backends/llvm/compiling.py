"""What the tests of compiled programs share: run both ways, in several layouts."""

import gc
import os
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm import hot
from tests.conformance.harness import disagreement, observe
from tracer import garbage

# How the arrays that are passed lie in memory.
LAYOUTS = {
    "given": lambda x: x,
    "own": np.array,
    "F": np.asfortranarray,
    "steps": lambda x: np.repeat(x, 2, -1)[..., ::2],
}


def forked() -> int:
    """`os.fork()`, of which Python says since 3.12 that threads make it dangerous."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def cases(**usual: Any) -> tuple[list[Any], Callable[..., Any]]:
    """Cases of a test, and a decorator that adds a function with its calls.

    usual: what else a case says, by name, where its decorator says nothing
    """
    found: list[Any] = []

    def case(*arguments: Any, **said: Any) -> Callable[[Any], Any]:
        assert said.keys() <= usual.keys(), said

        def note(function: Any) -> Any:
            told = {**usual, **said}.values()
            found.append(pytest.param(function, arguments, *told, id=function.__name__))
            return function

        return note

    return found, case


def parts_of(staged: Any, arguments: Sequence[Any], kind: type[Any]) -> list[Any]:
    """The loops, or regions, of the trace for these arguments, the first one first."""
    held = staged.get_concrete_function(*arguments).run.__globals__.values()
    return [thing for thing in held if isinstance(thing, kind)]


def loops_of(staged: Any, arguments: Sequence[Any]) -> list[Any]:
    """The loops, the outermost first."""
    return parts_of(staged, arguments, hot.HotLoop)


def agreeing(function: Any, arguments: Sequence[Any], layout: Any = np.array) -> Any:
    """The decorated function, compiled, which has done all that Python does."""
    staged = ag.function(function)
    for given in (*arguments, *arguments):
        own = [layout(a) if isinstance(a, np.ndarray) else a for a in given]
        found = disagreement(observe(function, own), observe(staged, own))
        assert found is None, f"{own}: {found.sentence}"
    return staged


def kept_by(run: Callable[[], object], allowed: int) -> int:
    """How many blocks of memory a run leaves to Python's objects.

    It is the least of some runs, until one leaves fewer than are allowed: what compiles
    beside the program allocates meanwhile, while a leak is there each time. What other
    tests have left is not gone through.
    """
    found = []
    with garbage.of_trace():
        for turn in range(8):
            gc.collect()
            before = sys.getallocatedblocks()
            run()
            gc.collect()
            found.append(sys.getallocatedblocks() - before)
            if found[-1] < allowed:
                break
            time.sleep(0.02 * 2**turn)
    return min(found)
