"""conversion: source -> tree -> analyses -> converters -> code.

A code object is converted once; a function object is then made of it with the
original's globals, defaults and closure cells.
"""

from __future__ import annotations

import functools
import time
import types
from collections.abc import Callable
from enum import Enum
from typing import Any, NamedTuple, cast

import gast
import numpy as np

from autograph import log, operators, sourceless
from autograph.analysis import Analysis, analyze
from autograph.converters import TABLES, Context, convert_function, generators
from autograph.errors import SourceNotFoundError, UnsupportedError
from autograph.operators.calls import converted_call, set_convert
from autograph.operators.with_ import under_settings
from autograph.rules import CONVERTED, GENERATOR, why_left_alone, why_module
from autograph.sight import sight_of
from autograph.syntax import (
    Namer,
    compile_function,
    instantiate,
    names_in,
    parse_function,
    rename_code,
    walk,
)
from runtime.depth import deeper
from runtime.errors import with_notes
from runtime.location import Location
from runtime.structs import struct
from tracer import captures, idle
from tracer.function import Function


class Outer(NamedTuple):
    """Globals and closure variables of a function that hold arrays, or objects.

    computed:  attributes that the function names, of which properties are in sight
    overloads: whether objects whose operators are the user's methods are in sight
    """

    arrays: frozenset[str]
    objects: frozenset[str]
    overloads: bool = False
    computed: frozenset[str] = frozenset()


NOTHING = Outer(frozenset(), frozenset())


class Form(Enum):
    """What a function becomes: a generator of the user's has two forms."""

    FUNCTION = "a function"
    RUN = "a generator that is run by its body"
    LAZY = "a generator that is asked item by item"
    MANAGER = "a generator that a `with` runs around its block"


@struct(eq=False)
class Converted:
    """A converted code object, and the tree that it was compiled from."""

    tree: Any
    code: types.CodeType


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


def _conversion(function: types.FunctionType, form: Form) -> Converted | None:
    code, outer = function.__code__, _outer(function)
    # Code objects that differ only in their file compare equal, and to compare them
    # takes time exponential in how deep functions are nested.
    key = code.co_filename, code, outer, form
    found = _converted.get(key)
    if key not in _converted:
        start = time.perf_counter()
        with deeper(), idle.done_once():
            found = _converted[key] = _convert_code(function, outer, form)
        if len(_converted) > _MOST_CONVERTED:
            _converted.pop(next(iter(tuple(_converted))), None)  # the oldest
        log.converted(function, start)
    return found


_HAS_FORM = {
    Form.RUN: generators.can_run,
    Form.LAZY: generators.can_be_lazy,
    Form.MANAGER: generators.can_manage,
}
# Run by their bodies.
_RUN = (Form.RUN, Form.MANAGER)


def _convert_code(
    function: types.FunctionType, outer: Outer, form: Form
) -> Converted | None:
    code = function.__code__
    parsed = parse_function(function)
    if form is not Form.FUNCTION and not _HAS_FORM[form](parsed.node):
        return None
    try:
        tree, generated = convert_tree(parsed.node, outer, form)
    except UnsupportedError as error:
        place = Location(parsed.filename, error.line, code.co_name)
        error.location = place
        raise with_notes(error, place, error.remedy) from None
    free = (*code.co_freevars, "ag__")
    made = compile_function(
        tree, parsed.filename, free, code.co_flags, code.co_qualname
    )
    return Converted(tree, rename_code(made, generated))


def _outer(function: types.FunctionType) -> Outer:
    """What the function's globals and closure variables hold now."""
    code, scope = function.__code__, function.__globals__
    held = {name: scope[name] for name in code.co_names if name in scope}
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        try:
            held[name] = cell.cell_contents
        except ValueError:
            # The variable is bound later, or never.
            continue
    arrays = {name for name, thing in held.items() if isinstance(thing, np.ndarray)}
    names = frozenset(captures.names_in(code))
    objects = {name for name, thing in held.items() if _has_state(thing, names)}
    own = frozenset(objects - arrays)
    return Outer(frozenset(arrays), own, *sight_of(function))


def _has_state(
    thing: Any, names: frozenset[str], around: tuple[types.ModuleType, ...] = ()
) -> bool:
    """Whether attributes of these names may be arrays of a program's state."""
    if isinstance(thing, types.ModuleType):
        if why_module(thing.__name__) is not None or thing in around:
            return False
        around, of = (*around, thing), [vars(thing)]
    elif not isinstance(thing, _PLAIN):
        return True
    else:
        kinds = thing.__mro__ if isinstance(thing, type) else (thing,)
        of = [vars(kind) for kind in kinds if hasattr(kind, "__dict__")]
    parts = [held[name] for held in of for name in names & held.keys()]
    if not around:
        return any(isinstance(part, np.ndarray) for part in parts)
    return any(_has_state(part, names, around) for part in parts)


# Their attributes are no arrays of a program's state, but where one is found there.
_PLAIN = (
    types.ModuleType,
    types.FunctionType,
    types.BuiltinFunctionType,
    type,
    Function,
    np.ufunc,
    str,
    int,
    float,
)


def convert_tree(
    node: Any, outer: Outer = NOTHING, form: Form = Form.FUNCTION
) -> tuple[Any, dict[str, str]]:
    """The converted tree of a function, and its generated functions' shown names."""
    parts = walk(node)
    _refuse_our_name(parts)
    has_lambda = any(isinstance(part, gast.Lambda) for part in parts)
    namer = Namer(names_in(node) | {"ag__"})
    emit_name = namer.fresh("emit") if form in _RUN else ""
    if emit_name:
        node.body = generators.alone(node.body, emit_name)
    analysis = analyze(node, runs_generator=form in _RUN)
    _refuse_kind(analysis, node, form)
    parameters = [*node.args.posonlyargs, *node.args.args]
    first = parameters[0].id if parameters else None
    context = Context(node, analysis, TABLES, namer, first_parameter=first)
    context.emit_name = emit_name
    context.outer_arrays = outer.arrays - analysis.locals
    context.outer_objects = outer.objects
    context.computed = outer.computed
    context.overloads = outer.overloads or _makes_class(parts)
    if not has_lambda:
        # All are generated, so each is shown as the function that it is part of.
        context.generated["<lambda>"] = ""
    return _CONVERTERS[form](context), context.generated


_CONVERTERS = {
    Form.FUNCTION: convert_function,
    Form.RUN: generators.convert_run,
    Form.MANAGER: generators.convert_run,
    Form.LAZY: generators.convert_lazy,
}


def _refuse_kind(analysis: Analysis, node: Any, form: Form) -> None:
    if analysis.is_async:
        raise UnsupportedError(
            "an async function", node.lineno, "Decorate the functions that it awaits."
        )
    if analysis.is_generator and form is Form.FUNCTION:
        raise UnsupportedError(
            "`yield`", node.lineno, "Return a list or an array instead of yielding."
        )


def _makes_class(parts: list[Any]) -> bool:
    """Whether a class is made inside, which may have operators."""
    return any(isinstance(part, gast.ClassDef) for part in parts)


def _refuse_our_name(parts: list[Any]) -> None:
    for part in parts:
        if isinstance(part, gast.Name) and part.id == "ag__":
            raise UnsupportedError(
                "a function that uses the name `ag__`",
                part.lineno,
                "Rename it: converted code calls its operators by that name.",
            )


set_convert(converted_function, generator_forms, manager_form)
