"""What the tests of copies share: how much memory a call takes."""

import tracemalloc
import warnings
from typing import Any

import autograph as ag


def most_memory(staged: Any, arguments: tuple[Any, ...], backend: str) -> Any:
    """What a call gives, and the bytes that it has at most, once it is compiled."""
    with ag.config(backend=backend), warnings.catch_warnings():
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
