"""Refusals: what a row refuses is asked of NumPy, which has the last word.

A row and the type rules below it raise what is certain while tracing. NumPy looks at
dtypes, sizes, axes and read-only arrays in an order of its own, says it in words of its
own, and takes some calls that a rule does not know (`np.sum(3.0, axis=0)`). So the call
is made with samples of the operands: what that raises is raised, and what it gives is
left to a host call. Where sizes are not known, each run asks again, with the operands
themselves (`faults`).
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime import build
from runtime.errors import ObjectArrayError, StagingError
from runtime.numpy_api import (
    asking,
    faults,
    host,
    library,
    methods,
    mutating,
    operators,
    table,
    ufuncs,
)
from runtime.numpy_api import indexing as keys
from runtime.ops.template import encode
from runtime.tensor import Tensor

Function = Callable[..., Any]


def _settled(
    staged: Callable[[], Any], function: Function, args: Any, kwargs: Any, pure: bool
) -> Any:
    """What `staged()` gives, or NumPy's answer to `function(*args, **kwargs)`.

    pure: a host call may take its place
    """
    try:
        return staged()
    # `_answered` raises it, or what NumPy says of it.
    except Exception as error:
        refusal = error
    return _answered(refusal, function, args, kwargs, pure)


def _answered(
    refusal: Exception, function: Function, args: Any, kwargs: Any, pure: bool
) -> Any:
    """NumPy's answer to what a row refuses."""
    if isinstance(refusal, ObjectArrayError):
        # Of such an array most functions are errors; those that are not stay refused.
        pure = False
    elif isinstance(refusal, StagingError):
        raise refusal
    answered: Any = False
    if build.current() is not None and not _calls_back((args, kwargs)):
        answered = asking.answer(function, *args, **kwargs)
    if type(answered) is IndexError and pure and str(answered) != str(refusal):
        answered = True  # which index it names is a matter of what they are
    if answered is True and pure:
        return host.call(function, args, kwargs)
    if not isinstance(answered, Exception):
        raise refusal
    by_layout = function is methods.call_method and args[1] == "view"
    tensors = encode((args, kwargs), lambda part: isinstance(part, Tensor))[1]
    of_dims = any(tensor.spec.shape is None for tensor in tensors)
    if of_dims and pure:
        return host.call(function, args, kwargs)  # a sample has one number of dims
    if by_layout or not all(map(_is_known, tensors)):
        faults.ask(function, args, kwargs, pure)
    # Said of the operands themselves, and not of the samples' sizes.
    holds = isinstance(answered, (TypeError, np.exceptions.AxisError)) and not of_dims
    raise answered if holds or all(t.spec.is_static for t in tensors) else refusal


def _is_known(tensor: Tensor) -> bool:
    """Whether what NumPy says of it depends on its sizes and dtype alone."""
    dtype = tensor.spec.dtype
    return tensor.spec.is_static and dtype is not None and dtype.kind in "biufc"


def _calls_back(parts: Any) -> bool:
    """True where a function of the user's would be called once more."""

    def is_own(part: Any) -> bool:
        known = isinstance(part, (type, Tensor)) or host.is_known_pure(part)
        return callable(part) and not known

    return bool(encode(parts, is_own)[1])


def _has_out(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether the call names an array for its result, which a host call would not."""
    if "out" in kwargs or function is None:
        return "out" in kwargs
    try:
        return "out" in table.with_named_out(function, args, kwargs)[1]
    except TypeError:
        return True


def call_ufunc(
    ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """`ufunc.method(*inputs, **kwargs)`."""
    function = ufunc if method == "__call__" else getattr(ufunc, method)
    changes = method == "at" or "out" in kwargs or len(inputs) > ufunc.nin
    return _settled(
        lambda: ufuncs.call_ufunc(ufunc, method, inputs, dict(kwargs)),
        function,
        inputs,
        kwargs,
        pure=not changes,
    )


def call_function(function: Function, args: tuple[Any, ...], kwargs: Any) -> Any:
    """A function of NumPy's."""
    changes = function in mutating.CHANGES or _has_out(function, args, kwargs)
    return _settled(
        lambda: table.call_function(function, args, kwargs),
        function,
        args,
        kwargs,
        pure=not changes,
    )


def created(create: Function, function: Function, args: Any, kwargs: Any) -> Any:
    """A new array: `create` is what a trace uses for NumPy's `function`."""
    staged = functools.partial(create, *args, **kwargs)
    return _settled(staged, function, args, kwargs, pure=True)


def attribute(tensor: Tensor, name: str) -> Any:
    """An attribute; a method is asked when it is called."""
    found = methods.attribute(tensor, name)
    if not isinstance(found, functools.partial):
        return found
    return functools.partial(method, found, tensor, name)


def method(staged: Function, tensor: Tensor, name: str, *args: Any, **kw: Any) -> Any:
    """A method of an array's, `staged` in a graph."""
    return _settled(
        lambda: staged(*args, **kw),
        methods.call_method,
        (tensor, name, *args),
        kw,
        pure=name not in mutating.METHODS
        and not _has_out(getattr(np, name, None), (tensor, *args), kw),
    )


def operate(
    word: str, *operands: Any, in_place: Callable[[], bool] = lambda: False
) -> Any:
    """A Python operator.

    in_place: whether it is written as `op=`, which is asked where it is refused
    """
    try:
        return operators.operate(word, *operands)
    # `_answered` raises it, or what NumPy says of it.
    except Exception as error:
        refusal = error
    function = library.Operator(f"i{word}" if in_place() else word)
    return _answered(refusal, function, operands, {}, pure=True)


def operate_in_place(word: str, target: Tensor, other: Any) -> Any:
    """`target op= other`."""
    return _settled(
        lambda: operators.operate_in_place(word, target, other),
        getattr(operator, f"__i{word}__"),
        (target, other),
        {},
        pure=False,
    )


def getitem(base: Tensor, key: Any) -> Any:
    """`base[key]`."""
    return _settled(
        lambda: keys.getitem(base, key),
        library.Operator("getitem"),
        (base, key),
        {},
        pure=base.scalar,
    )


def store(base: Tensor, key: Any, content: Any) -> Any:
    """The whole of `base` after `base[key] = content`."""
    return _settled(
        lambda: keys.store(base, key, content),
        operator.setitem,
        (base, key, content),
        {},
        pure=False,
    )
