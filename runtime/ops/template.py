"""Templates: a structure of plain values with places for a node's dynamic inputs.

An index, a shape or the arguments of a call is an attribute of its node, so what is
found only at run time is an input of the node, and `Input(k)` stands in its place.
"""

from __future__ import annotations

from collections import ChainMap, Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from types import MappingProxyType, SimpleNamespace
from typing import Any

import numpy as np

from runtime.errors import made_of, set_attributes
from runtime.records import field_names, is_record, textual
from runtime.structs import struct


@textual
@struct
class Input:
    """The place of the k-th dynamic input of the node."""

    k: int


@textual
@struct
class Items:
    """`*of` within a tuple: a list of the run, for as many as it has items."""

    of: Any


@textual
@struct
class Instance:
    """An object of a class that is nothing but its attributes, in a template.

    held:  the names in its `__dict__`; slots: the names of its slots
    parts: what these attributes are, in that order
    """

    kind: type
    held: tuple[str, ...]
    slots: tuple[str, ...]
    parts: tuple[Any, ...]

    def make(self) -> Any:
        """The object, past what its class says of making one."""
        made = new(self.kind)
        count = len(self.held)
        if count:
            pairs = zip(self.held, self.parts[:count], strict=True)
            made.__dict__.update(pairs)
        for name, part in zip(self.slots, self.parts[count:], strict=True):
            object.__setattr__(made, name, part)
        return made


@textual
@struct
class Remade:
    """An object of a class that is no structure, and its parts, for its text."""

    kind: type
    parts: tuple[Any, ...]

    def make(self) -> Any:
        """The object, past what a user's class says of making one."""
        known = _MAKERS.get(self.kind)
        if known is not None:
            return known(*self.parts)
        base = next(base for base in self.kind.__mro__ if base in _OF_CLASSES)
        return _OF_CLASSES[base](self.kind, *self.parts)


def _with_attributes(kind: Any, held: dict[str, Any], slots: dict[str, Any]) -> Any:
    made = new(kind)
    if held:
        made.__dict__.update(held)
    for name, part in slots.items():
        object.__setattr__(made, name, part)
    return made


def _exception_of(
    kind: Any, args: tuple[Any, ...], held: dict[str, Any], *links: Any
) -> BaseException:
    made = made_of(kind, args)
    set_attributes(made, held)
    if links:
        made.__cause__, made.__context__, made.__suppress_context__ = links
    return made


def _tuple_of(kind: Any, items: list[Any], held: dict[str, Any]) -> Any:
    made = tuple.__new__(kind, items)
    getattr(made, "__dict__", {}).update(held)
    return made


def _filled(base: Any) -> Callable[..., Any]:
    """Makes an object of a class of lists, dicts or deques, and fills it."""
    fill = base.update if issubclass(base, dict) else base.extend

    def make(kind: Any, content: Any, held: dict[str, Any]) -> Any:
        made = kind.__new__(kind)
        fill(made, content)
        getattr(made, "__dict__", {}).update(held)
        return made

    return make


_EMPTY: tuple[dict[Any, Any], ...] = ({}, OrderedDict())
_MAKERS: dict[type, Callable[..., Any]] = {
    **{type(one.keys()): type(one).keys for one in _EMPTY},
    **{type(one.values()): type(one).values for one in _EMPTY},
    **{type(one.items()): type(one).items for one in _EMPTY},
    # One without dims, which a run has as a number.
    np.ndarray: np.asarray,
    MappingProxyType: MappingProxyType,
    ChainMap: ChainMap,
    slice: slice,
    range: range,
    partial: lambda function, args, named: partial(function, *args, **named),
}
_OF_CLASSES: dict[type, Callable[..., Any]] = {
    **{base: _filled(base) for base in (OrderedDict, dict, list, deque)},
    tuple: _tuple_of,
    BaseException: _exception_of,
    object: _with_attributes,
}


@textual
@struct
class OneOf:
    """One of `options`, in a template: the one at `tag`."""

    tag: Any
    options: tuple[Any, ...]


def new(kind: Any) -> Any:
    """An object of the class without attributes, past its own `__new__`."""
    return kind() if kind is SimpleNamespace else object.__new__(kind)


def spread(parts: Iterable[Any]) -> Iterator[Any]:
    """The parts, with the items of what is to be spread and is known by now."""
    for part in parts:
        if type(part) is Items and type(part.of) is list:
            yield from part.of
        else:
            yield part


