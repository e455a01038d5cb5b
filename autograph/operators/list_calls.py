"""Calls with a list among the arguments whose length depends on data.

Python's builtins go through it by a loop of the graph or ask it as a whole, NumPy's
functions get an array. What keeps or hands on its argument gets the list object itself,
and anything else, which would look inside, is refused.
"""

from __future__ import annotations

import builtins
import copy
import functools
import types
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from autograph.equivalents import EQUIVALENTS
from autograph.operators import (
    builtin_calls,
    consumers,
    deques,
    iterated_arguments,
    iteration_calls,
    list_arguments,
    lists,
    python_random,
)
from autograph.operators.builtin_calls import ASK_TYPES, BUILTINS, ITERATING
from autograph.operators.registry import staging_of
from autograph.operators.tensors import staged_iterable
from autograph.rules import CONVERTED, GENERATOR, is_converted_class, why_left_alone
from runtime import objects
from runtime import spec as specs
from runtime.errors import PythonTypeError, located
from runtime.ops import world
from runtime.ops.basic import WEAK_INT
from runtime.ops.elementwise import OPERATORS
from runtime.ops.template import Input
from runtime.spec import OBJECT_TYPES, TensorSpec, result_dtype
from runtime.tensor import Tensor
from tracer import places
from tracer.collecting import is_long
from tracer.dict_objects import is_keyed
from tracer.iterated import Iterated
from tracer.list_objects import (
    holds_staged,
    is_staged,
    made,
    made_like,
    plain_content,
    staged,
    wholes,
)
from tracer.list_rows import Items
from tracer.staged_list import StagedList

Call = Callable[..., Any]


def call(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], again: Call
) -> Call | None:
    """What the call becomes; None where it is what it is without such a list.

    again: calls a function that converted code calls
    """
    through = _text_at(function, args)
    if through is not None:
        given = (*args[:through], objects.items(args[through]), *args[through + 1 :])
        return lambda *_, **kwargs: again(function, given, kwargs)
    owner: Any = getattr(function, "__self__", None)
    if is_staged(owner):
        method = deques.method if type(owner) is deque else lists.method
        return method(owner, function.__name__) or refuse
    if type(owner) in (list, tuple):
        name = function.__name__
        found = lists.method_of_plain(owner, name, args)
        if found is not None:
            return found
    if (function is list or function is tuple) and args and _is_long(args[0]):
        return _CALLS[function]
    if _is_lazy(function) and not any(map(staging_of, args)):
        return partial(_over_items, function)
    if function is sorted and len(args) == 1 and _is_long(args[0]):
        return lambda of, **named: again(sorted, (_list(of),), named)
    if iterated_arguments.holds_any((args, kwargs)) and list_arguments.takes(function):
        return partial(iterated_arguments.call, again, function)
    if not holds_staged((args, kwargs)):
        return refuse if _finds_one(function, args) else None
    return _known(function, again) or (None if _passes_on(function) else refuse)


# Builtins that take no list, of whatever length.
_OF_NUMBERS = {int, float, complex, abs, round, hash, ord, chr, bin, oct, hex}


def _of_numbers(function: Any, *args: Any, **kwargs: Any) -> Any:
    """Python's own error, with an empty one in the place of each."""
    if not any(isinstance(arg, Tensor) for arg in (*args, *kwargs.values())):
        function(*(type(arg)() if is_staged(arg) else arg for arg in args), **kwargs)
    return refuse()


def _text_at(function: Any, args: tuple[Any, ...]) -> int | None:
    """Which argument is a text of the run that the function goes through, if any."""
    found = (at for at, many in _THROUGH.items() if any(f is function for f in many))
    at = next(found, None)
    if at is None or len(args) <= at or not objects.is_object(args[at]):
        return None
    return None if function in (min, max) and len(args) > 1 else at


_THROUGH: dict[int, tuple[Any, ...]] = {
    0: (sum, any, all, min, max, sorted, tuple, set, frozenset),
    1: (functools.reduce, map, filter),
}


def _finds_one(function: Any, args: tuple[Any, ...]) -> bool:
    """Whether unconverted Python code finds such a list in an object or its closure."""
    if type(function) is not types.FunctionType or _passes_on(function):
        return False
    held = [*args, *map(_content, function.__closure__ or ())]
    return any(holds_staged((one, _attributes(one))) for one in held)


