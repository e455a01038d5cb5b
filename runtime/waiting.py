"""Waiting: modules of ours are made, empty, and run when they are first asked.

The first import from a folder makes all its modules, which takes less than Python's way
to load one of them. The first look at a name runs a module. Of those in `LATE` that few
first calls need, functions are taken without that: what is taken runs the module when
it is called, and is then that function itself. So imports stay at the top of a file,
and what a program never does costs it next to nothing.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR
from threading import RLock
from types import FunctionType, ModuleType
from typing import Any

from runtime.loading import Loader, modules_in, spec_of


def _names(words: dict[str, str]) -> frozenset[str]:
    return frozenset(f"{of}.{name}" for of in words for name in words[of].split())


# What does something to other modules while it runs, and so runs where it is imported.
AT_ONCE = _names(
    {
        "autograph.array_api": "fft",
        "autograph.operators": "calls choices lists tensors",
        "runtime": "tensor variable",
        "runtime.numpy_api": (
            "create elements joining mutating products reductions shaping trimming "
            "views"
        ),
        "tracer": (
            "ending exceptions list_objects picking row_view rows staged_dict "
            "staged_list staged_range tracing tree"
        ),
    }
)
# Nothing but functions is taken from these, by names of small letters.
LATE = _names(
    {
        "autograph": "converting heap_steps kept_code sourceless",
        "autograph.converters": (
            "assert_ augmented compare compound comprehensions delete for_ "
            "generators if_ layout lazy logical loops match_ raise_ ternary try_ "
            "while_ with_"
        ),
        "autograph.operators": (
            "array_calls asking_calls assert_ attributes cached_calls compare "
            "compared_by_c comprehension construct consumers dataclass_calls "
            "decorators deques dict_calls dicts for_ frame_readers fstring "
            "generator_calls heaps if_ indices items iterated_arguments "
            "iteration_calls iterators keys library_calls list_arguments list_calls "
            "list_compare logical made_types match_ numpy_calls own_texts patterns "
            "placed_calls plain_writes printed_text python_random raise_ sequences "
            "sets slots star_calls stars stopping sums ternary text_calls try_ "
            "updated warned while_ world_libraries"
        ),
        "autograph.syntax": "mangle positions",
        "runtime": (
            "aliases branched class_versions dtypes failing folders formatting "
            "kinds methods plain_parts text_print written"
        ),
        "runtime.backends.numpy": (
            "asked emit_loop emit_region emit_stores emit_try levels looped reuse "
            "several shown"
        ),
        "runtime.numpy_api": (
            "as_methods asking callbacks copies copying faults fields flat_keys "
            "host into items lacking library methods operators orders outputs "
            "own_views perhaps refusals set_flat several_outputs signs storing "
            "trials ufuncs"
        ),
        "runtime.passes": "characters outline raised_again tried",
        "tracer": (
            "assignments attempt carrying collecting described dict_forms filling "
            "foreign_calls grown_keys handlers hidden input_signature "
            "instance_dicts leaf_keys managed marks one_array opaque opened "
            "python_calls raising random_calls rebasing recursive_graph rows_alike "
            "splitting stacking tables truth varied while_loop"
        ),
    }
)


def let_wait() -> None:
    """From now on, modules wait; once for a process."""
    if _Finder not in sys.meta_path:
        sys.meta_path.insert(0, _Finder)


def has_run(name: str) -> bool:
    """Whether a module of ours has run."""
    module = sys.modules.get(name)
    return module is not None and type(module) is not _Waiting


class _Finder:
    """Finds modules of ours, and makes those beside them."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = spec_of(name, path)
        package, _, last = name.rpartition(".")
        if spec is None or path is None or name in sys.modules:
            return spec
        if package in _AS_PYTHON:
            beside = frozenset({last}) if name in LATE else frozenset()
        else:
            beside = frozenset() if package in _paths else modules_in(path[0])
        _paths[package] = path
        for one in beside:
            _make(package, one)
        # The import system puts it there again.
        made = sys.modules.pop(name, None)
        return spec if made is None else made.__spec__


# What is imported from the first is for users; in the others modules fill tables. So
# only those in `LATE` wait.
_AS_PYTHON = frozenset({"autograph", "runtime.ops", "runtime.backends.llvm"})
# The packages whose modules are made, and where these are.
_paths: dict[str, Sequence[str]] = {}


def _make(package: str, last: str) -> None:
    """Make the module, empty, unless it is there or does not wait."""
    name = f"{package}.{last}"
    if name not in AT_ONCE and name not in sys.modules:
        module = sys.modules[name] = _Waiting(name)
        setattr(sys.modules[package], last, module)


