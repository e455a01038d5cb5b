"""The table of NumPy's functions on tensors, and how a call finds its row.

A row takes the arguments that it stages under NumPy's own names. What it does not take
(a rare keyword, an axis known only at run time) becomes a host call: slower, never
refused.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime import kinds
from runtime.numpy_api import host, library
from runtime.numpy_api.operands import has_tensor
from runtime.numpy_api.operators import assign_whole
from runtime.tensor import tensor

Function = Callable[..., Any]


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """An implementation, and how many of its parameters may hold tensors."""

    call: Function
    operands: int


FUNCTIONS: dict[Function, Row] = {}
# Their rows do not look at dtypes, and the ops do at the run what NumPy does with each
# kind; without keywords.
TAKES_MIXED: set[Function] = {
    *(
        np.reshape,
        np.ravel,
        np.transpose,
        np.swapaxes,
        np.squeeze,
        np.moveaxis,
        np.flip,
    ),
    *(np.stack, np.concatenate, np.vstack, np.hstack, np.column_stack, np.append),
    *(np.sum, np.prod, np.max, np.min, np.any, np.all, np.mean, np.argmax, np.argmin),
}
# Found when first asked for: all of them take 2 ms of the import.
_signature = functools.cache(inspect.signature)


def implements(
    *functions: Function, operands: int = 1
) -> Callable[[Function], Function]:
    """Enter the decorated function as the meaning of NumPy's `functions`.

    operands: so many first parameters may be tensors; the others must be known while
              tracing. It may return NotImplemented for what it leaves to a host call.
    """

    def enter(call: Function) -> Function:
        for function in functions:
            FUNCTIONS[function] = Row(call, operands)
        return call

    return enter


def call_function(
    function: Function, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """A NumPy function with tensors among its arguments."""
    if kinds.has_mixed(args, kwargs) and (function not in TAKES_MIXED or kwargs):
        return kinds.split(call_function, function, args, kwargs)
    kwargs = dict(kwargs)
    out = kwargs.pop("out", None)
    result: Any = NotImplemented
    if not library.holds_object((args, kwargs)):
        result = _from_table(function, args, kwargs)
    if result is NotImplemented:
        result = host.call(function, args, kwargs)
    if out is None:
        return result
    target = tensor(out)
    assign_whole(target, result)
    return out


def _from_table(
    function: Function, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    row = FUNCTIONS.get(function)
    if row is None:
        return NotImplemented
    if not takes(row.call, args, kwargs):
        return NotImplemented
    signature = _signature(row.call)
    bound = signature.bind(*args, **kwargs)
    may_be_tensors = list(signature.parameters)[: row.operands]
    given = bound.arguments.items()
    if has_tensor([value for name, value in given if name not in may_be_tensors]):
        return NotImplemented
    return row.call(*bound.args, **bound.kwargs)


def takes(call: Function, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """True when a form has parameters for these arguments."""
    try:
        _signature(call).bind(*args, **kwargs)
    except TypeError:
        return False
    return True
