"""referred: which arrays from outside of a loop its names are, round by round.

`a, b = b, a` gives a name another array at each round. Where one of them is changed in
place, the loop carries for each such name a number: of the array that it is, or 0 for
one that a round has made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from runtime.build import Frame, building
from runtime.graph import Value
from runtime.picked import Pick, select
from runtime.tensor import Tensor, tensor_of_array, value_of
from runtime.tensor_view import View
from tracer.contents import LEAF, Carried, ContentType, Held
from tracer.escaping import Place
from tracer.marks import marks_among
from tracer.references import Unknown
from tracer.undefined import without_flag

# The number of a placeholder, by its id.
Numbers = Mapping[int, Value]


def is_array(kind: ContentType) -> bool:
    """True for a place that holds an array, which may be one from outside."""
    if kind.form is None or kind.form.structure != LEAF:
        return False
    (leaf,) = kind.form.leaves
    return isinstance(leaf, Carried) and not leaf.scalar and bool(leaf.sources)


class Referred:
    """The places of one loop that are numbered, and the arrays that they may be."""

    def __init__(self, outer: Frame) -> None:
        # What each held before the loop, if anything.
        self.places: dict[Place, Tensor | None] = {}
        self._outer = outer
        self._arrays: list[Tensor] = []
        self._unknown: set[Place] = set()

    def widen(self, place: Place, before: Held, held: Held, numbers: Numbers) -> bool:
        """Number a place, if that can be; True when something is new."""
        if place in self._unknown:
            return False
        new = place not in self.places
        try:
            self.places[place] = first = _array_of(before)
            for array in (first, *self._arrays_of(_array_of(held), numbers)):
                if array is not None and self._position(array) is None:
                    self._arrays.append(array)
                    new = True
        except Unknown:
            self._unknown.add(place)
            self.places.pop(place, None)
            return True
        return new

    def _position(self, array: Tensor) -> int | None:
        found = (i for i, one in enumerate(self._arrays) if _is_same(one, array))
        return next(found, None)

    def _arrays_of(self, one: Any, numbers: Numbers) -> Iterator[Tensor]:
        """The arrays from outside that something may be."""
        if one is None or id(one) in numbers:
            return
        if isinstance(one, Pick) or one._pick is not None:
            pick = one if isinstance(one, Pick) else one._pick
            for side in pick.sides:
                yield from self._arrays_of(side, numbers)
        elif self._outer.sees(one.root._value):
            yield one if self._is_outer(one) else self._outside(one)
        elif one._view is not None or len(one.sources) > len(_marks(one)):
            raise Unknown

    def _is_outer(self, one: Tensor) -> bool:
        """False for a view that each round makes anew."""
        frame: Frame | None = self._outer
        while frame is not None and frame is not one._frame:
            frame = frame.parent
        return frame is not None

    def _outside(self, one: Tensor) -> Tensor:
        """A view that each round makes, as one that was made before the loop."""
        view = _by_known_key(one)
        if view is None or not self._is_outer(view.base):
            raise Unknown
        with building(self._outer):
            return Tensor(one._value, scalar=False, view=view)

    def initial(self, place: Place) -> Value:
        """The number of what a place holds before the loop."""
        return value_of(self._number(self.places[place]))

    def _number(self, array: Tensor | None) -> int:
        position = None if array is None else self._position(array)
        return 0 if position is None else position + 1

    def last(self, held: Held, numbers: Numbers, frame: Frame) -> Value:
        """The number of what a place holds at the end of a round."""
        with building(frame):
            return self._number_of(_array_of(held), numbers, frame)

    def _number_of(self, one: Any, numbers: Numbers, frame: Frame) -> Value:
        if id(one) in numbers:
            return numbers[id(one)]
        pick = one if isinstance(one, Pick) or one is None else one._pick
        if pick is None or self._position(one) is not None:
            return value_of(self._number(one))
        sides = [self._number_of(side, numbers, frame) for side in pick.sides]
        return select(frame.use(pick.predicate._value), *sides)

    def attach(self, content: Any, number: Value) -> Tensor:
        """Tell what stands for a place which of the arrays it is; returns it."""
        tensor: Tensor = without_flag(content)
        pick: Pick | None = None
        for at, array in enumerate(self._arrays, 1):
            pick = Pick(Tensor(number) == at, array, pick)
        if pick is not None:
            tensor._pick = pick
            pick.note(tensor._value)
        return tensor


def _by_known_key(one: Tensor) -> View | None:
    """How a view is taken by an index that is known while tracing; None for others."""
    view = one._view
    known = view is not None and view.key is not None and not view.key.dynamic
    return view if known else None


def _is_same(a: Tensor, b: Any) -> bool:
    """True for one array, or for two views that are one."""
    if a is b or not isinstance(b, Tensor):
        return a is b
    mine, other = _by_known_key(a), _by_known_key(b)
    if mine is None or other is None:
        return False
    return mine.base is other.base and bool(mine.key.same(other.key))


def _marks(tensor: Tensor) -> list[Tensor]:
    return list(marks_among(tensor.sources))


def _array_of(held: Held) -> Tensor | None:
    """What a place holds, if anything. Unknown: it is no array, or more than that."""
    if held.form is None:
        return None
    if held.form.structure != LEAF:
        raise Unknown
    (leaf,) = held.form.leaves
    if isinstance(leaf, np.ndarray):
        return tensor_of_array(leaf)
    if not isinstance(leaf, Tensor) or leaf.scalar:
        raise Unknown
    return leaf
