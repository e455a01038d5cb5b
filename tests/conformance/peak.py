"""What the tests of copies share: how much memory a call takes."""

import tracemalloc
import warnings
from typing import Any

import numpy as np

import autograph as ag


def check_in_place(
    program: Any, arrays: float, backend: str, size: int, n: np.int64
) -> None:
    """`program(x, n)` needs so many arrays as x at most, and does what Python does.

    size: of x, which has the floats from 1 on
    """
    staged = ag.function(program)
    x, y, z = (np.arange(1.0, size + 1) for _ in range(3))
    _, most = most_memory(staged, (x, n), backend)
    assert most < x.nbytes * (arrays + 0.1)
    staged(z, n)
    program(y, n)
    assert np.array_equal(z, y)


def most_memory(staged: Any, arguments: tuple[Any, ...], backend: str) -> Any:
    """What a call gives, and the bytes that it has at most, once it is compiled."""
    with ag.config(backend=backend), warnings.catch_warnings():
        # Where a warning may be an error some changes are left to Python.
        warnings.resetwarnings()
        warnings.simplefilter("default")
        for _ in range(3):  # compiling takes memory
            staged(*arguments)
        tracemalloc.start()
        try:
            kept = staged(*arguments)
            _, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    return kept, most
