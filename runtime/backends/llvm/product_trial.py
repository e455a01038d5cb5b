"""product_trial: whether our product has the bits of NumPy's, found by making both."""

from __future__ import annotations

import ctypes
import math
import time
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
# the time of one is seen, and ours may have been alone.
SLOWER = 4.0
# Rows of ours that are compared at once: there is no whole matrix of them.
AT_ONCE = 256
# Vectors that are tried. Rows that OpenBLAS adds in another way are right by chance in
# one case of two, and are few: the last ones, or each thread's.
AGAIN = 12
# What has no float as its square.
TINY = {"f": 1e-30, "d": 1e-200}
# The words after the four sizes: steps, a number, and what follows.
STEPS = WORDS - 4 + 3
Parts = tuple[int, int, int]
NUMPYS: Parts = (0, 0, 0)


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
        self.y = _matrix(choice.dtype, (self.k, n), bool(layout & 1), 1)
        self.wanted = np.empty((m, n), choice.dtype)
        self.numpys = seconds(self._numpys)

    def parts(self) -> Parts:
        """How `k` is to be parted, so that the bits are NumPy's; NUMPYS: not at all."""
        few = self.choice.shape.rows
        ways = blocks_of(self.k) if self.y.shape[1] == 1 else parts_of(self.k)
        for block, half in ways:
            found = (block, half, 0)
            if not self.choice.precise:
                self.took = seconds(partial(self._ours, 0, len(self.x), found))
                return found
            if self._is_same(few, found) and self._is_same(len(self.x), found):
                return self._signed(found) if self._is_same_again(found) else NUMPYS
        return NUMPYS

    def is_fast(self) -> bool:
        """Whether ours is not much slower."""
        return self.took < SLOWER * self.numpys

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
        if taken < ENOUGH:
            taken = seconds(partial(self._ours, 0, rows, parts))
        self.took = taken
        return True

    def _is_same_again(self, parts: Parts) -> bool:
        """Whether other vectors, too, have NumPy's bits: few of its rows may differ."""
        if self.y.shape[1] > 1:
            return True
        for seed in range(2, 2 + AGAIN):
            self.y = _matrix(self.choice.dtype, self.y.shape, False, seed)
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
        places = (ctypes.c_void_p * 3)(*(one.ctypes.data for one in (x, y, made)))
        words = (1, len(x), self.k, y.shape[1])
        sizes = (ctypes.c_ssize_t * 4)(*words)
        strides = (0, 0, 0, *x.strides, *y.strides, *made.strides, number)
        steps = (ctypes.c_ssize_t * STEPS)(*strides)
        kinds = [ctypes.c_void_p] * 3 + [ctypes.c_int64] * 3
        call = ctypes.CFUNCTYPE(ctypes.c_int64, *kinds)(self.choice.table.ours)
        return None if call(places, sizes, steps, *parts) else made


def _matrix(
    dtype: np.dtype[Any], shape: tuple[int, int], is_turned: bool, seed: int
) -> np.ndarray[Any, Any]:
    """A random one; of many numbers they come again."""
    numbers = np.random.default_rng(seed).standard_normal(2**14 + 27).astype(dtype)
    rows, columns = shape[::-1] if is_turned else shape
    made = np.resize(numbers, (rows, columns))
    return made.T if is_turned else made
