"""Waiting: modules that few first calls need are loaded when they are first asked.

`import` of such a module makes it, empty; the first look at a name that it has not yet
runs it. So imports stay at the top of a file, and what a program never does costs it
nothing. `from such import name` looks at it at once: who lets a module wait imports it
whole, and takes the name from it where it is used.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from threading import RLock
from types import ModuleType
from typing import Any

from runtime.loading import spec_of

# None fills a table of another module: it would be looked up before it is filled.
MODULES = frozenset(
    {
        "autograph.operators.attributes",
        "autograph.operators.dataclass_calls",
        "autograph.operators.match_",
        "autograph.operators.patterns",
        "autograph.operators.star_calls",
        "autograph.sourceless",
        "runtime.backends.numpy.levels",
        "runtime.numpy_api.callbacks",
        "runtime.numpy_api.host",
        "runtime.passes.characters",
        "tracer.attempt",
        "tracer.filling",
        "tracer.recursive_graph",
        "tracer.while_loop",
    }
)


def let_wait() -> None:
    """From now on, `MODULES` wait; once for a process."""
    if _Finder not in sys.meta_path:
        sys.meta_path.insert(0, _Finder)


class _Finder:
    """Finds the modules that wait, where Python finds them, and nothing else."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = spec_of(name, path)
        if name not in MODULES:
            return spec
        spec = spec or PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            waits: Any = _Loader(spec.loader)
            spec.loader = waits
        return spec


class _Loader:
    """Lets the module wait; `loader` is Python's."""

    def __init__(self, loader: Any) -> None:
        self.loader = loader
        # Where it is run itself, the thread that runs it looks at it.
        self.lock = RLock()
        self.is_running = False

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _Waiting(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing yet."""

    def __getattr__(self, name: str) -> Any:
        # What else is asked of a loader: the source, for a traceback.
        return getattr(self.loader, name)


class _Waiting(ModuleType):
    """A module that has not run; the import system has put there what it has."""

    def __getattribute__(self, name: str) -> Any:
        if not name.startswith("__"):
            _run(self)
        return ModuleType.__getattribute__(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("__"):
            _run(self)
        ModuleType.__setattr__(self, name, value)

    def __dir__(self) -> list[str]:
        _run(self)
        return sorted(vars(self))


def _run(module: ModuleType) -> None:
    """Run it, unless another thread has, or this one does."""
    spec = module.__spec__
    waiting = None if spec is None else spec.loader
    if spec is None or not isinstance(waiting, _Loader):
        return
    with waiting.lock:
        if waiting.is_running or type(module) is not _Waiting:
            return
        waiting.is_running = True
        try:
            waiting.loader.exec_module(module)
        finally:
            waiting.is_running = False
        spec.loader = module.__loader__ = waiting.loader
        module.__class__ = ModuleType
