"""read_checks: a function that looks whether places still hold what a trace has read.

It is made for each trace, as one expression: a call of a decorated function that reads
a global and an attribute pays a tenth of a microsecond for the look.
"""

from __future__ import annotations

import collections
import keyword
import types
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from runtime.structs import struct
from tracer.cells import CellSlot, GlobalSlot
from tracer.constants import (
    Constant,
    Exactly,
    Items,
    Keyed,
    Weakly,
    constant,
    content_of,
    differences,
)
from tracer.leaves import is_numeric
from tracer.managed import is_managed
from tracer.manners import AncestorSlot, KindSlot, ProtocolSlot, found_on
from tracer.outer import Place
from tracer.places import AttributeSlot, ContainerSlot
from tracer.telling import own_dict
from tracer.undefined import UNDEFINED


@struct(eq=False)
class MethodSlot:
    """A method, property or other descriptor, as an object or its class holds it."""

    owner: Any
    name: str

    def __hash__(self) -> int:
        return hash((id(self.owner), self.name))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MethodSlot):
            return NotImplemented
        return other.owner is self.owner and other.name == self.name

    def holder(self) -> Any:
        """The object that is asked for it."""
        return self.owner

    def __str__(self) -> str:
        kind = self.owner if isinstance(self.owner, type) else type(self.owner)
        return f"`{kind.__name__}.{self.name}`"

    def get(self) -> Any:
        """The function or descriptor, not asked for what it gives."""
        owner = self.owner
        if isinstance(owner, type):
            return found_on(owner, self.name)
        held = own_dict(owner)
        if self.name in held and not is_managed(type(owner), self.name):
            return held[self.name]
        return found_on(type(owner), self.name)


@struct(eq=False)
class ContentSlot:
    """What a list, dict or set holds that is inside of what the graph reads."""

    container: Any

    def __hash__(self) -> int:
        return id(self.container)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ContentSlot) and other.container is self.container

    def holder(self) -> Any:
        """The container."""
        return self.container

    def get(self) -> Any:
        """The container."""
        return self.container

    def __str__(self) -> str:
        return f"what a {type(self.container).__name__} holds"


@struct(eq=False)
class RestSlot:
    """What an object holds beside some of its attributes.

    name: the names of those
    """

    owner: Any
    name: tuple[str, ...]

    def __hash__(self) -> int:
        return hash((id(self.owner), self.name))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RestSlot):
            return NotImplemented
        return other.owner is self.owner and other.name == self.name

    def holder(self) -> Any:
        """The object."""
        return self.owner

    def get(self) -> dict[str, Any]:
        """The other attributes."""
        held = own_dict(self.owner).items()
        return {name: content for name, content in held if name not in self.name}

    def __str__(self) -> str:
        return f"`{type(self.owner).__name__}.__dict__`"


MOST = 2  # parts of one place that are told of
_Managed = MethodSlot | KindSlot | AncestorSlot | ProtocolSlot | RestSlot
ReadSlot = GlobalSlot | CellSlot | AttributeSlot | ContentSlot | _Managed


