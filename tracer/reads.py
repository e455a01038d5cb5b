"""reads: what a trace has read outside of itself as constants, and whether it still is.

A function's globals, the variables of the functions around it, and the attributes that
it asked for are constants of its trace. Each call looks whether they are the same
objects; where one is not, and not equal either, the function is traced again
(decision 17). What the function changes itself is an input instead (see `outer`).
"""

from __future__ import annotations

import types
import weakref
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from runtime import build
from runtime.build import Frame, Slot, Trace
from runtime.structs import struct
from runtime.tensor import Tensor
from runtime.variable import Variable
from tracer import plain
from tracer.captures import ITSELF
from tracer.cells import GlobalSlot
from tracer.constants import Exactly, OfTrace, constant, of_defaults
from tracer.manners import (
    AncestorSlot,
    ProtocolSlot,
    ancestors,
    counts_as,
    found_on,
    kinds_of,
)
from tracer.names_read import names_read
from tracer.places import CONTAINERS, AttributeSlot, ContainerSlot
from tracer.read_checks import (
    METHODS,
    ContentSlot,
    Read,
    ReadSlot,
    RestSlot,
    compiled,
)
from tracer.read_slots import (
    along,
    asked,
    built_in,
    cells,
    defaults_of,
    of_function,
)
from tracer.telling import ADDING, BOUND, builtin_of, has_dict, own_dict, tells
from tracer.undefined import UNDEFINED


def note_attribute(of: Any, name: str) -> None:
    """An attribute is read."""
    frame = build.current()
    if frame is None or isinstance(of, (Tensor, Variable)) or id(of) in _caught(frame):
        return
    if id(of) in frame.trace.created:
        kind = type(of)
        of_class = not _has_own(of, name) and not plain.is_library(kind.__module__)
        if of_class and id(kind) not in frame.trace.created:
            frame.trace.attributes_read[id(kind), name] = weakref.ref(kind), name
        return
    try:
        reference: Any = weakref.ref(of)
    except TypeError:
        if id(of) not in frame.trace.solid:
            # It cannot be told from what the trace made itself.
            return
        reference = partial(_itself, of)
    frame.trace.attributes_read[id(of), name] = reference, name


def _caught(frame: Frame) -> Collection[int]:
    """The ids of what stands for exceptions of the run."""
    return frame.trace.caught


def _itself(of: Any) -> Any:
    return of


def _has(of: Any, name: str) -> bool:
    """Whether it or its class has the attribute, past a `__getattr__` of its own.

    `inspect.getattr_static` keeps the class on Python 3.12, also one of the trace.
    """
    owners = (*type(of).__mro__, *(of.__mro__ if isinstance(of, type) else ()))
    return _has_own(of, name) or any(name in vars(owner) for owner in owners)


def _has_own(of: Any, name: str) -> bool:
    """Whether it has the attribute itself."""
    return name in own_dict(of)


def note_method(bound: types.MethodType) -> None:
    """A method is called, which plain code has asked for."""
    if build.current() is not None:
        name, of = bound.__func__.__name__, bound.__self__
        is_known = _has(of, name)
        note_attribute(of, name if is_known else ITSELF)


def note_passed(function: Any, args: Sequence[Any]) -> None:
    """A function is called: one that is not converted may read all of an object."""
    if function in _KINDS:
        _note_ancestors(function, args)
        return
    if function in _NAMING:
        if len(args) > 1 and isinstance(args[1], str):
            note_attribute(args[0], args[1])
        return
    of_builtin = isinstance(function, types.BuiltinMethodType)
    owner = function.__self__ if of_builtin else None
    if isinstance(owner, CONTAINERS) or function in _ASKING or _is_users(function):
        return
    for thing in args:
        if not isinstance(thing, _NO_RECORDS) and has_dict(thing):
            note_attribute(thing, "__dict__")


def _is_users(function: Any) -> bool:
    kinds = (types.FunctionType, types.MethodType, type)
    return isinstance(function, kinds) and not plain.is_library(function.__module__)


def _note_ancestors(function: Any, args: Sequence[Any]) -> None:
    """It is asked whether a class, or that of an object, counts as one of another."""
    frame = build.current()
    if frame is None or len(args) != 2:
        return
    one, created = args[0], frame.trace.created
    kind = one if function is issubclass else type(one)
    if not isinstance(kind, type) or id(kind) in created or id(one) in created:
        return
    asks = ancestors if function is issubclass else counts_as
    for slot in asks(one, args[1]):
        frame.trace.attributes_read[slot] = partial(_itself, slot), ITSELF


