"""escaping: objects that a body has made and that are seen when it has ended.

What a body changes is undone when it ends, the attributes of its own objects too. Those
of an object that a name, a place or the returned value leads to are carried out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from runtime import build
from runtime.build import Frame, Slot
from runtime.errors import StagingTypeError, with_notes
from runtime.location import Location, here
from runtime.tensor import Tensor
from tracer import hidden, plain, tree
from tracer.choice import Choice, Varying, varying
from tracer.contents import Held, hold, parts_of
from tracer.frozen import made_in
from tracer.leaves import a
from tracer.marks import note_doubled
from tracer.places import (
    CONTAINERS,
    AttributeSlot,
    ContainerSlot,
    created_by,
)
from tracer.rows import Row, is_row, want_row
from tracer.staged_dict import StagedDict
from tracer.staged_list import StagedList
from tracer.undefined import Maybe


def is_outer(thing: Any, within: Sequence[Frame] = ()) -> bool:
    """True for a list, object or the like that the current body has not made itself.

    A name that refers to it goes on doing so; what is in it is a place of its own.

    within: the frames of the body, if it is not the current one alone
    """
    frame = build.require_current("a body")
    frames = within or (frame,)
    mine = any(made_in(thing, one) for one in frames)
    if plain.is_plain(type(thing)):
        return frame.parent is None or not mine
    if not is_container(thing):
        return False
    if frame.parent is None or mine:
        return False
    if any(slot.holder() is thing for slot, _ in frame.changes):
        return True
    # What a library made here holds tensors of the body.
    leaves = tree.flatten(thing)[0]
    return not any(isinstance(x, Tensor) and x._frame in frames for x in leaves)


def is_container(thing: Any) -> bool:
    """True for a list, dict, plain object or the like, which names refer to."""
    if isinstance(thing, _VALUES) or is_row(thing):
        return False
    if plain.is_plain(type(thing)) or tree.children(thing) is not None:
        return True
    # Sets are leaves, but for those that hold one of several contents.
    return varying(thing) is not None


# Nested structures that do not change.
_VALUES = (tuple, Choice, Varying, Maybe, StagedList, StagedDict, Row)


# A name by its number, a place, or what is returned.
Place = int | Slot
RETURNED = -1


class Seen:
    """What is seen from outside when a body ends, and how its containers are held.

    One that a single place refers to is held by what is in it; one that is there
    already, or that two places refer to, as itself. So are objects.

    anew: each round of a loop makes its own: what two places refer to is made anew for
          each of them, and is not to be changed any more, arrays too
    within: the frames of the body so far, if it goes on in the last one
    apart: what is looked at only where all else is not: what a loop returns
    """

    def __init__(
        self,
        contents: Iterable[Any],
        places: Mapping[Slot, Any],
        anew: bool = False,
        within: Sequence[Frame] = (),
        apart: Sequence[Any] = (),
    ) -> None:
        frame = build.require_current("a body")
        self._within = within or (frame,)
        self._count: Counter[int] = Counter()
        self._around: list[int] = []
        self._frozen = frame.trace.frozen
        self._mine = {id(one): one for one in _made(self._within)}
        # Those that hold themselves, or that something else than a structure holds.
        self._kept: set[int] = set()
        self._anew = anew
        self._arrays: list[Tensor] = []
        for content in contents:
            self._look(content)
        for slot, held in places.items():
            # What a container holds is a copy, which nobody else refers to.
            inside = tree.children(held) if is_copy(slot) else None
            for child in [held] if inside is None else inside:
                self._look(child)
        if anew and not within:
            note_doubled(self._arrays, frame)
        self._look_apart(apart, frame)

    def _look_apart(self, contents: Sequence[Any], frame: Frame) -> None:
        known, self._arrays = dict(self._count), []
        for content in contents:
            self._look(content)
        # Who refers to it as well will not be asked then.
        self._count.update({key: n - self._count[key] for key, n in known.items()})
        if self._anew and contents:
            note_doubled(self._arrays, frame)

    def _look(self, thing: Any) -> None:
        if self._is_outer(thing):
            return
        children = tree.inside(thing)
        if children is None and not is_container(thing):
            self._look_at_leaf(thing)
            return
        if isinstance(thing, dict):
            # An object among the keys is held as a key.
            self._hide([key for key in thing if not isinstance(key, str)])
        self._count[id(thing)] += is_container(thing)
        if id(thing) in self._around:
            self._kept.add(id(thing))
        if self._count[id(thing)] < 2:
            self._around.append(id(thing))
            for child in children or ():
                self._look(child)
            self._around.pop()

    def _is_outer(self, thing: Any) -> bool:
        return is_outer(thing, self._within)

    def _look_at_leaf(self, leaf: Any) -> None:
        if not isinstance(leaf, Tensor):
            self._hide(leaf)
        elif not leaf.scalar:
            self._arrays.append(leaf)

    def _hide(self, leaf: Any) -> None:
        self._kept.update(map(id, hidden.held_by(leaf, self._mine)))

    def is_shared(self, thing: Any) -> bool:
        """True for a container or object of the body that two places refer to.

        Also for one that a list whose length depends on data holds the content of.
        """
        return self._count[id(thing)] > 1 or id(thing) in self._frozen

    def is_split(self, thing: Any) -> bool:
        """True for one of which each place gets its own, which may not be changed."""
        return self._anew and self.is_shared(thing) and id(thing) not in self._kept

    def is_reference(self, thing: Any) -> bool:
        """True when the object itself is held."""
        if id(thing) in self._kept or self._is_outer(thing):
            return True
        return self.is_shared(thing) and not self._anew

    def hold_place(self, slot: Slot, content: Any) -> Held:
        """What a place holds at the end of the body."""
        return hold(content, self.is_reference, place=is_copy(slot))

    def splits(
        self, names: Sequence[Any], places: Mapping[Slot, Any], returned: Any = None
    ) -> set[Place]:
        """Which of them get their own of what two places refer to."""
        found: dict[Place, Any] = {RETURNED: returned}
        found.update(enumerate(names))
        found.update(dict(places.items()))
        return {place for place, content in found.items() if self._splits(content)}

    def _splits(self, content: Any) -> bool:
        if not self._anew or self.is_reference(content):
            return False
        return self.is_split(content) or any(
            map(self._splits, tree.inside(content) or ())
        )

    def own(
        self, frame: Frame, held: Sequence[Held]
    ) -> tuple[dict[Slot, Held], list[Any]]:
        """The frame's own objects that what is held leads to: their places, and they.

        All are held as themselves.
        """
        changed: dict[int, list[Slot]] = {}
        for slot in frame.changed():
            if slot.is_local(frame):
                changed.setdefault(id(slot.holder()), []).append(slot)
        found: dict[Slot, Held] = {}
        made: list[Any] = []
        waiting, known = _objects(held), set[int]()
        while waiting:
            thing = waiting.pop()
            if id(thing) in known:
                continue
            known.add(id(thing))
            slots = changed.get(id(thing), [])
            # A bound method or a function leads to what it holds.
            waiting += hidden.held_by(thing, self._mine)
            if made_in(thing, frame):
                made.append(thing)
                if is_container(thing):
                    slots = _slots_of(thing)
            inner = {slot: self.hold_place(slot, slot.content()) for slot in slots}
            found.update(inner)
            waiting += _objects(inner.values())
        return found, made


def _made(frames: Sequence[Frame]) -> Iterator[Any]:
    """What has been made in these frames, and is not another's or nobody's since."""
    created = frames[0].trace.created
    for frame in frames:
        for key in frame.made:
            thing, of = created.get(key, (None, None))
            if of in frames:
                yield thing


def _slots_of(container: Any) -> list[Slot]:
    if isinstance(container, CONTAINERS):
        return [ContainerSlot(container)]
    if plain.is_plain(type(container)):
        names = [name for held in plain.attributes(container) for name in held]
    else:
        names = list(vars(container))
    return [AttributeSlot(container, name) for name in names]


def is_copy(slot: Slot) -> bool:
    """True for a place whose content is a copy of what a container holds."""
    return isinstance(slot, ContainerSlot)


def hold_place(slot: Slot) -> Held:
    """What a place holds now, in a body that goes on."""
    return hold(slot.content(), is_outer, place=is_copy(slot))


def hold_before(slot: Slot) -> Held:
    """What a place holds before a body: all that is in it is there already."""
    return hold(slot.content(), is_container, place=is_copy(slot))


def _objects(seen: Iterable[Held]) -> list[Any]:
    return [leaf for held in seen for leaf, value in parts_of(held) if value is None]


def refuse(ended_own: dict[Slot, Held], place: Location | None = None) -> None:
    """Refuse an object that each round of a loop, or level of a recursion, makes anew.

    place: where it is said to be, if not at the user's current line
    """
    if not ended_own:
        return
    for slot in ended_own:
        want_row(slot.holder())
    *_, slot = ended_own
    if type(slot.holder()) is set:
        raise with_notes(
            StagingTypeError(
                "a set of what data tell is made anew by each round of a loop or "
                "recursion, and kept"
            ),
            place or here(),
            "Make one set before, and change it: `s.clear()`, `s.update(...)`.",
        )
    raise with_notes(
        StagingTypeError(
            f"{a(slot.holder())} that holds itself, or that a function, a set or the "
            "like holds, is made anew by each round of a loop or recursion that "
            "depends on data"
        ),
        place or here(),
        "Make it before, and change what is in it.",
    )


def hand_over(made: Iterable[Any], outer: Frame) -> None:
    """Take objects for some that the frame outside has made."""
    for thing in made:
        created_by(thing, outer)
