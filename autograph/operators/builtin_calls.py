"""Builtins on staged values: what `len`, `range`, `min`, `int`, `math.sqrt` ... mean.

Those in BUILTINS are always replaced; those in STAGED_BUILTINS only when an argument is
staged, and then they do what Python's does, element by element in Python's order.
"""

from __future__ import annotations

import builtins
import collections
import copy
import functools
import math
import operator
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from autograph.operators import (
    array_calls,
    attributes,
    iteration_calls,
    sequences,
    stores,
)
from autograph.operators.compare import in_
from autograph.operators.fstring import (
    staged_or_plain,
    symbolic,
    text_of_parts,
)
from autograph.operators.logical import not_
from autograph.operators.made_types import named_tuple
from autograph.operators.number_calls import NUMBERS, fsum, kind_name, number, type_
from autograph.operators.own_texts import text
from autograph.operators.registry import staging_of
from runtime import build, kinds
from runtime import objects as run_time
from runtime.numpy_api import fields, library
from runtime.numpy_api.fields import is_record
from runtime.ops import world
from runtime.ops.template import encode, remade
from runtime.spec import object_type
from runtime.tensor import Tensor
from runtime.unknown import is_unknown
from runtime.variable import Variable
from tracer import caught, caught_parts, places, tree
from tracer.cond import choose
from tracer.item_type import settled
from tracer.opened import opened
from tracer.undefined import Maybe


def print_(*args: Any, **kwargs: Any) -> None:
    """Python's print, each time the graph runs (`python_effects="trace"`: once)."""
    frame = build.current()
    if frame is None or frame.trace.python_effects == "trace":
        builtins.print(*map(symbolic, args), **kwargs)
        return
    emit_print(caught.shown(opened(args)), kwargs)


