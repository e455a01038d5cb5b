"""linking: machine code from objects, whose names are bound to what is here.

An object holds no address of any process. What makes objects, of LLVM's text, is
`engine.py`, which a program that finds all it needs in the store never loads.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.backends.llvm import abi, crew, turns
from runtime.backends.llvm.c_library import numpys_log
from runtime.backends.llvm.having import OF_NUMPYS
from runtime.backends.llvm.loaded import Loaded, Refused
from runtime.backends.llvm.table_functions import FUNCTIONS
from runtime.ops.tables import Members

if TYPE_CHECKING:
    from runtime.backends.llvm.building import Source
    from runtime.backends.llvm.linker import Linked

# As CPython calls them: with an array of arguments, and the names of the last ones,
# which only entries look at.
FASTCALL = 0x80 | 0x02


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
        self._code = _code(source, image)
        self.address = self._code.address
        name = source.name.encode()
        self._method = _Method(name, self.address, FASTCALL, None)

    def callable(self, receiver: Any) -> Any:
        """A builtin that calls the code; `receiver` is its `self`."""
        make = ctypes.pythonapi.PyCFunction_NewEx
        make.restype = ctypes.py_object
        make.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
        return make(ctypes.addressof(self._method), receiver, None)


# --- what texts may name --------------------------------------------------------------
def _code(source: Source, image: bytes) -> Loaded | Linked:
    """The code of an object. RuntimeError: it cannot be linked."""
    try:
        return Loaded(image, source.name, partial(_address, source.symbols))
    except Refused:
        from runtime.backends.llvm.linker import Linked

        return Linked(image, source.name, source.symbols, _world())


def _address(symbols: Mapping[str, int], name: str) -> int:
    """Where what an object names lies. Refused: nobody knows it."""
    found = symbols.get(name) or _world().get(name)
    return found or _address_in_process(name)


@functools.cache
def _address_in_process(name: str) -> int:
    try:
        function = getattr(ctypes.pythonapi, name)
    except AttributeError:
        raise Refused(f"no {name} anywhere") from None
    return ctypes.cast(function, ctypes.c_void_p).value or 0


@functools.cache
def _world() -> dict[str, int]:
    """The addresses of what any text may name."""
    found = {**dict(abi.symbols()), crew.SYMBOL: crew.PLACE}
    found["m_numpys_log"] = numpys_log()
    single = np.dtype(np.float32)
    for name in OF_NUMPYS:
        found[f"m_loop_{name}"], _ = abi.ufunc_loop(getattr(np, name), (single, single))
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
