"""product_choice: whether a product of matrices is NumPy's, or ours by tiles.

Machine code calls `@choose` in place of NumPy's loop, and gives it a table of the sizes
that were seen before. Of new ones Python is asked, once: it computes both of random
matrices of these sizes. Where not a bit differs, ours is taken from then on: it shares
the threads of all other loops, and no library's threads spin beside them. So the bits
stay NumPy's, by whatever rules its BLAS chooses how to add.
"""

from __future__ import annotations

import _thread
import ctypes
import functools
import os
import threading
from collections import Counter
from typing import Any

import numpy as np

from runtime import workers
from runtime.backends.llvm import abi, beside, packed, store
from runtime.backends.llvm.building import Source, built, found_by, keep_as
from runtime.backends.llvm.chain_parts import parts_of
from runtime.backends.llvm.own_time import seconds
from runtime.backends.llvm.packed import read_given
from runtime.backends.llvm.switch import has_fma, is_asked_for
from runtime.backends.llvm.tiles import Routine, shape_of

# Products of fewer multiplications are NumPy's, for which OpenBLAS has no threads; so
# are those of fewer rows and columns, or a shorter `k`, of which packing is the most.
LEAST, LEAST_SIZE, LEAST_LENGTH = 2**18 + 1, 8, 16
# Sizes that are known in a process; of more it is NumPy's.
KNOWN = 64
# Sizes are tried when they have come so often, since that takes as long as some
# products of them; and when so many have come, no more is asked.
OFTEN, MANY = 8, 1000
# Ours is not taken where it takes so many times as long: of two threads of OpenBLAS's
# the time of one is seen, and ours may have been alone.
SLOWER = 4.0
# What has no float as its square.
TINY = {"f": 1e-30, "d": 1e-200}
KINDS = {"f": "float", "d": "double"}
_ASKED = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * 4)
_WORDS = ("m", "n", "k", "layout", "block", "half", "bare")
Parts = tuple[int, int, int]
NUMPYS: Parts = (0, 0, 0)


class _Entry(ctypes.Structure):
    """Sizes that were seen; block: 0 where the product is NumPy's."""

    _fields_ = tuple((name, ctypes.c_int64) for name in _WORDS)


class _Table(ctypes.Structure):
    """What machine code looks at.

    numpys: the address of NumPy's loop, and what it is given; ask: Python's answer
    ours:   the address of the product by tiles
    """

    _fields_ = (
        *(("numpys", ctypes.c_void_p), ("given", ctypes.c_void_p)),
        *(("ask", ctypes.c_void_p), ("ours", ctypes.c_void_p)),
        *(("count", ctypes.c_int64), ("entries", _Entry * KNOWN)),
    )


def loop_of(dtype: np.dtype[Any], precise: bool) -> tuple[int, int]:
    """The address of what is called as NumPy's loop of `@` is, and what it is given."""
    found = abi.ufunc_loop(np.matmul, (dtype,) * 3)
    may_be_ours = dtype.char in KINDS and found[0] and has_fma()
    if not may_be_ours or (precise and not _adds_as_openblas()):
        return found
    choice = _choice(dtype.char, precise)
    return choice.address, ctypes.addressof(choice.table)


def _adds_as_openblas() -> bool:
    """Whether NumPy's BLAS is the one whose bits depend on the sizes alone."""
    known: Any = getattr(np.__config__, "CONFIG", {})
    blas = known.get("Build Dependencies", {}).get("blas", {})
    return "openblas" in blas.get("name", "")


@functools.cache
def _choice(char: str, precise: bool) -> _Choice:
    return _Choice(np.dtype(char), precise)


