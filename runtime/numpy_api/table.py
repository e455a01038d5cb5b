"""The table of NumPy's functions on tensors, and how a call finds its row.

A row takes the arguments that it stages under NumPy's own names. What it does not take
(a rare keyword, an axis known only at run time) becomes a host call: slower, never
refused.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime import kinds
from runtime.layouts import lying
from runtime.numpy_api import host, into, library
from runtime.numpy_api.operands import has_tensor
from runtime.numpy_api.operators import assign_whole
from runtime.numpy_api.outputs import as_output, require_fitting
from runtime.numpy_api.trials import refused_output
from runtime.ops.template import encode
from runtime.picked import require_array
from runtime.structs import struct
from runtime.tensor import Tensor, tensor

Function = Callable[..., Any]


@struct(eq=False)
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
# Where `out` stands in functions of NumPy's that have no signature.
OUT_PLACES: dict[Function, tuple[str, ...]] = {
    np.concatenate: ("arrays", "axis", "out"),
    np.dot: ("a", "b", "out"),
}
# These give the number that an `out` without dims has got.
GIVES_SCALARS: set[Function] = {np.dot}
# Forms of functions that write `out` part by part, for one that overlaps an argument.
WRITES_BY_PARTS: dict[Function, Function] = {}
# Forms of functions that are ufuncs within, for an `out` beside keywords of ufuncs.
WITH_KEYWORDS: dict[Function, Function] = {}
_UFUNC_KEYWORDS = frozenset("where casting order dtype subok signature sig".split())
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
    function: Function,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    called: Function | None = None,
) -> Any:
    """A NumPy function with tensors among its arguments.

    called: what the run calls where no op does it, if not the function
    """
    if kinds.has_mixed(args, kwargs) and (function not in TAKES_MIXED or kwargs):
        return kinds.split(call_function, function, args, kwargs, called)
    args, kwargs = with_named_out(function, args, kwargs)
    if kwargs.get("out") is Ellipsis:  # an array also where it has no dims
        return host.call(called or function, args, kwargs)
    if function in WITH_KEYWORDS and kwargs.get("out") is not None:
        if _UFUNC_KEYWORDS & kwargs.keys():
            return WITH_KEYWORDS[function](*args, **kwargs)
    out = kwargs.pop("out", None)
    if out is not None:
        return _written(function, args, kwargs, called, out)
    result = _by_row(function, args, kwargs)
    if result is NotImplemented:
        return host.call(called or function, args, kwargs)
    return result


def _by_row(function: Function, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if library.holds_object((args, kwargs)):
        return NotImplemented
    return _from_table(function, args, kwargs)


def _written(
    function: Function,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    called: Function | None,
    out: Any,
) -> Any:
    """The call with an `out`."""
    by_parts = WRITES_BY_PARTS.get(function)
    if by_parts is not None and _overlaps(out, args):
        by_parts(out, *args, **kwargs)
        return out
    check_output(function, args, kwargs, out)
    if by_parts is not None and _is_known(out, args):
        by_parts(out, *args, **kwargs)
        return out
    result = _by_row(function, args, kwargs)
    target, given = tensor(out), (function, args, kwargs)
    if result is NotImplemented and into.suits(target, given):
        require_array(target)
        into.write_into(called or function, target, args, kwargs)
        return out
    if result is NotImplemented:
        result = host.call(called or function, args, kwargs)
    require_array(target)
    require_fitting(tensor(result), target, given)
    assign_whole(target, as_output(tensor(result), target, given))
    is_number = function in GIVES_SCALARS and target.spec.shape == ()
    return target[()] if is_number else out


def with_named_out(
    function: Function, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments, with `out` and what comes after it by name.

    TypeError: the function has no `out`.
    """
    names, takes_any = _parameters(function)
    if "out" not in names:
        if "out" in kwargs and not takes_any:
            words = "got an unexpected keyword argument 'out'"
            raise TypeError(f"{function.__name__}() {words}")
        return args, dict(kwargs)
    count = names.index("out")
    return args[:count], dict(zip(names[count:], args[count:], strict=False)) | kwargs


@functools.cache
def _parameters(function: Function) -> tuple[tuple[str, ...], bool]:
    """The names of the parameters that may come by position; it may have others."""
    if function in OUT_PLACES:
        return OUT_PLACES[function], True
    try:
        found = _signature(function).parameters
    except ValueError:
        return (), True
    kinds_ = {one.kind for one in found.values()}
    names = [name for name, one in found.items() if one.kind in _BY_PLACE]
    return tuple(names), "out" in found or inspect.Parameter.VAR_KEYWORD in kinds_


_BY_PLACE = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
)


def check_output(
    function: Function, args: tuple[Any, ...], kwargs: dict[str, Any], out: Any
) -> None:
    """Raise what NumPy says of an `out` that does not suit the result."""
    template, found = encode((args, kwargs, out), _is_tensor)
    tensors = list(map(tensor, found))
    specs, layouts = [one.spec for one in tensors], list(map(lying, tensors))
    scalars = [one.scalar for one in tensors]
    refusal = refused_output(function, template, specs, layouts, scalars)
    if refusal is not None:
        raise refusal


def _is_tensor(part: Any) -> bool:
    return isinstance(part, (Tensor, np.ndarray))


def _overlaps(out: Any, args: tuple[Any, ...]) -> bool:
    """True where `out` and an argument may be parts of one array."""
    root = tensor(out).root
    roots = (one.root for one in encode(args, _is_array)[1])
    return any(root is one or root in one.sources for one in roots)


def _is_known(out: Any, args: tuple[Any, ...]) -> bool:
    """True where all sizes are, so that what does not fit has been found."""
    specs = [tensor(one).spec for one in (out, *encode(args, _is_tensor)[1])]
    return all(spec.is_static and not spec.kinds for spec in specs)


def _is_array(part: Any) -> bool:
    return isinstance(part, Tensor) and not part.scalar


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
    except ValueError:  # C's may have none
        return True
    return True
