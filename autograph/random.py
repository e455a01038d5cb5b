"""ag.random: random numbers from keys, without state, the same on every backend.

A key says which numbers; the same key gives the same ones, in Python and in graphs,
whatever else was drawn. `split` makes new keys of one. The bits are Philox's
(`runtime.ops.philox`). NumPy's own generators may be used as well: they are state.

>>> import autograph as ag
>>> key = ag.random.key(7)
>>> first, second = ag.random.split(key)
>>> bool((ag.random.uniform(first, 3) == ag.random.uniform(first, 3)).all())
True
>>> ag.random.integers(second, 0, 10, shape=5)
array([6, 4, 8, 7, 4])
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime import build
from runtime.numpy_api.create import CREATION
from runtime.numpy_api.operands import as_array, sizes
from runtime.ops.philox import random_bits
from runtime.spec import spec_of
from runtime.tensor import Tensor, tensor

__all__ = [
    "bernoulli",
    "bits",
    "choice",
    "fold_in",
    "integers",
    "key",
    "normal",
    "permutation",
    "split",
    "uniform",
]

# Bits for draws, for new keys, and for keys of numbers, do not overlap.
_DRAWS, _SPLITS, _FOLDS = 0, 1, 2
_WORD = 1 << 32


def key(seed: Any) -> Any:
    """The key for a number from 0 to 2**64 - 1: uint32[2].

    ValueError: the number is negative, or too large.
    """
    if isinstance(seed, Tensor):
        words = [seed >> 32, seed & (_WORD - 1)]
        return np.stack([word.astype(np.uint32) for word in map(_array, words)])
    if not 0 <= int(seed) < _WORD * _WORD:
        raise ValueError(f"a seed is a number from 0 to 2**64 - 1, not {seed}")
    return np.array(divmod(int(seed), _WORD), np.uint32)


def split(key: Any, num: int = 2) -> Any:
    """`num` new keys, of which nothing is known from one another: uint32[num,2]."""
    return _bits(key, (num, 2), _SPLITS)


def fold_in(key: Any, data: Any) -> Any:
    """A new key of a key and a number, as of a loop: uint32[2]."""
    mixed = _array(key) ^ _key_words(data)
    return _bits(mixed, (2,), _FOLDS)


def bits(key: Any, shape: Any = ()) -> Any:
    """Words of 32 random bits: uint32[shape]."""
    return _bits(key, shape, _DRAWS)


def uniform(
    key: Any, shape: Any = (), low: Any = 0.0, high: Any = 1.0, dtype: Any = float
) -> Any:
    """Numbers from `low` to below `high`, all equally likely; dtype a float.

    >>> uniform(key(1), 2, dtype=np.float32)
    array([0.9916724 , 0.97849035], dtype=float32)
    """
    return _unit(key, shape, np.dtype(dtype)) * (high - low) + low


def normal(
    key: Any, shape: Any = (), mean: Any = 0.0, std: Any = 1.0, dtype: Any = float
) -> Any:
    """Numbers of the normal distribution, by the method of Box and Muller."""
    wanted = np.dtype(dtype)
    first, second = split(key)
    # From above 0 to 1, so that the logarithm is finite.
    radius = np.sqrt(np.log(1 - _unit(first, shape, np.dtype(float))) * -2.0)
    angle = _unit(second, shape, np.dtype(float)) * (2 * math.pi)
    return (radius * np.cos(angle)).astype(wanted) * std + mean


def integers(key: Any, low: Any, high: Any, shape: Any = (), dtype: Any = int) -> Any:
    """Integers from `low` to below `high`, all equally likely but for n parts in 2**64.

    ValueError: there is none between them.
    """
    if not isinstance(low, Tensor) and not isinstance(high, Tensor) and low >= high:
        raise ValueError(f"there is no integer from {low} to below {high}")
    span = _array(high - low).astype(np.uint64)
    return (_long(key, shape) % span).astype(np.int64).astype(dtype) + low


def bernoulli(key: Any, p: Any = 0.5, shape: Any = ()) -> Any:
    """True with the probability `p`."""
    return _unit(key, shape, np.dtype(float)) < p


def permutation(key: Any, x: Any) -> Any:
    """`np.arange(x)`, or the rows of an array x, in an order that is random."""
    is_number = isinstance(x, int) or (isinstance(x, Tensor) and x.scalar)
    rows = _arange(x) if is_number or isinstance(x, np.integer) else _array(x)
    return rows[np.argsort(_long(key, rows.shape[0]), kind="stable")]


def choice(
    key: Any, a: Any, shape: Any = (), replace: bool = True, p: Any = None
) -> Any:
    """Numbers below `a`, or rows of an array a; `p`: how likely each of them is.

    ValueError: without `replace`, more are asked for than there are.
    """
    is_number = isinstance(a, int) or (isinstance(a, Tensor) and a.scalar)
    rows = _arange(a) if is_number or isinstance(a, np.integer) else _array(a)
    count = rows.shape[0]
    if replace and p is None:
        return rows[integers(key, 0, count, shape)]
    if replace:
        total = np.cumsum(_array(p))
        at = _unit(key, shape, np.dtype(float)) * total[-1]
        return rows[np.searchsorted(total, at, side="right")]
    wanted = shape if isinstance(shape, tuple) else (shape,)
    size = math.prod(wanted)
    if isinstance(count, int) and size > count:
        raise ValueError(f"{size} of {count} cannot be chosen without `replace`")
    order: Any = _long(key, count)
    if p is not None:
        # The first of clocks that ring as often as p says.
        order = np.log(1 - _unit(key, count, np.dtype(float))) / -_array(p)
    return rows[np.argsort(order, kind="stable")[:size].reshape(wanted)]


def _bits(key: Any, shape: Any, stream: int) -> Any:
    template, found = sizes(shape)
    if build.current() is None:
        kernel: Any = random_bits.kernel
        random_bits.infer(spec_of(np.asarray(key)), shape=template, stream=stream)
        return kernel(key, shape=template, stream=stream)[()]
    return random_bits(tensor(key), *found, shape=template, stream=stream)


def _long(key: Any, shape: Any) -> Any:
    """Words of 64 random bits."""
    dims = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    words = _bits(key, (*dims, 2), _DRAWS).astype(np.uint64)
    return (words[..., 0] << np.uint64(32)) | words[..., 1]


def _unit(key: Any, shape: Any, dtype: np.dtype[Any]) -> Any:
    """Numbers from 0 to below 1, as fine as the dtype holds them."""
    if dtype.itemsize <= 4:
        # One word has enough bits, and float16 is cut from float32 downwards.
        kept = 24 if dtype.itemsize == 4 else 11
        words = _bits(key, shape, _DRAWS) >> np.uint32(32 - kept)
        return words.astype(dtype) * dtype.type(2.0**-kept)
    return (_long(key, shape) >> np.uint64(11)).astype(dtype) * dtype.type(2.0**-53)


def _key_words(number: Any) -> Any:
    return _array(key(number if isinstance(number, Tensor) else int(number)))


def _array(operand: Any) -> Any:
    return np.asarray(operand) if build.current() is None else as_array(operand)


def _arange(count: Any) -> Any:
    return np.arange(count) if build.current() is None else CREATION[np.arange](count)
