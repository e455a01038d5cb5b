"""constants: what a trace took for constant, and whether something is that still.

Two looks: `same` asks for the very objects, which costs next to nothing; `renewed`
asks for equal ones too, and gives what to look for from then on. Objects are themselves
only, and are not kept alive. Lists, dicts and sets are what they hold.
"""

from __future__ import annotations

import enum
import types
import weakref
from collections import OrderedDict, deque
from collections.abc import Callable, Collection, Sequence
from operator import is_
from typing import Any

import numpy as np

from runtime.structs import struct
from runtime.tensor import Tensor
from tracer.choice import Choice
from tracer.leaves import a_kind, describe_leaf, same_constant
from tracer.rows import Row
from tracer.staged_dict import StagedDict
from tracer.staged_list import StagedList
from tracer.telling import BOUND, builtin_of, keyed, tells
from tracer.undefined import UNDEFINED, Maybe


class OfTrace(Exception):
    """It belongs to the trace: no constant from outside."""


@struct(eq=False)
class Exactly:
    """One object: a function, a class, a module, None, what cannot be held weakly."""

    content: Any

    def words(self) -> str:
        """What it is, for people."""
        of_parts = isinstance(self.content, (tuple, dict))
        return _words_of(self.content) if of_parts else describe_leaf(self.content)

    def same(self, now: Any) -> bool:
        """Whether it is this object."""
        return now is self.content

    def renewed(self, now: Any) -> Constant | None:
        """Itself, for this object; else None."""
        return self if now is self.content else None


@struct(eq=False)
class Equal(Exactly):
    """A number, a text, or another constant that is told by what it is."""

    def words(self) -> str:
        """What it is, for people."""
        is_numpys = isinstance(self.content, np.generic)
        return repr(self.content) if is_numpys else describe_leaf(self.content)

    def renewed(self, now: Any) -> Constant | None:
        """The new one to look for, where it is equal and of one type."""
        return Equal(now) if same_constant(now, self.content) else None


@struct(eq=False)
class Weakly:
    """One object, which is not kept alive."""

    reference: weakref.ref[Any]
    kind: type  # An object may be given another class.

    def words(self) -> str:
        """What it is, for people."""
        content = self.reference()
        if content is None or type(content) is not self.kind:
            return a_kind(self.kind)
        return describe_leaf(content)

    def same(self, now: Any) -> bool:
        """Whether it is this object, of the class that it had."""
        is_it = now is not None and self.reference() is now
        return is_it and type(now) is self.kind

    def renewed(self, now: Any) -> Constant | None:
        """Itself, for this object; else None."""
        return self if self.same(now) else None