class _Choice:
    """The products of one dtype.

    address: of `@choose`; table: what it is given
    """

    def __init__(self, dtype: np.dtype[Any], precise: bool) -> None:
        self.dtype, self.precise = dtype, precise
        self.shape = shape_of(KINDS[dtype.char])
        self._lock = threading.Lock()
        self._came: Counter[tuple[int, ...]] = Counter()
        self._task: beside.Task[Any] | None = None
        self._ask = _ASKED(self._asked)
        numpys, given = abi.ufunc_loop(np.matmul, (dtype,) * 3)
        asked = ctypes.cast(self._ask, ctypes.c_void_p)
        self.table = _Table(numpys, given or None, asked, None, 0)
        self._code = _built("choose", choosing(self.shape.size))
        self.address = self._code.address

    def _asked(self, m: int, n: int, k: int, layout: int) -> None:
        """Add what is known of these sizes, or what is found out now."""
        if not self._lock.acquire(blocking=False):
            return  # another thread is asking: this product is NumPy's
        try:
            # Another thread may have filled the table since this one looked at it.
            if self.table.ask and self._is_ready():
                self._add(m, n, k, layout)
        except KeyboardInterrupt:
            _thread.interrupt_main()  # it is raised where the loop looks for it
        except (MemoryError, RuntimeError):
            self._note(m, n, k, layout, NUMPYS)
        finally:
            self._lock.release()

    def _is_ready(self) -> bool:
        """Whether the code is there; it is made beside the program."""
        if self._task is None:
            self._task = beside.Task(
                lambda: _built("multiply", packed.text_of(self.shape))
            )
            if is_asked_for():
                self._task.run()
            else:
                beside.begin(self._task)
        if not self._task.is_done:
            return False
        self.table.ours = self._task.result().address
        return True

    def _add(self, m: int, n: int, k: int, layout: int) -> None:
        key = store.key_of(f"product {self._about()} {m} {n} {k} {layout}")
        sizes = m, n, k, layout
        known = None if self._came[sizes] else found_by(key)
        self._came[sizes] += 1
        if known is not None:
            block, half, bare = map(int, known.split())
            self._note(m, n, k, layout, (block, half, bare))
            return
        if self._came[sizes] < OFTEN and not is_asked_for():
            if len(self._came) >= MANY:
                self.table.ask = None
            return
        trial = _Trial(self, (m, n, k), layout)
        found = trial.parts()
        if found == NUMPYS or trial.is_fast(found):
            keep_as(key, b"%d %d %d" % found)
        else:
            found = NUMPYS
        self._note(m, n, k, layout, found)

    def _about(self) -> str:
        """What the answer depends on, beside the sizes and what all objects do."""
        told = {
            name: value
            for name, value in os.environ.items()
            if name.startswith(("OPENBLAS_", "GOTO_", "OMP_"))
        }
        known = (self.dtype.char, self.precise, self.shape, sorted(told.items()))
        # OpenBLAS has as many threads as there are processors, and parts `k` by that.
        return repr((*known, workers.available()))

    def _note(self, m: int, n: int, k: int, layout: int, found: Parts) -> None:
        count = self.table.count
        self.table.entries[count] = _Entry(m, n, k, layout, *found)
        self.table.count = count + 1
        if count + 1 == KNOWN:
            self.table.ask = None


def _built(name: str, text: str) -> Any:
    """Machine code of this name."""
    library = ctypes.CDLL(None)
    wanted = ("malloc", "free")
    symbols = {
        one: ctypes.cast(getattr(library, one), ctypes.c_void_p).value or 0
        for one in wanted
        if f"@{one}(" in text
    }
    return built(Source(name, text, symbols, ()), store.key_of(text))


