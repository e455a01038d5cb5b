"""World: printing, asserting, raising, and calls of Python and NumPy functions."""

from __future__ import annotations

import builtins
import copy
import sys
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

import numpy as np

from runtime.effects import PURE, WRITES_WORLD, Effect, Effects, Guard
from runtime.errors import attributes_of, made_of, set_attributes, unbound
from runtime.methods import is_users
from runtime.op import op
from runtime.ops.template import fill
from runtime.spec import TensorSpec


def _filled(template: Any, inputs: tuple[Any, ...]) -> Any:
    # A 0-d result may be held as an array; users see the NumPy scalar.
    return fill(template, tuple(map(_scalar, inputs)))


def _scalar(x: Any) -> Any:
    return x[()] if isinstance(x, np.ndarray) and x.ndim == 0 else x


def _print(*inputs: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> tuple[()]:
    positional, named = _filled((args, dict(kwargs)), inputs)
    if named.get("file") in ("stdout", "stderr"):
        named["file"] = getattr(sys, named["file"])
    builtins.print(*positional, **named)
    return ()


@op("print", kernel=_print, effects=WRITES_WORLD)
def print_(
    *inputs: TensorSpec, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> tuple[()]:
    """Python's `print(*args, **kwargs)`: templates with places for the inputs.

    file: also "stdout" or "stderr", for what these are when the graph runs
    """
    return ()


def _assert(condition: Any, *inputs: Any, message: tuple[Any, ...] = ()) -> tuple[()]:
    if not condition:
        raise AssertionError(*_filled(message, inputs))
    return ()


@op("assert", kernel=_assert, effects=WRITES_WORLD)
def assert_(
    condition: TensorSpec, *inputs: TensorSpec, message: tuple[Any, ...] = ()
) -> tuple[()]:
    """`assert condition, message`.

    message: a template of the exception's arguments: none or one
    AssertionError: the condition is false.
    """
    return ()


def _raise(
    *inputs: Any,
    exception: Any,
    content: Any = None,
    links: Any = None,
    own: bool = False,
) -> tuple[()]:
    if content is None:
        if own:
            _raise_led(another(exception))
        # A fresh traceback at each run where the object is one for all runs.
        raise exception.with_traceback(None)
    args, attributes = _filled(content, inputs)
    made = made_of(type(exception), args)
    set_attributes(made, attributes)
    cause, context = _filled(links, inputs) if links else (None, None)
    made.__cause__ = cause or exception.__cause__
    made.__context__ = context or exception.__context__
    made.__suppress_context__ = exception.__suppress_context__
    _raise_led(made)


def _raise_led(made: BaseException) -> NoReturn:
    """Raise it; what led to it in the function was raised within what is handled."""
    handled, led = sys.exc_info()[1], made.__context__
    if handled is None or led is None:
        raise made
    try:
        raise made  # by which `handled` becomes its context
    except BaseException:
        made.__context__ = within = _within(led, handled)
        if made.__cause__ is led:
            suppressed = made.__suppress_context__
            made.__cause__, made.__suppress_context__ = within, suppressed
        raise


def _within(error: BaseException, handled: BaseException) -> BaseException:
    """`error`, or another like it that was raised while `handled` was."""
    led = error.__context__
    inner = handled if led is None or led is handled else _within(led, handled)
    if inner is led:
        return error
    made = another(error)
    made.__context__ = inner
    return made


def another(exception: BaseException) -> BaseException:
    """Such an exception: each run raises one of its own, as Python does."""
    kind = type(exception)
    if is_users(kind.__init__):
        made = made_of(kind, exception.args)
        set_attributes(made, attributes_of(exception))
    else:
        made = copy.copy(exception)
    made.__cause__, made.__context__ = exception.__cause__, exception.__context__
    made.__suppress_context__ = exception.__suppress_context__
    return made


@op("raise", kernel=_raise, effects=WRITES_WORLD)
def raise_(
    *inputs: TensorSpec,
    exception: BaseException,
    content: Any = None,
    links: Any = None,
    own: bool = False,
) -> tuple[()]:
    """`raise exception`.

    content: a template of its arguments and attributes, when the inputs are in them
    links:   a template of its cause and context, where they are exceptions of the run
    own:     each run makes such an exception of its own
    """
    return ()


def _require_writable(locked: bool, *, words: str) -> tuple[()]:
    if locked:
        raise ValueError(f"{words} is read-only")
    return ()


@op(kernel=_require_writable, effects=WRITES_WORLD)
def require_writable(locked: TensorSpec, *, words: str) -> tuple[()]:
    """Nothing. ValueError: the array that this run writes to is a read-only view."""
    return ()


def _require_array(is_array: bool, *, words: str) -> tuple[()]:
    if not is_array:
        raise TypeError(words)
    return ()


@op(kernel=_require_array, effects=WRITES_WORLD)
def require_array(is_array: TensorSpec, *, words: str) -> tuple[()]:
    """Nothing. TypeError: what this run writes to is an element, and no array."""
    return ()


def _require_output(
    made: Any,
    out: Any,
    *inputs: Any,
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
) -> tuple[()]:
    kinds = np.asarray(made).dtype, np.asarray(out).dtype
    fits = np.shape(made) == np.shape(out) and np.can_cast(*kinds, "same_kind")
    if not fits:
        positional, named = _filled((args, dict(kwargs)), inputs)
        function(*positional, **named, out=np.empty_like(out))  # which says why not
    return ()


@op(kernel=_require_output, effects=WRITES_WORLD)
def require_output(
    made: TensorSpec,
    out: TensorSpec,
    *inputs: TensorSpec,
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
) -> tuple[()]:
    """Nothing. What NumPy raises: `out` is not of the sizes of what is put there.

    made: what `function(*args, **kwargs)` has given, which are templates of the inputs
    """
    return ()


def _require_defined(flag: bool, *, name: str, free: bool = False) -> tuple[()]:
    if not flag:
        raise unbound(name, free)
    return ()


@op(kernel=_require_defined, effects=WRITES_WORLD)
def require_defined(flag: TensorSpec, *, name: str, free: bool = False) -> tuple[()]:
    """Nothing. NameError: flag is false, so the name is not bound here.

    free: the name belongs to a function around the one that reads it
    """
    return ()


def _python_call(*inputs: Any, function: Callable[..., Any], result: TensorSpec) -> Any:
    return function(*inputs)


@op(kernel=_python_call)
def python_call(
    *inputs: TensorSpec, function: Callable[..., Any], result: TensorSpec
) -> TensorSpec:
    """`function(*inputs)` of Python numbers, a number of the type `result`.

    function: pure: math.sqrt, round, ...
    """
    return result


# What is called for the error that it may raise can be called twice.
CHECKS: Effects = frozenset({Effect("write", Guard())})


def _host_effects(attributes: Mapping[str, Any]) -> Effects:
    if attributes["writes"]:
        return WRITES_WORLD
    return CHECKS if attributes.get("checks") else PURE


class Looked:
    """A function whose answers are looked at: what `look` gives is its result.

    function: that is called
    """

    function: Callable[..., Any]

    def look(self, answer: Any) -> Any:
        """The result, for what the function has answered."""
        raise NotImplementedError

    def giving(self, specs: tuple[TensorSpec, ...]) -> Looked:
        """The same, where its results are of these specs."""
        return self

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Its result."""
        return self.look(self.function(*args, **kwargs))

    @property
    def __name__(self) -> str:
        return getattr(self.function, "__name__", type(self.function).__name__)


def _host_call(
    *inputs: Any,
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    results: tuple[TensorSpec, ...],
    writes: bool = False,
    checks: bool = False,
    looks: bool = False,
) -> Any:
    positional, named = _filled((args, dict(kwargs)), inputs)
    answer = function(*positional, **named)
    if len(results) == 1:
        return answer
    return tuple(answer) if results else ()


@op(kernel=_host_call, effects=_host_effects)
def host_call(
    *inputs: TensorSpec,
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    results: tuple[TensorSpec, ...],
    writes: bool = False,
    checks: bool = False,
    looks: bool = False,
) -> tuple[TensorSpec, ...]:
    """`function(*args, **kwargs)`: templates with places for the inputs.

    results: the specs of what it gives: one array, or a tuple of several
    writes:  it has effects, so it runs in its place even when its result is not used
    checks:  it may raise, and that is what it is called for
    looks:   with `writes`: it changes nothing, and gives what there is at this moment
    """
    return results