@struct(eq=False)
class Read:
    """One place that was read, and what it held.

    reference: gives the slot, or None once the object that it was in is gone: then
               nobody can read it, and what led to it has changed, too
    owner:     gives that object, held weakly if it can be; None for globals and cells
    """

    reference: Callable[[], ReadSlot | None]
    owner: Callable[[], Any] | None
    held: Constant

    @classmethod
    def of(cls, slot: ReadSlot, held: Constant) -> Read:
        """The read of a slot; what it belongs to is not kept alive, if it can be."""
        if isinstance(slot, (GlobalSlot, CellSlot, KindSlot, AncestorSlot)):
            return cls(lambda: slot, None, held)
        of = slot.holder()
        try:
            owner: Callable[[], Any] = weakref.ref(of)
        except TypeError:
            return cls(lambda: slot, lambda: of, held)
        if isinstance(slot, ContentSlot):
            return cls(lambda: _content(owner()), owner, held)
        kind, name = type(slot), slot.name
        return cls(lambda: _slot(kind, owner(), name), owner, held)

    def same(self) -> bool:
        """Whether the very object is there."""
        slot = self.reference()
        if isinstance(slot, KindSlot):
            return _is_kind(slot, self.held)
        return slot is None or self.held.same(slot.get())

    def renewed(self) -> Read | None:
        """What to look for from now on; None where something else is there."""
        slot = self.reference()
        if slot is None:
            return self
        held = self.held.renewed(slot.get())
        return None if held is None else Read(self.reference, self.owner, held)

    @property
    def of_kind(self) -> bool:
        """Whether it is how a class gives its objects' attributes."""
        return isinstance(self.reference(), KindSlot)

    def key(self) -> Any:
        """What tells the place from others."""
        slot = self.reference()
        if isinstance(slot, CellSlot):
            return id(slot.cell)
        inside = None if slot is None else slot.holder()
        return id(inside), getattr(slot, "name", "")

    def becomes_input(self, changes: int) -> bool:
        """Whether the place is to be an input now that it has changed so often."""
        slot = self.reference()
        if slot is None or isinstance(slot, _Managed):
            return False
        content = slot.get()
        if isinstance(content, np.ndarray):
            return is_numeric(content)
        held = content_of(self.held)
        if type(content) in _CONTAINERS and isinstance(held, (Items, Keyed)):
            others = held.others(content)
            return changes > 1 and bool(others) and all(map(_is_number, others))
        return changes > 1 and _is_number(content)

    def content(self) -> Any:
        """What is there now."""
        slot = self.reference()
        return UNDEFINED if slot is None else slot.get()

    def now(self) -> Constant:
        """What is there now, to be looked for later."""
        return constant(self.content())

    def place(self) -> Place:
        """The place, as one that each call reads."""
        slot: Any = self.reference()
        content = slot.get()
        return Place.of(
            ContainerSlot(content) if type(content) in _CONTAINERS else slot
        )

    def words(self) -> str:
        """What it held, and what it holds now."""
        slot = self.reference()
        if slot is None:
            return "an object that it reads is gone"
        if isinstance(slot, KindSlot):
            return slot.words(self.held)
        found = differences(self.held, slot.get())
        told = [f"{_with(slot, way)}: {old} -> {new}" for way, old, new in found[:MOST]]
        return "; ".join([*told, *(["and more"] if len(found) > MOST else [])])

    def __str__(self) -> str:
        slot = self.reference()
        return "an object that is gone" if slot is None else str(slot)


def _with(slot: ReadSlot, way: str) -> str:
    """The place, and the way to a part of it: the outer variable `table['a']`."""
    place = str(slot)
    if not way:
        return place
    return f"{place[:-1]}{way}`" if place.endswith("`") else f"{place}, `{way}`"


def _is_number(thing: Any) -> bool:
    return is_numeric(thing) and type(thing) is not bool


# Those whose numbers may be inputs.
_CONTAINERS = (list, dict, collections.deque)


def _slot(kind: Any, owner: Any, name: Any) -> Any:
    return None if owner is None else kind(owner, name)


def _content(container: Any) -> Any:
    return None if container is None else ContentSlot(container)


def compiled(reads: Sequence[Read]) -> Callable[[], bool]:
    """Whether all the places hold the very objects that they held."""
    scope: dict[str, Any] = {}
    text = " and ".join(_terms(reads, scope)) or "True"
    names = ", ".join(f"{name}={name}" for name in scope)
    # Names that are parameters are the quickest to read.
    exec(_TEXT.format(names=names, text=text), scope)
    # Its globals do not hold it, so it goes with its last user.
    holds: Callable[[], bool] = scope.pop("holds")
    return holds


_TEXT = """\
def holds({names}):
    try:
        return {text}
    except Exception:
        return False
"""


