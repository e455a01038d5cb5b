"""What a warm call costs beyond the NumPy work in it: `x * y + x` of two small arrays.

NumPy arrays go in and come out everywhere, as they do in a program that uses NumPy.

    python tools/bench/call.py [--repeats N]
"""

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

# The project's folder in place of this one, whose files are named like Python's own.
sys.path.pop(0)
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools.bench.shared.peers import Peer, main, seconds_each

Array = NDArray[np.float64]
Work = Callable[[Array, Array], Array]

CALLS = 5_000
# So often it is called before: then it is machine code.
WARM = 100_000


def work(x: Array, y: Array) -> Array:
    """Two ufuncs, so little that what surrounds them shows."""
    return x * y + x


def timed(function: Work) -> Callable[[], float]:
    """Repeats of CALLS calls with two arrays of four."""
    x, y = np.arange(4.0), np.ones(4)
    return lambda: seconds_each(lambda: function(x, y), CALLS)


def plain() -> Callable[[], float]:
    """NumPy itself."""
    return timed(work)


def autograph() -> Callable[[], float]:
    """This project."""
    ag = import_module("autograph")
    staged: Work = ag.function(work)
    for _ in range(WARM):
        staged(np.arange(4.0), np.ones(4))
    return timed(staged)


def executor() -> Callable[[], float]:
    """This project without machine code."""
    ag = import_module("autograph")
    ag.config(backend="numpy")
    return timed(ag.function(work))


def numba() -> Callable[[], float]:
    """Numba's njit."""
    nb = import_module("numba")
    return timed(nb.njit(work))


def jax() -> Callable[[], float]:
    """JAX's jit, with 64 bits like the others."""
    jax = import_module("jax")
    jax.config.update("jax_enable_x64", True)
    compiled = jax.jit(work)
    return timed(lambda x, y: np.asarray(compiled(x, y)))


def tensorflow() -> Callable[[], float]:
    """TensorFlow's function."""
    tf = import_module("tensorflow")
    compiled = tf.function(work)
    return timed(lambda x, y: compiled(tf.constant(x), tf.constant(y)).numpy())


PEERS = (
    Peer("numpy", "numpy", plain),
    Peer("autograph", "autograph", autograph),
    Peer("autograph, by Python", "autograph", executor),
    Peer("numba", "numba", numba),
    Peer("jax", "jax", jax),
    Peer("tensorflow", "tensorflow", tensorflow),
)

if __name__ == "__main__":
    sys.exit(main("a warm call of x * y + x, four float64 each", 1e6, PEERS))