# --- trying ---------------------------------------------------------------------------
class _Trial:
    """NumPy's product and ours, of random matrices."""

    def __init__(
        self, choice: _Choice, sizes: tuple[int, int, int], layout: int
    ) -> None:
        m, n, self.k = sizes
        self.choice = choice
        self.x = _matrix(choice.dtype, (m, self.k), bool(layout & 2), 0)
        self.y = _matrix(choice.dtype, (self.k, n), bool(layout & 1), 1)
        self.wanted = self.x @ self.y

    def parts(self) -> Parts:
        """How `k` is to be parted, so that the bits are NumPy's; NUMPYS: not at all."""
        few = self.choice.shape.rows
        for block, half in parts_of(self.k):
            found = (block, half, 0)
            if not self.choice.precise:
                return found
            if self._is_same(few, found) and self._is_same(len(self.x), found):
                return self._signed(found)
        return NUMPYS

    def _signed(self, parts: Parts) -> Parts:
        """The same; of sums that are too small it is tried which zero they are.

        Few products are too small: processors take long for them.
        """
        tiny = TINY[self.choice.dtype.char]
        before = self.x, self.y
        self.x, self.y = np.full_like(self.x, -0.0), np.full_like(self.y, tiny)
        self.x[:, 0] = self.x[:, -1] = -tiny
        self.wanted = self.x @ self.y
        block, half, _ = parts
        ways = [(block, half, bare) for bare in (0, 1)]
        found = next((one for one in ways if self._is_same(len(self.x), one)), NUMPYS)
        self.x, self.y = before
        return found

    def _is_same(self, rows: int, parts: Parts) -> bool:
        found = self._ours(rows, *parts)
        return found is not None and found.tobytes() == self.wanted[:rows].tobytes()

    def is_fast(self, parts: Parts) -> bool:
        """Whether ours is not much slower."""
        ours = seconds(lambda: self._ours(len(self.x), *parts))
        numpys = seconds(lambda: self.x @ self.y)
        return ours < SLOWER * numpys

    def _ours(
        self, rows: int, block: int, half: int, bare: int = 0
    ) -> np.ndarray[Any, Any] | None:
        x, y = self.x[:rows], self.y
        made = np.empty((len(x), y.shape[1]), x.dtype)
        places = (ctypes.c_void_p * 3)(*(one.ctypes.data for one in (x, y, made)))
        words = (1, len(x), self.k, y.shape[1])
        sizes = (ctypes.c_ssize_t * 4)(*words)
        strides = (0, 0, 0, *x.strides, *y.strides, *made.strides)
        steps = (ctypes.c_ssize_t * 9)(*strides)
        kinds = [ctypes.c_void_p] * 3 + [ctypes.c_int64] * 3
        call = ctypes.CFUNCTYPE(ctypes.c_int64, *kinds)(self.choice.table.ours)
        return None if call(places, sizes, steps, block, half, bare) else made


def _matrix(
    dtype: np.dtype[Any], shape: tuple[int, int], is_turned: bool, seed: int
) -> np.ndarray[Any, Any]:
    """A random one; of many numbers they come again."""
    numbers = np.random.default_rng(seed).standard_normal(2**14 + 27).astype(dtype)
    rows, columns = shape[::-1] if is_turned else shape
    made = np.resize(numbers, (rows, columns))
    return made.T if is_turned else made


# --- the code that chooses ------------------------------------------------------------
def choosing(size: int) -> str:
    """LLVM's text of `@choose`, for elements of so many bytes."""
    return _Choosing(size).write()


