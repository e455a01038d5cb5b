"""product_trial: whether our product has the bits of NumPy's, found by making both."""

from __future__ import annotations

import ctypes
import math
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.backends.llvm.by_vector import blocks_of
from runtime.backends.llvm.chain_parts import parts_of
from runtime.backends.llvm.epilogues import WORDS
from runtime.backends.llvm.own_time import ENOUGH, seconds

if TYPE_CHECKING:
    from runtime.backends.llvm.product_choice import Choice

# Ours is not taken where it takes so many times as long: of two threads of OpenBLAS's
# the time of one is seen, and ours may have been alone. For products of fewer
# multiplications OpenBLAS has no threads: there ours is to be faster.
SLOWER, LARGE = 4.0, 2**18 + 1
# Rows of ours that are compared at once: there is no whole matrix of them.
AT_ONCE = 256
# Vectors that are tried after the first. Rows that OpenBLAS adds in another way are
# few, the last ones or each thread's, and right by chance in one case of five (of a
# short `k`) to one of a thousand.
AGAIN = 5
# What is left of a sum, beside what is added: so much more than a last place do sums
# differ that are added in another order.
LEFT = 2.0**-12
# What has no float as its square.
TINY = {"f": 1e-30, "d": 1e-200}
# The words after the four sizes: steps, a number, and what follows.
STEPS = WORDS - 4 + 3
Parts = tuple[int, int, int]
NUMPYS: Parts = (0, 0, 0)


def is_small(m: int, n: int, k: int) -> bool:
    """Whether OpenBLAS has no threads for a product of these sizes."""
    return m * n * k < LARGE


