"""Loading: modules of ours, found and read with few questions to the file system.

A first call loads hundreds of them. Python's own finder asks for each of five suffixes
in each folder and works out anew where bytecode lies: as long as running them takes.
Here a folder is listed once, and bytecode that is as new as its source is read from
where Python keeps it. All else is left to Python: packages, what is compiled otherwise,
what has no bytecode yet or an older one.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Sequence
from functools import cache
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import MAGIC_NUMBER, cache_from_source
from io import open_code
from types import CodeType
from typing import Any

PACKAGES = frozenset({"autograph", "runtime", "tracer"})
# In the file of bytecode: what wrote it, no flags, the source's time and size.
_BEGINNING = MAGIC_NUMBER + bytes(4)
_LENGTH = len(_BEGINNING) + 8
_SUFFIX = ".py"


def spec_of(
    name: str, path: Sequence[str] | None, kind: type[Loader] | None = None
) -> ModuleSpec | None:
    """How a module of ours is loaded; None: Python's finders are to look for it."""
    package, _, last = name.rpartition(".")
    if package.partition(".")[0] not in PACKAGES or type(path) is not list:
        return None
    if len(path) != 1 or last not in modules_in(path[0]):
        return None
    if sys.implementation.cache_tag is None:
        return None  # there is no bytecode
    beginning, before, after = _places_in(path[0])
    file, bytecode = f"{beginning}{last}{_SUFFIX}", f"{before}{last}{after}"
    spec = ModuleSpec(name, (kind or Loader)(name, file, bytecode), origin=file)
    spec.has_location = True
    spec.cached = bytecode
    return spec


@cache
def modules_in(folder: str) -> frozenset[str]:
    """The modules of a folder of which there is the source, and nothing else."""
    try:
        names = os.listdir(folder)
    except OSError:
        return frozenset()
    sources = {one.removesuffix(_SUFFIX) for one in names if one.endswith(_SUFFIX)}
    # A package, or what another compiler has made, goes first.
    others = {one.partition(".")[0] for one in names if not one.endswith(_SUFFIX)}
    return frozenset(sources - others)


@cache
def _places_in(folder: str) -> tuple[str, str, str]:
    """What stands before a module's name, and around it where its bytecode lies."""
    file = os.path.join(folder, "*" + _SUFFIX)
    before, after = cache_from_source(file).split("*")
    return file.removesuffix("*" + _SUFFIX), before, after


class Loader(SourceFileLoader):
    """Reads bytecode that is as new as its source; all else is Python's."""

    def __init__(self, name: str, path: str, bytecode: str) -> None:
        super().__init__(name, path)
        self.bytecode = bytecode

    def get_code(self, fullname: str) -> CodeType | None:
        """The module's code."""
        found = self._read()
        return super().get_code(fullname) if found is None else found

    def _read(self) -> CodeType | None:
        try:
            with open_code(self.bytecode) as file:
                data = file.read()
            source = os.stat(self.path)
            age = (int(source.st_mtime) & 0xFFFFFFFF).to_bytes(4, "little")
            size = (source.st_size & 0xFFFFFFFF).to_bytes(4, "little")
            if data[:_LENGTH] != _BEGINNING + age + size:
                return None
            code: Any = marshal.loads(memoryview(data)[_LENGTH:])
        except (OSError, EOFError, ValueError, TypeError):
            return None
        # Where the files have been moved Python puts the new place into the code.
        is_ours = isinstance(code, CodeType) and code.co_filename == self.path
        return code if is_ours else None
