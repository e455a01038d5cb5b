"""manners: how a class gives and sets attributes, as a place that a trace has read.

Of an object the trace has asked for `c.n`, and found it in the object. A property that
the class gets later, or a `__getattribute__`, would be asked instead. CPython numbers
the states of a class, so that a call looks at one number for each class.
"""

from __future__ import annotations

import abc
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from runtime import class_versions
from runtime.structs import struct
from tracer import plain
from tracer.constants import Exactly, Items
from tracer.leaves import HEAP_TYPE
from tracer.undefined import UNDEFINED

# What Python asks for all attributes.
_WAYS = ("__getattribute__", "__getattr__", "__setattr__", "__delattr__")


def found_on(kind: type, name: str) -> Any:
    """What a class and its bases hold under a name; UNDEFINED where nothing is."""
    for base in kind.__mro__:
        if name in vars(base):
            return vars(base)[name]
    return UNDEFINED


# What a class holds, a name, the descriptor there, or the type of anything else: that
# is not kept alive.
_Met = tuple[Mapping[str, Any], str, Any, type | None]


class KindSlot:
    """What a class gives and sets attributes by, beside what its objects hold.

    number: of the state of the class that was looked at last
    place:  where its number is; None where it has none that can be found
    """

    __slots__ = ("_met", "_mro", "kind", "names", "number", "place")

    def __init__(self, kind: type, names: Iterable[str]) -> None:
        self.kind = kind
        self.names = (*_WAYS, *sorted({*names}.difference(_WAYS)))
        self.place = class_versions.place_of(kind)
        self.number = class_versions.Number(class_versions.NEVER)
        self._mro: tuple[type, ...] = ()
        self._met: list[_Met] = []

    def holder(self) -> Any:
        """The class."""
        return self.kind

    def get(self) -> tuple[Any, ...]:
        """For each name the descriptor that the class has, or whether it has any."""
        return tuple(_manner(found_on(self.kind, name)) for name in self.names)

    def holds(self, held: Items) -> bool:
        """Whether that is so now; quick where nothing of these names has changed.

        A class that counts its objects has another number at each call.
        """
        mro = self.kind.__mro__
        if mro is self._mro and all(
            (found := own.get(name, UNDEFINED)) is content or type(found) is kind
            for own, name, content, kind in self._met
        ):
            return True
        if not held.same(self.get()):
            return False
        # What is no class of a program's own cannot be changed.
        owns = [vars(base) for base in mro if base.__flags__ & HEAP_TYPE]
        self._met = [_met(own, name) for own in owns for name in self.names]
        self._mro = mro
        return True

    def look(self) -> int:
        """The number of its state now; what is noted once that was looked at."""
        if self.place is None:
            return class_versions.NEVER
        return class_versions.number_of(self.kind, self.place)

    def held(self) -> Items:
        """What is to be looked for."""
        return Items.of(tuple, [*map(Exactly, self.get())])

    def words(self, held: Any) -> str:
        """What is given another way than it was."""
        pairs = zip(self.names, held.items, self.get(), strict=True)
        names = [name for name, before, now in pairs if not before.same(now)]
        told = " and ".join(f"`{self.kind.__name__}.{name}`" for name in names)
        return f"{told} is given by the class in another way"

    def __str__(self) -> str:
        return f"how a `{self.kind.__name__}` gives its attributes"


@struct
class AncestorSlot:
    """Whether a class counts as one of an ABC: others may register it later."""

    kind: type
    base: type

    def holder(self) -> Any:
        """The class."""
        return self.kind

    def get(self) -> bool | str:
        """Whether it does now; why that cannot be asked."""
        return _told(issubclass, self.kind, self.base)

    def __str__(self) -> str:
        return f"whether a {self.kind.__name__} is a {self.base.__name__}"


@struct(eq=False)
class ProtocolSlot:
    """Whether an object counts as one of a protocol, by the attributes that it has.

    name: the protocol
    """

    owner: Any
    name: type

    def __hash__(self) -> int:
        return hash((id(self.owner), self.name))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ProtocolSlot):
            return NotImplemented
        return other.owner is self.owner and other.name is self.name

    def holder(self) -> Any:
        """The object."""
        return self.owner

    def get(self) -> bool | str:
        """Whether it does now; why that cannot be asked."""
        return _told(isinstance, self.owner, self.name)

    def __str__(self) -> str:
        return f"whether a {type(self.owner).__name__} is a {self.name.__name__}"


def ancestors(kind: type, bases: Any) -> Iterator[AncestorSlot]:
    """What `issubclass(kind, bases)` asks of ABCs, for a class of the user's."""
    if not plain.is_library(kind.__module__):
        yield from (AncestorSlot(kind, base) for base in _abstract(bases))


def counts_as(of: Any, bases: Any) -> Iterator[AncestorSlot | ProtocolSlot]:
    """What `isinstance(of, bases)` asks of ABCs, for an object of the user's class."""
    for slot in ancestors(type(of), bases):
        is_protocol = getattr(slot.base, "_is_protocol", False)
        yield ProtocolSlot(of, slot.base) if is_protocol else slot


def _abstract(bases: Any) -> Iterator[type]:
    """The ABCs among what `isinstance` takes."""
    waiting = [bases]
    while waiting:
        base = waiting.pop()
        if isinstance(base, (tuple, types.UnionType)):
            waiting += base if isinstance(base, tuple) else base.__args__
        elif isinstance(base, abc.ABCMeta):
            yield base


def _told(function: Callable[[Any, type], bool], one: Any, base: type) -> bool | str:
    """What a question to an ABC gives; one to a protocol with data may raise."""
    try:
        return function(one, base)
    except Exception as error:
        return type(error).__name__


def _manner(held: Any) -> Any:
    """What is a read of its own, or gives nothing to its objects, does not matter."""
    return held if _is_asked(held) else held is not UNDEFINED


def _is_asked(held: Any) -> bool:
    return hasattr(type(held), "__get__") or hasattr(type(held), "__set__")


def _met(own: Mapping[str, Any], name: str) -> _Met:
    held = own.get(name, UNDEFINED)
    if held is UNDEFINED or _is_asked(held):
        return own, name, held, None
    return own, name, None, type(held)


def kinds_of(pairs: Iterable[tuple[Any, str]]) -> Iterator[KindSlot]:
    """The classes of objects, each with the attributes that they are asked for."""
    found: dict[type, set[str]] = {}
    for owner, name in pairs:
        kind = type(owner)
        if kind.__flags__ & HEAP_TYPE and not plain.is_library(kind.__module__):
            found.setdefault(kind, set()).add(name)
    return (KindSlot(kind, names) for kind, names in found.items())
