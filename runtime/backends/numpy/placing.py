"""placing: which memory that there is a step may give its result in.

`np.add(x, y, out=z)` is a sum and a store of it in the graph, and `x += y` a value that
x holds from then on: here they become one step again, which makes no array. `reuse`
says what would fit, `Sharing` what may be written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from runtime.backends.numpy import reuse
from runtime.backends.numpy.program import Body, Step, Variable, alive_after
from runtime.backends.numpy.regions import Regions, is_kept, is_late
from runtime.graph import STORED

if TYPE_CHECKING:
    from runtime.backends.numpy.sharing import Sharing


class Placing:
    """What is decided of the steps of a program, in the walk `sharing`."""

    def __init__(self, sharing: Sharing) -> None:
        self._sharing = sharing

    def result(self, body: Body, position: int, step: Step) -> bool:
        """Let a step write into memory that nobody reads; True where there is some."""
        step.into = step.stored = None
        step.in_order = False
        if not self._sharing.asked.reuses:
            return False
        return self._into_stored(body, position, step) or self._into_operand(
            body, position, step
        )

    def _into_stored(self, body: Body, position: int, step: Step) -> bool:
        """The same of the memory where the next steps store the result."""
        if not reuse.is_taken_next(body, position, step):
            return False
        sharing, (result,) = self._sharing, step.outputs
        for part in reuse.fitting(step):
            place = sharing.parts.of(part)
            at_once = step.node.into == STORED or _is_changed(step, part)
            stores = sharing.parts.put_back(
                body, position, step.outputs, place, at_once
            )
            if stores:
                break
        else:
            store = reuse.store_after(body, position, step)
            if store is None:
                return False
            part, place = None, sharing.parts.stored(store)
            stores = sharing.parts.put_back(body, position, step.outputs, place, False)
        is_there = self._may_write_part(body, position, step, stores, part)
        if is_there:
            store = body.steps[next(iter(stores))]
            step.into, step.stored = part, store
            sharing.place(result, sharing.regions[store.inputs[0]])
            sharing.parts.note(result, place)
        return is_there

    def _into_operand(self, body: Body, position: int, step: Step) -> bool:
        """The same of an operand's memory."""
        (result,) = step.outputs
        for variable in reuse.fitting(step):
            regions = self._sharing.regions[variable]
            into, exact = step.node.into, _is_changed(step, variable)
            if not regions or is_kept(regions):
                continue
            if reuse.is_power(step) and not (exact or reuse.lies_in_order(variable)):
                continue
            # What may be of one of several dtypes need not be of that of the result.
            if into is None and result.spec.kinds:
                continue
            # What it gives may be read by handlers, should a warning be an error.
            if not exact and (is_late(regions) or self._sharing.watched(regions)):
                continue
            if self._sharing.may_write(regions, body, position):
                step.into = variable
                step.in_order = not (exact or reuse.lies_in_order(variable))
                for region in regions:
                    region.write(True, early=not exact)
                self._sharing.place(result, regions)
                self._sharing.parts.note(result, self._sharing.parts.of(variable))
                return True
        return False

    def is_stored_back(self, body: Body, position: int, step: Step) -> bool:
        """True where a part is changed, and the next steps store it where it lies."""
        part, parts = step.inputs[0], self._sharing.parts
        if not self._sharing.asked.reuses or step.outputs[0] not in body.last_use:
            return False
        stores = parts.put_back(body, position, step.outputs, parts.of(part))
        return self._may_write_part(body, position, step, stores, part)

    def is_moved(self, body: Body, position: int, step: Step) -> bool:
        """True where all of an array is written, and nobody reads what is written."""
        if not self._sharing.asked.reuses or not reuse.is_whole(step):
            return False
        content = step.inputs[1]
        if alive_after(content, body, position):
            return False
        regions = self._sharing.regions[content]
        return bool(regions) and self._sharing.may_write(regions, body, position)

    def _may_write_part(
        self,
        body: Body,
        position: int,
        step: Step,
        stores: Mapping[int, bool],
        part: Variable | None,
    ) -> bool:
        """True when nobody reads the part's array but the stores that come next."""
        if part is None and stores:
            store = body.steps[next(iter(stores))]
            regions = self._sharing.regions[store.inputs[0]]
            ufunc = isinstance(step.node.op.numpy, np.ufunc)
            apart = ufunc or self._is_apart(step, regions)
            if step.node.into != STORED or not apart or not reuse.fits_place(store):
                return False
        return self.writes_part(body, position, stores, part)

    def writes_part(
        self,
        body: Body,
        position: int,
        stores: Mapping[int, bool],
        part: Variable | None,
    ) -> bool:
        """True when nobody reads the part's array but the stores that come next.

        These have nothing to do then: what they store is written there.
        """
        if not stores:
            return False
        sharing = self._sharing
        regions = sharing.regions[body.steps[min(stores)].inputs[0]]
        if part is not None and regions != sharing.regions[part]:
            return False
        if not self.may_write_there(regions, body, position, sorted(stores)):
            return False
        for at, surely in stores.items():
            (sharing.there if surely else sharing.lent).add(body.steps[at])
        return True

    def may_write_there(
        self, regions: Regions, body: Body, position: int, stores: Sequence[int]
    ) -> bool:
        """True when nobody reads these pieces of memory after this step but stores.

        stores: the positions of those that put into an array what lies there
        """
        if not stores or not self._sharing.may_write(
            regions, body, position, stores[-1]
        ):
            return False
        known = {one for at in stores for one in body.steps[at].inputs[:2]}
        steps = body.steps[position + 1 : stores[-1]]
        known |= {made for step in steps for made in step.outputs}
        arrays = [body.steps[at].inputs[0] for at in stores]
        if not all(reuse.fits_target(body.steps[at]) for at in stores):
            return False
        # What one of these stores makes has not been come to.
        if any(self._sharing.regions.get(one, regions) != regions for one in arrays):
            return False
        members = (one for region in regions for one in region.members)
        return not any(
            one not in known and alive_after(one, body, position) for one in members
        )

    def _is_apart(self, step: Step, regions: Regions) -> bool:
        """True when no operand of a step can be in these pieces of memory."""
        lineage = {one for region in regions for one in region.lineage()}
        return all(
            lineage.isdisjoint(region.lineage())
            for variable in step.inputs
            for region in self._sharing.regions[variable]
        )


def _is_changed(step: Step, variable: Variable) -> bool:
    """Whether Python gives the result to this operand at once, as `x += y` does."""
    into = step.node.into
    return into is not None and into != STORED and step.inputs[into] is variable