def _terms(reads: Sequence[Read], scope: dict[str, Any]) -> Iterator[str]:
    by_owner: dict[str, list[str]] = {}
    owners: dict[int, str] = {}
    for i, read in enumerate(reads):
        slot = read.reference()
        if slot is None:
            continue
        if isinstance(slot, GlobalSlot):
            scope[f"d{i}"] = slot.scope
            if read.held.same(UNDEFINED):
                yield f"{slot.name!r} not in d{i}"
            else:
                yield _compared(f"d{i}[{slot.name!r}]", read, i, scope)
        elif isinstance(slot, CellSlot):
            scope[f"c{i}"] = slot.cell
            yield _compared(f"c{i}.cell_contents", read, i, scope)
        elif isinstance(slot, KindSlot) and slot.place is not None:
            scope.update(
                {f"p{i}": slot.place, f"n{i}": slot.number, f"s{i}": read.same}
            )
            yield f"(p{i}.value == n{i}.value or s{i}())"
        elif not isinstance(slot, _NAMED) or read.owner is None or not is_quick(slot):
            scope[f"s{i}"] = read.same
            yield f"s{i}()"
        else:
            owner = owners.setdefault(id(slot.owner), f"o{i}")
            scope[f"r{owner}"] = read.owner
            if isinstance(slot, MethodSlot):
                term = _is_method(owner, slot, i, scope)
            else:
                term = _compared(f"{owner}.{slot.name}", read, i, scope)
            by_owner.setdefault(owner, []).append(term)
    for owner, terms in by_owner.items():
        yield f"(({owner} := r{owner}()) is None or {' and '.join(terms)})"


def _is_kind(slot: KindSlot, held: Any) -> bool:
    """Whether a class has its old ways; then its number is looked for from now on."""
    number, is_it = slot.look(), slot.holds(held)
    if is_it:
        slot.number.value = number
    return is_it


def _compared(place: str, read: Read, i: int, scope: dict[str, Any]) -> str:
    held = read.held
    if held.same(UNDEFINED):
        scope[f"s{i}"] = read.same
        return f"s{i}()"
    if isinstance(held, Exactly):
        scope[f"h{i}"] = held.content
        return f"{place} is h{i}"
    if type(held) is Weakly:
        scope[f"h{i}"] = held.reference
        scope[f"k{i}"] = held.kind
        return f"h{i}() is (v := {place}) is not None and type(v) is k{i}"
    scope[f"h{i}"] = held.same
    return f"h{i}({place})"


_NAMED = (AttributeSlot, MethodSlot)


def is_quick(slot: AttributeSlot | MethodSlot) -> bool:
    """Whether `owner.name` is what the slot holds, and calls nothing of the user's."""
    if not slot.name.isidentifier() or keyword.iskeyword(slot.name):
        return False
    if isinstance(slot, MethodSlot):
        return type(slot.get()) in (*_OF_FUNCTIONS, *_OF_CLASSES)
    kind: Any = type(slot.owner)
    ways = object.__getattribute__, type.__getattribute__
    return kind.__getattribute__ in ways and not hasattr(kind, "__getattr__")


def _is_method(owner: str, slot: MethodSlot, i: int, scope: dict[str, Any]) -> str:
    held = slot.get()
    of_class = isinstance(slot.owner, type)
    scope[f"h{i}"] = held.__func__ if isinstance(held, staticmethod) else held
    if type(held) in _OF_CLASSES and not of_class:
        owner = f"{owner}.__class__"
    if type(held) is not types.FunctionType or of_class:
        return f"{owner}.{slot.name} is h{i}"
    # Not another object's of the class, which the object has been given.
    method = f"(m{i} := {owner}.{slot.name})"
    return f"{method}.__func__ is h{i} and m{i}.__self__ is {owner}"


# What objects give as it is, or bound to themselves; what only their class gives so.
_OF_FUNCTIONS = (types.FunctionType, staticmethod)
_OF_CLASSES = (property,)
METHODS = (*_OF_FUNCTIONS, *_OF_CLASSES, classmethod)