class _Some(list[Any]):
    """Things that may be asked for what cannot be hashed."""

    def __contains__(self, thing: Any) -> bool:
        return any(thing is one for one in self)


# What asks for the class of something.
_KINDS = _Some([isinstance, issubclass])
# What reads an attribute by its name, and what looks at the kind of an object only.
_NAMING = _Some([getattr, hasattr])
_ASKING = _Some([*(callable, type, id, hash, setattr, delattr, super)])
# Arguments of these kinds that are no structure (subclasses) are constants.
_HOLDING = (*CONTAINERS, types.MappingProxyType)
# A graph reads Variables as it runs.
_NO_RECORDS = (types.FunctionType, types.ModuleType, type, Tensor, Variable)


class Reads:
    """What a trace has read outside, and a quick way to see whether it still is so."""

    def __init__(self, reads: Sequence[Read]) -> None:
        # Whether the very objects are there; what `hold` asks first.
        self._reads = tuple(reads)
        self.quick = compiled(self._reads)

    def hold(self) -> bool:
        """Whether all is as it was when the trace was made."""
        if self.quick():
            return True
        found = []
        for read in self._reads:
            made = read.renewed()
            if made is None:
                return False
            found.append(made)
        # Equal, yet other objects: from now on they are looked for.
        self._reads = tuple(found)
        self.quick = compiled(self._reads)
        return True

    def each(self) -> Sequence[Read]:
        """The places, with what is looked for in them now."""
        return self._reads

    def changed(self) -> list[Read]:
        """The places that hold something else now, with what they held."""
        changed = (read for read in self._reads if read.renewed() is None)
        first = next(changed, None)
        if first is None or first.of_kind:
            # To look at its objects' attributes would call the user's functions.
            return [] if first is None else [first]
        return [first, *changed]


@struct(eq=False)
class Noted:
    """What a trace has noted of its reads; it holds nothing that the trace made."""

    functions: list[tuple[Any, types.CodeType, dict[str, Any], bool]]
    attributes: list[tuple[weakref.ref[Any], str]]
    # Of the objects that the trace has made.
    kinds: list[weakref.ref[type]]

    @classmethod
    def of(cls, trace: Trace) -> Noted:
        """Taken while the trace knows them."""
        kinds = {type(thing) for thing, _ in trace.created.values()}
        return cls(
            list(trace.functions_read.values()),
            list(trace.attributes_read.values()),
            [weakref.ref(kind) for kind in kinds if plain.is_plain(kind)],
        )

    def asks(self, name: str) -> bool:
        """Whether a function asks for this attribute, one of those of arrays."""
        return any(name in names_read(code).plain for _, code, _, _ in self.functions)

    def reads(
        self,
        given: Sequence[Any],
        places: Collection[Slot],
        function: Any,
        kept: Collection[int],
    ) -> dict[Any, Read]:
        """What is still there when the trace is over, by the places.

        given: the arguments' leaves; places: what the graph reads at each call
        function: what was traced, whose own code the calls look at
        kept: the ids of containers that have to be the very same
        """
        # Of a list with attributes the graph may read one, and not the items.
        of_objects = {id(p.holder()) for p in places if isinstance(p, AttributeSlot)}
        own = {id(place.holder()) for place in places} - of_objects
        found: dict[Any, Read] = {}
        added_to: list[ReadSlot] = []
        slots = (
            *self._slots(given, added_to),
            *self._codes(function),
            *_contents(places, own),
            *(ContentSlot(p) for thing in (*given, function) for p in _parts_of(thing)),
        )
        for slot in slots:
            if _is_changed(slot, of_objects):
                slot = _rest(slot, places)
            if slot in found or slot in places:
                continue
            try:
                found[slot] = Read.of(slot, constant(slot.get(), own, kept))
            except OfTrace:
                continue
            for part in of_function(slot.get()):
                with suppress(OfTrace):  # a default of a function that the trace made
                    found[part] = Read.of(part, constant(part.get()))
        for slot in added_to:
            if slot not in found and slot not in places:
                of = of_defaults if isinstance(slot, AttributeSlot) else Exactly
                found[slot] = Read.of(slot, of(slot.get()))
        # First, since asking for an attribute may call the user's functions.
        kinds = kinds_of(asked((*found, *places)))
        return {kind: Read.of(kind, kind.held()) for kind in kinds} | found

    def _slots(
        self, given: Sequence[Any], added_to: list[ReadSlot]
    ) -> Iterator[ReadSlot]:
        """The places; `added_to` gets those whose content does not matter."""
        owners = list(given)
        for slot in self._of_functions(added_to):
            yield slot
            owners.append(slot.get())
        for reference, name in self.attributes:
            owner = reference()
            if owner is None:
                continue
            if isinstance(owner, (AncestorSlot, ProtocolSlot)):
                yield owner
                continue
            owners.append(owner)
            if name != ITSELF:
                yield from along(owner, [name])
        yield from self._by_name(owners)

    def _codes(self, traced: Any) -> Iterator[ReadSlot]:
        """The code of the functions that were run: a reloader sets it."""
        for reference, _, _, is_outer in self.functions:
            function = reference()
            if is_outer and function is not None and function is not traced:
                yield AttributeSlot(function, "__code__")

    def _by_name(self, owners: Sequence[Any]) -> Iterator[ReadSlot]:
        """What is asked of objects without a word to us: by the names in the code."""
        codes = (code for _, code, _, _ in self.functions)
        plainly = frozenset().union(*(names_read(code).plain for code in codes))
        for owner in owners:
            if plain.is_plain(type(owner)):
                for name in plainly:
                    if _has(owner, name):
                        yield from along(owner, [name])
        for kind in filter(None, (reference() for reference in self.kinds)):
            for name in ("__init__", *plainly):
                if type(found_on(kind, name)) in METHODS:
                    yield from along(kind, [name])

    def _of_functions(self, added_to: list[ReadSlot]) -> Iterator[ReadSlot]:
        for reference, code, scope, is_outer in self.functions:
            function = reference()
            if is_outer and function is not None:
                # They are looked at for being the same: a call has bound their parts.
                added_to += defaults_of(function)
            held = cells(function) if is_outer and function is not None else {}
            chains = names_read(code).chains
            named = {chain[0] for chain in chains}
            yield from (cell for name, cell in held.items() if name not in named)
            for root, *attributes in chains:
                slot = held.get(root) or GlobalSlot(scope, root)
                slots = [slot, *along(slot.get(), attributes)]
                if slot.get() is UNDEFINED and (known := built_in(scope, root)):
                    # A global of its name would hide it.
                    yield slot
                    slots = [known, *along(known.get(), attributes)]
                if _only_adds(slots, attributes):
                    added_to.append(slots.pop())
                yield from slots


