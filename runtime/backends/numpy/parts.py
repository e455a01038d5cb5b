"""Parts: where in an array a value lies, and the stores that put it there again.

`x[1:][2:] += 1` is a part of a part of x, its sum, and two stores, which put the sum
into the part, and that into x. Where the sum was written into x's own memory they have
nothing to do. A value's place is told by the array that it is a part of, and by the
indices that lead to it; what is written in place lies where it was.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from runtime.backends.numpy.program import Body, Step, Variable
from runtime.ops.template import Input
from runtime.passes.parts_used import are_apart
from runtime.passes.unview import VIEWS, undoes

# What puts its second input into its first one.
PUTS = ("store", "with_part_at", "with_part")
# What takes the part that they put there.
TAKES = ("slice", "part_at", "real", "imag")
# Views that may be copies, where the array lies otherwise than it seems.
RESHAPES = ("reshape", "ravel", "reshape_like")
# Indices of all elements of an array.
_ALL = ((...,), (slice(None),))
# The array, and for each index what the run gives of it, and the rest of it.
Place = tuple[Any, ...]


class Parts:
    """The places of the variables of a program, in the walk `sharing`."""

    def __init__(self) -> None:
        self._places: dict[Variable, Place] = {}
        # Of each place one of the steps that give what lies there.
        self._takers: dict[Place, Step] = {}

    def of(self, variable: Variable) -> Place:
        """Where it lies."""
        return self._places.get(variable, (variable,))

    def note(self, variable: Variable, place: Place | None = None) -> None:
        """Say where it lies; None: it is an array of its own."""
        self._places[variable] = found = (variable,) if place is None else place
        if variable.index >= 0:
            variable.home.steps[variable.index].of_part = len(found) > 1

    def note_taken(self, step: Step) -> None:
        """The same of the part, or the view, that a step takes."""
        name = step.node.op.name
        is_view = name in VIEWS and (len(step.inputs) == 1 or name == "reshape")
        if name not in TAKES and not is_view:
            return
        whole, *dynamic = step.inputs
        step.turns_back = self.undoes(step, self.of(whole))
        if step.turns_back:
            self.note(step.outputs[0], self.of(whole)[:-1])
            return
        if _is_whole(step, step.outputs[0]):
            self.note(step.outputs[0], self.of(whole))
            step.of_part = True  # another object than the array
            return
        place = (*self.of(whole), (tuple(dynamic), _index(step, step.outputs[0])))
        self._takers.setdefault(place, step)
        self.note(step.outputs[0], place)

    def stored(self, store: Step) -> Place:
        """Where a store puts its content."""
        return self.put(self.of(store.inputs[0]), store)

    def _stored(self, store: Step, lies: Mapping[Variable, Place]) -> Place:
        """The same, where some arrays are known to lie elsewhere."""
        whole = store.inputs[0]
        return self.put(lies.get(whole, self.of(whole)), store)

    def put(self, whole: Place, store: Step) -> Place:
        """The same, of an array that lies there."""
        _, content, *dynamic = store.inputs
        if _is_whole(store, content):
            return whole
        return (*whole, (tuple(dynamic), _index(store, content)))

    def undoes(self, step: Step, place: Place) -> bool:
        """Whether a step gives the array again of which the view at `place` is one."""
        taker = self._takers.get(place)
        if taker is None or not {step.node.op.name, taker.node.op.name} <= VIEWS:
            return False
        axes = [_axis(size, taker.inputs[0]) for size in step.inputs[1:]]
        known = [axis for axis in axes if axis is not None]
        if len(known) not in (0, len(axes)):
            return False
        if _are_in_order(step) and _are_in_order(taker):
            whole = taker.inputs[0].spec
            same = whole.rank == 1 or _are_sizes(step, known)
            return same and step.outputs[0].spec == whole
        return undoes(step.node, taker.node, known, is_taken=True)

    def is_sure(self, place: Place) -> bool:
        """Whether what lies there is no copy, however the array lies."""
        return self._takers[place].node.op.name not in RESHAPES

    def are_apart(self, one: Variable, other: Variable) -> bool:
        """Whether two parts of one array have no element in common, for sure."""
        mine, others = self.of(one), self.of(other)
        pairs = zip(mine, others, strict=False)
        at = next((at for at, (a, b) in enumerate(pairs) if a != b), 0)
        takers = [self._takers.get(place[: at + 1]) for place in (mine, others)]
        nodes = [step.node for step in takers if step is not None]
        if len(nodes) < 2:
            return False
        return are_apart(nodes[0], nodes[1], nodes[0].inputs[0].spec)

    def put_back(
        self,
        body: Body,
        position: int,
        made: Collection[Variable],
        place: Place,
        at_once: bool = True,
        beside: Collection[Variable] = (),
    ) -> dict[int, bool]:
        """The stores right after a step that put what it gives where that lies.

        made:    the step's results; what is put there first is one of them
        place:   where it lies
        at_once: Python writes there at once, so a try may note before the store how far
                 it has come
        beside:  what else the step gives, which may be stored in between
        returns: their positions: of its array, of the array that this is a part of,
                 ...; whether what they put lies there for sure, which the run says else
        """
        found: dict[int, bool] = {}
        others, besides, surely = set(made), {*beside}.difference(made), True
        lies: dict[Variable, Place] = {}
        for at, step in enumerate(body.steps[position + 1 :], position + 1):
            if step.inputs and step.inputs[0] in made and self.undoes(step, place):
                surely = surely and self.is_sure(place)
                made, place = step.outputs, place[:-1]
            elif at_once and _is_note(step, others):
                continue
            elif _is_store(step, besides, others):
                # What it makes lies where its array does.
                whole = step.inputs[0]
                lies[step.outputs[0]] = lies.get(whole, self.of(whole))
                besides.update(step.outputs)
                continue
            elif not _is_store(step, others):
                break
            elif step.inputs[1] in made and self._stored(step, lies) == place:
                if step.node.op.name == "with_part_at":
                    surely = True  # the run looks anyway
                elif not surely and step.node.op.name != "store":
                    break  # of which the run does not say it
                found[at] = surely
                whole = step.inputs[0]
                made, place = step.outputs, lies.get(whole, self.of(whole))
            others.update(step.outputs)
        return found


def _is_whole(step: Step, part: Variable) -> bool:
    """Whether the part that a step takes, or puts back, is all of the array."""
    index = step.node.attributes.get("index")
    return index in _ALL and part.spec == step.inputs[0].spec


def _are_in_order(step: Step) -> bool:
    """Whether it gives the elements of an array in C's order, in other sizes."""
    known, name = step.node.attributes, step.node.op.name
    is_either = known.get("turned") or known.get("copies")
    return name in ("reshape", "ravel") and not is_either


