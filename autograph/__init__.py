"""A compiler for the Python that people already write: `@function` on NumPy code."""

from autograph._neighbours import _check_neighbours

_check_neighbours()

# Only now: a foreign `tracer` or `runtime` has been named as the culprit by then.
from autograph import print_ as _print  # noqa: E402
from autograph.convert import convert as convert  # noqa: E402
from autograph.errors import SourceNotFoundError as SourceNotFoundError  # noqa: E402
from autograph.errors import UnsupportedError as UnsupportedError  # noqa: E402
from autograph.function import function as function  # noqa: E402
from autograph.py_function import py_function as py_function  # noqa: E402
from autograph.rules import do_not_convert as do_not_convert  # noqa: E402
from autograph.to_code import to_code as to_code  # noqa: E402
from runtime.spec import TensorSpec as TensorSpec  # noqa: E402
from runtime.variable import Variable as Variable  # noqa: E402
from tracer.concrete import ConcreteFunction as ConcreteFunction  # noqa: E402
from tracer.function import Function as Function  # noqa: E402

print = _print.print_
