"""place_text: the lines of a call that read places outside, and that write them.

What `outer.Reading` and `finishing` do for any places, as Python text for those of one
trace: which object is asked for what is known by then, and so is what may be one with
what. A place of another kind than those here is read, or all are written, by them.
"""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from operator import is_
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.build import Slot
from runtime.methods import is_users
from tracer import tree
from tracer.cells import CellSlot, GlobalSlot
from tracer.manners import found_on
from tracer.outer import Added, Listed, Place, Whole, aliases_of
from tracer.place_kinds import Named, Number
from tracer.places import AttributeSlot, ContainerSlot
from tracer.read_checks import is_quick
from tracer.traced import Leaf, left_alone
from tracer.undefined import UNDEFINED

if TYPE_CHECKING:
    from tracer.concrete import ConcreteFunction

# Items of a container that get a name each; and arrays of which each pair is compared.
MOST_ITEMS, MOST_ARRAYS = 50, 8
_ITEMS = (list, deque)
Form = Whole | Listed | Added
# Gives the text of a leaf that a call leaves somewhere; None: it takes more than that.
TextOf = Callable[[tree.Structure, Sequence[Leaf]], str | None]


class PlaceText:
    """The places of a trace, as its call reads and writes them.

    lines:  read them; what they raise, or `return MISS`, is that they do not fit
    checks: each holds, after that, where they do not fit
    leaves: the names of their leaves
    arrays: the names of those that are arrays, each array once
    """

    def __init__(self, concrete: ConcreteFunction, at: int, named: Named) -> None:
        assert concrete.outer is not None
        self._reading, self._traced = concrete.outer, concrete.traced
        self._named = named
        self._count = at
        self._owners: dict[int, str] = {}
        self._targets: list[str] = []
        self._slots: list[Slot] = concrete.outer.slots()
        self._own: list[list[str]] = []
        self.lines: list[str] = []
        self.checks: list[str] = []
        self.leaves: list[str] = []
        self.arrays: list[str] = []
        pairs = zip(concrete.outer.places, concrete.outer.forms, strict=True)
        for (place, form), slot in zip(pairs, self._slots, strict=True):
            self._place(place, form, slot)
        self._compare_arrays()

    def _name(self) -> str:
        self._count += 1
        return f"v{self._count - 1}"

    # Reading.

    def _place(self, place: Place, form: Form, slot: Slot) -> None:
        self._targets.append(self._target(slot))
        names = None
        if isinstance(form, Added):
            names = [self._name() for _ in range(form.count)]
            self.lines.append(f"{' = '.join(names)} = None")
        if isinstance(form, Whole):
            names = self._whole(form, slot, self._targets[-1])
        elif isinstance(form, Listed) and type(slot.holder()) is list:
            names = self._listed(form, self._targets[-1])
        if names is None:
            names = self._by_itself(place, form)
        self._own.append(names)
        self.leaves += names

    def _target(self, slot: Slot) -> str:
        """What is assigned to, to write the place."""
        if isinstance(slot, GlobalSlot):
            return f"{self._named(slot.scope)}[{slot.name!r}]"
        if isinstance(slot, CellSlot):
            return f"{self._named(slot.cell)}.cell_contents"
        if isinstance(slot, AttributeSlot):
            return f"{self._owner(slot.owner)}.{slot.name}"
        return f"{self._named(slot.holder())}[:]"

    def _owner(self, owner: Any) -> str:
        """The name of an object, which is not kept alive if it need not be."""
        if id(owner) not in self._owners:
            name = self._owners[id(owner)] = f"o{len(self._owners)}"
            try:
                self.lines.append(f"{name} = {self._named(weakref.ref(owner))}()")
            except TypeError:
                self.lines.append(f"{name} = {self._named(owner)}")
        return self._owners[id(owner)]

    def _whole(self, form: Whole, slot: Slot, target: str) -> list[str] | None:
        if isinstance(slot, ContainerSlot):
            return self._container(form, slot.container)
        is_one = form.structure.is_leaf() and not _holds_undefined(form)
        if not is_one or (isinstance(slot, AttributeSlot) and not is_plain(slot)):
            return None
        name = self._name()
        self.lines.append(f"{name} = {target}")
        self.checks.append(f"not ({form.kinds[0].check(name, self._named)})")
        self._note_array(name, form.kinds[0])
        return [name]

    def _container(self, form: Whole, container: Any) -> list[str] | None:
        kinds, kept = form.kinds, []
        if type(container) not in (*_ITEMS, dict) or len(kinds) > MOST_ITEMS:
            return None
        is_dict, children = type(container) is dict, form.structure.children()
        if is_dict:
            children = children[1].children()
        # Before anything gets a name: the form itself reads what is nested.
        if not all(child.is_leaf() for child in children):
            return None
        told = self._named(container)
        if is_dict:
            kept, kinds = [self._keys(told, kinds[0])], kinds[1:]
            told = f"{told}.values()"
        names = [self._name() for _ in kinds]
        self.lines.append(f"[{', '.join(names)}] = {told}")
        for name, kind in zip(names, kinds, strict=True):
            self.checks.append(f"not ({kind.check(name, self._named)})")
            self._note_array(name, kind)
        return [*kept, *names]

    def _keys(self, told: str, kind: Any) -> str:
        """Look at the keys of a dict; the name of what holds them, a constant."""
        name, known = self._name(), self._named(kind.content.keys)
        same = f"all({self._named(map)}({self._named(is_)}, {told}, {known}))"
        fits = f"{self._named(kind.fits)}({self._named(type(kind.content))}({told}))"
        self.lines.append(f"{name} = {self._named(kind.content)}")
        # The same number of them is told where their values get names.
        self.lines.append(f"if not ({same} or {fits}): return MISS")
        return name

    def _listed(self, form: Listed, target: str) -> list[str] | None:
        if form.alike is None:
            return None
        name, kind = self._name(), form.alike.kind
        self.lines.append(f"{name} = {target}")
        of_type = {*()} if kind in (int, np.ndarray) else {kind}
        if of_type:
            test = f"{{*{self._named(map)}(type, {name})}} <= {self._named(of_type)}"
        else:
            test = f"all({self._named(map)}({self._named(form.alike.fits)}, {name}))"
        self.checks.append(f"not ({test})")
        return [name]

    def _by_itself(self, place: Place, form: Form) -> list[str]:
        """What the form itself reads, as calls that come seldom do."""

        def read() -> list[Any] | None:
            slot = place.slot()
            return None if slot is None else form.read(slot)

        names = [self._name() for _ in range(form.count)]
        # None cannot be taken apart.
        self.lines.append(f"[{', '.join(names)}] = {self._named(read)}()")
        if isinstance(form, Whole):
            for name, kind in zip(names, form.kinds, strict=True):
                self._note_array(name, kind)
        return names

    def _note_array(self, name: str, kind: Any) -> None:
        if isinstance(kind, Number) and kind.kind is np.ndarray:
            self.arrays.append(name)

    def _compare_arrays(self) -> None:
        """Which of the arrays in the places are one is as it was in the trace."""
        aliases = self._reading.aliases
        if not aliases:
            return
        first = {name: self.leaves[alias] for name, alias in self._aliased(aliases)}
        if len(self.arrays) > MOST_ARRAYS:
            told, known = self._named(aliases_of), self._named(aliases)
            self.checks.append(f"{told}([{', '.join(self.leaves)}]) != {known}")
        else:
            for a, b in combinations(self.arrays, 2):
                no = "not " if first[a] == first[b] else ""
                self.checks.append(f"{a} is {no}{b}")
        self.arrays = [name for name in self.arrays if first[name] == name]

    def _aliased(self, aliases: Sequence[int]) -> Iterator[tuple[str, int]]:
        return zip(self.leaves, aliases, strict=True)

    def met(self) -> set[int]:
        """The ids of the objects that the places are in, and that stay alive."""
        owners = (AttributeSlot,)
        return {id(s.holder()) for s in self._slots if not isinstance(s, owners)}

    @property
    def owners(self) -> Sequence[str]:
        """The names of the objects that have the attributes."""
        return [*self._owners.values()]

    @property
    def lists_arrays(self) -> bool:
        """Whether there may be arrays in a list whose items have no names."""
        listed = (form for form in self._reading.forms if isinstance(form, Listed))
        return any(spec.shape != () for form in listed for spec in form.items.specs)

    # Writing.

    def writes(self, text_of: TextOf) -> list[str] | None:
        """The lines that write what the trace leaves; None: it takes more than that."""
        if self._traced.put_anew:
            return None
        lines: list[str] = []
        alone = left_alone(self._traced)
        for at, (structure, leaves) in enumerate(self._traced.outer_after):
            if at in alone:
                continue
            made = self._written(at, structure, leaves, text_of)
            if made is None:
                return None
            lines += made
        return lines

    def _written(
        self, at: int, structure: tree.Structure, leaves: Any, text_of: TextOf
    ) -> list[str] | None:
        slot, own = self._slots[at], self._own[at]
        text = text_of(structure, leaves)
        if text is None or not _is_written(slot):
            return None
        if isinstance(slot, ContainerSlot):
            if type(slot.container) is dict:
                return self._items(slot.container, structure, leaves, text_of)
            if isinstance(self._reading.forms[at], Added):
                return [f"{self._named(slot.container)}.extend({text})"]
            return [f"{self._targets[at]} = {text}"]
        write = f"{self._targets[at]} = {text}"
        if isinstance(slot, AttributeSlot) and not is_set_plainly(slot):
            inside = f"{self._owner(slot.owner)}, {slot.name!r}, {text}"
            write = f"{self._named(object.__setattr__)}({inside})"
        # What a call leaves alone stays the class's, if it is that.
        is_put = at in self._traced.always_put
        is_made = structure.is_leaf() and len(own) == 1 and not is_put
        return [f"if {text} is not {own[0]}: {write}" if is_made else write]

    def _items(
        self, held: dict[Any, Any], structure: tree.Structure, leaves: Any, text: TextOf
    ) -> list[str] | None:
        """Each item of a dict whose keys stay what they are."""
        one = tree.leaf()
        if not all(child.is_leaf() for child in structure.children()):
            return None
        after = tree.unflatten(structure, leaves)
        if type(after) is not dict or [*map(id, after)] != [*map(id, held)]:
            return None
        name = self._named(held)
        return [
            f"{name}[{self._named(key)}] = {text(one, (leaf,))}"
            for key, leaf in after.items()
        ]


def _holds_undefined(form: Whole) -> bool:
    return any(kind.fits(UNDEFINED) for kind in form.kinds)


def is_plain(slot: AttributeSlot) -> bool:
    """Whether `owner.name` is what the slot gives, and calls nothing of the user's."""
    of_class = found_on(type(slot.owner), slot.name)
    is_held = type(of_class) is MemberDescriptorType
    return is_quick(slot) and (is_held or not hasattr(type(of_class), "__get__"))


def is_set_plainly(slot: AttributeSlot) -> bool:
    """Whether `owner.name = ...` is not the user's: see `AttributeSlot.set`."""
    return not is_users(type(slot.owner).__setattr__)


def _is_written(slot: Slot) -> bool:
    """Whether there is a text that writes it."""
    if isinstance(slot, ContainerSlot):
        return type(slot.container) in (list, dict)
    if isinstance(slot, AttributeSlot):
        return slot.name.isidentifier() and is_quick(slot)
    return True
