"""A compiler for the Python that people already write: `@function` on NumPy code."""

from autograph._neighbours import _check_neighbours
from autograph._start_up import collection_paused as _collection_paused

_check_neighbours()

# Only now: a foreign `tracer` or `runtime` has been named as the culprit by then.
with _collection_paused():
    from autograph import print_ as _print
    from autograph.convert import convert as convert
    from autograph.errors import SourceNotFoundError as SourceNotFoundError
    from autograph.errors import UnsupportedError as UnsupportedError
    from autograph.function import function as function
    from autograph.py_function import py_function as py_function
    from autograph.rules import do_not_convert as do_not_convert
    from autograph.to_code import to_code as to_code
    from runtime.spec import TensorSpec as TensorSpec
    from runtime.variable import Variable as Variable
    from tracer.concrete import ConcreteFunction as ConcreteFunction
    from tracer.function import Function as Function

print = _print.print_
