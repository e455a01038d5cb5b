"""own_contents: what rounds of a loop make, apart from the arrays from outside.

A name that may be an array from outside, or one that a round has made, is carried as a
number (`referred`) and as the content of what a round has made; where it is an array
from outside, that is anything. So the memory of each is that of one array alone, and a
change of what the name is can be made where that lies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from runtime.branched import parts_of, views_of
from runtime.build import Frame, building, require_current
from runtime.graph import Value
from runtime.ops.placeholder import placeholder
from runtime.picked import Own, Side, one_of, select
from runtime.spec import TensorSpec
from runtime.structs import struct
from runtime.tensor import Tensor, tensor_of_array
from tracer import carrying
from tracer.contents import LEAF, Carried, ContentType, Held
from tracer.escaping import Place
from tracer.item_type import as_spec
from tracer.references import Unknown

if TYPE_CHECKING:
    from tracer.referred import Numbers, Referred


class OwnContents:
    """The contents of what the rounds of one loop make.

    It does not hold who holds it: a trace is to leave nothing to the collector.
    """

    def __init__(self) -> None:
        # What stands for an array that a round has made, by what stands for the place.
        self._own: dict[int, Tensor] = {}

    def note(self, tensor: Tensor, own: Tensor) -> None:
        """Let `own` be what `tensor`, which stands for a place, is else."""
        self._own[id(tensor)] = own

    def last(
        self,
        referred: Referred,
        held: Held,
        kind: ContentType,
        numbers: Numbers,
        frame: Frame,
    ) -> Value:
        """What is carried for a place at the end of a round."""
        spec = spec_of(kind)
        try:
            array = array_of(held)
        except Unknown:
            array = None  # the next round is told that it holds another kind of thing
        with building(frame):
            if array is None:
                return placeholder(spec=spec).value
            ending = _Ending(referred, self._own, spec, numbers, frame)
            return as_spec(ending.content(array), spec)


def firsts(
    places: Iterable[Place], kinds: Callable[[Place], ContentType]
) -> dict[Place, Value]:
    """What is carried before a loop, where no place holds one of these."""
    return {place: placeholder(spec=spec_of(kinds(place))).value for place in places}


@struct(eq=False)
class _Ending:
    """The end of a round, at which one place is looked at."""

    referred: Referred
    own: dict[int, Tensor]
    spec: TensorSpec
    numbers: Numbers
    frame: Frame

    def content(self, one: Tensor) -> Value:
        """What the round has made of it; anything for an array from outside."""
        referred, own = self.referred, self.own
        root = one.root
        if referred.number(one):
            return self._anything()
        if id(one) in own:
            return own[id(one)].value
        if id(root) in self.numbers or referred.outer.sees(root._value):
            if id(root) not in own:
                return self._anything()
        elif one._pick is not None:
            return self._of_side(one._pick, one)
        elif root._pick is None:
            return one.value
        whole = self.content(root)
        number = Tensor(referred.number_of(root, self.numbers, self.frame))
        return self._part_if(number == 0, one, whole)

    def _of_side(self, side: Side, of: Tensor) -> Value:
        if isinstance(side, Own):
            return of._value
        if isinstance(side, Tensor):
            return self.content(side)
        sides = (self._of_side(it, of) for it in side.sides)
        return select(self.frame.use(side.predicate._value), *sides)

    def _part_if(self, chosen: Tensor, one: Tensor, whole: Value) -> Value:
        """The part of `whole` that lies as a view does, where that is to be asked."""

        def taken() -> Value:
            frame = require_current("a part")
            return parts_of(frame, one.root, whole, views_of(one))[-1].value

        return one_of(chosen.value, taken, self._anything)

    def _anything(self) -> Value:
        return placeholder(spec=self.spec).value


def outputs(
    place: Place,
    kind: ContentType,
    held: Held | None,
    frame: Frame,
    contents: Mapping[Place, Value],
) -> list[Value]:
    """What is carried for a place; contents: where these are known already."""
    made = carrying.outputs(kind, held, frame)
    return [contents[place], *made[1:]] if place in contents else made


def spec_of(kind: ContentType) -> TensorSpec:
    """What is known of the array that a place holds."""
    assert kind.form is not None
    (leaf,) = kind.form.leaves
    assert isinstance(leaf, Carried)
    return leaf.spec


def array_of(held: Held) -> Tensor | None:
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
