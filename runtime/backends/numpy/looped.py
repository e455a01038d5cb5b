"""Looped: which memory the turns of a loop write in place, in the walk `sharing`.

A carried array starts as if it alone owned its memory; at the end of the body the next
value is checked to be alone as well. If its first value is not, and the loop does
write, that value is copied once before the loop; unless it is a part of an array, into
which what the loop leaves is put where it lies (`lent`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from runtime.backends.numpy.lent import Lent, lent_parts
from runtime.backends.numpy.program import Body, Step, Variable, alive_after
from runtime.backends.numpy.regions import Region, cells_of, is_kept, is_late
from runtime.backends.numpy.watched import Cell

if TYPE_CHECKING:
    from runtime.backends.numpy.sharing import Sharing


class Looped:
    """The loops of a program, in the walk `sharing`."""

    def __init__(self, sharing: Sharing) -> None:
        self._sharing = sharing

    def enter(self, body: Body, position: int, step: Step) -> None:
        """Walk over a loop until nothing new is known."""
        sharing, again = self._sharing, step.bodies[1]
        lent = lent_parts(sharing, body, position)
        heads = self._turns(body, position, step, lent)
        ends = [sharing.origins(variable) for variable in again.outputs]
        own = (heads[at].owned and ends[at] == {heads[at]} for at in lent.carried)
        if not all(own):
            # What is put back may be in other memory.
            sharing.not_lent.add(step)
            self.enter(body, position, step)
            return
        self._pass_writes_on(heads, again)
        self._leave(body, position, step, heads, lent)

    def _turns(self, body: Body, position: int, step: Step, lent: Lent) -> list[Region]:
        """Walk over test and body; where the carried values are when a turn begins."""
        sharing, (test, again) = self._sharing, step.bodies
        not_alone = sharing.not_alone.setdefault(step, set())
        firsts = step.inputs[: len(step.carried)]
        # A round may pass the memory of one on to another.
        late = any(is_late(sharing.regions[first]) for first in firsts)
        keeps = any(is_kept(sharing.regions[first]) for first in firsts)
        entered = [
            at in lent.carried or sharing.is_alone(body, position, step, one)
            for at, one in enumerate(firsts)
        ]
        cells = [cells_of(sharing.regions[first]) for first in firsts]
        while True:
            # One region for all that are not alone: they may be in each other's.
            common = Region(owned=False)
            heads = []
            for index, variable in enumerate(step.carried):
                alone = index not in not_alone
                kept = keeps or not entered[index]
                own = Region(owned=True, kept=kept, late=late)
                own.cells |= cells[index]
                heads.append(own if alone else common)
                sharing.place(variable, [heads[-1]])
            sharing.walk(test)
            sharing.walk(again)
            found = {
                index
                for index, variable in enumerate(again.outputs)
                if index not in not_alone and not self._alone_at_end(again, variable)
            }
            flows = self._hand_on(cells, again.outputs)
            if not (found or flows):
                return heads
            not_alone |= found

    def _hand_on(self, cells: list[set[Cell]], ends: Sequence[Variable]) -> bool:
        """Add the cells that a turn's values are in to the next one's; True: some."""
        before = sum(map(len, cells))
        for mine, end in zip(cells, ends, strict=True):
            mine |= cells_of(self._sharing.regions[end])
        return sum(map(len, cells)) > before

    def _alone_at_end(self, again: Body, variable: Variable) -> bool:
        """True when only `variable` can reach its memory at the end of the body."""
        regions = self._sharing.regions[variable]
        if again.results[variable] > 1 or variable in again.kept:
            return not regions
        last = len(again.steps)
        return all(
            region.owned
            and not any(
                other is not variable
                and (other in again.results or alive_after(other, again, last))
                for other in region.members
            )
            for region in regions
        )

    def _pass_writes_on(self, heads: list[Region], again: Body) -> None:
        """What becomes a written carried value is written in the next turn."""
        for head, variable in zip(heads, again.outputs, strict=True):
            head.sources |= self._sharing.regions[variable]
        for head in heads:
            if head.written:
                head.write(head.reused, head.early)

    def _leave(
        self, body: Body, position: int, step: Step, heads: list[Region], lent: Lent
    ) -> None:
        """Decide the copies before the loop, and where its results live."""
        sharing, firsts = self._sharing, step.inputs[: len(heads)]
        step.copied -= {i for i, v in enumerate(step.carried) if sharing.follows(v)}
        shared: set[Region] = set()
        for index, (head, first) in enumerate(zip(heads, firsts, strict=True)):
            if index in lent.carried or sharing.is_alone(body, position, step, first):
                head.sources |= sharing.regions[first]
                head.write_on(sharing.regions[first])
            elif head.written:
                step.copied.add(index)
                head.sources.add(Region(owned=True))  # the copy's
            else:
                shared.add(head)
        ends = step.bodies[1].outputs
        unclear = frozenset({sharing.foreign}).union(
            *(sharing.regions[variable] for variable in (*firsts, *ends))
        )
        for index, (head, variable) in enumerate(zip(heads, step.outputs, strict=True)):
            if index in lent.carried:
                sharing.place(variable, sharing.regions[firsts[index]])
                sharing.parts.note(variable, sharing.parts.of(firsts[index]))
                continue
            # A value that came in shared may have been passed on to this position.
            alone = head.owned and shared.isdisjoint(head.lineage())
            sharing.place(variable, [Region(True, {head})] if alone else unclear)
        for at in lent.later:
            # Where the loop raises, the array is not yet what Python leaves.
            for region in sharing.regions[firsts[at]]:
                region.write(early=True)
        for store, surely in lent.stores.items():
            (sharing.there if surely else sharing.lent).add(store)
