"""constants: what a trace took for constant, and whether something is that still.

Two looks: `same` asks for the very objects, which costs next to nothing; `renewed`
asks for equal ones too, and gives what to look for from then on. Objects are themselves
only, and are not kept alive. Lists, dicts and sets are what they hold.
"""

from __future__ import annotations

import enum
import types
import weakref
from collections import Counter, deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from operator import is_
from typing import Any

import numpy as np

from runtime.tensor import Tensor
from tracer.choice import Choice
from tracer.leaves import a_kind, describe_leaf, same_constant
from tracer.rows import Row
from tracer.staged_list import StagedList
from tracer.undefined import UNDEFINED, Maybe


class OfTrace(Exception):
    """It belongs to the trace: no constant from outside."""


@dataclass(frozen=True, slots=True, eq=False)
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


@dataclass(frozen=True, slots=True, eq=False)
class Equal(Exactly):
    """A number, a text, or another constant that is told by what it is."""

    def words(self) -> str:
        """What it is, for people."""
        is_numpys = isinstance(self.content, np.generic)
        return repr(self.content) if is_numpys else describe_leaf(self.content)

    def renewed(self, now: Any) -> Constant | None:
        """The new one to look for, where it is equal and of one type."""
        return Equal(now) if same_constant(now, self.content) else None


@dataclass(frozen=True, slots=True, eq=False)
class Weakly:
    """One object, which is not kept alive."""

    reference: weakref.ref[Any]

    def words(self) -> str:
        """What it is, for people."""
        content = self.reference()
        return "an object" if content is None else describe_leaf(content)

    def same(self, now: Any) -> bool:
        """Whether it is this object."""
        return now is not None and self.reference() is now

    def renewed(self, now: Any) -> Constant | None:
        """Itself, for this object; else None."""
        return self if self.same(now) else None


@dataclass(frozen=True, slots=True, eq=False)
class Shaped(Weakly):
    """One array, which may get another shape or dtype in place."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]

    def same(self, now: Any) -> bool:
        """Whether it is this array, of the shape and dtype that it had."""
        if not super(Shaped, self).same(now):
            return False
        return bool(now.shape == self.shape and now.dtype is self.dtype)


@dataclass(frozen=True, slots=True, eq=False)
class Items:
    """What a list, tuple or deque holds.

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
        return _in_short(self.kind, [item.words() for item in self.items])

    def same(self, now: Any) -> bool:
        """Whether it holds the same objects."""
        if not _is_of(now, self.kind, len(self.items)):
            return False
        if self.exact is not None:
            return all(map(is_, now, self.exact))
        return all(held.same(item) for held, item in zip(self.items, now, strict=True))

    def others(self, now: Any) -> list[Any]:
        """The items that are others, where there are as many as before."""
        if not _is_of(now, self.kind, len(self.items)):
            return []
        pairs = zip(self.items, now, strict=True)
        return [item for held, item in pairs if held.renewed(item) is None]

    def renewed(self, now: Any) -> Constant | None:
        """The same for the items that it holds now, where they are equal."""
        if not _is_of(now, self.kind, len(self.items)):
            return None
        return _renewed_items(self, now)


def _is_of(now: Any, kind: Any, count: int) -> bool:
    return len(now) == count if type(now) is kind else False


def _renewed_items(items: Items, now: Sequence[Any]) -> Items | None:
    pairs = zip(items.items, now, strict=True)
    made = [held.renewed(item) for held, item in pairs]
    found = [item for item in made if item is not None]
    return Items.of(items.kind, found) if len(found) == len(made) else None


@dataclass(frozen=True, slots=True, eq=False)
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
        if not _is_of(now, self.kind, len(self.keys.items)):
            return False
        return self.keys.same(tuple(now)) and self.values.same(tuple(now.values()))

    def others(self, now: Any) -> list[Any]:
        """What is another one under a key, where the keys are those from before."""
        if not _is_of(now, self.kind, len(self.keys.items)):
            return []
        if self.keys.renewed(tuple(now)) is None:
            return []
        return self.values.others(tuple(now.values()))

    def renewed(self, now: Any) -> Constant | None:
        """The same for what it holds now, where that is equal."""
        if not _is_of(now, self.kind, len(self.keys.items)):
            return None
        keys = _renewed_items(self.keys, tuple(now))
        values = _renewed_items(self.values, tuple(now.values()))
        return Keyed(self.kind, keys, values) if keys and values else None


@dataclass(frozen=True, slots=True, eq=False)
class Members:
    """What a set holds."""

    kind: type
    members: frozenset[Any]
    kinds: Counter[type]

    def words(self) -> str:
        """What it is, for people."""
        return _in_short(self.kind, sorted(map(describe_leaf, self.members)))

    def same(self, now: Any) -> bool:
        """Whether it holds equal members of the same types."""
        alike = type(now) is self.kind and now == self.members
        return alike and Counter(map(type, now)) == self.kinds

    def renewed(self, now: Any) -> Constant | None:
        """Itself, where it holds equal members."""
        return self if self.same(now) else None


Constant = Exactly | Weakly | Items | Keyed | Members
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
    pairs: list[tuple[str, Constant, Any]] = []
    if isinstance(held, Items) and held.others(now):
        pairs = [
            (f"[{i}]", item, part)
            for i, (item, part) in enumerate(zip(held.items, now, strict=True))
        ]
    elif isinstance(held, Keyed) and held.others(now):
        parts = zip(held.values.items, now.items(), strict=True)
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


def constant(thing: Any, own: Collection[int] = ()) -> Constant:
    """What is to be looked for where the trace has read `thing`.

    own: the ids of containers whose content is no constant
    OfTrace: there is a tensor in it.
    """
    return _constant(thing, own, ())


def _constant(thing: Any, own: Collection[int], around: tuple[int, ...]) -> Constant:
    if isinstance(thing, (Tensor, Choice, Maybe, StagedList, Row)):
        raise OfTrace
    kind = type(thing)
    inside = (*around, id(thing))
    if thing is UNDEFINED or isinstance(thing, _EXACT) or id(thing) in (*own, *around):
        return Exactly(thing)
    if isinstance(thing, _EQUAL):
        return Equal(thing)
    if isinstance(thing, (*_LISTS, tuple)):
        return Items.of(kind, [_constant(item, own, inside) for item in thing])
    if isinstance(thing, (dict, types.MappingProxyType)):
        parts = (thing.keys(), thing.values())
        keys, values = ([_constant(p, own, inside) for p in part] for part in parts)
        return Keyed(kind, Items.of(tuple, keys), Items.of(tuple, values))
    if isinstance(thing, _SETS):
        return Members(kind, frozenset(thing), Counter(map(type, thing)))
    if kind is np.ndarray:
        return Shaped(weakref.ref(thing), thing.shape, thing.dtype)
    try:
        return Weakly(weakref.ref(thing))
    except TypeError:
        hashes: Any = kind.__hash__
        immutable = hashes not in (None, object.__hash__)
        return Equal(thing) if immutable else Exactly(thing)
