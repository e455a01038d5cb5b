"""How long it takes until a function of a hundred operations is ready to run.

Each repeat traces and compiles anew; what a library keeps for the source text (here the
converted function) is warm. The first row, NumPy, is one call of the function itself,
which is what a trace is compared with by who waits for it.

    python tools/bench/trace.py [--repeats N]
"""

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

# The project's folder in place of this one, whose files are named like Python's own.
sys.path.pop(0)
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools.bench.shared.peers import Peer, main

Array = NDArray[np.float64]

# All different, so that no two operations are the same.
SCALES = tuple(1.0 + i / 64 for i in range(50))
ARGUMENT = np.linspace(0.0, 1.0, 8)


def work(x: Array) -> Array:
    """A hundred operations: the loop is over a tuple of Python's, and unrolled."""
    for scale in SCALES:
        x = np.tanh(x) * scale
    return x


def timed(make_ready: Callable[[], object]) -> Callable[[], float]:
    """Repeats of `make_ready`."""

    def repeat() -> float:
        start = perf_counter()
        make_ready()
        return perf_counter() - start

    return repeat


def autograph() -> Callable[[], float]:
    """This project."""
    ag = import_module("autograph")
    return timed(lambda: ag.function(work)(ARGUMENT))


def jax() -> Callable[[], float]:
    """JAX's jit."""
    jax, jnp = import_module("jax"), import_module("jax.numpy")

    jax.config.update("jax_enable_x64", True)

    def make_ready() -> object:
        def fresh(x: Any) -> Any:
            for scale in SCALES:
                x = jnp.tanh(x) * scale
            return x

        return jax.jit(fresh).lower(ARGUMENT).compile()

    return timed(make_ready)


def numba() -> Callable[[], float]:
    """Numba's njit, which rolls the loop over a tuple of floats: less work."""
    nb = import_module("numba")
    return timed(lambda: nb.njit(work)(ARGUMENT))


def tensorflow() -> Callable[[], float]:
    """TensorFlow's function."""
    tf = import_module("tensorflow")

    def make_ready() -> object:
        def fresh(x: Any) -> Any:
            for scale in SCALES:
                x = tf.tanh(x) * scale
            return x

        return tf.function(fresh)(tf.constant(ARGUMENT))

    return timed(make_ready)


PEERS = (
    Peer("numpy, one call", "numpy", lambda: timed(lambda: work(ARGUMENT))),
    Peer("autograph", "autograph", autograph),
    Peer("numba", "numba", numba),
    Peer("jax", "jax", jax),
    Peer("tensorflow", "tensorflow", tensorflow),
)

if __name__ == "__main__":
    sys.exit(main("trace and compile a hundred operations", 1e3, PEERS))
