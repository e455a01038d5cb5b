"""`@function`: a tracer.Function whose `convert` step is ours."""

from __future__ import annotations

import copy
import functools
import types
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, ParamSpec, TypeVar, overload

from runtime.current import current
from tracer.function import Function
from tracer.parameters import Inputs

P = ParamSpec("P")
R = TypeVar("R")


@overload
def function(
    python_function: Callable[P, R],
    *,
    input_signature: Sequence[Any] | None = None,
    autograph: bool = True,
    python_effects: str = "run",
    reduce_retracing: bool = True,
    static_args: str | Sequence[str] = (),
    dynamic_args: str | Sequence[str] = (),
    precise: bool | None = None,
) -> Function[P, R]: ...
@overload
def function(
    python_function: None = None,
    *,
    input_signature: Sequence[Any] | None = None,
    autograph: bool = True,
    python_effects: str = "run",
    reduce_retracing: bool = True,
    static_args: str | Sequence[str] = (),
    dynamic_args: str | Sequence[str] = (),
    precise: bool | None = None,
) -> Callable[[Callable[P, R]], Function[P, R]]: ...
def function(
    python_function: Callable[..., Any] | None = None,
    *,
    input_signature: Sequence[Any] | None = None,
    autograph: bool = True,
    python_effects: str = "run",
    reduce_retracing: bool = True,
    static_args: str | Sequence[str] = (),
    dynamic_args: str | Sequence[str] = (),
    precise: bool | None = None,
) -> Any:
    """Make a Python function run as a graph; a decorator, with or without arguments.

    Arrays and NumPy scalars among the arguments (also inside tuples, lists, dicts,
    namedtuples, dataclasses, objects of attrs and of classes that are registered with
    optree in the namespace "autograph") are tensors of the graph; anything else is a
    constant of the trace. There is one trace for each dtype, rank, structure and
    constant: sizes that a second call finds different, and numbers that a third one
    does, are inputs of the trace that is made then, where the function allows it.
    Numbers, texts and containers are told by what they hold, all other objects by which
    they are, hashable or not; what is read of them is looked at by each call.

    input_signature: a TensorSpec for each argument, for one trace that serves all calls
    autograph:       False traces the function as it is: an `if` on a tensor is refused
    python_effects:  "run": `print` prints at each call; "trace": once per trace
    reduce_retracing: False makes a trace for each shape and each number
    static_args:     names of arguments whose numbers and sizes are constants always
    dynamic_args:    names of those whose numbers are inputs from the first call on
    precise:         False lets machine code give exp, sin and the like within some
                     units of the last place; None: as `ag.config(precise=...)` says
    TypeError: input_signature is not a sequence of TensorSpecs, an argument is named
    that there is not, or an option is of another type.
    ValueError: python_effects is something else.

    >>> @function
    ... def steps(n):
    ...     count = 0
    ...     while n != 1:
    ...         n = n // 2 if n % 2 == 0 else 3 * n + 1
    ...         count += 1
    ...     return count
    >>> steps(np.int64(27))
    111
    """
    if python_effects not in ("run", "trace"):
        raise ValueError(f'python_effects is "run" or "trace", not {python_effects!r}')
    flags = {"autograph": autograph, "reduce_retracing": reduce_retracing}
    if precise is not None:
        flags["precise"] = precise
    for name, flag in flags.items():
        if type(flag) is not bool:
            raise TypeError(f"{name} must be True or False, not {flag!r}")
    static = _names("static_args", static_args)
    dynamic = _names("dynamic_args", dynamic_args)
    if input_signature is not None:
        from tracer.input_signature import check

        input_signature = check(input_signature)

    def make(python: Callable[..., Any]) -> Function[..., Any]:
        step = _convert if autograph else _as_it_is
        inputs = Inputs(reduce_retracing, static, dynamic)
        load = _load if autograph else None
        given = (step, input_signature, python_effects, inputs, precise, load)
        is_asked = input_signature is not None or precise is False
        either_way = autograph and python_effects == "run" and not is_asked
        return Function(python, *given, either_way)

    if python_function is not None:
        return _decorated(python_function, make)
    return lambda python: _decorated(python, make)


def _decorated(python: Any, make: Callable[..., Function[..., Any]]) -> Any:
    if isinstance(python, (classmethod, staticmethod)):
        # It stands above them: what they wrap is the function.
        made = _decorated(python.__func__, make)
        if isinstance(python, classmethod):
            made.__set_name__(type, "")
        return type(python)(made)
    if isinstance(python, property):
        parts = (python.fget, python.fset, python.fdel)
        get, put, delete = (part and _decorated(part, make) for part in parts)
        # One of a class of the user's may be made of other things, and hold more.
        own = property.__new__(type(python))
        property.__init__(own, get, put, delete, python.__doc__)
        getattr(own, "__dict__", {}).update(getattr(python, "__dict__", {}))
        return own
    if isinstance(python, functools.cached_property):
        cached = copy.copy(python)
        cached.func = _decorated(python.func, make)
        return cached
    if not callable(python):
        raise TypeError(f"ag.function decorates functions, not {python!r}")
    return make(python)


def _names(option: str, named: str | Sequence[str]) -> Sequence[str]:
    names = (named,) if isinstance(named, str) else named
    is_listed = isinstance(names, (list, tuple, set, frozenset))
    if not (is_listed and all(isinstance(name, str) for name in names)):
        raise TypeError(f"{option} must be names of arguments, not {named!r}")
    return tuple(names)


def _load() -> None:
    """Load what converts, before a first trace begins."""
    import_module("autograph.conversion")


def _convert(python: Callable[..., Any]) -> Callable[..., Any]:
    from autograph.conversion import convert

    if isinstance(python, (types.BuiltinFunctionType, type)):
        from autograph.operators import converted_call

        return lambda *args, **kwargs: converted_call(python, args, kwargs)
    return convert(python)


def _as_it_is(python: Callable[..., Any]) -> Callable[..., Any]:
    frame = current()
    if frame is not None:
        frame.trace.is_converted = False
    return python
