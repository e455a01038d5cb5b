"""quiet: trials of a library's functions while tracing, of which nobody hears.

They say nothing, and leave the random numbers that a library draws as they were.
"""

from __future__ import annotations

import contextlib
import pickle
import sys
from collections.abc import Iterator

import numpy as np

from runtime.build import suspended
from runtime.hushed import warnings_as
from runtime.streams import held


@contextlib.contextmanager
def quietly() -> Iterator[None]:
    """For the block, there is no trace, no warning, and nothing is printed.

    >>> with quietly():
    ...     print(np.log(0.0))
    """
    with (
        suspended(),
        np.errstate(all="ignore"),
        warnings_as("ignore"),
        held("stdout"),
    ):
        yield


# Modules with random numbers of their own: what says and sets where these stand.
_GLOBAL = {
    "numpy.random": ("get_state", "set_state"),
    "torch": ("get_rng_state", "set_rng_state"),
}


@contextlib.contextmanager
def drawing() -> Iterator[list[str]]:
    """For the block; afterwards the modules that have drawn, which stand as before.

    >>> with drawing() as drawn:
    ...     number = np.random.random()
    >>> drawn
    ['numpy.random']
    """
    # One that another thread is half-way through loading has drawn nothing.
    loaded = [
        name
        for name in _GLOBAL
        if all(hasattr(sys.modules.get(name), word) for word in _GLOBAL[name])
    ]
    before = {name: getattr(sys.modules[name], _GLOBAL[name][0])() for name in loaded}
    drawn: list[str] = []
    try:
        yield drawn
    finally:
        for name, state in before.items():
            says, sets = (getattr(sys.modules[name], word) for word in _GLOBAL[name])
            if pickle.dumps(says()) != pickle.dumps(state):
                drawn.append(name)
                sets(state)
