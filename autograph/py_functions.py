"""ag.py_function, ag.numpy_function: plain Python inside a graph, called each time in
its place.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime import build
from runtime.location import here
from runtime.ops import world
from runtime.ops.template import encode
from runtime.spec import TensorSpec
from runtime.tensor import Tensor
from runtime.variable import Variable
from tracer import tree
from tracer.leaves import describe, is_numeric

UNKNOWN = TensorSpec(None, None)
Results = TensorSpec | Sequence[TensorSpec] | None


def py_function(
    function: Callable[..., Any],
    *args: Any,
    result: Results = UNKNOWN,
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
    if (frame := build.current()) is None:
        return function(*args)
    if frame.trace.python_effects == "run":
        frame.trace.python_calls.append((function, here(frame.trace.called)))
    from runtime.numpy_api.callbacks import callback

    results = (result,) if isinstance(result, TensorSpec) else tuple(result or ())
    held = callback(function)
    if held is not function:
        # It uses tensors of the function around it: those of the run.
        function, args = _on_its_own(function), (held, *args)
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
    return (made,) if _is_alone(result) else made


def _on_its_own(function: Callable[..., Any]) -> Callable[..., Any]:
    """What calls the function that a run makes of `function`, its first argument."""
    from runtime.numpy_api.callbacks import with_callbacks

    @functools.wraps(function, updated=())
    def call(*args: Any) -> Any:
        return with_callbacks(_called, args, {})

    # It holds the tensors of the trace, which the graph outlives.
    del call.__wrapped__
    return call


def _called(function: Callable[..., Any], *args: Any) -> Any:
    return function(*args)


_called.__name__ = "ag.py_function"


def numpy_function(
    function: Callable[..., Any], *args: Any, result: Results = UNKNOWN
) -> Any:
    """`function(*args)` at each execution, in program order, from arrays to arrays.

    function: gets a NumPy array of its own, which it may change, for each array and
              number in `args`, also inside of tuples, lists and dicts; anything else
              as it is
    result:   as for `py_function`; what is returned is made an array, or with a
              sequence of specs a tuple of arrays, a result without dims a NumPy scalar
    TypeError: what it returned does not fit `result`; raised when the call runs.

    >>> numpy_function(lambda x, n: [x.ndim, n.ndim], 1.5, np.ones((2, 3)))
    array([0, 2])
    """
    call = _on_arrays(function, isinstance(result, (TensorSpec, type(None))))
    if build.current() is not None:
        return py_function(call, *args, result=result)
    answer = _checked(call, result)(*args)
    return (answer,) if _is_alone(result) else answer


def _on_arrays(function: Callable[..., Any], is_one: bool) -> Callable[..., Any]:
    """`function` with its arguments, and what it returns, as NumPy has them."""

    @functools.wraps(function)
    def call(*args: Any) -> Any:
        answer = function(*(tree.map_leaves(_array_of_its_own, arg) for arg in args))
        if is_one or not isinstance(answer, (tuple, list)):
            return _as_numpy(answer)
        return tuple(map(_as_numpy, answer))

    return call


def _array_of_its_own(leaf: Any) -> Any:
    """A copy, since what becomes of the graph's arrays is not the function's to say."""
    if isinstance(leaf, Variable):
        return leaf.read().copy()
    return np.array(leaf) if is_numeric(leaf) else leaf


def _as_numpy(answer: Any) -> Any:
    return np.asarray(answer)[()]


def _is_alone(result: Results) -> bool:
    """True for a sequence of one spec, which is a tuple of one array."""
    return isinstance(result, Sequence) and len(result) == 1


def _checked(function: Callable[..., Any], result: Results) -> Callable[..., Any]:
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
        return answer[0] if _is_alone(result) else answer

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
