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

from runtime import store, workers
from runtime.backends.llvm import abi, beside, by_vector, crew, packed
from runtime.backends.llvm.building import Source, found_by, keep_as
from runtime.backends.llvm.packed import read_given
from runtime.backends.llvm.product_trial import (
    LARGE,
    NUMPYS,
    Parts,
    Trial,
    is_small,
)
from runtime.backends.llvm.switch import has_fma, is_asked_for
from runtime.backends.llvm.tiles import Routine, shape_of

# Products of fewer multiplications are NumPy's; so are those of fewer rows and columns,
# or a shorter `k`, of which packing is the most.
LEAST, LEAST_SIZE, LEAST_LENGTH = 2**14, 8, 16
# Sizes that are known in a process, small ones too; of more it is NumPy's.
KNOWN, KNOWN_SMALL = 64, 32
# Sizes are tried when they have come so often, since that takes as long as some
# products of them; and when so many have come, no more is asked.
OFTEN, MANY = 8, 1000
KINDS = {"f": "float", "d": "double"}
_ASKED = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * 4)
_WORDS = ("m", "n", "k", "layout", "block", "half", "bare")
Sizes = tuple[int, int, int, int]


class _Entry(ctypes.Structure):
    """Sizes that were seen; block: 0 where the product is NumPy's."""

    _fields_ = tuple((name, ctypes.c_int64) for name in _WORDS)


class _Table(ctypes.Structure):
    """What machine code looks at.

    numpys: the address of NumPy's loop, and what it is given; ask: Python's answer
    ours:   the address of the product by tiles
    least:  of fewer multiplications nothing is asked
    """

    _fields_ = (
        *(("numpys", ctypes.c_void_p), ("given", ctypes.c_void_p)),
        *(("ask", ctypes.c_void_p), ("ours", ctypes.c_void_p)),
        *(("least", ctypes.c_int64), ("count", ctypes.c_int64)),
        ("entries", _Entry * KNOWN),
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
def _choice(char: str, precise: bool) -> Choice:
    return Choice(np.dtype(char), precise)


class Choice:
    """The products of one dtype.

    address: of `@choose`; table: what it is given
    """

    def __init__(self, dtype: np.dtype[Any], precise: bool) -> None:
        self.dtype, self.precise = dtype, precise
        self.shape = shape_of(KINDS[dtype.char])
        self._lock = threading.Lock()
        # How often sizes came, large and small ones; and how many small ones are known.
        self._came: tuple[Counter[Sizes], Counter[Sizes]] = Counter(), Counter()
        self._small = 0
        self._task: beside.Task[Any] | None = None
        self._ask = _ASKED(self._asked)
        numpys, given = abi.ufunc_loop(np.matmul, (dtype,) * 3)
        asked = ctypes.cast(self._ask, ctypes.c_void_p)
        self.table = _Table(numpys, given or None, asked, None, LEAST, 0)
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
        sizes, is_few = (m, n, k, layout), is_small(m, n, k)
        came = self._came[is_few]
        known = None if came[sizes] else found_by(key)
        came[sizes] += 1
        if known is not None:
            block, half, bare = map(int, known.split())
            self._note(m, n, k, layout, (block, half, bare))
            return
        if came[sizes] < OFTEN and not is_asked_for():
            if len(came) >= MANY:
                self._stop(is_few)
            return
        trial = Trial(self, (m, n, k), layout)
        found = trial.parts()
        if found == NUMPYS or trial.is_fast():
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
        self._small += is_small(m, n, k)
        if self._small == KNOWN_SMALL:
            self._stop(is_few=True)
        if count + 1 == KNOWN:
            self._stop(is_few=False)

    def _stop(self, is_few: bool) -> None:
        """Ask no more, or not of small products."""
        if is_few:
            self.table.least = LARGE
        else:
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
    source = Source(name, lambda: text, symbols, ())
    return crew.built_to_share(source, store.key_of(text), crew.SYMBOL in text)


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
        self._each()
        place = self.slot("i64", "0")
        with self.only_if(self.set("icmp ne i64 %n, 1")):
            self.line(f"store i64 {self._layout()}, ptr {place}")
        layout = self.set(f"load i64, ptr {place}")
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

    def _each(self) -> None:
        """Of a stack one matrix after the other."""
        count = self.set("load i64, ptr %sizes")
        alone, many = self.fresh_label(), self.fresh_label()
        is_one = self.set(f"icmp eq i64 {count}, 1")
        self.line(f"br i1 {is_one}, label %{alone}, label %{many}")
        self.label(many)
        places = self.slot("[3 x ptr]", "zeroinitializer")
        sizes = self.slot("[4 x i64]", "zeroinitializer")
        for place, size in enumerate(("1", "%m", "%k", "%n")):
            self.line(f"store i64 {size}, ptr {self.at(sizes, 8 * place)}")
        with self.counting("0", count) as number:
            for place, name in enumerate("abc"):
                step = self.field("%steps", 8 * place, "i64")
                one = self.at(f"%{name}", number, step)
                self.line(f"store ptr {one}, ptr {self.at(places, 8 * place)}")
            inside = f"ptr {places}, ptr {sizes}, ptr %steps, ptr %data"
            self.line(f"call void @choose({inside})")
        self.line("ret void")
        self.label(alone)

    def _of_table(self, name: str, kind: str) -> str:
        return self.field("%data", getattr(_Table, name).offset, kind)

    def _require_sizes(self) -> None:
        self.line("%area = mul i64 %m, %n")
        self.line("%work = mul i64 %area, %k")
        bounds = {"%m": LEAST_SIZE, "%k": LEAST_LENGTH, "%work": LEAST}
        for one, bound in bounds.items():
            self.unless(self.set(f"icmp sge i64 {one}, {bound}"), self.numpys)
        # NumPy has a way of its own for an array by itself turned round.
        self.unless(self.set("icmp ne ptr %a, %b"), self.numpys)
        is_one = self.set("icmp eq i64 %n, 1")
        with self.only_if(is_one):
            self._require_vector()
        with self.only_if(self.set(f"xor i1 {is_one}, true")):
            self.unless(self.set(f"icmp sge i64 %n, {LEAST_SIZE}"), self.numpys)
            self.unless(self.set(f"icmp eq i64 %ccol, {self.size}"), self.numpys)
            self.unless(self._lies("%ccol", "%crow", "%n"), self.numpys)

    def _require_vector(self) -> None:
        """Rows by a vector, whose elements lie one after the other, as the result's."""
        self.unless(self._lies("%acol", "%arow", "%k"), self.numpys)
        for step in by_vector.STEPS:
            self.unless(self.set(f"icmp eq i64 {step}, {self.size}"), self.numpys)
        lanes = by_vector.WIDTH // self.size
        for one, unit in (("%k", lanes), ("%m", by_vector.ROWS)):
            rest = self.compute("urem", one, unit)
            self.unless(self.set(f"icmp eq i64 {rest}, 0"), self.numpys)

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
        least = self._of_table("least", "i64")
        self.unless(self.set(f"icmp sge i64 %work, {least}"), self.numpys)
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
