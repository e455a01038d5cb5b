"""Calls with stars: `f(*xs)` and `f(**d)` of what is known only when the graph runs.

A function whose `*args` takes all of a list gets a tuple of that length. Where a list
fills parameters, the call is made in a branch for each count that they tell apart, so
that too few or too many raise what Python raises, and only then.
"""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from autograph.operators.calls import converted_call
from autograph.operators.fstring import f_string, formatted
from autograph.operators.number_calls import kind_name
from autograph.operators.stars import several, star
from autograph.rules import CONVERTED, GENERATOR, is_converted_class, why_left_alone
from runtime import build
from runtime.errors import StagingError, StagingTypeError, located
from runtime.ops.template import Items
from runtime.structs import struct
from tracer import tree
from tracer.choice import Choice, Varying
from tracer.cond import choose
from tracer.function import Function
from tracer.item_type import ItemShape
from tracer.list_objects import staged
from tracer.parameters import signature_of_calls
from tracer.picking import each
from tracer.staged_list import StagedList

# A list that may fill more parameters than this is not given to them.
MOST_FILLED = 16
# Keywords with `**`: each with its name, and None before a mapping.
Pairs = tuple[tuple[str | None, Any], ...]


def starred_call(function: Any, args: Any, keywords: Any = None) -> Any:
    """`function(*args, **kwargs)` of a call with stars in it.

    args:     an iterable, where the call is `f(*args)` and no more
    keywords: a dict; with stars pairs of a name and a value, None before a mapping
    """
    pairs = keywords if type(keywords) is tuple else None
    if build.current() is None:
        named = keywords if pairs is None else _merged(function, pairs)
        return converted_call(function, _positional(function, args), named)
    if type(function) is Choice:
        return each(function, lambda option: starred_call(option, args, keywords))
    args = _positional(function, args)
    at = next((i for i, part in enumerate(args) if type(part) is Varying), None)
    if at is not None:
        before, behind = args[:at], args[at + 1 :]
        return each(
            args[at].content,
            lambda option: starred_call(
                function, (*before, *star(option), *behind), keywords
            ),
        )
    spread = next((i for i, pair in enumerate(pairs or ()) if _varies(pair)), None)
    if pairs is not None and spread is not None:
        return _of_each_mapping(function, args, pairs, spread)
    named = (keywords or {}) if pairs is None else _merged(function, pairs)
    if any(type(part) is StagedList for part in args):
        return _call_with_list(function, args, named)
    return converted_call(function, args, named)


def _of_each_mapping(
    function: Any, args: tuple[Any, ...], pairs: Pairs, at: int
) -> Any:
    one_of = several(pairs[at][1])
    assert one_of is not None
    before, behind = pairs[:at], pairs[at + 1 :]
    return each(
        one_of,
        lambda option: starred_call(function, args, (*before, (None, option), *behind)),
    )


def _varies(pair: tuple[str | None, Any]) -> bool:
    return pair[0] is None and several(pair[1]) is not None


def _positional(function: Any, args: Any) -> tuple[Any, ...]:
    if type(args) is tuple:
        return args
    if not hasattr(args, "__iter__") and not hasattr(args, "__getitem__"):
        raise TypeError(
            f"{_shown(function)} argument after * must be an iterable, not "
            f"{kind_name(args)}"
        )
    return tuple(args)


def _merged(function: Any, pairs: Pairs) -> dict[str, Any]:
    """The keywords of a call with `**`."""
    made: dict[str, Any] = {}
    for name, value in pairs:
        if name is None and not hasattr(value, "keys"):
            raise TypeError(
                f"{_shown(function)} argument after ** must be a mapping, not "
                f"{kind_name(value)}"
            )
        part = dict(value) if name is None else {name: value}
        for key in part:
            if key in made:
                raise TypeError(
                    f"{_shown(function)} got multiple values for keyword argument "
                    f"{key!r}"
                )
        made.update(part)
    return made


def _shown(function: Any) -> str:
    """A function as Python's messages about its arguments name it."""
    name = getattr(function, "__qualname__", None)
    if name is None:
        return f"{type(function).__name__} object"
    module = getattr(function, "__module__", None)
    return f"{name}()" if module in (None, "builtins") else f"{module}.{name}()"


# Lists among the arguments, each for as many as it has items.


class _Parameters(NamedTuple):
    """How many positional arguments there may be; more: any number beyond that."""

    most: int
    more: bool


