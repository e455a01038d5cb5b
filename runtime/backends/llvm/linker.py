"""linker: LLVM's, for objects that `loaded.py` leaves to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import llvmlite.binding as llvm

from runtime.backends.llvm.beside import LLVM
from runtime.backends.llvm.machine import new_machine

# Functions that one linker holds: what it knows of those that are gone stays with it.
LINKED = 64


class Linker:
    """What binds names: LLVM's, for some functions."""

    def __init__(self, world: Mapping[str, int]) -> None:
        self.linker = llvm.create_lljit_compiler(new_machine(), suppress_errors=True)
        builder = llvm.JITLibraryBuilder().add_current_process()
        for name, address in world.items():
            builder.import_symbol(name, address)
        self.world = builder.link(self.linker, "world")
        self.count = 0

    def link(self, image: bytes, name: str, symbols: Mapping[str, int]) -> Any:
        """The library with the one function."""
        self.count += 1
        library = llvm.JITLibraryBuilder().add_object_img(image)
        library.add_jit_library("world").add_current_process()
        for symbol, address in symbols.items():
            library.import_symbol(symbol, address)
        library.export_symbol(name)
        return library.link(self.linker, f"library{self.count}")


class Linked:
    """Code that LLVM has linked, for as long as this object lives.

    address: of the function
    """

    def __init__(
        self,
        image: bytes,
        name: str,
        symbols: Mapping[str, int],
        world: Mapping[str, int],
    ) -> None:
        """Link an object. RuntimeError: it cannot be linked.

        symbols, world: addresses of what is not in it; the latter are the same for all
        """
        self._linker, self._library = _linked(image, name, symbols, world)
        self.address: int = self._library[name]


_linker: Linker | None = None


def _linked(
    image: bytes, name: str, symbols: Mapping[str, int], world: Mapping[str, int]
) -> tuple[Linker, Any]:
    global _linker
    with LLVM:
        if _linker is None or _linker.count >= LINKED:
            _linker = Linker(world)
        return _linker, _linker.link(image, name, symbols)
