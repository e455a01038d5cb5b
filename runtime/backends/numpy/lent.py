"""Lent: the parts of arrays that a loop is given, and that are put back after it.

`re = z.real` before a loop, and z with what the loop leaves as its real part after it:
where the loop changes `re` in place that is in z already, and nothing is put there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from runtime.backends.numpy import reuse
from runtime.backends.numpy.parts import Parts, Place, is_put
from runtime.backends.numpy.program import Body, Step, Variable, alive_after
from runtime.structs import field, struct

if TYPE_CHECKING:
    from runtime.backends.numpy.sharing import Sharing


@struct
class Lent:
    """What a loop is lent.

    carried: the positions of the carried values that are such parts
    stores:  the steps that put them back; whether they look themselves what lies there
    later:   the positions of those that are changed in a copy, and put back after it
    """

    carried: frozenset[int] = frozenset()
    stores: Mapping[Step, bool] = field(default_factory=dict)
    later: frozenset[int] = frozenset()


def lent_parts(sharing: Sharing, body: Body, position: int) -> Lent:
    """The parts that the loop at `position` is lent."""
    after = _After(sharing.parts, body, position)
    carried = frozenset(left.at for left in after.stores.values())
    if not carried:
        return Lent()
    # Machine code may have given another array, so the run looks; of places anyway.
    steps = [body.steps[at] for at in after.stores]
    stores = {one: one.node.op.name == "with_part_at" for one in steps}
    may_lend = body.steps[position] not in sharing.not_lent
    if may_lend and all(_may_lend(sharing, after, at) for at in carried):
        return Lent(carried, stores)
    return Lent(later=carried)


@struct
class _Left:
    """Something that a loop leaves, or a view of it.

    place:  where it lies, if the loop has changed the part that it was given
    at:     which of the carried values it is
    surely: no view of it is a copy
    """

    place: Place
    at: int
    surely: bool


class _After:
    """The steps after a loop that put what it leaves where its parts were.

    stores: for the position of each what it puts there
    views:  the positions of those that take views of what the loop leaves
    wholes: the arrays that the stores give
    """

    def __init__(self, parts: Parts, body: Body, position: int) -> None:
        self.body, self.position, self.step = body, position, body.steps[position]
        self.stores: dict[int, _Left] = {}
        self.views: set[int] = set()
        self.wholes: dict[Variable, Place] = {}
        self._parts = parts
        pairs = zip(self.step.inputs, self.step.outputs, strict=False)
        self._lies = {
            left: _Left(parts.of(first), at, True)
            for at, (first, left) in enumerate(pairs)
            if len(parts.of(first)) > 1
        }
        if self._lies:
            for at, one in enumerate(body.steps[position + 1 :], position + 1):
                self._look(at, one)

    def _look(self, at: int, one: Step) -> None:
        viewed = self._lies.get(one.inputs[0]) if one.inputs else None
        if viewed is not None and self._parts.undoes(one, viewed.place):
            surely = viewed.surely and self._parts.is_sure(viewed.place)
            self._lies[one.outputs[0]] = _Left(viewed.place[:-1], viewed.at, surely)
            self.views.add(at)
            return
        left = self._lies.get(one.inputs[1]) if is_put(one) else None
        if left is None:
            return
        whole = self.wholes.get(one.inputs[0], self._parts.of(one.inputs[0]))
        if self._parts.put(whole, one) == left.place:
            self.stores[at] = left
            self.wholes[one.outputs[0]] = whole
            if len(whole) > 1:
                self._lies[one.outputs[0]] = _Left(whole, left.at, left.surely)


def _may_lend(sharing: Sharing, after: _After, at: int) -> bool:
    """Whether nobody but the stores reads what the loop would change where it lies."""
    body, position, step = after.body, after.position, after.step
    first, stores = step.inputs[at], [*after.stores]
    regions = sharing.regions[first]
    members = {one for region in regions for one in region.members}
    others = members.intersection(one for one in step.inputs if one is not first)
    if step.inputs.count(first) > 1 or body.last_use[first] > position:
        return False
    if not all(sharing.parts.are_apart(first, other) for other in others):
        return False
    if not all(reuse.fits_target(body.steps[at]) for at in stores):
        return False
    if not sharing.may_write(regions, body, position, stores[-1]):
        return False
    known = {body.steps[at].inputs[0] for at in stores}
    if any(alive_after(one, body, position) for one in members - known):
        return False
    between = {*range(position + 1, stores[-1])} - {*stores} - after.views
    read = {one for at in between for one in body.steps[at].inputs}
    return read.isdisjoint(members) and read.isdisjoint(after.wholes)
