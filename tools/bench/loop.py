"""What a staged `while` costs per iteration beyond the NumPy calls in its body.

The bound is an argument, so that nobody can unroll the loop. The first row is the
NumPy calls of the body alone; "python" is the whole loop run by Python.

    python tools/bench/loop.py [--repeats N]
"""

import itertools
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
Loop = Callable[[Array, np.int64], object]

ITERATIONS = 10_000


def loop(x: Array, bound: np.int64) -> Array:
    """A counter and two ufuncs, so little that what surrounds them shows."""
    i = 0
    while i < bound:
        x = x * 0.5 + 1.0
        i += 1
    return x


def body_alone(x: Array, bound: np.int64) -> Array:
    """As often the same NumPy calls, and as little else as Python allows."""
    for _ in itertools.repeat(None, int(bound)):
        x = x * 0.5 + 1.0
    return x


def timed(function: Loop) -> Callable[[], float]:
    """Repeats of one call, per iteration."""
    x, bound = np.arange(8.0), np.int64(ITERATIONS)

    def repeat() -> float:
        start = perf_counter()
        function(x, bound)
        return (perf_counter() - start) / ITERATIONS

    return repeat


def autograph() -> Callable[[], float]:
    """This project."""
    ag = import_module("autograph")
    return timed(ag.function(loop))


def numba() -> Callable[[], float]:
    """Numba's njit."""
    nb = import_module("numba")
    return timed(nb.njit(loop))


def jax() -> Callable[[], float]:
    """JAX's jit of its own while_loop, since it takes no Python loop."""
    jax = import_module("jax")
    jax.config.update("jax_enable_x64", True)

    def staged(x: Array, bound: np.int64) -> Any:
        return jax.lax.while_loop(
            lambda state: state[0] < bound,
            lambda state: (state[0] + 1, state[1] * 0.5 + 1.0),
            (0, x),
        )

    compiled = jax.jit(staged)
    return timed(lambda x, bound: np.asarray(compiled(x, bound)[1]))


def tensorflow() -> Callable[[], float]:
    """TensorFlow's function, whose AutoGraph stages the same text."""
    tf = import_module("tensorflow")
    compiled = tf.function(loop)
    return timed(lambda x, n: compiled(tf.constant(x), tf.constant(int(n))).numpy())


PEERS = (
    Peer("numpy calls alone", "numpy", lambda: timed(body_alone)),
    Peer("python", "numpy", lambda: timed(loop)),
    Peer("autograph", "autograph", autograph),
    Peer("numba", "numba", numba),
    Peer("jax", "jax", jax),
    Peer("tensorflow", "tensorflow", tensorflow),
)

if __name__ == "__main__":
    sys.exit(main("an iteration of x = x * 0.5 + 1, eight float64", 1e6, PEERS))
