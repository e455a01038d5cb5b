"""ended: what a traced body has left behind, and two of them joined place by place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from runtime import layouts
from runtime.build import Frame, Slot, building
from runtime.graph import Value
from runtime.ops.placeholder import placeholder
from runtime.picked import Own, Pick
from runtime.structs import field, struct
from runtime.tensor import Tensor
from runtime.tensor_slot import TensorSlot
from tracer import carrying, contents, joining
from tracer.contents import CannotJoin, Carried, ContentType, Held
from tracer.escaping import Place
from tracer.exits import RETURNS, Exit, tags_of
from tracer.marks import doubled
from tracer.one_array import of_sides
from tracer.references import (
    Inner,
    Reference,
    Unknown,
    inner_of,
    may_be_outer,
    reference,
    resolved,
)
from tracer.words import Words, cannot_join


@struct(frozen=False)
class Ended:
    """A traced body: what it left behind. `dead`: it raises whenever it is run.

    slots: what it leaves in places outside; if dead, in the user's arrays alone
    own:   attributes of objects that it has made and that are seen from outside
    made:  these objects
    split: the places that get their own of what two places refer to (in a loop)
    kept:  what arrays of its own hold that it has changed, by their ids
    """

    frame: Frame
    dead: bool
    names: list[Held | None] = field(default_factory=list)
    slots: dict[Slot, Held] = field(default_factory=dict)
    own: dict[Slot, Held] = field(default_factory=dict)
    made: list[Any] = field(default_factory=list)
    split: set[Place] = field(default_factory=set)
    kept: dict[int, Value] = field(default_factory=dict)
    exit: Exit = None
    tag: Held | None = None
    content: Held | None = None

    @property
    def returned(self) -> bool:
        """The body left the function on every path."""
        return tags_of(self.exit) <= {RETURNS}


def is_users(slot: Slot) -> bool:
    """Whether it is an array of the user's, where a call that raises leaves changes."""
    return isinstance(slot, TensorSlot) and bool(slot.tensor.owner)


