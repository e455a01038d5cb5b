"""converted_call: what every call in converted code goes through.

It replaces builtins that tensors need another form of, catches NumPy's creation
functions, converts the user's own functions, and calls everything else as it is.
"""

from __future__ import annotations

import operator
import types
from collections.abc import Callable
from functools import partial
from typing import Any

from autograph import log
from autograph.equivalents import BOUNDED, EQUIVALENTS
from autograph.operators import (
    array_calls,
    asking_calls,
    cached_calls,
    callees,
    compared_by_c,
    consumers,
    dataclass_calls,
    dict_calls,
    fstring,
    generator_calls,
    heaps,
    host_calls,
    iterators,
    library_calls,
    list_calls,
    lists,
    numpy_calls,
    objects,
    plain_writes,
    python_random,
    sets,
    slots,
    stores,
    tensors,
    text_calls,
)
from autograph.operators.builtin_calls import (
    ASK_TYPES,
    BUILTINS,
    ITERATING,
    STAGED_BUILTINS,
)
from autograph.operators.construct import construct
from autograph.operators.iteration_calls import sorted_
from autograph.operators.library_calls import as_it_is
from autograph.operators.own_texts import type_name
from autograph.operators.registry import staging_of_any
from autograph.rules import CONVERTED, GENERATOR, why_left_alone, why_module
from runtime import build, foreign
from runtime.numpy_api import library
from runtime.numpy_api.lacking import require_known
from runtime.objects import Method as TextMethod
from runtime.spec import OBJECT_TYPES, PYTHON_NUMBERS
from runtime.tensor import Tensor
from runtime.variable import Variable
from tracer import captures, identities, only_python, places, reads, recursion, tree
from tracer.caught_parts import ArgumentsOfCaught
from tracer.choice import Choice, varying
from tracer.dict_objects import is_keyed
from tracer.function import Function
from tracer.list_objects import is_staged
from tracer.method import Method
from tracer.picking import ask, each, holds_choice, over
from tracer.varied import at_once, view, with_all

Convert = Callable[[types.FunctionType], Callable[..., Any]]
# The two forms of a generator function, where it has them.
Forms = Callable[[types.FunctionType], tuple[Any, Any]]
_convert: list[Convert] = []
_forms: list[Forms] = []
_manager_form: list[Callable[[types.FunctionType], Any]] = []


def set_convert(convert: Convert, forms: Forms, manager_form: Any) -> None:
    """Tell calls how a function is converted (done once by autograph.conversion)."""
    _convert[:] = [convert]
    _forms[:] = [forms]
    _manager_form[:] = [manager_form]


def generator_of(function: Any) -> Callable[..., Any] | None:
    """A function under `@contextmanager`, as a `with` runs it around its block."""
    if type(function) is not types.FunctionType:
        return None
    made: Callable[..., Any] | None = _manager_form[0](function)
    if made is None:
        return None
    return partial(generator_calls.manage, made)


# What is called as a function of the object that it is bound to.
_BOUND = (types.FunctionType, iterators.CACHED)

_C = types.BuiltinFunctionType


def converted_call(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None
) -> Any:
    """`function(*args, **kwargs)`, with what is called converted where it can be."""
    kind = type(function)
    if kind is _C and not kwargs and callees.only_computes(function, args):
        return function(*args)
    named = kwargs or {}
    bound = kind is types.MethodType and type(function.__func__) in _BOUND
    if bound and not foreign.is_object(function.__self__):
        reads.note_method(function)
        return converted_call(function.__func__, (function.__self__, *args), kwargs)
    if build.current() is not None:
        args = tuple(map(captures.as_written, args))
        reads.note_passed(function, (*args, *named.values()))
        identities.note_call(function, args)
        staged = _in_trace(function, args, named)
        if staged is not None:
            # Nothing else holds it: `noted` counts.
            return iterators.noted(callees.call_instead(function, staged, args, named))
    if kind is types.FunctionType:
        return _call_function(function, args, named)
    if isinstance(function, type):
        return as_it_is(construct, function, args, named)
    special = _SPECIAL.get(kind)
    if special is not None:
        return special(function, args, named)
    if kind is Tensor:
        require_known(function, "called")
        raise TypeError(f"'{type_name(function)}' object is not callable")
    call = getattr(kind, "__call__", None)  # noqa: B004 - its function is wanted
    if type(call) is types.FunctionType and why_left_alone(call) is None:
        reads.note_attribute(kind, "__call__")
        return _call_function(call, (function, *args), named)
    return iterators.given(as_it_is(places.watched, function, args, named))


