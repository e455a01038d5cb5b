"""Which stores may write in place: who owns memory, decided before the program runs.

`store(x, ...)` means a new array. It may write into x's memory when nobody can tell:
the memory was made by this graph (not an argument, not a constant), and nothing that
may share it (x itself, a view of it) is read afterwards. The program is walked in its
order with a set of Regions for each variable: the pieces of memory that it may be in.

A loop's carried array starts as if it alone owned its memory; at the end of the body
the next value is checked to be alone as well. If its first value is not, and the loop
does write, that value is copied once before the loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

from runtime.backends.numpy import levels, looped, reuse, several, shown
from runtime.backends.numpy.parts import RESHAPES, Parts
from runtime.backends.numpy.placing import Placing
from runtime.backends.numpy.program import (
    Body,
    Step,
    Variable,
    alive_after,
    is_last_to_fail,
)
from runtime.backends.numpy.regions import (
    NOWHERE,
    Asked,
    InPlace,
    Region,
    Regions,
    cells_of,
)
from runtime.backends.numpy.watched import Cell, cells_in, is_read
from runtime.memory import STORES, gives_writable_view, keeps_inputs, makes_its_own
from runtime.spec import ListSpec, TensorSpec


def share(program: Body, inputs: list[Variable], asked: Asked) -> Sharing:
    """Walk over a program, leaving what is decided in its steps."""
    reused = frozenset(asked.ends)
    while True:
        found = Sharing(program, inputs, asked, reused)
        # What another output is in would be lost when their content is put there.
        lost = {
            at for at in reused if found.is_lost(at, program.outputs, asked.ends[at])
        }
        if not lost:
            return found
        reused -= lost


class Sharing:
    """The walk over a program; decisions are left in its steps.

    constants: a region of arrays that are the graph's own and may never be changed
    reused:    of the inputs that it may overwrite, those that a ufunc may write
    """

    def __init__(
        self,
        program: Body,
        inputs: list[Variable],
        asked: Asked,
        reused: frozenset[int] = frozenset(),
    ) -> None:
        self.asked = asked
        self.foreign = Region(owned=False)
        self.constants = Region(owned=False)
        self.regions: dict[Variable, Regions] = {}
        self.parts = Parts()
        # The next stores, of what lies there already.
        self.there: set[Step] = set()
        # Those where that is for the run to say.
        self.lent: set[Step] = set()
        # Of loops the carried values that others may reach, and those without parts.
        self.not_alone: dict[Step, set[int]] = {}
        self.not_lent: set[Step] = set()
        # The guards of the try statements whose bodies are walked over now.
        self.open_guards: list[object] = []
        self.levels: dict[str, levels.Level] = {}
        self._reshapes: set[Step] = set()
        self._donated = {
            at: Region(owned=True, kept=at not in reused, late=asked.late)
            for at in asked.donated
        }
        for position, variable in enumerate(inputs):
            self.place(variable, [self._donated.get(position, self.foreign)])
        self.walk(program)
        self._show(program)

    @staticmethod
    def follows(variable: Variable) -> bool:
        """True for what is copied, if need be, before a loop that writes to it."""
        return not isinstance(variable.spec, ListSpec)

    def in_place(self, outputs: Iterable[Variable]) -> InPlace:
        """What the program does to its inputs."""
        written = (at for at, region in self._donated.items() if region.written)
        ends = {
            (at, index)
            for index, variable in enumerate(outputs)
            for at, region in self._donated.items()
            if self.origins(variable) == {region} and not region.early
        }
        return InPlace(frozenset(written), frozenset(ends))

    def _show(self, program: Body) -> None:
        """Note where Python leaves in an input what is written into a reshape of it."""
        inputs = {one for one in self._donated.values() if one.written}
        known = shown.written(program) if inputs and self._reshapes else set()
        for step in self._reshapes:
            (made,) = step.outputs
            step.shown = made in known and not inputs.isdisjoint(self.origins(made))

    def is_lost(self, at: int, outputs: Sequence[Variable], end: int) -> bool:
        """True where a ufunc has put other things than its content into an input."""
        region, content = self._donated[at], outputs[end]
        if not region.reused:
            return False
        return self.origins(content) != {region} or outputs.count(content) > 1

    def origins(self, variable: Variable) -> set[Region]:
        """The pieces of memory, under their first labels, that a value may be in."""
        found: set[Region] = set()
        for region in self.regions[variable]:
            found |= {first for first in region.lineage() if not first.sources}
        return found

    def is_constant(self, variable: Variable) -> bool:
        """True when the value may be memory that the graph must keep as it is."""
        return self.constants in self.regions[variable]

    def walk(self, body: Body) -> None:
        """Decide what the steps of a body do, one after the other."""
        for position, step in enumerate(body.steps):
            walk = self._WALKS.get(step.node.op.name, Sharing._plain)
            if step.node.op.into is not None:
                walk = type(self)._INTO
            walk(self, body, position, step)

    @staticmethod
    def _is_nowhere(spec: TensorSpec) -> bool:
        """True for numbers, and for lists of nothing else."""
        while isinstance(spec, ListSpec):
            spec = spec.item
        return spec.weak or spec.shape == ()

    def place(self, variable: Variable, regions: Iterable[Region]) -> None:
        """Say where `variable` lives; Python numbers and scalars live nowhere."""
        self.parts.note(variable)
        if self._is_nowhere(variable.spec):
            self.regions[variable] = NOWHERE
            return
        found = self.regions[variable] = frozenset(regions)
        for region in found:
            if region.owned:
                region.members.append(variable)

    def _plain(self, body: Body, position: int, step: Step) -> None:
        if reuse.takes_out(step) and self._reuse(body, position, step):
            return
        where = self._where(step)
        if keeps_inputs(step.node):
            for variable in step.inputs:
                for region in self.regions[variable]:
                    region.owned = False
        for variable in step.outputs:
            self.place(variable, where or [Region(owned=True)])
        if where:
            self.parts.note_taken(step)
            if step.node.op.name in RESHAPES:
                self._reshapes.add(step)

    def _placeholder(self, body: Body, position: int, step: Step) -> None:
        (made,) = step.outputs
        if isinstance(made.spec, ListSpec):
            self._plain(body, position, step)
        else:
            # Nobody reads it, so it matters to nobody who writes there.
            self.regions[made] = NOWHERE
            self.parts.note(made)

    def _overlaps(self, step: Step) -> bool:
        """True where what is stored may be a part of the array that it goes into."""
        if step.node.op.name != "store" or step.inputs[1].spec.shape == ():
            return False
        target, content, *_ = (self.regions[variable] for variable in step.inputs)
        return not content.isdisjoint(target)

    def _reuse(self, body: Body, position: int, step: Step) -> bool:
        """Let a step write into memory that nobody reads; True where there is some."""
        return Placing(self).result(body, position, step)

    def _where(self, step: Step) -> Regions:
        """The memory that the step's results may share; empty for memory of its own."""
        node = step.node
        if node.op.name == "constant":
            shared = node.attributes.get("shared") is True
            return frozenset({self.foreign if shared else self.constants})
        if makes_its_own(node):
            return NOWHERE
        brought = [self.regions[variable] for variable in step.inputs]
        # A 0-d array is not followed, and a view of one may be an argument's memory.
        if brought[:1] and brought[0] and gives_writable_view(node):
            return brought[0]
        first_only = brought[:1] if node.op.view else brought
        return frozenset({self.foreign}).union(*first_only)

    def _store(self, body: Body, position: int, step: Step) -> None:
        target, (result,) = step.inputs[0], step.outputs
        regions = self.regions[target]
        step.there, step.lent = step in self.there, step in self.lent
        self.there.discard(step)
        self.lent.discard(step)
        step.in_place = (step.there or step.lent) or (
            reuse.fits_target(step)
            and (
                self.may_write(regions, body, position)
                or Placing(self).is_stored_back(body, position, step)
            )
        )
        is_ufunc = step.node.op.name == "ufunc_into"
        step.into = target if is_ufunc and step.in_place else None
        step.moved = not step.in_place and Placing(self).is_moved(body, position, step)
        step.overlaps = self._overlaps(step)
        if step.moved:
            self.place(result, self.regions[step.inputs[1]])
            return
        if not step.in_place:
            self.place(result, [Region(owned=True)])
            return
        for region in regions:
            region.write()
        self.place(result, regions)
        self.parts.note(result, self.parts.of(target))

    def may_write(
        self, regions: Regions, body: Body, position: int, last: int | None = None
    ) -> bool:
        """True when nobody reads these pieces of memory after this step.

        last: a later step, after which nobody reads them
        """
        until = position if last is None else last
        # If it fails it has not written, and if it does not, no handler is run.
        ended = is_last_to_fail(body, until)
        if not all(region.owned for region in regions):
            return False
        if any(is_read(cell, body, until) for cell in self.watched(regions)):
            return False
        return not any(
            region.is_read(body, position, until, ended) for region in regions
        )

    def watched(self, regions: Regions) -> list[Cell]:
        """The cells of open try statements that handlers may find these in."""
        if not self.open_guards:
            return []
        return [cell for cell in cells_of(regions) if cell[0] in self.open_guards]

    def _checkpoint(self, body: Body, position: int, step: Step) -> None:
        guard, cells = step.node.attributes["guard"], step.node.attributes["cells"]
        for cell, variable in zip(cells, step.inputs, strict=True):
            for region in self.regions[variable]:
                region.cells.add((guard, cell))

    def _branches(self, body: Body, position: int, step: Step) -> None:
        for branch in step.bodies:
            self.walk(branch)
        for variable, *ends in zip(
            step.outputs, *(branch.outputs for branch in step.bodies), strict=True
        ):
            self.place(
                variable, frozenset().union(*(self.regions[end] for end in ends))
            )

    def _recursion(self, body: Body, position: int, step: Step) -> None:
        levels.Levels(self).enter(body, position, step)

    def _call(self, body: Body, position: int, step: Step) -> None:
        levels.Levels(self).call(body, position, step)

    def _attempt(self, body: Body, position: int, step: Step) -> None:
        (inner,), guard = step.bodies, step.node.attributes["guard"]
        self.open_guards.append(guard)
        self.walk(inner)
        self.open_guards.pop()
        first = len(step.outputs) - len(inner.outputs)
        kept: list[set[Region]] = [set() for _ in step.outputs[:first]]
        for cell, variable in cells_in(inner, guard):
            for region in self.regions[variable]:
                kept[2 + cell] |= region.lineage()  # after the clause and the exception
        for variable, regions in zip(step.outputs, kept, strict=False):
            self.place(variable, regions)
        for variable, end in zip(step.outputs[first:], inner.outputs, strict=True):
            self.place(variable, self.regions[end])

    def _loop(self, body: Body, position: int, step: Step) -> None:
        looped.Looped(self).enter(body, position, step)

    def is_alone(self, body: Body, position: int, step: Step, first: Variable) -> bool:
        """True when nothing but the loop's first value reaches its memory."""
        if step.inputs.count(first) > 1 or alive_after(first, body, position):
            return not self.regions[first]
        return all(
            region.owned
            and not any(
                other is not first
                and (other in step.inputs or alive_after(other, body, position))
                for other in region.members
            )
            for region in self.regions[first]
        )

    # Of an op that may write into its first input.
    _INTO = _store
    _WALKS: ClassVar[dict[str, Callable[[Sharing, Body, int, Step], None]]] = {
        **dict.fromkeys(STORES, _store),
        "if": _branches,
        "while": _loop,
        "recursion": _recursion,
        "call": _call,
        "try": _attempt,
        "checkpoint": _checkpoint,
        "placeholder": _placeholder,
        "ufunc_into_each": several.place,
    }