class Trial:
    """NumPy's product and ours, of random matrices.

    Of large ones NumPy's is made twice, and ours once: for the bits, which also tells
    the time, and NumPy's for zeros.
    """

    def __init__(
        self, choice: Choice, sizes: tuple[int, int, int], layout: int
    ) -> None:
        m, n, self.k = sizes
        self.choice, self.took = choice, math.inf
        self.x = _matrix(choice.dtype, (m, self.k), bool(layout & 2), 0)
        half = self.k // 2
        np.negative(self.x[:, :half], out=self.x[:, half : 2 * half])
        self.y = _cancel(_matrix(choice.dtype, (self.k, n), bool(layout & 1), 1))
        self.wanted = np.empty((m, n), choice.dtype)
        # Small ones are timed some at once: a look at the clock takes as long as one.
        self.times = LARGE // (m * n * self.k) + 1
        self.slower = 1.0 if is_small(*sizes) else SLOWER
        table = choice.table
        loop = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4)(table.numpys)
        given = _given(self.x, self.y, self.wanted)
        self.numpys = self._seconds(partial(loop, *given, table.given))

    def parts(self) -> Parts:
        """How `k` is to be parted, so that the bits are NumPy's; NUMPYS: not at all."""
        few = self.choice.shape.rows
        ways = blocks_of(self.k) if self.y.shape[1] == 1 else parts_of(self.k)
        for block, half in ways:
            found = (block, half, 0)
            if not self.choice.precise:
                self._time(found)
                return found
            if self._is_same(few, found) and self._is_same(len(self.x), found):
                if not self._is_same_again(found):
                    return NUMPYS
                if self.took < ENOUGH:
                    self._time(found)
                return self._signed(found)
        return NUMPYS

    def is_fast(self) -> bool:
        """Whether ours is not much slower."""
        return self.took < self.slower * self.numpys

    def _numpys(self) -> None:
        np.matmul(self.x, self.y, out=self.wanted)

    def _is_same(self, rows: int, parts: Parts) -> bool:
        """Whether so many rows have NumPy's bits; notes the time that they took."""
        taken = 0.0
        for first in range(0, rows, AT_ONCE):
            last = min(first + AT_ONCE, rows)
            begin = time.thread_time()
            found = self._ours(first, last, parts)
            taken += time.thread_time() - begin
            wanted = self.wanted[first:last]
            if found is None or found.tobytes() != wanted.tobytes():
                return False
        self.took = taken
        return True

    def _time(self, parts: Parts) -> None:
        """Note how long ours takes."""
        made = np.empty_like(self.wanted)
        given = _given(self.x, self.y, made)
        self.took = self._seconds(partial(self._multiply(), *given, *parts))

    def _seconds(self, work: Callable[[], object]) -> float:
        """What one product takes."""

        def some() -> None:
            for _ in range(self.times):
                work()

        return seconds(some) / self.times

    def _is_same_again(self, parts: Parts) -> bool:
        """Whether other vectors, too, have NumPy's bits: few of its rows may differ."""
        if self.y.shape[1] > 1:
            return True
        for seed in range(2, 2 + AGAIN):
            self.y = _cancel(_matrix(self.choice.dtype, self.y.shape, False, seed))
            self._numpys()
            if not self._is_same(len(self.x), parts):
                return False
        return True

    def _signed(self, parts: Parts) -> Parts:
        """The same; of sums that are too small it is tried which zero they are.

        Few products are too small: processors take long for them. All rows are alike.
        """
        tiny = TINY[self.choice.dtype.char]
        self.x[:], self.y[:] = -0.0, tiny
        self.x[:, 0] = self.x[:, -1] = -tiny
        self._numpys()
        block, half, _ = parts
        for bare in (0, 1):
            found = self._ours(0, 1, (block, half, bare))
            if found is not None and self._are_rows(found):
                return block, half, bare
        return NUMPYS

    def _are_rows(self, row: np.ndarray[Any, Any]) -> bool:
        """Whether each row of NumPy's is this one, to the bit."""
        whole = f"i{row.dtype.itemsize}"
        return bool((self.wanted.view(whole) == row.view(whole)).all())

    def _ours(
        self, first: int, last: int, parts: Parts, number: int = 0
    ) -> np.ndarray[Any, Any] | None:
        """Some rows of the product; number: of what all turns of a loop multiply by."""
        x, y = self.x[first:last], self.y
        made = np.empty((len(x), y.shape[1]), x.dtype)
        given = _given(x, y, made, number)
        return None if self._multiply()(*given, *parts) else made

    def _multiply(self) -> Callable[..., int]:
        """The product by tiles; it gives whether it had no memory."""
        kinds = [ctypes.c_void_p] * 3 + [ctypes.c_int64] * 3
        made = ctypes.CFUNCTYPE(ctypes.c_int64, *kinds)
        return made(self.choice.table.ours)


def _given(
    x: np.ndarray[Any, Any],
    y: np.ndarray[Any, Any],
    made: np.ndarray[Any, Any],
    number: int = 0,
) -> tuple[ctypes.Array[Any], ...]:
    """What a loop of `@` is given: places, sizes and steps."""
    places = (ctypes.c_void_p * 3)(*(one.ctypes.data for one in (x, y, made)))
    sizes = (ctypes.c_ssize_t * 4)(1, len(x), len(y), y.shape[1])
    strides = (0, 0, 0, *x.strides, *y.strides, *made.strides, number)
    return places, sizes, (ctypes.c_ssize_t * STEPS)(*strides)


def _matrix(
    dtype: np.dtype[Any], shape: tuple[int, int], is_turned: bool, seed: int
) -> np.ndarray[Any, Any]:
    """A random one; of many numbers they come again."""
    numbers = np.random.default_rng(seed).standard_normal(2**14 + 27).astype(dtype)
    rows, columns = shape[::-1] if is_turned else shape
    made = np.resize(numbers, (rows, columns))
    return made.T if is_turned else made


def _cancel(y: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """It, changed so that sums with rows of which half is negated are almost zero."""
    half, left = len(y) // 2, y.dtype.type(LEFT)
    y[half : 2 * half] = y[:half] + y[half : 2 * half] * left
    y[2 * half :] *= left
    return y