def emit_print(args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """A print node; what holds no tensor is text already, as it is now."""
    if kwargs.get("file") in (sys.stdout, sys.stderr):
        # By name: each run prints to what they are then.
        name = "stdout" if kwargs["file"] is sys.stdout else "stderr"
        kwargs = {**kwargs, "file": name}
    # Of an object that holds one of several, the text of a run.
    made = settled(opened(tuple(map(_text, args)), objects=True))
    shown = tuple(arg if _is_run_time(arg) else str(remade(arg)) for arg in made)
    template, inputs = encode((shown, kwargs), lambda part: isinstance(part, Tensor))
    positional, named = template
    world.print_(*inputs, args=positional, kwargs=named)


def _text(arg: Any) -> Any:
    made = text_of_parts(arg)
    return text(arg) if made is None else made


def _is_run_time(arg: Any) -> bool:
    """True for what is text only when the graph runs."""
    return isinstance(arg, Variable) or tree.holds_tensor(arg)


def len_(x: Any) -> Any:
    """The length: an int, or a staged int."""
    if run_time.is_object(x):
        return x.length()
    if kinds.is_mixed(x) and x.scalar:
        return kinds.split(len_, x)
    if isinstance(x, caught_parts.ArgumentsOfCaught):
        return x.length()
    if isinstance(x, Tensor) and x.scalar and not is_record(x):
        raise TypeError(f"object of type '{kind_name(x)}' has no len()")
    return builtins.len(x) if staging_of(x) is None else x.length()


def _issubclass(kind: Any, classes: Any) -> Any:
    if type(kind) is caught.TypeOfCaught:
        return kind.is_subclass(classes)
    return issubclass(kind, classes)


def isinstance_(x: Any, classes: Any) -> Any:
    """`isinstance(x, classes)` of what `x` will be when the graph runs."""
    if caught.is_open(x):
        return caught.is_instance(x, classes)
    if is_unknown(x):
        return caught_parts.is_instance(x, classes)
    if kinds.is_mixed(x):
        return kinds.split(isinstance_, x, classes)
    kind = type_(x)
    if kind is type(x):
        return isinstance(x, classes)
    try:
        return issubclass(kind, classes)
    except TypeError:
        # In the words of the function that was called.
        return isinstance(None, classes)


def hasattr_(of: Any, name: str) -> Any:
    """`hasattr(of, name)` of what `of` will be when the graph runs."""
    if kinds.is_mixed(of):
        return kinds.split(hasattr_, of, name)
    if isinstance(of, Tensor) and name.startswith("__") and not library.is_object(of):
        return any(name in vars(base) for base in type_(of).__mro__)
    held = places.AttributeSlot(of, name).get() if places.tracing() else None
    if type(held) is Maybe:
        either = partial(_found, attributes.unset, of, name)
        return choose(held.defined, lambda: True, either)
    return _found(getattr_, of, name)


def _found(read: Callable[[Any, str], Any], of: Any, name: str) -> bool:
    try:
        read(of, name)
    except AttributeError:
        return False
    return True


def getattr_(of: Any, name: str, *default: Any) -> Any:
    """`getattr(of, name)`, with what `of` will be asked for its attributes."""
    if default and kinds.is_mixed(of):
        return kinds.split(getattr_, of, name, *default)
    try:
        # A library's object has more than its class: `getattr` tells.
        exact = isinstance(of, Tensor) and not (of.spec.kinds or library.is_object(of))
        exact = exact and not fields.is_attribute(of, name)
        if exact and not hasattr(type_(of), name):
            raise AttributeError(f"'{kind_name(of)}' object has no attribute '{name}'")
        held = places.AttributeSlot(of, name).get() if default else None
        if type(held) is Maybe:
            return choose(
                held.defined,
                lambda: held.content,
                lambda: _unset_or(of, name, default[0]),
            )
        return stores.get_attr(of, name)
    except AttributeError:
        if not default:
            raise
        return default[0]


def index_of(items: Any, item: Any) -> Any:
    """`operator.indexOf`."""
    return sequences.index_of(list(items), item, lambda: operator.indexOf([], 0))


def length_hint(of: Any, default: int = 0) -> Any:
    """`operator.length_hint` of what is staged: its length, if it has one."""
    unsized = isinstance(of, Tensor) and of.spec.rank == 0 and not object_type(of.spec)
    return operator.length_hint(object(), default) if unsized else len_(of)


def _unset_or(of: Any, name: str, default: Any) -> Any:
    try:
        return attributes.unset(of, name)
    except AttributeError:
        return default


_TEXTS: tuple[Any, ...] = (str, repr, ascii, format)
_WORDS: tuple[Any, ...] = (hex, bin, oct, chr)


def deepcopy(thing: Any, memo: Any = None) -> Any:
    """`copy.deepcopy`; what it makes is known to be new."""
    made: dict[int, Any] = {} if memo is None else memo
    result = copy.deepcopy(thing, made)
    for key, part in list(made.items()):
        if key != id(made):
            places.created(part)
    return result


BUILTINS: dict[Any, Callable[..., Any]] = {
    print: print_,
    issubclass: _issubclass,
    getattr: getattr_,
    hasattr: hasattr_,
    setattr: lambda of, name, value: stores.set_attr(value, of, name),
    delattr: stores.del_attr,
    copy.copy: lambda thing: places.created(copy.copy(thing)),
    copy.deepcopy: deepcopy,
    np.fromfunction: array_calls.fromfunction,
    collections.namedtuple: named_tuple,
    object.__setattr__: stores.set_own,
    object.__delattr__: stores.del_own,
    **{function: partial(staged_or_plain, function) for function in _TEXTS},
    Tensor.__repr__: partial(staged_or_plain, repr),  # `x.__repr__()`
}


# They look at the argument itself, whatever it holds.
ASK_TYPES = frozenset({type, isinstance})

# They go through items, or call functions, that are not seen to be staged from outside.
ITERATING: dict[Any, Callable[..., Any]] = {
    sum: iteration_calls.sum_,
    any: iteration_calls.any_,
    all: iteration_calls.all_,
    min: iteration_calls.extreme(min, operator.lt),
    max: iteration_calls.extreme(max, operator.gt),
    sorted: iteration_calls.sorted_,
    map: iteration_calls.map_,
    math.prod: iteration_calls.prod,
    math.fsum: fsum,
    functools.reduce: iteration_calls.reduce_,
    operator.contains: lambda container, item: in_(item, container),
    operator.countOf: sequences.count_of,
    operator.indexOf: index_of,
    operator.getitem: stores.get_item,
    operator.setitem: lambda of, at, value: stores.set_item(value, of, at),
    operator.delitem: stores.del_item,
    **{
        comparison: partial(sequences.compared, comparison)
        for comparison in sequences.COMPARISONS
    },
}

STAGED_BUILTINS: dict[Any, Callable[..., Any]] = {
    len: len_,
    operator.length_hint: length_hint,
    range: iteration_calls.range_,
    enumerate: iteration_calls.enumerate_,
    zip: iteration_calls.zip_,
    reversed: iteration_calls.reversed_,
    isinstance: isinstance_,
    type: type_,
    operator.not_: not_,
    ord: number(ord, int),
    **{function: partial(staged_or_plain, function) for function in _WORDS},
    **NUMBERS,
}