class _Waiting(ModuleType):
    """A module that has not run, nor has what the import system puts there."""

    def __getattribute__(self, name: str) -> Any:
        if name in _OF_LOADING:
            _loader_of(self)
        elif not name.startswith("__"):
            loader = _loader_of(self)
            if loader.is_late and name[:1].islower():
                return _taken(loader, name)
            loader.run()
        return ModuleType.__getattribute__(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("__"):
            _loader_of(self).run()
        ModuleType.__setattr__(self, name, value)

    def __dir__(self) -> list[str]:
        _loader_of(self).run()
        return sorted(vars(self))


_OF_LOADING = frozenset({"__spec__", "__file__", "__loader__", "__cached__"})


def _loader_of(module: _Waiting) -> _Waits:
    names = vars(module)
    found: _Waits | None = names["__loader__"]
    return _completed(module, names) if found is None else found


def _completed(module: _Waiting, names: dict[str, Any]) -> _Waits:
    """Give it what the import system would; gives its loader."""
    package = names["__name__"].rpartition(".")[0]
    spec: Any = spec_of(names["__name__"], _paths[package], _Waits)
    names.update(__package__=package, __file__=spec.origin, __cached__=spec.cached)
    # One of two threads is the first.
    spec = names.setdefault("__waits__", spec)
    spec.loader.module = module
    names.update(__spec__=spec, __loader__=spec.loader)
    loader: _Waits = spec.loader
    return loader


class _Waits(Loader):
    """Loads a module when it is first asked for something."""

    module: ModuleType

    def __init__(self, name: str, path: str, bytecode: str) -> None:
        super().__init__(name, path, bytecode)
        self.is_late = name in LATE
        # Where it is run itself, the thread that runs it looks at it.
        self.lock = RLock()
        self.is_running = False
        self.taken: dict[str, FunctionType] = {}

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """The one that is there."""
        return self.module

    def exec_module(self, module: ModuleType) -> None:
        """Nothing yet; once it has run, it runs again."""
        if type(module) is not _Waiting:
            super().exec_module(module)

    def run(self) -> None:
        """Run it, unless another thread has, or this one does."""
        module: Any = self.module
        with self.lock:
            if self.is_running or type(module) is not _Waiting:
                return
            was_on = gc.isenabled()
            # Whatever a signal's handler raises, it is not left so.
            self.is_running = True
            try:
                # What is loaded is no garbage. Nothing is made old for it, as a trace
                # goes on.
                gc.disable()
                super().exec_module(module)
            finally:
                self.is_running = False
                if was_on:
                    gc.enable()
            module.__class__ = ModuleType  # type: ignore[assignment] # it has run
        for name in list(self.taken):
            _become(self.taken[name], vars(module), name)

    def function(self, name: str) -> Any:
        """A function of the module, which is run for it."""
        self.run()
        return getattr(self.module, name)


# Functions that are taken before their module has run.


def _taken(loader: _Waits, name: str) -> Any:
    """The function of this name, which runs the module when it is called."""
    made = _not_yet(vars(loader.module), name)
    function = loader.taken.setdefault(name, made)
    # Of one that another thread is half-way through, too: what is there may need what
    # is not.
    is_waiting = type(loader.module) is _Waiting
    return function if is_waiting else getattr(loader.module, name)


def _call(*args: Any, _name_: str = "", **kwargs: Any) -> Any:
    # Its code is that of functions among whose globals is the module's `__loader__`.
    return __loader__.function(_name_)(*args, **kwargs)  # type: ignore[name-defined]


def _not_yet(names: dict[str, Any], name: str) -> FunctionType:
    made = FunctionType(_call.__code__, names, name)
    made.__kwdefaults__, made.__qualname__ = {"_name_": name}, name
    return made


def _become(taken: FunctionType, names: dict[str, Any], name: str) -> None:
    """Make of a function that was taken the one of the module.

    What is a function by another way than `def`, or a generator's, stays beside it, and
    is called by it.
    """
    own = names.get(name)
    if type(own) is not FunctionType or own.__closure__ or own.__globals__ is not names:
        return
    if own.__code__.co_flags & _OF_GENERATORS:
        return  # Python has no function take the code of another kind
    taken.__dict__.update(own.__dict__)
    for what in _OF_FUNCTIONS:
        setattr(taken, what, getattr(own, what))
    # Another thread may be calling it, by the one code or the other.
    taken.__kwdefaults__ = {
        **(taken.__kwdefaults__ or {}),
        **(own.__kwdefaults__ or {}),
    }
    taken.__code__ = own.__code__
    taken.__kwdefaults__ = own.__kwdefaults__
    names[name] = taken


_OF_GENERATORS = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR
_OF_FUNCTIONS = ("__defaults__", "__annotations__", "__doc__", "__qualname__")
