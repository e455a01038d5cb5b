"""Calls of NumPy's own functions during a trace: creation, and arrays among arguments.

The protocols catch calls with a tensor. These catch the others: `np.zeros(n)` makes an
array that the program will change, and `np.cumsum(table)` of a user's array must look
at the array at each call.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import Any

import numpy as np

from autograph.operators import python_random
from runtime import build, foreign
from runtime.errors import OnlyPythonError, located
from runtime.library_spec import LibrarySpec
from runtime.numpy_api import (
    CREATION,
    call_function,
    call_ufunc,
    callbacks,
    created,
    host,
    library,
)
from runtime.numpy_api.table import takes
from runtime.numpy_api.trials import sample
from runtime.ops.basic import cast
from runtime.ops.random import is_source
from runtime.ops.template import encode
from runtime.quiet import drawing
from runtime.spec import ListSpec, TensorSpec, holds_objects
from runtime.tensor import Tensor, tensor, tensor_of_array
from runtime.variable import WRITERS, Variable, holds_variable, read_by
from tracer import captures, places, random_calls, tree
from tracer.item_type import ItemShape
from tracer.list_objects import made as list_object
from tracer.staged_list import StagedList


def call(function: Any) -> Callable[..., Any] | None:
    """The staged form of NumPy's `function`; None when it is not NumPy's."""
    random = random_calls.call(function)
    if random is not None:
        shuffles = getattr(function, "__name__", "") == "shuffle"
        return partial(_shuffle, function, random) if shuffles else random
    if isinstance(function, Hashable) and function in _OWN:
        return _OWN[function]
    if isinstance(function, type):
        return _scalar_type(function) or _library_class(function)
    method = _method(function)
    if method is not None:
        return method
    module = getattr(function, "__module__", None) or ""
    package = module.partition(".")[0]
    if not isinstance(function, np.ufunc) and package not in foreign.PACKAGES:
        return None
    create = CREATION.get(function)

    def staged(*args: Any, **kwargs: Any) -> Any:
        plain = not library.holds_object((args, kwargs))
        if create is not None and plain and takes(create, args, kwargs):
            return created(create, function, args, kwargs)
        positional, named = _staged(args), _staged(kwargs)
        if not _has_tensor((positional, named)):
            return _plainly(function, args, kwargs)
        if isinstance(function, np.ufunc):
            made = call_ufunc(function, "__call__", positional, named)
        else:
            made = call_function(function, positional, named)
        return _as_list(made)

    return partial(_reading, function, staged)


def _reading(function: Any, staged: Any, *args: Any, **kwargs: Any) -> Any:
    """A call on what the Variables among the arguments hold."""
    if not holds_variable((*args, *kwargs.values())):
        return staged(*args, **kwargs)
    return read_by(staged, args, kwargs, _writes(function, args, kwargs))


def _method(function: Any) -> Callable[..., Any] | None:
    owner = getattr(function, "__self__", None)
    if isinstance(owner, np.ufunc):
        return partial(_ufunc_method, owner, function.__name__)
    if foreign.is_object(owner):
        return partial(library.method, host.held(owner), function.__name__)
    return None


def of_object(function: Any, args: Any) -> Callable[..., Any] | None:
    """The staged form of a call of a library's object."""
    if library.is_plain_object(function) and tree.holds_tensor(args):
        return partial(library.call, function)
    return None


