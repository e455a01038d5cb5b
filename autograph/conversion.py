"""conversion: the converted form of each function that is met.

A code object is converted once, or is what an earlier process has kept; a function
object is then made of it with the original's globals, defaults and closure cells.
"""

from __future__ import annotations

import functools
import time
import types
from collections.abc import Callable, Mapping
from typing import Any, cast

from autograph import kept_code, log, operators, sourceless
from autograph.converting import convert_code, is_of_its_text
from autograph.errors import SourceNotFoundError
from autograph.forms import Converted, Form, Outer, outer_of
from autograph.operators.calls import converted_call, set_convert
from autograph.operators.with_ import under_settings
from autograph.rules import CONVERTED, GENERATOR, why_left_alone
from runtime.config import config
from runtime.depth import deeper
from tracer import captures, idle

# What a function has besides its code, globals, defaults and cells; the type
# parameters since Python 3.12.
_SHARED = ("__doc__", "__qualname__", "__module__", "__type_params__")
# By file, code object and the names that hold arrays, which are read in another way.
# The latest of them: a notebook's cell that is run again is another file each time.
_converted: dict[tuple[str, types.CodeType, Outer, Form], Converted | None] = {}
_MOST_CONVERTED = 4096
_cells = {"ag__": types.CellType(operators)}


def convert(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function` rewritten so that control flow on tensors is staged.

    Functions, methods, callable objects, partials and lambdas. Outside of a trace the
    result does what the function does.
    A function whose source is not to be had runs as it is. NotImplementedError: a
    construct cannot be converted; the line is named.
    """
    if isinstance(function, functools.partial):
        inner = convert(function.func)
        return functools.partial(inner, *function.args, **function.keywords)
    if isinstance(function, types.MethodType):
        inner = convert(function.__func__)
        return cast(Callable[..., Any], types.MethodType(inner, function.__self__))
    if not isinstance(function, types.FunctionType):
        return _convert_callable(function)
    if why_left_alone(function) == CONVERTED:
        return function
    return converted_function(function)


def _convert_callable(thing: Any) -> Callable[..., Any]:
    call = getattr(type(thing), "__call__", None)  # noqa: B004 - its function is wanted
    if isinstance(call, types.FunctionType) and why_left_alone(call) is None:
        return types.MethodType(converted_function(call), thing)
    # What has no source is called as converted code calls it.
    return functools.partial(_called, thing)


def _called(thing: Any, *args: Any, **kwargs: Any) -> Any:
    return converted_call(thing, args, kwargs)


def converted_function(function: types.FunctionType) -> types.FunctionType:
    """The converted form of one Python function object; itself without its source."""
    captures.note_function(function)
    function = under_settings(function)
    try:
        made = conversion(function)
    except SourceNotFoundError as error:
        log.left_alone(function, str(error))
        return sourceless.unconverted(function, str(error))
    return instantiate(made.code, function, _cells)


def converted_generator(
    function: types.FunctionType, form: Form
) -> types.FunctionType | None:
    """A form of a generator function; None where it has none, or no source."""
    captures.note_function(function)
    try:
        made = _conversion(function, form)
    except SourceNotFoundError:
        return None
    return None if made is None else instantiate(made.code, function, _cells)


def generator_forms(function: types.FunctionType) -> tuple[Any, Any]:
    """The generator function as it is run, and as it is asked item by item."""
    run = converted_generator(function, Form.RUN)
    return run, converted_generator(function, Form.LAZY)


def manager_form(function: types.FunctionType) -> types.FunctionType | None:
    """A generator function of the user's under `@contextmanager`, as a `with` runs it.

    None where it has no such form: it belongs to a library, or has no source.
    """
    if why_left_alone(function) is not GENERATOR:
        return None
    return converted_generator(function, Form.MANAGER)


def conversion(function: types.FunctionType) -> Converted:
    """The conversion of a function's code object, made once."""
    found = _conversion(function, Form.FUNCTION)
    assert found is not None
    return found


def tree_of(function: types.FunctionType) -> Any:
    """The converted tree of a function, of whose code another process may have kept.

    SourceNotFoundError: its source is not to be had
    """
    made = conversion(function)
    if made.tree is not None:
        return made.tree
    converted = convert_code(function, outer_of(function), Form.FUNCTION)
    return None if converted is None else converted.tree


def _conversion(function: types.FunctionType, form: Form) -> Converted | None:
    code, outer = function.__code__, outer_of(function)
    # Code objects that differ only in their file compare equal, and to compare them
    # takes time exponential in how deep functions are nested.
    key = code.co_filename, code, outer, form
    found = _converted.get(key)
    if key not in _converted:
        start = time.perf_counter()
        with deeper(), idle.done_once():
            found = _converted[key] = _kept_or_made(function, outer, form)
        if len(_converted) > _MOST_CONVERTED:
            _converted.pop(next(iter(tuple(_converted))), None)  # the oldest
        log.converted(function, start)
    return found


def _kept_or_made(
    function: types.FunctionType, outer: Outer, form: Form
) -> Converted | None:
    code = function.__code__
    key = kept_code.key_of(code, outer, form) if config.cache_dir else ""
    kept = kept_code.found(key, code.co_filename) if key else None
    if kept is not None:
        return Converted(kept.code) if kept.code else None
    made = convert_code(function, outer, form)

    def is_its(other: types.CodeType) -> bool:
        return kept_code.key_of(other, outer, form) == key

    # Where the file has changed since, its text is not what this code means: whoever
    # meets the code later, with its own text again, would be given the other's.
    if key and is_of_its_text(function, is_its):
        kept_code.keep(key, None if made is None else made.code)
    return made


def instantiate(
    code: types.CodeType,
    function: types.FunctionType,
    cells: Mapping[str, types.CellType],
) -> types.FunctionType:
    """A function that runs `code` in the place of `function`.

    It shares the globals, defaults and closure cells of `function`, so that a later
    change of a captured variable is seen by both; `cells` holds the free variables that
    `function` does not have. KeyError: a free variable is in neither.
    """
    own = dict(
        zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    )
    closure = tuple(
        own[name] if name in own else cells[name] for name in code.co_freevars
    )
    result = types.FunctionType(
        code, function.__globals__, function.__name__, function.__defaults__, closure
    )
    if function.__kwdefaults__ is not None:
        result.__kwdefaults__ = dict(function.__kwdefaults__)
    result.__annotations__ = dict(function.__annotations__)
    result.__dict__.update(function.__dict__)
    for name in _SHARED:
        if hasattr(function, name):
            setattr(result, name, getattr(function, name))
    return result


set_convert(converted_function, generator_forms, manager_form)