class Places:
    """The joined places of an `if`, and each side's graph outputs for them."""

    def __init__(self, first: Ended, second: Ended, words: Words) -> None:
        self.sides = (first, second)
        self.words = words
        self.kinds: list[ContentType] = []
        self.pairs: dict[tuple[Value, Value], int] = {}
        self.indices: list[list[int]] = []
        # For an output, which arrays it is on either side.
        self._references: dict[int, tuple[Reference, Reference]] = {}
        # The output of an array that a side has made, where several places refer to it.
        self._shared: dict[int, int] = {}
        # Of these, by id, those that may lie otherwise than in C order.
        self._anyhow: set[int] = set()
        # Where such arrays, and parts of them, are: by output.
        self._inner: dict[tuple[int, int], dict[int, list[Inner]]] = {}
        # Those that are not to be changed, since another one is a part of them.
        self._doubled: set[int] = set()
        # What may lie elsewhere than in the array: what was written into a part.
        self._elsewhere: set[int] = set()

    def add(
        self, name: str, pick: Callable[[Ended], Held | None], left: bool = False
    ) -> None:
        """Join a place; None is what a side holds where nobody will look.

        left: it is an array of the user's, who finds there what raising sides leave
        """
        held = [pick(side) if left or not side.dead else None for side in self.sides]
        kind = self._kind(name, *held)
        pairs = zip(
            carrying.outputs(kind, held[0], self.sides[0].frame),
            carrying.outputs(kind, held[1], self.sides[1].frame),
            strict=True,
        )
        # A pair that stands already is one output: aliases stay aliases.
        self.indices.append([self._output(pair) for pair in pairs])
        self.kinds.append(kind)
        # Where a side raises, nobody asks which arrays there were.
        first, second = (None if side.dead else pick(side) for side in self.sides)
        self._refer(kind, (first, second), iter(self.indices[-1]))

    def _output(self, pair: tuple[Value, Value]) -> int:
        return self.pairs.setdefault(pair, len(self.pairs))

    def _kind(self, name: str, first: Held | None, second: Held | None) -> ContentType:
        if first is None or second is None:
            if first is second:
                return ContentType(None, True)
            held, side = (first, 0) if first else (second, 1)
            assert held is not None
            return contents.type_of(held, self.sides[side].frame, False)
        known = contents.type_of(first, self.sides[0].frame, False)
        try:
            return joining.join(known, second, self.sides[1].frame)
        except CannotJoin:
            raise cannot_join(name, first, second, self.words) from None

    def _refer(
        self,
        kind: ContentType,
        held: tuple[Held | None, Held | None],
        indices: Iterator[int],
    ) -> None:
        """Note which arrays the leaves of a place refer to."""
        form = kind.form
        forms = [None if one is None else one.form for one in held]
        if form is None:
            return
        if any(one and one.structure != form.structure for one in forms):
            return
        # A side that leaves nothing there is not asked for it.
        nothing = (Own.WRITABLE,) * len(form.leaves)
        leaves = (nothing if one is None else one.leaves for one in forms)
        values = (nothing if one is None else one.values for one in forms)
        for leaf, *both in zip(form.leaves, *leaves, *values, strict=True):
            pair = both[:2]
            own = [next(indices) for _ in range(carrying.width(leaf))]
            if not isinstance(leaf, Carried) or leaf.scalar:
                continue
            (index,) = own
            found = [self._reference(*side) for side in enumerate(pair)]
            if not all(map(_is_array_itself, pair, both[2:])):
                self._elsewhere.add(index)
            for at, one in enumerate(found):
                for inner in inner_of(one):
                    places = self._inner.setdefault((at, id(inner.root)), {})
                    places.setdefault(index, []).append(inner)
            if found[0] is not None and found[1] is not None:
                self._references.setdefault(index, (found[0], found[1]))

    def _reference(self, at: int, leaf: Any) -> Reference | None:
        if isinstance(leaf, Own):
            return leaf
        frame = self.sides[at].frame
        try:
            return reference(leaf, frame, lambda value: self._flag(at, value))
        except Unknown:
            return None

    def _flag(self, at: int, value: Value) -> int:
        """An output for what one side says of its arrays."""
        other = self.sides[1 - at].frame
        with building(other):
            rest = placeholder(spec=value.spec).value
        return self._output((value, rest) if at == 0 else (rest, value))

    def share(self) -> None:
        """Add an output for each array that one side leaves in several places.

        And for one that is left where the other side leaves an array from outside: what
        changes it is made in it, and not in what may be either.
        """
        for (at, root), indices in self._inner.items():
            whole = [index for index, all_ in indices.items() if _is_whole(all_)]
            known = all(map(_is_known, indices.values()))
            if known and len(indices) == 1:
                whole = whole or [*indices]  # nobody has the whole of it
            if not whole or not known:
                # With a part of it in one place: nobody knows of the whole.
                self._doubled |= indices.keys() if len(indices) > 1 else set()
                continue
            if len(indices) > 1 or self._is_beside(whole[0]):
                array = indices[whole[0]][0]
                self._shared[root] = self._output(self._alone(at, array.root))
                self._anyhow |= {root} if array.anyhow else set()

    def _is_beside(self, index: int) -> bool:
        """Whether what is left there may be an array from outside, too."""
        found = self._references.get(index, ())
        return any(map(may_be_outer, found))

    def _alone(self, at: int, array: Tensor) -> tuple[Value, Value]:
        """What the sides give for an array that one of them has made."""
        with building(self.sides[at].frame):
            # Its changes are undone by now.
            value = self.sides[at].kept.get(id(array)) or array.value
        with building(self.sides[1 - at].frame):
            rest = placeholder(spec=value.spec).value
        return (value, rest) if at == 0 else (rest, value)

    def taker(self, made: Sequence[Value], chosen: Tensor) -> carrying.TakeTensor:
        """How the values of the node become tensors, one for each."""
        taken: dict[Value, Tensor] = {}
        indices = {value: index for index, value in enumerate(made)}
        outputs = self._shared.items()
        shared = {root: Tensor(made[at], scalar=False) for root, at in outputs}
        for root in self._anyhow & shared.keys():
            shared[root].layout = layouts.Unknown.LAYOUT

        def take(value: Value, kind: Carried | None) -> Tensor:
            if value not in taken:
                taken[value] = tensor = carrying.new_tensor(value, kind)
                found = self._references.get(indices[value])
                if indices[value] in self._doubled:
                    tensor.sources = (*tensor.sources, doubled())
                elif found is not None:
                    view = of_sides(found, made, chosen, value.spec)
                    if view is not None:
                        tensor._view, tensor.sources = view, ()
                        return tensor
                    sides = [resolved(one, made, shared) for one in found]
                    pick = Pick(chosen, *sides)
                    if not pick.is_stale():
                        tensor._pick = pick
                        tensor.layout = _layout(found)
                        pick.note(value, indices[value] not in self._elsewhere)
            return taken[value]

        return take


def _layout(found: tuple[Reference, Reference]) -> layouts.Unknown | None:
    """How one of several lies, where it is an array that a side has made."""
    own = [inner for one in found for inner in inner_of(one)]
    return layouts.Unknown.LAYOUT if any(one.anyhow for one in own) else None


def _is_array_itself(leaf: Any, value: Any) -> bool:
    """Whether the value of a leaf lies in the array; False for a part of one."""
    if not isinstance(leaf, Tensor):
        return True
    return leaf._view is None and (leaf._pick is None or leaf._pick.lies_there(value))


def _is_whole(found: list[Inner]) -> bool:
    return all(one.whole for one in found)


def _is_known(found: list[Inner]) -> bool:
    return all(one.whole or one.index is not None for one in found)
