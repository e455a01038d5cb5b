"""ag.py_function: a call of plain Python inside a graph, run each time in its place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime import build
from runtime.ops import world
from runtime.ops.template import encode
from runtime.spec import TensorSpec
from runtime.tensor import Tensor

UNKNOWN = TensorSpec(None, None)


def py_function(
    function: Callable[..., Any],
    *args: Any,
    result: TensorSpec | Sequence[TensorSpec] | None = UNKNOWN,
) -> Any:
    """`function(*args)` at each execution, in program order, as plain Python.

    function: gets arrays and numbers where `args` hold tensors; may do anything
    result:   the spec of the array that it returns, a sequence of specs for a tuple of
              arrays, None when it returns nothing; by default one array of unknown
              dtype and shape
    TypeError: what it returned does not fit `result`; raised when the call runs.

    >>> py_function(print, 1, 2, result=None)
    1 2
    """
    if build.current() is None:
        return function(*args)
    template, inputs = encode(args, lambda part: isinstance(part, Tensor))
    results = (result,) if isinstance(result, TensorSpec) else tuple(result or ())
    made = world.host_call(
        *inputs,
        function=function,
        args=template,
        kwargs={},
        results=results,
        writes=True,
    )
    return made if result is not None else None