def _call_with_list(function: Any, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
    special = _special(function)
    if special is not None:
        return special(args, named)
    parameters = _parameters(function)
    first = next(i for i, part in enumerate(args) if type(part) is StagedList)
    if parameters is None or parameters.most - first > MOST_FILLED:
        raise _refusal()
    fills = max(parameters.most - first, 0)
    if parameters.more and not _is_converted(function):
        raise _refusal()
    if parameters.more and not fills:
        return converted_call(function, args, named)
    items = staged(args[first:])
    assert items is not None
    call = _Call(function, args[:first], named, fills, parameters.more)
    return call.by_length(items)


@struct
class _Call:
    """A call with a list of the run after other arguments.

    fills: how many parameters the list may fill
    more:  whether there may be more arguments
    """

    function: Any
    before: tuple[Any, ...]
    named: dict[str, Any]
    fills: int
    more: bool

    def by_length(self, items: StagedList, at: int = 0) -> Any:
        """In a branch for each length that is told apart, and one for more."""
        # One more is let fail as it is: Python says "1 was", and else "2 were".
        if at > self.fills + (not self.more):
            return self._with_more(items) if self.more else self._too_many(items)
        return choose(
            items.length() == at,
            lambda: self._with(*map(items.get, range(at))),
            lambda: self.by_length(items, at + 1),
        )

    def _with(self, *arguments: Any) -> Any:
        return converted_call(self.function, (*self.before, *arguments), self.named)

    def _with_more(self, items: StagedList) -> Any:
        first = map(items.get, range(self.fills))
        return self._with(*first, items.slice(slice(self.fills, None)))

    def _too_many(self, items: StagedList) -> Any:
        """Python's own error, with the number of arguments that the run gives.

        It is raised with two arguments too many, and says so. A method counts `self`.
        """
        probe = self.fills + 2
        try:
            self._with(*(None,) * probe)
        except StagingError:
            raise
        except TypeError as error:
            said, given = str(error), len(self.before) + probe
            found = [*re.finditer(rf"\b({given}|{given + 1})\b", said)]
            if len(found) != 1:
                raise _refusal() from None
            number = int(found[0].group()) - probe + items.length()
            start, end = found[0].span()
            text = f_string(said[:start], formatted(number, -1, ""), said[end:])
            raise TypeError(text) from None
        raise _refusal()


def _refusal() -> StagingTypeError:
    return located(
        StagingTypeError(
            "how many arguments this call gets is known only when the graph runs"
        ),
        "Give the function the list itself, or take the arguments out of it first "
        "(`a, b = xs`).",
    )


# What is called.


def _parameters(function: Any) -> _Parameters | None:
    """The positional parameters of what is called; None where they are not known."""
    if isinstance(function, np.ufunc):
        return _Parameters(function.nargs, False)
    if isinstance(function, Function):
        function = function.python_function
    try:
        if function in _KNOWN:
            return _Parameters(_KNOWN[function], False)
        found = signature_of_calls(function).parameters.values()
    except (TypeError, ValueError):
        return None
    kinds = [parameter.kind for parameter in found]
    most = sum(
        kind in (inspect.Parameter.POSITIONAL_ONLY, _POSITIONAL) for kind in kinds
    )
    return _Parameters(most, inspect.Parameter.VAR_POSITIONAL in kinds)


_POSITIONAL = inspect.Parameter.POSITIONAL_OR_KEYWORD
# Builtins without a signature.
_KNOWN: dict[Any, int] = {range: 3, slice: 3}


def _is_converted(function: Any) -> bool:
    """True where `*args` of the callee is used by converted code."""
    if isinstance(function, partial):
        return _is_converted(function.func)
    if isinstance(function, types.MethodType):
        return _is_converted(function.__func__)
    if isinstance(function, type):
        return is_converted_class(function)
    if isinstance(function, Function):
        return True
    if not isinstance(function, types.FunctionType):
        function = getattr(type(function), "__call__", None)  # noqa: B004 - its code
    if not isinstance(function, types.FunctionType):
        return False
    return why_left_alone(function) in (None, CONVERTED, GENERATOR)


# Builtins that take any number of arguments.


def _special(function: Any) -> Callable[[tuple[Any, ...], Any], Any] | None:
    if type(getattr(function, "__self__", None)) is str:
        found = _as_text if function.__name__ == "format" else None
    else:
        try:
            found = _SPECIAL.get(function)
        except TypeError:
            # Unhashable, so it is in no table.
            return None
    return found and partial(found, function)


def _as_text(function: Any, args: tuple[Any, ...], named: Any) -> Any:
    """What makes text of its arguments, at each run."""
    return converted_call(function, tuple(map(_spread, args)), named)


def _spread(part: Any) -> Any:
    return Items(part.zipped()) if type(part) is StagedList else part


def _extreme(function: Any, args: tuple[Any, ...], named: Any) -> Any:
    """`max(*xs)`, which is `max(xs)` of two items and more."""
    items = staged(args)
    assert items is not None
    few = partial(converted_call, function)
    return choose(
        items.length() > 1,
        lambda: converted_call(function, (args,), named),
        lambda: choose(
            items.length() == 1,
            lambda: few((items.get(0),), named),
            lambda: few((), named),
        ),
    )


def _zip(function: Any, args: tuple[Any, ...], named: Any) -> Any:
    """`zip(*pairs)`: a tuple of the first parts of all pairs, one of the second."""
    items = staged(args)
    assert items is not None
    columns = [] if named else _columns(items)
    if not columns:
        raise _refusal()
    return choose(items.length() > 0, lambda: tuple(columns), lambda: ())


# Items that are numbers or arrays.
_NUMBER = ItemShape(tree.leaf(), (None,))


def _columns(items: StagedList) -> list[tuple[StagedList]]:
    """The parts of items that are tuples or lists of one length."""
    shape = items.shape
    kinds = [child.is_leaf() for child in shape.structure.children()]
    flat = shape.structure.type in (tuple, list) and all(kinds)
    if not flat or any(leaf is not None for leaf in shape.fixed):
        return []
    return [(StagedList(_NUMBER, [part]),) for part in items.lists]


_SPECIAL: dict[Any, Any] = {
    print: _as_text,
    max: _extreme,
    min: _extreme,
    zip: _zip,
}