def _in_trace(
    function: Any, args: tuple[Any, ...], named: dict[str, Any]
) -> Callable[..., Any] | None:
    """What is called instead while a trace is on, if anything is."""
    iterators.refuse_reading(function, args, named)
    compared_by_c.refuse(function, args, named)
    if library.is_object(function):
        return partial(library.call, function)
    if callees.is_unbound(function, args):
        bound = getattr(args[0], function.__name__)
        return lambda _, *args, **named: converted_call(bound, args, named)
    if type(function) is Choice:
        return partial(_call_choice, function)
    several = _varying(function, args, named)
    if several and getattr(function, "__name__", "") in _VIEWS:
        return partial(view, several[0], function.__name__)
    if several:
        return lambda *args, **named: iterators.begun(
            function, with_all(several, partial(_at_once, function, args, named))
        )
    if args and callees.is_placing(function) and holds_choice(args[0]):
        return lambda at, *items: over(
            lambda key: converted_call(function, (key, *items)), at
        )
    if holds_choice(args, named) and _looks_inside(function):
        return partial(_over_choices, function)
    if consumers.takes(function, args, named):
        consumer = consumers.consumer(function, converted_call)
        if consumer is not None:
            return consumer
        iterators.refuse_users(function, args, named)
    found = heaps.call(function, args, named, converted_call)
    found = found or dict_calls.call(function, args, converted_call)
    found = found or list_calls.call(function, args, named, converted_call)
    return found or _by_owner(function, args, named) or _staged(function, args, named)