def _shuffle(function: Any, shuffle: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
    """A list is put into another order item by item, as Python's `random` does it."""
    if isinstance(x, list):
        return python_random.shuffle(function.__self__, x)
    if isinstance(x, Variable):
        return read_by(shuffle, (x, *args), kwargs, writes=True)
    return shuffle(x, *args, **kwargs)


def _writes(function: Any, args: Any, kwargs: Any) -> bool | None:
    """Whether a call writes into an argument; None where that is seen afterwards."""
    if isinstance(function, np.ufunc):
        return "out" in kwargs or len(args) > function.nin
    return "out" in kwargs or function in WRITERS or None


def _ufunc_method(ufunc: np.ufunc, method: str, *args: Any, **kwargs: Any) -> Any:
    if holds_variable((*args, *kwargs.values())):
        called = partial(_ufunc_method, ufunc, method)
        return read_by(called, args, kwargs, "out" in kwargs or method == "at")
    positional, named = _staged(args), _staged(kwargs)
    if not _has_tensor((positional, named)):
        return _made_anew(getattr(ufunc, method)(*args, **kwargs))
    return call_ufunc(ufunc, method, positional, named)


def _plainly(function: Any, args: Any, kwargs: Any) -> Any:
    """A call with what is known while tracing; by each run where it draws."""
    if encode((args, kwargs), is_source)[1]:
        return host.call(function, args, kwargs)
    with drawing() as drawn:
        # An object of the library's among the arguments may be changed.
        result = places.watched(function, args, kwargs)
    if drawn:
        return host.call(function, args, kwargs)
    return _made_anew(result, (function, args, kwargs))


# Whose objects the run makes, also of what is known while tracing.
_OBJECTS = frozenset(foreign.PACKAGES) - {"numpy"}


def _is_of_run(result: Any) -> bool:
    return foreign.package(type(result)) in _OBJECTS or foreign.is_object(result)


def _made_anew(result: Any, called: Any = None) -> Any:
    """What was made while tracing as something that each execution makes.

    called: the function and its arguments, for what can only be made by it
    """
    if called is not None and _is_of_run(result):
        function, args, kwargs = called
        return host.call(function, args, kwargs, LibrarySpec(result))
    return captures.made(result)


def _seterr(**settings: Any) -> dict[str, Any]:
    """`np.seterr`: for what this trace computes, and for each run."""
    host.call(np.seterr, (), settings, writes=True)
    frame = build.require_current("np.seterr")
    frame.trace.floats_raise |= "raise" in settings.values()
    before: dict[str, Any] = dict(np.seterr(**settings))
    return before


def _ndarray(*args: Any, **kwargs: Any) -> Any:
    """`np.ndarray(shape)`: memory as it is found, or what a buffer holds."""
    if len(args) + len(kwargs) <= 2 and takes(CREATION[np.empty], args, kwargs):
        return CREATION[np.empty](*args, **kwargs)
    positional, named = _staged(args), _staged(kwargs)
    if not _has_tensor((positional, named)):
        return captures.made(np.ndarray(*args, **kwargs))
    return host.call(np.ndarray, positional, named)


def _frompyfunc(func: Any, /, *args: Any, **kwargs: Any) -> Any:
    """`np.frompyfunc`: what the ufunc calls is not known from then on."""
    callbacks.require_harmless("frompyfunc", func)
    return np.frompyfunc(func, *args, **kwargs)


def _array(of: Tensor, dtype: Any = None, *, copy: Any = None) -> Any:
    """`x.__array__()`, where the program says so itself."""
    return CREATION[np.asarray](of, dtype, copy=copy)


_OWN: dict[Any, Callable[..., Any]] = {
    np.ndarray: _ndarray,
    np.seterr: _seterr,
    np.frompyfunc: _frompyfunc,
    Tensor.__array__: _array,
}


def _scalar_type(kind: type) -> Callable[..., Any] | None:
    if not issubclass(kind, np.generic):
        return None

    def make(*args: Any, **kwargs: Any) -> Any:
        if not args or not isinstance(args[0], Tensor) or kwargs:
            return kind(*args, **kwargs)
        if len(args) == 1 and not issubclass(kind, (np.datetime64, np.timedelta64)):
            return _of_type(tensor(args[0]), np.dtype(kind))
        made = kind(sample(args[0].spec), *args[1:])
        return host.call(kind, args, {}, TensorSpec((), made.dtype))

    return make


def _of_type(x: Tensor, dtype: np.dtype[Any]) -> Any:
    """`np.float64(x)`: of an array with dims, which is of that dtype, it is that."""
    if x.spec.shape and dtype.kind in _NUMBERS:
        return CREATION[np.asarray](x, dtype)
    return cast(x, dtype=dtype)


_NUMBERS = "biufc"

# Classes that a trace itself makes: their objects say what is known by then.
_MADE_IN_TRACE = frozenset(
    "dtype errstate vectorize ndindex finfo iinfo printoptions busdaycalendar".split()
)


def _library_class(kind: type) -> Callable[..., Any] | None:
    """A class whose objects the run makes, where its arguments are of the run."""
    if foreign.package(kind) not in foreign.PACKAGES or issubclass(kind, BaseException):
        return None
    if kind.__name__ in _MADE_IN_TRACE or kind.__module__.startswith("numpy.random"):
        return None
    if issubclass(kind, tuple):
        return None  # a named one, which holds what it is given

    def make(*args: Any, **kwargs: Any) -> Any:
        positional, named = _staged(_read(args)), _staged(_read(kwargs))
        if kind is np.nditer:
            raise located(
                OnlyPythonError("np.nditer of a tensor is not staged"),
                "Go through x.flat, np.ndenumerate(x) or np.ndindex(x.shape).",
            )
        if not _has_tensor((positional, named)):
            return _plainly(kind, args, kwargs)
        return host.call(kind, positional, named)

    return make


def _staged(part: Any) -> Any:
    """Arrays in an argument as tensors; the containers NumPy looks into rebuilt."""
    if type(part) is np.ndarray and not holds_objects(part.dtype):
        return tensor_of_array(part)
    if type(part) in (list, tuple):
        return type(part)(map(_staged, part))
    if type(part) is dict:
        return {name: _staged(value) for name, value in part.items()}
    return part


def _read(part: Any) -> Any:
    """Variables in an argument as what they hold; NumPy would look at them now."""
    if isinstance(part, Variable):
        return part.value
    if type(part) in (list, tuple):
        return type(part)(map(_read, part))
    if type(part) is dict:
        return {name: _read(value) for name, value in part.items()}
    return part


def _as_list(made: Any) -> Any:
    """A list whose length depends on data as the list object that code has."""
    if not isinstance(made, Tensor) or not isinstance(made.spec, ListSpec):
        return made
    made.scalar = True
    return list_object(StagedList(ItemShape(tree.leaf(), (None,)), [made]))


def _has_tensor(part: Any) -> bool:
    if isinstance(part, (list, tuple)):
        return any(map(_has_tensor, part))
    if isinstance(part, dict):
        return any(map(_has_tensor, part.values()))
    made_by_run = isinstance(part, Tensor) or foreign.is_object(part)
    return made_by_run or callbacks.callback(part) is not part


def kept_method(function: Any) -> Any:
    """Of a method that was kept under a name, that of the array as it is by now."""
    owner = getattr(function, "__self__", None)
    array = captures.borrow(owner) if type(owner) is np.ndarray else None
    method = getattr(array, function.__name__) if type(array) is Tensor else None
    # What a tensor answers by an array of its own asks nothing of the run.
    return None if type(getattr(method, "__self__", None)) is np.ndarray else method
