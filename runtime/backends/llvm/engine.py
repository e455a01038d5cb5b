"""engine: LLVM's text as a function that Python calls; llvmlite is loaded here only.

Text becomes an object, bytes that hold no address of this process; linking it binds its
names to what is here. What is the same text becomes the same object.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import llvmlite
import llvmlite.binding as llvm
import numpy as np
from llvmlite.binding import newpassmanagers

from runtime.backends.llvm import abi, beside, chosen, crew, orders, turns
from runtime.backends.llvm.beside import LLVM
from runtime.backends.llvm.loop_notes import PARALLEL
from runtime.backends.llvm.mathematics import PREFIX
from runtime.backends.llvm.table_calls import FUNCTIONS
from runtime.backends.llvm.text import ELEMENTS, VECTORS
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


# --- from text to an object -----------------------------------------------------------
@functools.cache
def versions() -> str:
    """A name for what an object depends on beside its text."""
    llvms = (llvmlite.__version__, *map(str, llvm.llvm_version_info))
    with LLVM:
        parts = (*llvms, llvm.get_default_triple(), *_host(), *PASSES)
    parts = (*parts, str(LEVEL), SIDE_BY_SIDE, chosen.FENCE)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def image_of(text: str) -> bytes:
    """The object that LLVM makes of a text. Abandoned: it is to be made later."""
    with LLVM:
        module = llvm.parse_assembly(text)
        module.verify()
        beside.go_on()
        module = _optimized(module, text)
        beside.go_on()
        made: bytes = _machine().emit_object(module)
        return made


@functools.cache
def _target() -> Any:
    """The kind of machine that this runs on."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()
    return llvm.Target.from_default_triple()


@functools.cache
def _host() -> tuple[str, str]:
    """This processor, and what it can do."""
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


def _new_machine() -> Any:
    cpu, features = _host()
    return _target().create_target_machine(
        cpu=cpu, features=features, opt=2, codemodel="large", jit=True
    )


@functools.cache
def _machine() -> Any:
    """What makes objects for this machine."""
    return _new_machine()


def _optimized(module: Any, text: str) -> Any:
    """The module after the passes that this kind of text needs."""
    is_parallel = PARALLEL in text or VECTORS in text
    is_whole = is_parallel or ELEMENTS in text
    options = llvm.create_pipeline_tuning_options(speed_level=LEVEL)
    options.loop_vectorization = is_parallel
    # A vector may do more than is asked for, which the processor would note.
    options.slp_vectorization = orders.ASKS not in text
    options.loop_interleaving = options.loop_unrolling = False
    builder = llvm.create_pass_builder(_machine(), options)
    if is_whole:
        manager = builder.getModulePassManager()
    else:
        manager = newpassmanagers.create_new_module_pass_manager()
        for name in PASSES:
            getattr(manager, f"add_{name}_pass")()
    manager.run(module, builder)
    _dispose(manager)
    rewrites: list[Callable[[str], str]] = []
    if chosen.may_leave_out(text):
        rewrites.append(chosen.fenced)
    if PREFIX in text:
        # Functions of our own choose between what NumPy never sees.
        module, rewrites = _rewritten(module, rewrites), []
        # Vectors have been made by now, which call what is to stand in the loops.
        manager = newpassmanagers.create_new_module_pass_manager()
        manager.add_always_inliner_pass()
        manager.add_sroa_pass()
        manager.add_instruction_combine_pass()
        manager.add_global_dead_code_eliminate_pass()
        manager.run(module, builder)
        _dispose(manager)
    if orders.may_note(text):
        rewrites.append(orders.unnoted)
    return _rewritten(module, rewrites)


def _rewritten(module: Any, rewrites: list[Callable[[str], str]]) -> Any:
    """The module with its text written anew."""
    if not rewrites:
        return module
    text = str(module)
    for rewrite in rewrites:
        text = rewrite(text)
    return llvm.parse_assembly(text)


def _dispose(manager: Any) -> None:
    # Of its two bases llvmlite asks the one that frees nothing: 50 KB for each module.
    newpassmanagers.NewPassManager._dispose(manager)
    manager.detach()


# --- from an object to code -----------------------------------------------------------
class _Linker:
    """What binds names: LLVM's, for some functions."""

    def __init__(self) -> None:
        self.linker = llvm.create_lljit_compiler(_new_machine(), suppress_errors=True)
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
    found[turns.SYMBOL] = ctypes.addressof(turns.NEXT)
    for char in "?bhilqBHILQfdFD":
        dtype = np.dtype(char)
        name = "np_bool" if char == "?" else char
        found[f"descr_{name}"] = id(dtype)
        found[f"type_{name}"] = id(dtype.type)
    for kind in (bool, dict, Members):
        found[f"type_{kind.__name__}"] = id(kind)
    found |= {name: id(function) for name, function in FUNCTIONS.items()}
    if known := abi.known_ints():
        found["known_ints"] = ctypes.addressof(known[0])
    return found


# --- as text --------------------------------------------------------------------------
def optimized(text: str) -> str:
    """LLVM's text after its passes."""
    with LLVM:
        return str(_optimized(llvm.parse_assembly(text), text))


def assembly(text: str) -> str:
    """The machine's instructions as text."""
    with LLVM:
        module = _optimized(llvm.parse_assembly(text), text)
        return str(_machine().emit_assembly(module))