class _Choosing(Routine):
    """The function that NumPy's loop is replaced by."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size
        self.numpys = "numpys"

    def write(self) -> str:
        read_given(self)
        self._require_sizes()
        layout = self._layout()
        found = self.slot("i64", "-1")
        look, known = self.fresh_label(), self.fresh_label()
        asked = self.slot("i1", "false")
        self.to_label(look)
        self._look_up(layout, found)
        place = self.set(f"load i64, ptr {found}")
        is_known = self.set(f"icmp sge i64 {place}, 0")
        new = self.fresh_label()
        self.line(f"br i1 {is_known}, label %{known}, label %{new}")
        self.label(new)
        self._ask(layout, asked)
        self.line(f"br label %{look}")
        self.label(known)
        self._ours(place)
        self.label(self.numpys)
        loop = self._of_table("numpys", "ptr")
        given = self._of_table("given", "ptr")
        inside = f"ptr %args, ptr %sizes, ptr %steps, ptr {given}"
        self.line(f"call void {loop}({inside})")
        head = "void @choose(ptr %args, ptr %sizes, ptr %steps, ptr %data)"
        return self.text(head)

    def _of_table(self, name: str, kind: str) -> str:
        return self.field("%data", getattr(_Table, name).offset, kind)

    def _require_sizes(self) -> None:
        work = self.compute("mul", self.compute("mul", "%m", "%n"), "%k")
        bounds = {"%m": LEAST_SIZE, "%n": LEAST_SIZE, "%k": LEAST_LENGTH, work: LEAST}
        for one, bound in bounds.items():
            self.unless(self.set(f"icmp sge i64 {one}, {bound}"), self.numpys)
        # NumPy has a way of its own for an array by itself turned round.
        self.unless(self.set("icmp ne ptr %a, %b"), self.numpys)
        self.unless(self.set(f"icmp eq i64 %ccol, {self.size}"), self.numpys)
        self.unless(self._lies("%ccol", "%crow", "%n"), self.numpys)

    def _lies(self, one: str, other: str, count: str) -> str:
        """Whether `one` steps from element to element, and `other` over so many."""
        is_one = self.set(f"icmp eq i64 {one}, {self.size}")
        row = self.compute("mul", count, self.size)
        is_over = self.set(f"icmp sge i64 {other}, {row}")
        rest = self.compute("and", other, self.size - 1)
        is_whole = self.set(f"icmp eq i64 {rest}, 0")
        both = self.set(f"and i1 {is_one}, {is_over}")
        return self.set(f"and i1 {both}, {is_whole}")

    def _layout(self) -> str:
        """2 where the first matrix lies turned round, and 1 where the second does."""
        bits = []
        for row, column, high, wide in (
            *(("%arow", "%acol", "%m", "%k"), ("%brow", "%bcol", "%k", "%n")),
        ):
            usual = self._lies(column, row, wide)
            turned = self._lies(row, column, high)
            self.unless(self.set(f"or i1 {usual}, {turned}"), self.numpys)
            bits.append(self.set(f"select i1 {turned}, i64 1, i64 0"))
        return self.compute("add", self.compute("mul", bits[0], 2), bits[1])

    def _look_up(self, layout: str, found: str) -> None:
        """Keep the place of the entry of these sizes."""
        at = self.at("%data", _Table.count.offset)
        count = self.set(f"load atomic i64, ptr {at} acquire, align 8")
        with self.counting("0", count) as number:
            entry = self._entry(number)
            tests = [
                self.set(f"icmp eq i64 {self._word(entry, name)}, {wanted}")
                for name, wanted in (
                    *(("m", "%m"), ("n", "%n"), ("k", "%k"), ("layout", layout)),
                )
            ]
            same = tests[0]
            for test in tests[1:]:
                same = self.set(f"and i1 {same}, {test}")
            old = self.set(f"load i64, ptr {found}")
            new = self.set(f"select i1 {same}, i64 {number}, i64 {old}")
            self.line(f"store i64 {new}, ptr {found}")

    def _entry(self, number: str) -> str:
        first = self.at("%data", _Table.entries.offset)
        return self.at(first, number, ctypes.sizeof(_Entry))

    def _word(self, entry: str, name: str) -> str:
        return self.field(entry, getattr(_Entry, name).offset, "i64")

    def _ask(self, layout: str, asked: str) -> None:
        """Let Python say, once; who calls us keeps what was noted of numbers."""
        again = self.set(f"load i1, ptr {asked}")
        self.unless(self.set(f"xor i1 {again}, true"), self.numpys)
        self.line(f"store i1 true, ptr {asked}")
        ask = self._of_table("ask", "ptr")
        self.unless(self.set(f"icmp ne ptr {ask}, null"), self.numpys)
        self.line(f"call void {ask}(i64 %m, i64 %n, i64 %k, i64 {layout})")

    def _ours(self, place: str) -> None:
        """Ours, where the entry says so and there is memory."""
        entry = self._entry(place)
        block, half, bare = (self._word(entry, word) for word in _WORDS[-3:])
        self.unless(self.set(f"icmp sgt i64 {block}, 0"), self.numpys)
        ours = self._of_table("ours", "ptr")
        inside = f"ptr %args, ptr %sizes, ptr %steps, i64 {block}, i64 {half}, "
        inside += f"i64 {bare}"
        failed = self.set(f"call i64 {ours}({inside})")
        done = self.fresh_label()
        is_done = self.set(f"icmp eq i64 {failed}, 0")
        self.line(f"br i1 {is_done}, label %{done}, label %{self.numpys}")
        self.label(done)
        self.line("ret void")