@struct(eq=False)
class Shaped(Weakly):
    """One array, which may get another shape or dtype in place."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]

    def same(self, now: Any) -> bool:
        """Whether it is this array, of the shape and dtype that it had."""
        if not Weakly.same(self, now):
            return False
        return bool(now.shape == self.shape and now.dtype is self.dtype)


@struct(eq=False)
class Items:
    """What a list, tuple or deque holds, or a set, which is gone through in an order.

    exact: the items, where they are constants that can be kept
    """

    kind: Any
    items: tuple[Constant, ...]
    exact: tuple[Any, ...] | None

    @classmethod
    def of(cls, kind: type, items: Sequence[Constant]) -> Items:
        """The items, with the quick way to compare them if there is one."""
        exact = all(isinstance(item, Exactly) for item in items)
        contents = tuple(getattr(item, "content", None) for item in items)
        return cls(kind, tuple(items), contents if exact else None)

    def words(self) -> str:
        """What it is, for people."""
        words = [item.words() for item in self.items]
        return _in_short(self.kind, sorted(words) if self.kind in _SETS else words)

    def same(self, now: Any) -> bool:
        """Whether it holds the same objects."""
        if (now := _held(now, self.kind, len(self.items))) is None:
            return False
        if self.exact is not None:
            return all(map(is_, now, self.exact))
        return all(held.same(item) for held, item in zip(self.items, now, strict=True))

    def others(self, now: Any) -> list[Any]:
        """The items that are others, where there are as many as before."""
        if (now := _held(now, self.kind, len(self.items))) is None:
            return []
        pairs = zip(self.items, now, strict=True)
        return [item for held, item in pairs if held.renewed(item) is None]

    def renewed(self, now: Any) -> Constant | None:
        """The same for the items that it holds now, where they are equal."""
        if (now := _held(now, self.kind, len(self.items))) is None:
            return None
        return _renewed_items(self, now)


def _held(now: Any, kind: Any, count: int) -> Any:
    """What a container holds; None: it is of another kind, or holds more or less.

    One of the user's class is not asked, which may show something else.
    """
    if type(now) is not kind:
        return None
    if kind not in _AS_THEY_ARE:
        is_dict = isinstance(now, (dict, types.MappingProxyType))
        now = keyed(now) if is_dict else [*builtin_of(now).__iter__(now)]
    return now if len(now) == count else None


def _renewed_items(items: Items, now: Sequence[Any]) -> Items | None:
    pairs = zip(items.items, now, strict=True)
    made = [held.renewed(item) for held, item in pairs]
    found = [item for item in made if item is not None]
    return Items.of(items.kind, found) if len(found) == len(made) else None


@struct(eq=False)
class Keyed:
    """What a dict holds: its keys in their order, and for each a constant."""

    kind: type
    keys: Items
    values: Items

    def words(self) -> str:
        """What it is, for people."""
        pairs = zip(self.keys.items, self.values.items, strict=True)
        return _in_short(self.kind, [f"{k.words()}: {v.words()}" for k, v in pairs])

    def same(self, now: Any) -> bool:
        """Whether it holds the same objects."""
        if (now := _held(now, self.kind, len(self.keys.items))) is None:
            return False
        return self.keys.same(tuple(now)) and self.values.same(tuple(now.values()))

    def others(self, now: Any) -> list[Any]:
        """What is another one under a key, where the keys are those from before."""
        if (now := _held(now, self.kind, len(self.keys.items))) is None:
            return []
        if self.keys.renewed(tuple(now)) is None:
            return []
        return self.values.others(tuple(now.values()))

    def renewed(self, now: Any) -> Constant | None:
        """The same for what it holds now, where that is equal."""
        if (now := _held(now, self.kind, len(self.keys.items))) is None:
            return None
        keys = _renewed_items(self.keys, tuple(now))
        values = _renewed_items(self.values, tuple(now.values()))
        return Keyed(self.kind, keys, values) if keys and values else None


@struct(eq=False)
class Holding:
    """An object that is itself and tells what it holds: a partial, a view of a dict.

    tells: what it holds, of one such object
    """

    one: Constant
    held: Constant
    tells: Callable[[Any], Any]

    def words(self) -> str:
        """What it holds, for people."""
        return self.held.words()

    def same(self, now: Any) -> bool:
        """Whether it is this object, and holds the same ones."""
        return self.one.same(now) and self.held.same(self.tells(now))

    def renewed(self, now: Any) -> Constant | None:
        """The same for what it holds now, where that is equal."""
        one = self.one.renewed(now)
        held = self.held.renewed(self.tells(now)) if one is not None else None
        return Holding(one, held, self.tells) if one and held else None


Constant = Exactly | Weakly | Items | Keyed | Holding
MOST_SHOWN = 60  # characters of what a container holds
_BRACKETS = {
    list: ("[", "]"),
    tuple: ("(", ")"),
    dict: ("{", "}"),
    set: ("{", "}"),
}


def _in_short(kind: Any, parts: Sequence[str]) -> str:
    """What a container holds, or of how much it is."""
    left, right = _BRACKETS.get(kind, ("(", ")"))
    comma = "," if kind is tuple and len(parts) == 1 else ""
    text = f"{left}{', '.join(parts)}{comma}{right}"
    if not parts:
        return f"an empty {kind.__name__}"
    if len(text) > MOST_SHOWN:
        return f"{a_kind(kind)} of {len(parts)}"
    return text if kind in _BRACKETS else f"{kind.__name__}{text}"


def differences(held: Constant, now: Any) -> list[tuple[str, str, str]]:
    """What differs: the way to it, what was there, and what is there now."""
    if held.renewed(now) is not None:
        return []
    if isinstance(held, Holding) and held.one.renewed(now) is not None:
        return differences(held.held, held.tells(now))
    pairs: list[tuple[str, Constant, Any]] = []
    is_listed = isinstance(held, Items) and held.kind not in _SETS
    if isinstance(held, Items) and is_listed and held.others(now):
        pairs = [
            (f"[{i}]", item, part)
            for i, (item, part) in enumerate(
                zip(held.items, builtin_of(now).__iter__(now), strict=True)
            )
        ]
    elif isinstance(held, Keyed) and held.others(now):
        parts = zip(held.values.items, keyed(now).items(), strict=True)
        pairs = [(f"[{key!r}]", item, part) for item, (key, part) in parts]
    if pairs:
        return [
            (way + further, before, after)
            for way, item, part in pairs
            for further, before, after in differences(item, part)
        ]
    before, after = held.words(), _words_of(now)
    return [("", before, after if after != before else "another one")]


def _words_of(thing: Any) -> str:
    try:
        return constant(thing).words()
    except OfTrace:
        return a_kind(type(thing))


MISSING = Exactly(UNDEFINED)
# What lives as long as its module mostly, or is told by nothing but itself.
_EXACT = (
    *(types.FunctionType, types.BuiltinFunctionType, types.ModuleType, type),
    types.CodeType,
    *(np.ufunc, type(None), bool, enum.Enum),
)
_EQUAL = (int, float, complex, str, bytes, np.generic, np.dtype, range, slice)
_LISTS = (list, deque, bytearray)
_SETS = (set, frozenset)
# Python's own, which say what they hold.
_AS_THEY_ARE = frozenset((*_LISTS, *_SETS, tuple, dict, OrderedDict))


def constant(
    thing: Any, own: Collection[int] = (), kept: Collection[int] = ()
) -> Constant:
    """What is to be looked for where the trace has read `thing`.

    own: the ids of containers whose content is no constant
    kept: the ids of those that have to be the very same
    OfTrace: there is a tensor in it.
    """
    return _Found(own, kept).constant(thing, ())


class Every(frozenset[int]):
    """Stands for the ids of all containers."""

    def __contains__(self, key: object) -> bool:
        return True


@struct(eq=False)
class _Found:
    own: Collection[int]
    kept: Collection[int]

    def constant(self, thing: Any, around: tuple[int, ...]) -> Constant:
        if isinstance(thing, (Tensor, Choice, Maybe, StagedList, StagedDict, Row)):
            raise OfTrace
        inside = (*around, id(thing))
        found = tells(thing)
        if found is not None:
            return Holding(_itself(thing), self.constant(found(thing), inside), found)
        if isinstance(thing, types.BuiltinMethodType) and not is_function(thing):
            # `cls.__subclasses__` and `pattern.match` are made anew for each that asks.
            return _itself(thing)
        if thing is UNDEFINED or isinstance(thing, _EXACT):
            return Exactly(thing)
        if id(thing) in (*self.own, *around):
            return Exactly(thing)
        if isinstance(thing, _EQUAL):
            return Equal(thing)
        held = self._container(thing, inside)
        if held is None:
            return _itself(thing)
        is_kept = isinstance(thing, (*_LISTS, dict, set)) and id(thing) in self.kept
        return Holding(Exactly(thing), held, _as_it_is) if is_kept else held

    def _container(self, thing: Any, inside: tuple[int, ...]) -> Constant | None:
        """What a container holds; None for what is none."""
        kind = type(thing)
        if isinstance(thing, (*_LISTS, *_SETS, tuple)):
            items = builtin_of(thing).__iter__(thing)
            return Items.of(kind, [self.constant(item, inside) for item in items])
        if not isinstance(thing, (dict, types.MappingProxyType)):
            return None
        content = keyed(thing)
        parts = (content.keys(), content.values())
        keys, values = ([self.constant(p, inside) for p in part] for part in parts)
        return Keyed(kind, Items.of(tuple, keys), Items.of(tuple, values))


def is_function(builtin: types.BuiltinFunctionType) -> bool:
    """Whether a builtin is a function, which is one object, and no method."""
    return builtin.__self__ is None or isinstance(builtin.__self__, types.ModuleType)


def _as_it_is(thing: Any) -> Any:
    return thing


def content_of(held: Constant) -> Constant:
    """What a container holds, of one that has to be the very same too."""
    is_kept = isinstance(held, Holding) and held.tells is _as_it_is
    return held.held if isinstance(held, Holding) and is_kept else held


def of_defaults(thing: Any) -> Constant:
    """What is to be looked for of defaults, of which the parts are arguments."""
    if not isinstance(thing, dict):
        return Exactly(thing)
    keys, values = (list(map(Exactly, part)) for part in (thing, thing.values()))
    return Keyed(dict, Items.of(tuple, keys), Items.of(tuple, values))


def _itself(thing: Any) -> Constant:
    """What is to be looked for of an object that is only itself."""
    kind: Any = type(thing)
    if kind is np.ndarray:
        return Shaped(weakref.ref(thing), kind, thing.shape, thing.dtype)
    if isinstance(thing, BOUND):
        return Equal(thing)
    try:
        return Weakly(weakref.ref(thing), kind)
    except TypeError:
        hashes = kind.__hash__
        immutable = hashes not in (None, object.__hash__)
        return Equal(thing) if immutable else Exactly(thing)
