"""engine: LLVM's text as a function that Python calls; llvmlite is loaded here only."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from llvmlite.binding.newpassmanagers import NewPassManager

from runtime.backends.llvm import abi

FASTCALL = 0x80


class _Method(ctypes.Structure):
    """CPython's PyMethodDef."""

    _fields_ = (
        *(("name", ctypes.c_char_p), ("function", ctypes.c_void_p)),
        *(("flags", ctypes.c_int), ("doc", ctypes.c_char_p)),
    )


@functools.cache
def target() -> Any:
    """The kind of machine that this runs on; the names of the world are made known."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    for name, address in abi.symbols():
        llvm.add_symbol(name, address)
    for char in "?bhilqBHILQfdFD":
        dtype = np.dtype(char)
        name = "np_bool" if char == "?" else char
        llvm.add_symbol(f"descr_{name}", id(dtype))
        llvm.add_symbol(f"type_{name}", id(dtype.type))
    llvm.add_symbol("type_bool", id(bool))
    return llvm.Target.from_default_triple()


def machine() -> Any:
    """This machine, for one engine, which owns it."""
    return target().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=2,
        codemodel="large",
        jit=True,
    )


class Compiled:
    """Machine code, which lives as long as this object does.

    outside: NumPy's loops that it calls, by name; called: Python's functions
    """

    def __init__(
        self,
        name: str,
        text: str,
        outside: Mapping[str, tuple[int, int]],
        called: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        host = machine()
        for symbol, (address, data) in outside.items():
            llvm.add_symbol(f"loop_{symbol}", address)
            llvm.add_symbol(f"data_{symbol}", data or id(None))
        self._called = dict(called)
        for symbol, function in called.items():
            llvm.add_symbol(symbol, id(function))
        module = llvm.parse_assembly(text)
        module.verify()
        _optimize(module, host)
        self._engine = llvm.create_mcjit_compiler(module, host)
        self._engine.finalize_object()
        self.address = self._engine.get_function_address(name)
        self._method = _Method(name.encode(), self.address, FASTCALL, None)

    def callable(self, receiver: Any) -> Any:
        """A builtin that calls the code; `receiver` is its `self`."""
        make = ctypes.pythonapi.PyCFunction_NewEx
        make.restype = ctypes.py_object
        make.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
        return make(ctypes.addressof(self._method), receiver, None)


def optimized(text: str) -> str:
    """LLVM's text after its passes."""
    module = llvm.parse_assembly(text)
    _optimize(module, machine())
    return str(module)


def assembly(text: str) -> str:
    """The machine's instructions as text."""
    module, host = llvm.parse_assembly(text), machine()
    _optimize(module, host)
    return str(host.emit_assembly(module))


def _optimize(module: Any, target: Any) -> None:
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    options.loop_vectorization = ".parallel_accesses" in str(module)
    options.slp_vectorization = False
    options.loop_interleaving = options.loop_unrolling = False
    builder = llvm.create_pass_builder(target, options)
    manager = builder.getModulePassManager()
    manager.run(module, builder)
    # Of its two bases llvmlite asks the one that frees nothing: 50 KB for each module.
    NewPassManager._dispose(manager)
    manager.detach()
