"""Rows of loops over elements and parts: sieves, stencils, chains, searches."""

import math
from typing import Any

import numpy as np

from tools.bench.rows.row import Row

# What the copies of this file for their peers have.
lax: Any = None
tf: Any = None
torch: Any = None


def sieve(flags: Any) -> Any:
    """How many primes, crossed out in place."""
    is_prime = flags.copy()
    is_prime[:2] = False
    for n in range(2, math.isqrt(len(flags)) + 1):
        if is_prime[n]:
            is_prime[n * n :: n] = False
    return np.sum(is_prime)


def sieve_numba(flags: Any) -> Any:
    """Numba has no isqrt."""
    is_prime = flags.copy()
    is_prime[:2] = False
    for n in range(2, int(math.sqrt(len(flags))) + 1):
        if is_prime[n]:
            is_prime[n * n :: n] = False
    return np.sum(is_prime)


def sieve_torch(flags: Any) -> Any:
    """A clone."""
    is_prime = flags.clone()
    is_prime[:2] = False
    for n in range(2, math.isqrt(len(flags)) + 1):
        if is_prime[n]:
            is_prime[n * n :: n] = False
    return torch.sum(is_prime)


def sieve_jax(flags: Any) -> Any:
    """With masks of all numbers: slices by data have no size."""
    every = np.arange(len(flags))

    def step(n: Any, is_prime: Any) -> Any:
        crossed = (every % n == 0) & (every >= n * n) & is_prime[n]
        return is_prime & ~crossed

    first = flags & (every >= 2)
    return np.sum(lax.fori_loop(2, math.isqrt(len(flags)) + 1, step, first))


def sieve_tensorflow(flags: Any) -> Any:
    """With masks of all numbers: a tensor has no slices to set."""
    every = tf.range(flags.shape[0])
    is_prime = flags & (every >= 2)
    for n in tf.range(2, math.isqrt(flags.shape[0]) + 1):
        crossed = (every % n == 0) & (every >= n * n) & is_prime[n]
        is_prime = is_prime & ~crossed
    return tf.reduce_sum(tf.cast(is_prime, tf.int64))


def smooth(x: Any) -> Any:
    """Elements by their index."""
    y = x.copy()
    for i in range(1, x.shape[0] - 1):
        y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3
    return y


def smooth_torch(x: Any) -> Any:
    """On a clone."""
    y = x.clone()
    for i in range(1, x.shape[0] - 1):
        y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3
    return y


def chain(x: Any, y: Any, count: Any) -> Any:
    """A chain of operations of whole arrays, in a loop."""
    for _ in range(count):
        x = (x * y + 0.5) / (1.0 + x * x) - y
    return x


def chain_jax(x: Any, y: Any, count: Any) -> Any:
    """By fori_loop."""
    step = lambda _, x: (x * y + 0.5) / (1.0 + x * x) - y  # noqa: E731
    return lax.fori_loop(0, count, step, x)


def beam(first: Any, moves: Any, count: Any, width: int) -> Any:
    """The best paths, `width` of them kept at each of `count` steps."""
    tokens = np.argsort(-first)[:width]
    scores = first[tokens]
    for _ in range(count):
        every = (scores[:, None] + moves[tokens]).reshape(-1)
        best = np.argsort(-every)[:width]
        scores = every[best]
        tokens = best % first.shape[0]
    return scores


def beam_jax(first: Any, moves: Any, count: Any, width: int) -> Any:
    """By top_k and fori_loop."""

    def step(_: Any, state: Any) -> Any:
        scores, tokens = state
        every = (scores[:, None] + moves[tokens]).reshape(-1)
        scores, best = lax.top_k(every, width)
        return scores, best % first.shape[0]

    return lax.fori_loop(0, count, step, tuple(lax.top_k(first, width)))[0]


def beam_torch(first: Any, moves: Any, count: Any, width: int) -> Any:
    """By topk."""
    scores, tokens = torch.topk(first, width)
    for _ in range(count):
        every = (scores[:, None] + moves[tokens]).reshape(-1)
        scores, best = torch.topk(every, width)
        tokens = best % first.shape[0]
    return scores


def beam_tensorflow(first: Any, moves: Any, count: Any, width: int) -> Any:
    """By top_k."""
    scores, tokens = tf.math.top_k(first, width)
    for _ in tf.range(count):
        every = tf.reshape(scores[:, None] + tf.gather(moves, tokens), (-1,))
        scores, best = tf.math.top_k(every, width)
        tokens = best % first.shape[0]
    return scores


def _pair(size: int, count: int) -> tuple[Any, ...]:
    draw = np.random.default_rng(0).random
    return draw(size), draw(size), np.int64(count)


def _moves(words: int, count: int, width: int) -> tuple[Any, ...]:
    draw = np.random.default_rng(0).random
    return np.log(draw(words)), np.log(draw((words, words))), np.int64(count), width


ROWS = (
    Row(
        "prime sieve",
        sieve,
        {
            "1e3": lambda: (np.ones(1_000, np.bool_),),
            "1e6": lambda: (np.ones(1_000_000, np.bool_),),
        },
        {
            "numba": "sieve_numba",
            "jax": "sieve_jax",
            "torch": "sieve_torch",
            "tensorflow": "sieve_tensorflow",
        },
    ),
    Row(
        "smooth by index",
        smooth,
        {
            "1e3": lambda: (np.linspace(0.0, 1.0, 1_000),),
            "1e5": lambda: (np.linspace(0.0, 1.0, 100_000),),
        },
        {"torch": "smooth_torch"},
        without={
            "jax": "arrays have no elements to set; by slices it is another program",
            "tensorflow": "tensors have no elements to set",
        },
    ),
    Row(
        "chain in a loop",
        chain,
        {
            "1e3": lambda: _pair(1_000, 100),
            "1e6": lambda: _pair(1_000_000, 5),
        },
        {"jax": "chain_jax"},
    ),
    Row(
        "beam search",
        beam,
        {
            "50 words": lambda: _moves(50, 10, 4),
            "1000 words": lambda: _moves(1000, 30, 8),
        },
        {"jax": "beam_jax", "torch": "beam_torch", "tensorflow": "beam_tensorflow"},
    ),
)
