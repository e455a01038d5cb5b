"""referred: which arrays from outside of a loop its names are, round by round.

`a, b = b, a` gives a name another array at each round. Where one of them is changed in
place, the loop carries for each such name a number: of the array that it is, or 0 for
one that a round has made. Where a round takes a view by what it computes (`a = a[k:]`),
it carries too where each of these names lies in its array.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from runtime import layouts
from runtime.build import Frame, building
from runtime.dtypes import same_dtype
from runtime.graph import Value
from runtime.ops.placeholder import placeholder
from runtime.ops.places import where_spec
from runtime.picked import Own, Pick, select
from runtime.places import WHOLE, NoPlacesError, Whole, part, places
from runtime.spec import TensorSpec
from runtime.tensor import Tensor, value_of
from runtime.tensor_slot import TensorSlot
from runtime.tensor_view import View
from tracer import marks
from tracer.choice import TAG
from tracer.contents import LEAF, Carried, ContentType, Held
from tracer.escaping import Place
from tracer.item_type import as_spec
from tracer.one_array import is_of_dtype, is_same, known_view, of_number
from tracer.own_contents import OwnContents, array_of, spec_of
from tracer.references import Unknown
from tracer.undefined import without_flag

# What a loop carries for a placeholder, by its id: its number, and where it lies.
Numbers = Mapping[int, Sequence[Value]]


def is_array(kind: ContentType) -> bool:
    """True for a place that holds an array, which may be one from outside."""
    if kind.form is None or kind.form.structure != LEAF:
        return False
    (leaf,) = kind.form.leaves
    return isinstance(leaf, Carried) and not leaf.scalar and bool(leaf.sources)


def are_parts_of_one(before: Iterable[Held]) -> bool:
    """Whether two of the places hold an array and a part of it, or two parts of one."""
    found: dict[int, Tensor] = {}
    for held in before:
        try:
            array = array_of(held)
        except Unknown:
            continue
        if array is not None and found.setdefault(id(array.root), array) is not array:
            return True
    return False


def overlapping(before: Mapping[Place, Held]) -> set[Place]:
    """The places with an array that may overlap one of another place."""
    held = {
        place: () if one.form is None else one.form.leaves
        for place, one in before.items()
        if not isinstance(place, TensorSlot)
    }
    places = list(held)
    return {places[at] for at in marks.overlapping(list(held.values()))}


class Referred:
    """The places of one loop that are numbered, and the arrays that they may be."""

    def __init__(self, outer: Frame) -> None:
        # What each held before the loop, if anything.
        self.places: dict[Place, Tensor | None] = {}
        self.outer = outer
        # A round takes views: where each name lies is carried too.
        self._lie = False
        # What a round makes may lie otherwise than in C order.
        self._anyhow = False
        # Some place holds nothing, or an array that a round has made.
        self._owns = False
        self._arrays: list[Tensor | Own] = []
        # Read-only views of arrays, as one that a round takes of a part.
        self._locked: dict[int, Tensor] = {}
        # As which dtypes parts of some of them are taken: `z.real`.
        self._dtypes: set[tuple[int, Any]] = set()
        self._unknown: set[Place] = set()
        self.contents = OwnContents()

    def widen(
        self, place: Place, before: Held, held: Held, numbers: Numbers, frame: Frame
    ) -> bool:
        """Number a place, if that can be; True when something is new.

        held, numbers: at the end of a round, which `frame` is, and its placeholders'
        """
        if place in self._unknown:
            return False
        new, lay, owned = place not in self.places, self._lie, self._owns
        try:
            self.places[place] = first = array_of(before)
            last = array_of(held)
            self._owns |= first is None or last is None
            for array in (first, *self._arrays_of(last, numbers)):
                if array is not None and self._position(array) is None:
                    self._arrays.append(array)
                    self._note_dtype(array)
                    new = True
            new |= self._owns and not owned
            if self._lie and not lay:
                return True  # the next round carries where each of them lies
            if self._lie and all(len(found) == 2 for found in numbers.values()):
                self._require_places(first, {}, self.outer)
                self._require_places(last, numbers, frame)
        except Unknown:
            self._unknown.add(place)
            self.places.pop(place, None)
            return True
        return new

    def carried(self, kind: ContentType) -> tuple[TensorSpec, ...]:
        """What is carried for a place besides its content."""
        if not self._lie:
            return (TAG,)
        return (TAG, where_spec(spec_of(kind).shape))

    def _position(self, array: Tensor | Own) -> int | None:
        found = (i for i, one in enumerate(self._arrays) if is_same(one, array))
        return next(found, None)

    def _arrays_of(self, one: Any, numbers: Numbers) -> Iterator[Tensor | Own]:
        """The arrays from outside that something may be, or be a part of.

        A part of one has its number, negative. Own.LOCKED: a read-only one of a round.
        """
        if isinstance(one, Pick):
            for side in one.sides:
                yield from self._arrays_of(side, numbers)
        elif one is Own.ELEMENT:
            raise Unknown  # as which a round that changes it makes another number
        elif isinstance(one, Own):
            self._owns = True
            if one is Own.LOCKED:
                yield one
        elif isinstance(one, Tensor) and id(one) not in numbers:
            yield from self._arrays_of_tensor(one, numbers)

    def _arrays_of_tensor(
        self, one: Tensor, numbers: Numbers
    ) -> Iterator[Tensor | Own]:
        root = one.root
        self._anyhow |= root.layout is not None
        if one.is_locked and (id(root) in numbers or root._pick is not None):
            raise Unknown  # the same number would stand for one that is not
        if id(root) in numbers:
            self._lie = True
        elif self.outer.sees(root._value):
            # One of several has its own name for an array that a branch has made.
            yield one if self._is_outer(one) else self._outside(one)
        elif one._pick is not None:
            yield from self._arrays_of(one._pick, numbers)
        elif root._pick is not None:
            self._lie = True
            yield from self._arrays_of(root._pick, numbers)
        elif len(root.sources) > len(_marks(root)):
            raise Unknown
        else:
            self._owns = True
            self._anyhow |= not layouts.is_contiguous(one)
            if one.is_locked:
                yield Own.LOCKED

    def _is_outer(self, one: Tensor) -> bool:
        """False for a view that each round makes anew."""
        frame: Frame | None = self.outer
        while frame is not None and frame is not one._frame:
            frame = frame.parent
        return frame is not None

    def _outside(self, one: Tensor) -> Tensor:
        """A view that each round makes, as one that was made before the loop.

        One that it takes by what it computes is a part of the whole.
        """
        view = known_view(one)
        if view is not None and self._is_outer(view.base):
            with building(self.outer):
                return Tensor(one._value, scalar=False, view=view)
        self._lie = True
        return self._whole(one)

    def _whole(self, one: Tensor) -> Tensor:
        """The array that something is a part of, read-only where the part is."""
        root = one.root
        self._note_dtype(one)
        if not one.is_locked:
            return root
        if id(root) not in self._locked:
            view = View(root, _itself, _changed, locked=True)
            with building(self.outer):
                made = Tensor(root._value, scalar=False, view=view)
                made._cache = root._value
            self._locked[id(root)] = made
        return self._locked[id(root)]

    def _note_dtype(self, one: Tensor | Own) -> None:
        if isinstance(one, Tensor):
            dtype = one._value.spec.dtype
            if not same_dtype(dtype, one.root._value.spec.dtype):
                self._dtypes.add((id(one.root), dtype))

    def _require_places(
        self, one: Tensor | None, numbers: Numbers, frame: Frame
    ) -> None:
        """Unknown: nobody can tell where in its array it lies."""
        if one is None:
            return
        try:
            with building(Frame("tried", frame)):
                self._places_of(one, numbers)
        except NoPlacesError:
            raise Unknown from None

    def _places_of(self, one: Tensor, numbers: Numbers) -> Tensor:
        """Where something lies in the array from outside that it is a part of."""

        def known(root: Tensor) -> Tensor | Whole | None:
            if id(root) in numbers:
                return Tensor(numbers[id(root)][-1], scalar=False)
            # The places in a view of it go by the view that is the root.
            arrays = (one for one in self._arrays if isinstance(one, Tensor))
            whole = root._pick is None or any(one.root is root for one in arrays)
            return WHOLE if whole else None

        return places(one, known)

    def initial(self, place: Place, kind: ContentType) -> list[Value]:
        """The number of what a place holds before the loop, and where it lies."""
        array = self.places[place]
        number = value_of(self.number(array))
        return [number, *self._lying(array, kind, {})]

    def _lying(
        self, array: Tensor | None, kind: ContentType, numbers: Numbers
    ) -> list[Value]:
        """Where something lies, if that is carried; anything for nothing."""
        if array is not None:
            return [self._places_of(array, numbers).value] if self._lie else []
        return [placeholder(spec=spec).value for spec in self.carried(kind)[1:]]

    def number(self, array: Tensor | Own | None) -> int:
        if array is None or array is Own.WRITABLE:
            return 0
        position = self._position(array)
        if position is not None or isinstance(array, Own):
            return 0 if position is None else position + 1
        position = self._position(self._whole(array)) if self._lie else None
        return 0 if position is None else -position - 1

    def last(
        self, held: Held | None, kind: ContentType, numbers: Numbers, frame: Frame
    ) -> list[Value]:
        """The number of what a place holds at the end of a round, and where it lies.

        held: None where the round always raises
        """
        with building(frame):
            if held is None:
                return [placeholder(spec=spec).value for spec in self.carried(kind)]
            array = array_of(held)
            number = self.number_of(array, numbers, frame)
            return [number, *self._lying(array, kind, numbers)]

    def number_of(self, one: Any, numbers: Numbers, frame: Frame) -> Value:
        if id(one) in numbers:
            return numbers[id(one)][0]
        if isinstance(one, Own) or self._position(one) is not None:
            return value_of(self.number(one))
        if isinstance(one, Tensor):
            if one._view is not None and one._view.which is not None:
                return self._number_of_which(one._view.which, one, numbers, frame)
            if one._view is not None and not self.number(one):
                return self._number_of_part(one, numbers, frame)
            pick = None if self.number(one) else one._pick
        else:
            pick = one
        if pick is None:
            return value_of(self.number(one))
        sides = [self.number_of(side, numbers, frame) for side in pick.sides]
        return select(frame.use(pick.predicate._value), *sides)

    def _number_of_which(
        self, side: Any, one: Tensor, numbers: Numbers, frame: Frame
    ) -> Value:
        """The same of what may be all of some arrays, or else a part."""
        if isinstance(side, Pick):
            both = [self._number_of_which(it, one, numbers, frame) for it in side.sides]
            return select(frame.use(side.predicate._value), *both)
        if isinstance(side, Own):
            return self._number_of_part(one, numbers, frame)
        return self.number_of(side, numbers, frame)

    def _number_of_part(self, one: Tensor, numbers: Numbers, frame: Frame) -> Value:
        number = _of_part(self.number_of(one.root, numbers, frame))
        locked = self._position(Own.LOCKED) if one.is_locked else None
        if locked is None:
            return number
        return select((Tensor(number) == 0).value, value_of(locked + 1), number)

    def attach(self, content: Any, found: Sequence[Value]) -> Tensor:
        """Tell what stands for a place which of the arrays it is; returns it.

        Where it is always one of them, it has no content but theirs.
        """
        tensor: Tensor = without_flag(content)
        if self._attached_to_outer(tensor, found[0]):
            return tensor
        spec = tensor._value.spec
        fits = all(self._may_be_part(spec, one) for one in self._arrays)
        if self._lie and fits and not self._owns:
            return of_number(tensor, self._arrays, found)
        layout = layouts.Unknown.LAYOUT if self._anyhow else None
        own = Tensor(tensor._value, scalar=False)
        side: Tensor | Pick = own
        for at, array in enumerate(self._arrays, 1):
            if isinstance(array, Own):
                side = Pick(abs(Tensor(found[0])) == at, array, side)
                continue
            if _may_be(tensor._value.spec, array.spec):
                side = Pick(Tensor(found[0]) == at, array, side)
            if self._lie and self._may_be_part(spec, array):
                of = part(array.root, found[-1], spec, array.is_locked)
                side = Pick(Tensor(found[0]) == -at, of, side)
        if isinstance(side, Pick):
            tensor._pick = side
            tensor.layout = own.layout = layout
            self.contents.note(tensor, own)
        return tensor

    def _may_be_part(self, spec: TensorSpec, array: Tensor | Own) -> bool:
        if isinstance(array, Own):
            return False
        known = (id(array.root), spec.dtype) in self._dtypes
        return known or is_of_dtype(spec, array.root._value.spec)

    def _attached_to_outer(self, tensor: Tensor, number: Value) -> bool:
        """The same where no round makes one, or takes a part; False for others."""
        spec = tensor._value.spec
        arrays = [one for one in self._arrays if isinstance(one, Tensor)]
        whole = not (self._owns or self._lie or self._anyhow)
        if not whole or len(arrays) < max(2, len(self._arrays)):
            return False
        if any(one._value.spec != spec for one in arrays):
            return False
        first, *others = arrays
        side: Pick | Tensor = first
        for at, array in enumerate(others, 2):
            side = Pick(Tensor(number) == at, array, side)
        assert isinstance(side, Pick)
        tensor._pick = side
        return True


def _itself(whole: Tensor) -> Tensor:
    return whole


def _changed(_: Tensor, content: Tensor) -> Tensor:
    return content


def _may_be(place: TensorSpec, array: TensorSpec) -> bool:
    """False where what a place holds is certainly not this array."""
    unlike = place.rank != array.rank and None not in (place.rank, array.rank)
    return is_of_dtype(place, array) and not unlike


def _of_part(number: Value) -> Value:
    return as_spec((-abs(Tensor(number))).value, TAG)


def _marks(tensor: Tensor) -> list[Tensor]:
    return list(marks.marks_among(tensor.sources))