def _only_adds(slots: Sequence[ReadSlot], attributes: Sequence[str]) -> bool:
    """Whether the last attribute of these is that of a list, to add to it."""
    if len(slots) != len(attributes) or attributes[-1] not in ADDING:
        return False
    held = slots[-1].get()
    return type(held) is list or (type(held) is deque and held.maxlen is None)


def _parts_of(leaf: Any) -> Iterator[Any]:
    """What an argument holds that is no structure."""
    if isinstance(leaf, _HOLDING):
        yield leaf
    elif (found := tells(leaf)) is not None:
        # A method of a list is made anew for each call; what it is bound to is not.
        yield found(leaf) if isinstance(leaf, BOUND) else leaf


def _is_changed(slot: ReadSlot, own: Collection[int]) -> bool:
    """Whether it is all that an object holds, of which the graph reads a part."""
    whole = isinstance(slot, AttributeSlot) and slot.name == "__dict__"
    return whole and id(slot.holder()) in own


def _rest(whole: ReadSlot, places: Collection[Slot]) -> RestSlot:
    """What an object holds beside what the graph reads of it."""
    of, slots = whole.holder(), (p for p in places if isinstance(p, AttributeSlot))
    return RestSlot(of, tuple(slot.name for slot in slots if slot.owner is of))


def _contents(places: Collection[Slot], own: Collection[int]) -> Iterator[ReadSlot]:
    """What is in places that the graph reads, and is not read by it itself."""
    for place in places:
        whole = isinstance(place, ContainerSlot)
        waiting = [tuple(_items_of(place.holder())) if whole else place.content()]
        while waiting:
            part = waiting.pop()
            if isinstance(part, tuple):
                waiting += part
            elif isinstance(part, CONTAINERS) and id(part) not in own:
                yield ContentSlot(part)


def _items_of(container: Any) -> Iterable[Any]:
    own = builtin_of(container)
    items = own.values if isinstance(container, dict) else own.__iter__
    found: Iterable[Any] = items(container)
    return found
