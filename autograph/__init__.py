"""A compiler for the Python that people already write: `@function` on NumPy code.

Importing loads what decorating needs; what a trace needs is loaded by the first one.
"""

import typing as _typing
from importlib import import_module as _import_module

from autograph._neighbours import _check_neighbours

_check_neighbours()

# Only now: a foreign `tracer` or `runtime` has been named as the culprit by then.
from runtime.start_up import collection_paused as _collection_paused  # noqa: E402

with _collection_paused():
    from runtime.waiting import let_wait as _let_wait

    _let_wait()
    from autograph.function import function as function
    from autograph.rules import do_not_convert as do_not_convert
    from runtime.config import config as config
    from tracer.function import Function as Function

# name -> the module that it is taken from when it is first asked for
_LATER = {
    "ConcreteFunction": "tracer.concrete",
    "SourceNotFoundError": "autograph.errors",
    "TensorSpec": "runtime.spec",
    "UnsupportedError": "autograph.errors",
    "Variable": "runtime.variable",
    "breakpoint": "autograph.breakpoints",
    "convert": "autograph.conversion",
    "numpy_function": "autograph.py_functions",
    "print": "autograph.printing",
    "profile": "autograph.profiling",
    "py_function": "autograph.py_functions",
    "to_code": "autograph.converted_source",
    "vectorize": "autograph.mapping",
    "vmap": "autograph.mapping",
}
_MODULES = ("debugging", "random", "summary")

# What `import *` gives: nothing that is a name of Python's, as `print` and `random`.
__all__ = [
    *("ConcreteFunction", "Function", "SourceNotFoundError", "TensorSpec"),
    *("UnsupportedError", "Variable", "config", "convert", "do_not_convert"),
    *("function", "numpy_function", "profile", "py_function", "to_code"),
    *("vectorize", "vmap"),
]

if _typing.TYPE_CHECKING:  # which type checkers know by this name alone
    from autograph import debugging as debugging
    from autograph import random as random
    from autograph import summary as summary
    from autograph.breakpoints import breakpoint as breakpoint
    from autograph.conversion import convert as convert
    from autograph.converted_source import to_code as to_code
    from autograph.errors import SourceNotFoundError as SourceNotFoundError
    from autograph.errors import UnsupportedError as UnsupportedError
    from autograph.mapping import vectorize as vectorize
    from autograph.mapping import vmap as vmap
    from autograph.printing import print as print
    from autograph.profiling import profile as profile
    from autograph.py_functions import numpy_function as numpy_function
    from autograph.py_functions import py_function as py_function
    from runtime.spec import TensorSpec as TensorSpec
    from runtime.variable import Variable as Variable
    from tracer.concrete import ConcreteFunction as ConcreteFunction
else:  # so that type checkers refuse other names

    def __getattr__(name: str) -> object:
        if name in _MODULES:
            return _import_module(f"autograph.{name}")
        if name not in _LATER:
            raise AttributeError(f"module 'autograph' has no attribute {name!r}")
        with _collection_paused():
            thing = getattr(_import_module(_LATER[name]), name)
        globals()[name] = thing
        return thing


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER, *_MODULES})
