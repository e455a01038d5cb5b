"""Functions of libraries that get values known only when the graph runs.

Those of `statistics` are called by each run; what keeps numbers in objects of its own,
as decimal and fractions do, or fails on a tensor, is Python's (decision 47).
"""

from __future__ import annotations

import collections
import contextlib
import types
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from autograph.operators import attributes
from autograph.operators.number_calls import called
from autograph.operators.printed_text import held_back
from autograph.rules import why_module
from runtime import build
from runtime.build import Frame
from runtime.effects import writes
from runtime.errors import PythonTypeError, StagingError, located
from runtime.failing import may_fail_at
from runtime.numpy_api.trials import sample
from runtime.ops.template import encode, fill
from runtime.spec import TensorSpec, spec_of
from runtime.tensor import Tensor
from tracer import places, tree
from tracer.choice import Stands
from tracer.leaves import is_numeric

# Modules whose objects hold numbers that no graph can.
_OF_OBJECTS = frozenset({"decimal", "_decimal", "_pydecimal", "fractions", "numbers"})
# Of their items equal ones are one; which tensors are equal, a run tells.
_HASHING = frozenset({set, frozenset, collections.Counter})

_OURS = ("autograph", "tracer", "runtime")


def call(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Callable[..., Any] | None:
    """What a call of a library's function becomes; None where it is as it is."""
    if function in _HASHING:
        return _hashing(function)
    if function is vars and args:
        return lambda of: attributes.read(of, "__dict__")
    if function is contextlib.ExitStack:
        _refuse_stack()
    module = getattr(function, "__module__", None)
    if module == "statistics" and tree.holds_tensor((args, kwargs)):
        return _statistics(function)
    if module in _OF_OBJECTS and tree.holds_tensor((args, kwargs)):
        refuse(function)
    if _is_of_base(function, args) and tree.holds_tensor((args, kwargs)):
        # What it leaves in the object, no run would.
        refuse(function)
    return None


def _is_of_base(function: Any, args: tuple[Any, ...]) -> bool:
    """Whether a library's method is called on an object of a class of the user's."""
    if type(function) is not types.FunctionType or not args:
        return False
    kind, name = type(args[0]), function.__name__
    # What `exec` has made has no module.
    if not why_module(function.__module__ or "") or why_module(kind.__module__):
        return False
    return any(vars(base).get(name) is function for base in kind.__mro__)


def refuse_begun_again(method: Any, given: Any) -> None:
    """Refuse an `__init__` in C of an object from outside that gets a tensor.

    `super().__init__(x)` in the `__init__` of an exception of the user's: what C keeps
    of it, no run would put there.
    """
    frame = build.current()
    if method.__name__ != "__init__" or frame is None:
        return
    if id(method.__self__) not in frame.trace.created and tree.holds_tensor(given):
        refuse(method)


def refuse(function: Any) -> NoReturn:
    """Raise that it gets what only a run knows."""
    word = getattr(function, "__qualname__", type(function).__name__)
    raise located(
        PythonTypeError(f"{word} gets a value that is known only when the graph runs"),
        "Use a function of NumPy's or math's, or call it by ag.py_function.",
    ) from None


def _refuse_stack() -> None:
    frame = build.current()
    if frame is not None and frame.trace.python_effects == "run":
        raise located(
            PythonTypeError(
                "what is put into an ExitStack would be left once, while tracing, and "
                "not when the graph runs"
            ),
            "Write a `with` for each manager, or put the stack around the call.",
        )


def _hashing(function: Any) -> Callable[..., Any]:
    def made(*args: Any, **kwargs: Any) -> Any:
        given = args[0] if args else ()
        items = given if isinstance(given, (dict, str)) else list(given)
        if tree.holds_tensor(list(items)):
            refuse(function)
        return function(items, *args[1:], **kwargs) if args else function(**kwargs)

    return made


def _statistics(function: Any) -> Callable[..., Any]:
    """Of floats; what it gives of ints may be an int or a float, by their values."""

    def staged(*args: Any, **kwargs: Any) -> Any:
        template, inputs = encode((args, kwargs), lambda part: isinstance(part, Tensor))
        if any(tensor.spec.dtype != np.float64 for tensor in inputs):
            refuse(function)
        positional, named = fill(template, tuple(sample(t.spec) for t in inputs))
        with build.suspended():
            try:
                answer = function(*positional, **named)
            except Exception:
                refuse(function)
        if not is_numeric(answer):
            refuse(function)
        results: tuple[TensorSpec, ...] = (spec_of(answer),)
        return called(function, args, kwargs, results)

    return staged


def as_it_is(
    call: Callable[..., Any], function: Any, args: Any, kwargs: dict[str, Any]
) -> Any:
    """`call(function, args, kwargs)` of what is not converted.

    What a library's raises when it gets a tensor says nothing of what it does of a
    value, but where the tensor itself has raised it. What it is given to call may fail
    at the run, where the library no longer catches it: `pytest.raises(E, f, x)`.
    """
    frame = build.current()
    if frame is None or not _may_catch(function, (*args, *kwargs.values())):
        return _as_it_is(call, function, args, kwargs)
    before = len(frame.nodes)
    try:
        result = _as_it_is(call, function, args, kwargs)
    except (StagingError, KeyboardInterrupt):
        raise
    except BaseException:  # pytest's are no Exceptions
        _require_safe(function, frame, before)
        raise
    _require_safe(function, frame, before)
    return result


def _may_catch(function: Any, given: tuple[Any, ...]) -> bool:
    """Whether a library's Python is given something to call."""
    if type(function) is not types.FunctionType or not _is_librarys(function):
        return False
    return any(callable(one) and not isinstance(one, type) for one in given)


def _require_safe(function: Any, frame: Frame, before: int) -> None:
    """Refuse what may fail at the run, or changes something, of the nodes since."""
    for at in range(before, len(frame.nodes)):
        if writes(frame.nodes[at].effects) or may_fail_at(frame.nodes, at):
            raise located(
                PythonTypeError(
                    f"{function.__qualname__} is given a function that may fail when "
                    "the graph runs, and catches it while tracing alone"
                ),
                "Put it around the call of the decorated function.",
            ) from None


def _as_it_is(
    call: Callable[..., Any], function: Any, args: Any, kwargs: dict[str, Any]
) -> Any:
    if not isinstance(function, type):
        places.note_called(function)
    try:
        if not _is_librarys(function):
            return call(function, args, kwargs)
        with held_back(function):
            return call(function, args, kwargs)
    except StagingError:
        raise
    except Exception as error:
        if build.current() is None or not (
            call is places.watched or _is_librarys(function)
        ):
            raise
        if _is_by_tensor(error, call) or not _is_of_run((args, kwargs)):
            raise
        refuse(function)


def _is_by_tensor(error: Exception, call: Callable[..., Any]) -> bool:
    """Whether a function of ours has raised it, which `call` has led to."""
    last = error.__traceback__
    assert last is not None
    while last.tb_next is not None:
        last = last.tb_next
    frame = last.tb_frame
    package = frame.f_globals.get("__name__", "").partition(".")[0]
    return package in _OURS and frame.f_code is not call.__code__


def _is_librarys(function: Any) -> bool:
    """Whether it is written in C, or in Python by a library that is not this one."""
    module = getattr(function, "__module__", None) or type(function).__module__
    if module.partition(".")[0] in _OURS:
        return False
    return not _is_in_python(function) or why_module(module) is not None


def _is_in_python(function: Any) -> bool:
    """False for what is written in C; Cython's functions have a `__code__`, too."""
    if isinstance(function, type):
        return bool(function.__flags__ & _MADE_BY_PYTHON)
    if isinstance(function, types.MethodType):
        function = function.__func__
    return type(function) is types.FunctionType


_MADE_BY_PYTHON = 1 << 9  # Py_TPFLAGS_HEAPTYPE


def _is_of_run(parts: Any) -> bool:
    return any(isinstance(leaf, (Tensor, Stands)) for leaf in tree.flatten(parts)[0])
