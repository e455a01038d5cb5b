"""watching: whether Python's own floats may be what the processor has noted.

NumPy warns of a number that overflows, Python says nothing of its own; the processor
notes both. But what it notes of a float comes to infinity or NaN. So where none of
Python's has become that, NumPy's numbers were the cause. Elsewhere nobody can tell.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from runtime.backends.llvm.bounded import bounded, to_watch
from runtime.backends.llvm.float_errors import UNTOLD
from runtime.backends.llvm.lines import LLVM_TYPES
from runtime.backends.llvm.loops import Block, Instruction, Local, Operand, Silent
from runtime.backends.llvm.tuples import Tuples

# Whether one has, and how LLVM writes infinity.
SILENT, INFINITE = "%silent", "0x7FF0000000000000"


class Watching(Tuples):
    """The text, with what is asked of each float of Python's that is computed.

    silent:  those floats, where Python is told of what was noted
    bounded: floats of which nothing can be
    """

    def __init__(self, written: frozenset[int]) -> None:
        super().__init__(written)
        self.silent: Silent = {}
        self.bounded: Mapping[Operand, float] = {}

    def know_bounds(self, instructions: Sequence[Instruction], silent: Silent) -> None:
        """Find which floats need no look, where NumPy may warn of others."""
        self.bounded = bounded(instructions)
        self.silent = to_watch(silent, self.bounded) if instructions else {}

    def with_silent(self, flags: str) -> str:
        """The flags, and whether Python's own floats may be their cause."""
        if not self.silent:
            return flags
        some = self.set(f"load i1, ptr {SILENT}")
        more = self.set(f"select i1 {some}, i32 {UNTOLD}, i32 0")
        return self.set(f"or i32 {flags}, {more}")

    def begin_watching(self) -> None:
        if self.silent:
            self.slots.append(f"{SILENT} = alloca i1")
            self.line(f"store i1 false, ptr {SILENT}")

    def is_watched(self, blocks: Iterable[Block]) -> bool:
        """Whether floats of Python's are computed in them."""
        if not self.silent:
            return False
        inside = (one for block in blocks for one in block.walk())
        return any(out in self.silent for one in inside for out in one.outs)

    def watch(self, outs: Iterable[Local]) -> None:
        """Note whether what has been written is a float of Python's that overflowed.

        Of what is finite, and of what was infinite before, nothing has been noted.
        """
        for out in outs:
            parts, is_pythons = self.silent.get(out, ((), True))
            for part in parts:
                size = self.size_of(self.read(part, part.type), part.type)
                far = self.set(f"fcmp ueq {part.type} {size}, {INFINITE}")
                if isinstance(is_pythons, Local):
                    far = self.set(f"and i1 {far}, {self.read(is_pythons, 'i1')}")
                self.note_silent(far)

    def note_silent(self, far: str) -> None:
        """Note it where this holds."""
        before = self.set(f"load i1, ptr {SILENT}")
        both = self.set(f"or i1 {before}, {far}")
        self.line(f"store i1 {both}, ptr {SILENT}")

    def size_of(self, value: str, kind: str) -> str:
        """A float without its sign."""
        name = f"llvm.fabs.{LLVM_TYPES[kind]}"
        self.symbol(name, f"declare {kind} @{name}({kind})")
        return self.set(f"call {kind} @{name}({kind} {value})")
