"""numbered: which arrays from outside of a `try` its names are, where it is left.

A loop in the body may have exchanged two of them (`x, y = y, x`). Where each name is
certainly one of the arrays from outside, a number is kept beside its content, where the
body may fail and at its end: what follows changes the array itself.
"""

from __future__ import annotations

from typing import Any

from runtime.build import Frame, building
from runtime.graph import Value
from runtime.picked import Own, Pick, select
from runtime.structs import field, struct
from runtime.tensor import Tensor, value_of
from tracer.contents import LEAF, Carried, ContentType, Held


@struct(eq=False, frozen=False)
class Numbered:
    """The arrays from outside of a `try`, each with its number; they only grow."""

    outer: Frame
    arrays: list[Tensor] = field(default_factory=list)
    # What has been found already, by the id of what says which one it is.
    _known: dict[int, tuple[Pick, Value]] = field(default_factory=dict)

    def number(self, held: Held, frame: Frame) -> Value | None:
        """The number of what a place holds, made in `frame`; None: it has none."""
        form = held.form
        if form is None or form.structure != LEAF:
            return None
        leaf = form.leaves[0]
        if not isinstance(leaf, Tensor) or leaf.scalar:
            return None
        if not frame.trace.references:
            # An `if` in the body may have exchanged it: what is refused is tried so.
            frame.trace.may_refer |= leaf._pick is not None
            return None
        with building(frame):
            return self._number(leaf, frame)

    def _number(self, one: Any, frame: Frame) -> Value | None:
        pick = one if isinstance(one, Pick) else getattr(one, "_pick", None)
        if pick is not None:
            return self._of_pick(pick, frame)
        if isinstance(one, Own) or not self._is_outside(one):
            return None
        known = (at for at, array in enumerate(self.arrays) if array is one)
        at = next(known, len(self.arrays))
        if at == len(self.arrays):
            self.arrays.append(one)
        return value_of(at)

    def _of_pick(self, pick: Pick, frame: Frame) -> Value | None:
        known = self._known.get(id(pick))
        if known is not None and frame.sees(known[1]):
            return frame.use(known[1])
        then, orelse = (self._number(side, frame) for side in pick.sides)
        if then is None or orelse is None:
            return None
        made = select(frame.use(pick.predicate._value), then, orelse)
        self._known[id(pick)] = pick, made
        return made

    def _is_outside(self, one: Tensor) -> bool:
        """True for an array, or a part of one, that was there before the `try`."""
        frame: Frame | None = self.outer
        while frame is not None and frame is not one._frame:
            frame = frame.parent
        return frame is not None and one.root._pick is None and not one.root.sources

    def attach(self, kind: ContentType, content: Any, number: Value) -> None:
        """Tell what a place holds which of the arrays it is."""
        form = kind.form
        if form is None or not isinstance(content, Tensor) or not self.arrays:
            return
        (leaf,) = form.leaves
        alike = (array._value.spec == content._value.spec for array in self.arrays)
        if not isinstance(leaf, Carried) or not all(alike):
            return
        side: Pick | Tensor = self.arrays[0]
        for at, array in enumerate(self.arrays[1:], 1):
            side = Pick(Tensor(number) == at, array, side)
        if isinstance(side, Pick):
            content._pick = side