def _by_owner(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Callable[..., Any] | None:
    """What the call becomes in a trace, if that depends on what is bound to it."""
    kind = type(function)
    owner = getattr(function, "__self__", None)
    if isinstance(owner, places.CONTAINERS):
        return partial(_mutate, function)
    plain_writes.refuse(function, (args, kwargs))
    kept = numpy_calls.kept_method(function)
    if kept is not None:
        return lambda *args, **named: converted_call(kept, args, named)
    if type(owner) is str and function.__name__ == "join" and len(args) == 1:
        return partial(fstring.method, function)
    if type(owner) in OBJECT_TYPES and fstring.is_of_run((args, kwargs)):
        return partial(fstring.method, function)
    if kind is TextMethod:
        return partial(fstring.text_method, function)
    if kind is types.MethodWrapperType:
        found = _operator(function, args)
        return found and (lambda *args, **kwargs: converted_call(found, args, kwargs))
    return None


def _operator(method: Any, args: tuple[Any, ...]) -> Callable[..., Any] | None:
    """A bound `__add__` of a plain number as a function of the other argument."""
    name, owner = method.__name__, method.__self__
    if type(owner) in PYTHON_NUMBERS and tree.holds_tensor(args):
        if hasattr(operator, name):
            return partial(getattr(operator, name), owner)
        mirrored = getattr(operator, name.replace("__r", "__", 1), None)
        return mirrored and (lambda other: mirrored(other, owner))
    return None


_VIEWS = frozenset({"keys", "values", "items"})


def _varying(
    function: Any, args: tuple[Any, ...], named: dict[str, Any]
) -> tuple[Any, ...]:
    """The containers that hold one of several contents, and that the call asks."""
    owner = getattr(function, "__self__", None)
    asked = (*args, *named.values()) if _looks_inside(function) else ()
    return tuple(thing for thing in (owner, *asked) if varying(thing) is not None)


def _call_choice(function: Choice, *args: Any, **named: Any) -> Any:
    return each(function, lambda option: converted_call(option, args, named))


def _looks_inside(function: Any) -> bool:
    """True for what does more with an argument than to pass it on or to keep it."""
    if isinstance(function, types.FunctionType):
        # A library's function around one of the user's hands its arguments on.
        around = isinstance(getattr(function, "__wrapped__", None), types.FunctionType)
        return why_left_alone(function) is not None and not around
    if isinstance(function, type):
        users = why_module(function.__module__) is None
        return not (users or issubclass(function, BaseException))
    owner = getattr(function, "__self__", None)
    if isinstance(owner, places.CONTAINERS):
        return function.__name__ not in _KEEPERS
    return type(function) not in _SPECIAL and not isinstance(
        getattr(type(function), "__call__", None),  # noqa: B004 - its function is wanted
        types.FunctionType,
    )


# Methods of containers that put their argument there as it is.
_KEEPERS = frozenset({"append", "appendleft", "extend", "insert", "setdefault"})


def _at_once(function: Any, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
    return at_once(function, converted_call(function, args, named))


def _over_choices(function: Any, *args: Any, **named: Any) -> Any:
    if function in ASK_TYPES and type(args[0]) is Choice:
        first, *others = args
        return ask(first, lambda one: _at_once(function, (one, *others), named))
    result = over(lambda *a, **n: _at_once(function, a, n), *args, **named)
    return iterators.begun(function, result)


def _staged(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Callable[..., Any] | None:
    """What the call becomes in a trace, if it is a builtin's or NumPy's."""
    if type(function) is types.MethodWrapperType:
        library_calls.refuse_begun_again(function, (args, kwargs))
        return stores.of_super(function)
    try:
        if function in EQUIVALENTS and (
            function not in BOUNDED
            or tree.holds_tensor(args[1:])
            or any(is_staged(one) or is_keyed(one) for one in args)
        ):
            return _generating(EQUIVALENTS[function])
        if function in ITERATING:
            return _iterating(function, ITERATING[function])
        of_objects = objects.builtin(function, args)
        if of_objects is not None:
            return of_objects
        builtin = BUILTINS.get(function) or STAGED_BUILTINS.get(function)
    except TypeError:
        # Unhashable, so it is in no table.
        return host_calls.call(function, args) or numpy_calls.of_object(function, args)
    if builtin is None:
        found = host_calls.to_stream(function, (*args, *kwargs.values()))
        found = found or text_calls.call(function, args, kwargs)
        found = found or library_calls.call(function, args, kwargs)
        found = found or host_calls.call(function, args)
        found = found or python_random.call(function)
        return found or numpy_calls.call(function)
    if function in BUILTINS or function in ASK_TYPES:
        return builtin
    if any(type(arg) is ArgumentsOfCaught for arg in args):
        return builtin
    # The hash of a Variable is that of the object.
    asked = [arg for arg in args if function is not hash or type(arg) is Tensor]
    if staging_of_any(*asked, *kwargs.values()) is not None:
        return lambda *args, **kwargs: builtin(*map(_read, args), **kwargs)
    return None


def _generating(function: Any) -> Callable[..., Any]:
    """What gives the generator that a function of ours does, as one of the user's."""

    def call(*args: Any, **kwargs: Any) -> Any:
        return generator_calls.call(function, _forms[0], args, kwargs)

    call.__wrapped__ = function  # type: ignore[attr-defined] # has its signature
    return call


def _iterating(function: Any, builtin: Callable[..., Any]) -> Callable[..., Any]:
    return callees.iterating(function, builtin, converted_call, _read)


def _read(argument: Any) -> Any:
    return argument.value if isinstance(argument, Variable) else argument


def _call_function(
    function: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    if args and asking_calls.is_dispatched(function):
        return asking_calls.dispatched(function, args, kwargs)
    written = dataclass_calls.comparison(function, args)
    if written is not None and build.current() is not None:
        return written(*args, **kwargs)
    reason = why_left_alone(function)
    if reason is GENERATOR and build.current() is not None:
        made = generator_calls.call(function, _forms[0], args, kwargs)
        if made is not None:
            return made
    if reason not in (None, CONVERTED):
        log.left_alone(function, reason)
        return iterators.noted(as_it_is(places.watched, function, args, kwargs))
    made = _convert[0](function) if reason is None else function
    frame = build.current()
    nodes = 0 if frame is None else len(frame.nodes)
    if frame is not None:
        only_python.note_call(frame.trace)
    result = recursion.call(made, args, kwargs)
    if frame is not None:
        only_python.note_turn(frame, nodes)
    return result


# Methods whose result is a new container.
_MAKERS = frozenset({"copy", "union", "intersection", "difference"})


def _mutate(method: Any, *args: Any, **kwargs: Any) -> Any:
    """A method of a list, dict or set, which may change it."""
    if isinstance(method.__self__, set) and method.__name__ == "pop":
        sets.require_own(method.__self__)
    if type(method.__self__) is list and method.__name__ == "sort" and not args:
        ordered = _iterating(sorted, sorted_)(method.__self__, **kwargs)
        return _mutate(method.__self__.__setitem__, slice(None), ordered)
    if isinstance(method.__self__, dict) and args and isinstance(args[0], Tensor):
        if method.__name__ == "get":
            return tensors.get(method.__self__, *args)
        if method.__name__ in ("pop", "setdefault"):
            tensors.refuse_key("asked for")
    result = places.watched(method, args, kwargs)
    return places.created(result) if method.__name__ in _MAKERS else result


def _call_partial(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    merged = {**function.keywords, **kwargs}
    array = array_calls.listed(function)
    if array is not None and not args and not merged:
        return places.created(array_calls.tolist(array))
    return converted_call(function.func, (*function.args, *args), merged)


def _call_traced(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if build.current() is None:
        return function(*args, **kwargs)
    return converted_call(function.python_function, args, kwargs)


def _call_traced_method(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    return _call_traced(function.__func__, (function.__self__, *args), kwargs)


_SPECIAL: dict[type, Callable[[Any, tuple[Any, ...], dict[str, Any]], Any]] = {
    partial: _call_partial,
    operator.itemgetter: asking_calls.get,
    operator.attrgetter: asking_calls.get_attribute,
    operator.methodcaller: asking_calls.call_method,
    iterators.CACHED: cached_calls.called,
    Function: _call_traced,
    Method: _call_traced_method,
}
slots.set_call(converted_call)
lists.set_call(converted_call)