def encode(whole: Any, is_input: Callable[[Any], bool]) -> tuple[Any, list[Any]]:
    """`whole` with each part that is an input replaced by its place, and those parts.

    >>> encode((1, slice(None, "n")), lambda part: part == "n")
    ((1, slice(None, Input(k=0), None)), ['n'])
    """
    encoder = _Encoder(is_input)
    return encoder(whole), encoder.inputs


# Objects with a call of their own, since a function that names itself is a cycle, which
# waits for the garbage collector.


class _Encoder:
    """Puts places for the inputs, and notes these."""

    def __init__(self, is_input: Callable[[Any], bool]) -> None:
        self.inputs: list[Any] = []
        self._is_input = is_input

    def __call__(self, part: Any) -> Any:
        if self._is_input(part):
            self.inputs.append(part)
            return Input(len(self.inputs) - 1)
        return rebuild(part, self)


class _Filler:
    """Puts the inputs into their places, and makes what is one of several."""

    def __init__(self, inputs: tuple[Any, ...]) -> None:
        self._inputs = inputs

    def __call__(self, part: Any) -> Any:
        if type(part) is Input:
            return self._inputs[part.k]
        if type(part) is OneOf:
            return self(part.options[self(part.tag)])
        made = rebuild(part, self)
        return made.make() if type(made) in (Instance, Remade) else made


class _Refiller:
    """Puts the inputs into their places."""

    def __init__(self, inputs: tuple[Any, ...]) -> None:
        self._inputs = inputs

    def __call__(self, part: Any) -> Any:
        return self._inputs[part.k] if type(part) is Input else rebuild(part, self)


def fill(template: Any, inputs: tuple[Any, ...]) -> Any:
    """The template with `inputs` in their places.

    >>> fill((1, slice(None, Input(0))), (5,))
    (1, slice(None, 5, None))
    """
    if not inputs:
        return template
    return _Filler(inputs)(template)


def remade(whole: Any) -> Any:
    """`whole` with the objects that `Remade` stands for, where nothing is an input."""
    return _Filler(())(whole)


def refill(template: Any, inputs: tuple[Any, ...]) -> Any:
    """As `fill`, with inputs that are tensors yet."""
    return _Refiller(inputs)(template)


def rebuild(part: Any, place: Callable[[Any], Any]) -> Any:
    """A part with `place` done to what is in it; itself where nothing is."""
    rebuild = _REBUILD.get(type(part))
    if rebuild is not None:
        return rebuild(part, place)
    if isinstance(part, tuple) and hasattr(part, "_fields"):
        # Past a `__new__` of the class, which has been given other things.
        return tuple.__new__(type(part), map(place, part))
    if is_record(type(part)):
        return _rebuild_fields(part, place)
    return part


def _rebuild_fields(part: Any, place: Callable[[Any], Any]) -> Any:
    """A record with its fields placed: itself when that changes none of them."""
    names = [name for name in field_names(type(part)) if hasattr(part, name)]
    placed = {name: place(getattr(part, name)) for name in names}
    if all(placed[name] is getattr(part, name) for name in names):
        return part
    made = object.__new__(type(part))
    for name, content in placed.items():
        object.__setattr__(made, name, content)
    return made


def _placed(part: dict[Any, Any], place: Callable[[Any], Any]) -> dict[Any, Any]:
    return {key: place(item) for key, item in part.items()}


_REBUILD: dict[type, Callable[[Any, Callable[[Any], Any]], Any]] = {
    tuple: lambda part, place: tuple(spread(map(place, part))),
    list: lambda part, place: list(map(place, part)),
    dict: _placed,
    OrderedDict: lambda part, place: OrderedDict(_placed(part, place)),
    defaultdict: lambda part, place: defaultdict(
        part.default_factory, _placed(part, place)
    ),
    Counter: lambda part, place: Counter(_placed(part, place)),
    deque: lambda part, place: deque(map(place, part), part.maxlen),
    slice: lambda part, place: slice(
        place(part.start), place(part.stop), place(part.step)
    ),
}


def set_rebuild(
    kind: type, rebuild: Callable[[Any, Callable[[Any], Any]], Any]
) -> None:
    """Tell how a part of this type is made anew of what is in it (done once)."""
    _REBUILD[kind] = rebuild
