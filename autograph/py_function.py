"""ag.py_function: a call of plain Python inside a graph, run each time in its place."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime import build
from runtime.ops import world
from runtime.ops.template import encode
from runtime.spec import TensorSpec
from runtime.tensor import Tensor
from tracer.leaves import describe, is_numeric

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
    results = (result,) if isinstance(result, TensorSpec) else tuple(result or ())
    template, inputs = encode(args, lambda part: isinstance(part, Tensor))
    made = world.host_call(
        *inputs,
        function=_checked(function, result),
        args=template,
        kwargs={},
        results=results,
        writes=True,
    )
    if result is None:
        return None
    alone = not isinstance(result, TensorSpec) and len(results) == 1
    return (made,) if alone else made


def _checked(
    function: Callable[..., Any], result: TensorSpec | Sequence[TensorSpec] | None
) -> Callable[..., Any]:
    """`function`, with a look at what it returns before the graph takes it."""

    @functools.wraps(function)
    def call(*args: Any) -> Any:
        answer = function(*args)
        if result is None:
            return None
        if not _fits(answer, result):
            name = getattr(function, "__name__", type(function).__name__)
            raise TypeError(
                f"{name} returned {describe(answer)}, which does not fit {result!r}"
            )
        alone = not isinstance(result, TensorSpec) and len(result) == 1
        return answer[0] if alone else answer

    return call


def _fits(answer: Any, result: TensorSpec | Sequence[TensorSpec]) -> bool:
    if isinstance(result, TensorSpec):
        if result == UNKNOWN:
            return True
        if result.weak:
            return type(answer) is result.python_type
        return is_numeric(answer) and result.accepts(np.asarray(answer))
    if not isinstance(answer, (tuple, list)) or len(answer) != len(result):
        return False
    return all(map(_fits, answer, result))
