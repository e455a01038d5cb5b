"""Philox: random bits that are a function of a key and a place, and of nothing else.

Philox4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1,
2, 3" (2011). All arithmetic is on integers, so every backend gives the same bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.op import op
from runtime.ops.inference import static_shape
from runtime.ops.template import fill
from runtime.spec import TensorSpec

Words = np.ndarray[Any, np.dtype[np.uint64]]
ROUNDS = 10
_MULTIPLIERS = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_STEPS = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
_LOW, _HALF = np.uint64(0xFFFFFFFF), np.uint64(32)


def philox(counter: tuple[Words, ...], key: tuple[Words, ...]) -> tuple[Words, ...]:
    """Four words of 32 bits, each in a uint64, for four of a counter and two of a key.

    >>> zero = np.zeros(1, np.uint64)
    >>> [hex(int(word[0])) for word in philox((zero,) * 4, (zero,) * 2)]
    ['0x6627e8d5', '0xe169c58d', '0xbc57ac4c', '0x9b00dbd8']
    """
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(ROUNDS):
        p0, p1 = c0 * _MULTIPLIERS[0], c2 * _MULTIPLIERS[1]
        c0, c1, c2, c3 = (
            (p1 >> _HALF) ^ c1 ^ k0,
            p1 & _LOW,
            (p0 >> _HALF) ^ c3 ^ k1,
            p0 & _LOW,
        )
        k0, k1 = (k0 + _STEPS[0]) & _LOW, (k1 + _STEPS[1]) & _LOW
    return c0, c1, c2, c3


def _random_bits(key: Any, *sizes: Any, shape: Any, stream: int) -> Any:
    dims = tuple(int(size) for size in fill(shape, sizes))
    count = int(np.prod(dims, dtype=np.int64))
    blocks = np.arange(-(-count // 4), dtype=np.uint64)
    zeros = np.zeros_like(blocks)
    counter = blocks & _LOW, blocks >> _HALF, zeros, zeros + np.uint64(stream)
    words = np.asarray(key).astype(np.uint64)
    made = np.stack(philox(counter, (words[0], words[1])), axis=-1)
    return made.reshape(-1)[:count].astype(np.uint32).reshape(dims)


@op(kernel=_random_bits)
def random_bits(
    key: TensorSpec, *sizes: TensorSpec, shape: Any, stream: int
) -> TensorSpec:
    """`shape` words of 32 random bits, the same for the same key and stream.

    key: uint32[2]    shape: sizes, or places for staged ones
    """
    if key.shape not in (None, (None,), (2,)):
        raise ValueError(
            f"a key has two words, this has the shape {key.shape}: take one of them, "
            "for example `keys[0]`"
        )
    return TensorSpec(static_shape(shape), np.uint32)
