"""Several: a ufunc whose results are written into several arrays at once.

`np.divmod(x, 2, out=(x, y))` is one step of the graph, whose results are what x and y
hold from then on. For each of them it is decided whether it is written where that array
lies, or into a copy of it. What NumPy does with operands that overlap it does there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.backends.numpy.placing import Placing
from runtime.backends.numpy.program import Body, Step, Variable
from runtime.backends.numpy.regions import Region

if TYPE_CHECKING:
    from runtime.backends.numpy.sharing import Sharing


def place(sharing: Sharing, body: Body, position: int, step: Step) -> None:
    """Decide where the results of a step lie."""
    pairs = zip(step.outputs, step.node.attributes["given"], strict=True)
    results = [result for result, is_given in pairs if is_given]
    written = _Targets(sharing, body, position, step, results).written()
    step.written = frozenset(written)
    for result in step.outputs:
        sharing.place(result, [Region(owned=True)])
    for at in written:
        regions = sharing.regions[step.inputs[at]]
        for region in regions:
            region.write()
        sharing.place(results[at], regions)
        sharing.parts.note(results[at], sharing.parts.of(step.inputs[at]))


class _Targets:
    """The arrays that a step is given for its results."""

    def __init__(
        self,
        sharing: Sharing,
        body: Body,
        position: int,
        step: Step,
        results: list[Variable],
    ) -> None:
        self._sharing = sharing
        self._at = body, position
        self._targets = step.inputs[: len(results)]
        self._step = step
        # For each the next stores that put it where its array lies.
        self._stores = [
            sharing.parts.put_back(
                *(body, position, {result}, sharing.parts.of(target)),
                beside=step.outputs,
            )
            for target, result in zip(self._targets, results, strict=True)
        ]

    def written(self) -> list[int]:
        """Those that are written where they lie."""
        found: list[int] = []
        for at in range(len(self._targets)):
            group = [one for one in range(len(self._targets)) if self._meet(at, one)]
            # Of parts of one array all are, or it is another array afterwards.
            if all(self._may_write(one, group) for one in group):
                found.append(at)
        return found

    def _meet(self, at: int, other: int) -> bool:
        """Whether two of them are, or may be, in the same memory."""
        one, two = (
            {old for region in self._sharing.regions[it] for old in region.lineage()}
            for it in (self._targets[at], self._targets[other])
        )
        return at == other or not one.isdisjoint(two)

    def _may_write(self, at: int, group: list[int]) -> bool:
        """Whether it may be written there, beside those that are in the same memory."""
        target, sharing = self._targets[at], self._sharing
        regions = sharing.regions[target]
        others = [self._targets[one] for one in group if one != at]
        if not target.spec.shape or not regions:
            return False
        if not all(sharing.parts.are_apart(target, other) for other in others):
            return False
        if not others and sharing.may_write(regions, *self._at):
            return True
        found = [self._stores[one] for one in group]
        stores = {one: sure for each in found for one, sure in each.items()}
        if not sharing.asked.reuses or not all(found):
            return False
        return Placing(sharing).writes_part(*self._at, stores, target)