def _are_sizes(step: Step, axes: list[int]) -> bool:
    """Whether a step gives an array its sizes, those that are known beside the others.

    axes: of which those are that the run knows
    """
    shape = step.node.attributes.get("shape")
    if not isinstance(shape, tuple):
        return step.outputs[0].spec.is_static
    return all(
        isinstance(part, int) and part >= 0
        if type(part) is not Input
        else axes[part.k : part.k + 1] == [at]
        for at, part in enumerate(shape)
    )


def _axis(size: Variable, array: Variable) -> int | None:
    """The axis of an array of which something is the size."""
    maker = size.home.steps[size.index] if size.index >= 0 else None
    if maker is None or maker.node.op.name != "dim" or maker.inputs[0] is not array:
        return None
    return int(maker.node.attributes["axis"])


def _index(step: Step, part: Variable) -> Any:
    """What says which part it is, besides what the run gives."""
    known, name = step.node.attributes, step.node.op.name
    if name in ("real", "imag", "with_part"):
        return known.get("part", name)
    if name in VIEWS:
        return name, repr(sorted(known.items()))
    # Where a part lies says all but its dtype.
    index = known.get("index")
    return part.spec.dtype if index is None else tuple(map(_hashable, index))


def _hashable(part: Any) -> Any:
    """A part of an index; slices have no hash before Python 3.12."""
    if not isinstance(part, slice):
        return part
    return "slice", part.start, part.stop, part.step


def _is_note(step: Step, made: set[Variable]) -> bool:
    """Whether a try notes how far it has come, and none of these."""
    return step.node.op.name == "checkpoint" and made.isdisjoint(step.inputs)


def is_put(step: Step) -> bool:
    """Whether it puts its second input into its first one."""
    return step.node.op.name in PUTS and not step.node.attributes.get("path")


def _is_store(
    step: Step, made: Collection[Variable], others: Collection[Variable] | None = None
) -> bool:
    """Whether it stores one of these, and does nothing else with them, or others."""
    if not is_put(step):
        return False
    target, content, *dynamic = step.inputs
    others = made if others is None else others
    return content in made and not any(one in others for one in (target, *dynamic))
