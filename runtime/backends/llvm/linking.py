"""linking: machine code from objects, whose names are bound to what is here.

An object holds no address of any process. What makes objects, of LLVM's text, is
`engine.py`, which a program that finds all it needs in the store never loads.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
from typing import TYPE_CHECKING, Any

import llvmlite
import llvmlite.binding as llvm
import numpy as np

from runtime.backends.llvm import abi, crew, lines, turns, unguessed
from runtime.backends.llvm.beside import LLVM
from runtime.backends.llvm.library_bits import numpys_log
from runtime.backends.llvm.table_functions import FUNCTIONS
from runtime.ops.tables import Members

if TYPE_CHECKING:
    from runtime.backends.llvm.building import Source

# As CPython calls them: with an array of arguments, and the names of the last ones,
# which only entries look at.
FASTCALL = 0x80 | 0x02
# Of code without loops over elements LLVM's whole pipeline makes nothing faster that
# these do not, takes half as long again, and makes choices of branches that are known
# beforehand (`branches` in tools/bench/table.py: 1.7 times as long). Loops that come to
# elements of lists are 1.2 to 1.9 times as fast by all of it.
# Rotated and threaded, a loop with a break jumps where it would else select values.
PASSES = (
    "sroa",
    "loop_rotate",
    "jump_threading",
    "instruction_combine",
    "simplify_cfg",
)
# Those for loops with a flag, before the pipeline for the others; and those behind it,
# where functions of ours are called.
THREADED = ("sroa", "loop_rotate", "jump_threading")
INLINED = (
    "always_inliner",
    "sroa",
    "instruction_combine",
    "global_dead_code_eliminate",
)
# The level of the pipeline for the others, which makes vectors of loops, and where the
# processor's notes are not read of what stands side by side: two quotients take the
# time of one.
LEVEL, SIDE_BY_SIDE = 1, "slp"
# Functions that one linker holds: what it knows of those that are gone stays with it.
LINKED = 64


class _Method(ctypes.Structure):
    """CPython's PyMethodDef."""

    _fields_ = (
        *(("name", ctypes.c_char_p), ("function", ctypes.c_void_p)),
        *(("flags", ctypes.c_int), ("doc", ctypes.c_char_p)),
    )


class Compiled:
    """Machine code, which lives as long as this object does."""

    def __init__(self, source: Source, image: bytes) -> None:
        self._held = source.held
        self._linker, self._library = _linked(source, image)
        self.address = self._library[source.name]
        name = source.name.encode()
        self._method = _Method(name, self.address, FASTCALL, None)

    def callable(self, receiver: Any) -> Any:
        """A builtin that calls the code; `receiver` is its `self`."""
        make = ctypes.pythonapi.PyCFunction_NewEx
        make.restype = ctypes.py_object
        make.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
        return make(ctypes.addressof(self._method), receiver, None)


# --- this machine ---------------------------------------------------------------------
@functools.cache
def versions() -> str:
    """A name for what an object depends on beside its text."""
    llvms = (llvmlite.__version__, *map(str, llvm.llvm_version_info))
    with LLVM:
        parts = (*llvms, llvm.get_default_triple(), *host(), *PASSES)
    parts = (*parts, str(LEVEL), SIDE_BY_SIDE, lines.FENCE, unguessed.UNKNOWN)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


@functools.cache
def target() -> Any:
    """The kind of machine that this runs on."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()
    return llvm.Target.from_default_triple()


@functools.cache
def host() -> tuple[str, str]:
    """This processor, and what it can do; its vectors are as wide as it has them.

    LLVM prefers half of that on some processors with AVX-512 (decision 154).
    """
    found = llvm.get_host_cpu_features()
    preferred = ",-prefer-256-bit" if found.get("avx512f") else ""
    return llvm.get_host_cpu_name(), found.flatten() + preferred


def new_machine() -> Any:
    """What makes objects for this machine, or links them."""
    cpu, features = host()
    return target().create_target_machine(
        cpu=cpu, features=features, opt=2, codemodel="large", jit=True
    )


# --- from an object to code -----------------------------------------------------------
class _Linker:
    """What binds names: LLVM's, for some functions."""

    def __init__(self) -> None:
        self.linker = llvm.create_lljit_compiler(new_machine(), suppress_errors=True)
        world = llvm.JITLibraryBuilder().add_current_process()
        for name, address in _world().items():
            world.import_symbol(name, address)
        self.world = world.link(self.linker, "world")
        self.count = 0

    def link(self, source: Source, image: bytes) -> Any:
        """The library with the one function."""
        self.count += 1
        library = llvm.JITLibraryBuilder().add_object_img(image)
        library.add_jit_library("world").add_current_process()
        for name, address in source.symbols.items():
            library.import_symbol(name, address)
        library.export_symbol(source.name)
        return library.link(self.linker, f"library{self.count}")


_linker: _Linker | None = None


def _linked(source: Source, image: bytes) -> tuple[_Linker, Any]:
    global _linker
    with LLVM:
        if _linker is None or _linker.count >= LINKED:
            _linker = _Linker()
        return _linker, _linker.link(source, image)


@functools.cache
def _world() -> dict[str, int]:
    """The addresses of what any text may name."""
    found = {**dict(abi.symbols()), crew.SYMBOL: crew.PLACE}
    found["m_numpys_log"] = numpys_log()
    found[turns.SYMBOL] = ctypes.addressof(turns.NEXT)
    for char in "?bhilqBHILQfdFD":
        dtype = np.dtype(char)
        name = "np_bool" if char == "?" else char
        found[f"descr_{name}"] = id(dtype)
        found[f"type_{name}"] = id(dtype.type)
        found[f"dot_{dtype.num}"] = abi.sum_of_products(dtype)
    for kind in (bool, dict, str, Members):
        found[f"type_{kind.__name__}"] = id(kind)
    found |= {name: id(function) for name, function in FUNCTIONS.items()}
    if known := abi.known_ints():
        found["known_ints"] = ctypes.addressof(known[0])
    return found