def _content(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _known(function: Any, again: Call) -> Call | None:
    try:
        found = _CALLS.get(function)
        if found is not None:
            return found
        if function in _OF_NUMBERS:
            return partial(_of_numbers, function)
        if function in consumers.CONSUMERS:
            return partial(consumers.CONSUMERS[function], again)
        if function in BUILTINS:
            return lambda *args, **kwargs: BUILTINS[function](
                *wholes(args), **wholes(kwargs)
            )
    except TypeError:
        # Unhashable, so it is in no table.
        return None
    shuffling = python_random.shuffling(function)
    if shuffling is not None:
        return shuffling
    if not list_arguments.takes(function):
        return None
    given = partial(list_arguments.given, function)
    return lambda *args, **kwargs: again(function, *given(args, kwargs))


def _attributes(thing: Any) -> Any:
    # A tensor asks the graph for what it does not have.
    return None if isinstance(thing, Tensor) else getattr(thing, "__dict__", None)


def _passes_on(function: Any) -> bool:
    """True for what hands an argument on or keeps it, or has a form of its own."""
    if isinstance(function, types.FunctionType):
        return why_left_alone(function) in (None, CONVERTED, GENERATOR)
    if function in ASK_TYPES or function in EQUIVALENTS or function in ITERATING:
        return True
    if isinstance(function, type):
        keeps = issubclass(function, tuple) and hasattr(function, "_fields")
        is_error = issubclass(function, BaseException)
        return keeps or is_error or is_converted_class(function)
    owner = getattr(function, "__self__", None)
    if isinstance(owner, places.CONTAINERS):
        return function.__name__ in _KEEPERS
    if type(owner) in OBJECT_TYPES:
        return True
    return not isinstance(function, types.BuiltinFunctionType)


# Methods of containers that keep their argument as it is.
_KEEPERS = frozenset({"append", "appendleft", "insert", "setdefault"})


def refuse(*args: Any, **_: Any) -> Any:
    """Raise that such a list, or dict, is given to what would find one thing in it."""
    of = (
        "dict whose keys depend"
        if any(map(is_keyed, args))
        else ("list whose length depends")
    )
    raise located(
        PythonTypeError(f"a {of} on data is given to code that is not converted"),
        "Give an array of it (`np.array(x)`), or return it.",
    )


# Python's builtins.


def _list(iterable: Any = (), /) -> list[Any]:
    held = lists.items_of(iterable)
    return made(held) if isinstance(held, StagedList) else places.created(held)


def _tuple(iterable: Any = (), /) -> Any:
    held = lists.items_of(iterable)
    whole = isinstance(held, StagedList)
    return (plain_content(held),) if whole else tuple(held)


def _deque(iterable: Any = (), maxlen: Any = None) -> Any:
    held = staged(iterable)
    if held is None or maxlen is not None:
        return refuse()
    return places.created(deque([plain_content(held)]))


# They go through a list while what they give is used.
_LAZY: tuple[Any, ...] = (enumerate, zip)


def _is_lazy(function: Any) -> bool:
    return any(function is lazy for lazy in _LAZY)


def _over_items(function: Any, *args: Any, **kwargs: Any) -> Any:
    return function(*(Items(x) if type(x) is list else x for x in args), **kwargs)


def _is_long(iterable: Any) -> bool:
    """True for a staged iterable of many numbers, or whose length depends on data."""
    if objects.is_object(iterable):
        return True
    if isinstance(iterable, Tensor) and iterable.spec.shape == ():
        return False
    if staging_of(iterable) is None or not isinstance(iterable, (Iterated, Tensor)):
        return False
    return is_long(staged_iterable(iterable).length(), iterable)


def _len(of: Any, /) -> Any:
    return builtin_calls.len_(of) if (held := staged(of)) is None else held.length()


def _numbers(of: Any) -> StagedList | None:
    """The list, if its items are numbers and no arrays."""
    held = staged(of)
    if held is None or not held.shape.structure.is_leaf():
        return None
    (spec,) = held.type.specs
    return held if held.shape.fixed == (None,) and spec.shape == () else None


def _sum(iterable: Any, /, start: Any = 0) -> Any:
    """Python's own sum of numbers."""
    held = _numbers(iterable)
    if held is None or type(start) is not int or start != 0:
        return consumers.CONSUMERS[builtins.sum](lists.call, iterable, start)
    (item,) = held.type.specs
    # The sum of no items is an int, whatever they would be.
    found: list[Any] = [WEAK_INT]
    for some in found:
        sums = (OPERATORS["add"].infer(some, option) for option in item.options)
        found += (each for each in dict.fromkeys(sums) if each not in found)
    result = functools.reduce(specs.join, found)
    return world.python_call(held.lists[0], function=builtins.sum, result=result)


def _place(function: Any, items: list[Any]) -> Any:
    return function(range(len(items)), key=items.__getitem__)


def _extreme(function: Any) -> Call:
    """`min` or `max` of a list, which compares its items as they are."""

    def extreme(iterable: Any, /, *others: Any, **options: Any) -> Any:
        held = staged(iterable)
        if held is None or others or options:
            return consumers.CONSUMERS[function](
                lists.call, iterable, *others, **options
            )
        place = partial(_place, function)
        whole = held.zipped()
        return held.get(world.python_call(whole, function=place, result=WEAK_INT))

    return extreme


def _sorted(iterable: Any, /, *, key: Any = None, reverse: Any = False) -> Any:
    return made(lists.sorted_items(iterable, key, reverse))


def _copied(of: Any) -> Any:
    held = staged(of)
    return refuse() if held is None else made_like(of, held)


def _deeply_copied(of: Any) -> Any:
    held = staged(of)
    if held is not None and held.shape.has_rows():
        raise located(
            PythonTypeError("copy.deepcopy of lists in a list"),
            "Copy them one by one: `[list(x) for x in xs]`.",
        )
    return _copied(of)


# NumPy's functions of a sequence of arrays: how many dims the result has beyond an
# item's, and whether its first dim is as long as all items' together.


def _joining(function: Any) -> Call:
    def join(of: Any, *args: Any, **kwargs: Any) -> Any:
        held = staged(of)
        if held is None or args or kwargs.keys() - {"axis"}:
            return refuse()
        if not held.shape.structure.is_leaf():
            # What stands for its items are numbers of rows, or parts of tuples.
            return refuse()
        spec = _joined_spec(function, held.type.specs[0], kwargs.get("axis", 0))
        (result,) = (
            world.host_call(
                held.lists[0],
                function=function,
                args=(Input(0),),
                kwargs=kwargs,
                results=(spec,),
                writes=False,
            ),
        )
        result.scalar = False
        return result

    return join


def _joined_spec(function: Any, item: TensorSpec, axis: int) -> TensorSpec:
    dtype = result_dtype(item.strong())
    if item.shape is None:
        return TensorSpec(None, dtype)
    dims = list(item.shape)
    least, along = _JOINS.get(function, (0, axis))
    dims = _RAISED.get((function, len(dims)), lambda dims: dims)(dims)
    dims = [1] * (least - len(dims)) + dims
    if function is np.stack:
        dims.insert(along if along >= 0 else len(dims) + 1 + along, None)
    elif dims:
        dims[along if len(dims) > 1 else 0] = None
    return TensorSpec(dims, dtype)


# The least number of dims that an item is brought to, and the axis of joining.
_JOINS: dict[Any, tuple[int, int]] = {
    np.vstack: (2, 0),
    np.hstack: (1, 1),
    np.column_stack: (2, 1),
}
# An item without or with one dim becomes a column.
_RAISED: dict[Any, Any] = {
    (np.column_stack, 0): lambda dims: [1, 1],
    (np.column_stack, 1): lambda dims: [dims[0], 1],
}


_CALLS: dict[Any, Call] = {
    list: _list,
    tuple: _tuple,
    deque: _deque,
    len: _len,
    bool: lists.asked,
    sum: _sum,
    min: _extreme(min),
    max: _extreme(max),
    sorted: _sorted,
    enumerate: iteration_calls.enumerate_,
    zip: iteration_calls.zip_,
    reversed: iteration_calls.reversed_,
    copy.copy: _copied,
    copy.deepcopy: _deeply_copied,
    np.stack: _joining(np.stack),
    np.concatenate: _joining(np.concatenate),
    **{function: _joining(function) for function in _JOINS},
    **{function: BUILTINS[function] for function in (getattr, hasattr)},
}
