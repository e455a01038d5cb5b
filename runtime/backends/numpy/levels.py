"""Levels: which memory the levels of a recursion write in place, and what they return.

As a loop's carried array, a parameter starts as if it alone owned its memory; each
further call is checked to give memory that nobody else reads. If the first call does
not, and the function does write, the array is copied once before that call.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from runtime.backends.numpy.placing import Placing
from runtime.backends.numpy.program import Body, Step, Variable, alive_after
from runtime.backends.numpy.regions import (
    Region,
    Regions,
    cells_of,
    is_kept,
    is_late,
)
from runtime.backends.numpy.watched import Cell
from runtime.structs import field, struct

if TYPE_CHECKING:
    from runtime.backends.numpy.sharing import Sharing


@struct
class End:
    """What an output of a recursive function may be.

    passed: the parameters whose memory it may be in
    anew:   it may be memory of its own
    clear:  nothing else is in that memory
    """

    passed: frozenset[int] = frozenset()
    anew: bool = False
    clear: bool = True

    def joined(self, other: End) -> End:
        """What an output may be that is one of two."""
        passed, anew = self.passed | other.passed, self.anew or other.anew
        return End(passed, anew, self.clear and other.clear)


@struct(eq=False, frozen=False)
class Level:
    """What is known by now of a recursive function, which only grows.

    step:   the node of the first call
    open:   how many try statements are open around it
    shared: the parameters that something else may reach at some call
    cells:  for each parameter those of the statements around that it may be in
    writes: the parameters that are written in place: (reused, early)
    ends:   for each output what it may be
    heads:  where the parameters are, while the function is walked over
    given:  for each further call what its arguments were in
    nothing: stands for where a result is, as long as no path is known to return it
    """

    step: Step
    open: int
    shared: set[int] = field(default_factory=set)
    cells: list[set[Cell]] = field(default_factory=list)
    writes: dict[int, tuple[bool, bool]] = field(default_factory=dict)
    ends: list[End] = field(default_factory=list)
    heads: list[Region] = field(default_factory=list)
    given: list[list[Regions]] = field(default_factory=list)
    nothing: Region = field(default_factory=lambda: Region(owned=True))

    def own(self) -> Iterator[int]:
        """The parameters that nothing else reaches."""
        return (at for at in range(len(self.heads)) if at not in self.shared)

    def state(self) -> tuple[object, ...]:
        """What is known, to be compared with what is known later."""
        cells = sum(map(len, self.cells))
        return len(self.shared), cells, dict(self.writes), list(self.ends)


class Levels:
    """The recursive functions of a program, by name, in the walk `sharing`."""

    def __init__(self, sharing: Sharing) -> None:
        self._sharing = sharing
        self._known = sharing.levels

    def enter(self, body: Body, position: int, step: Step) -> None:
        """Walk over a recursive function until nothing new is known, and call it."""
        firsts, (own,) = step.inputs, step.bodies
        level = self._level(step)
        regions = [self._sharing.regions[first] for first in firsts]
        for cells, brought in zip(level.cells, regions, strict=True):
            cells |= cells_of(brought)
        while True:
            before = level.state()
            alone, lent = self._alone(level, body, position, step)
            self._begin(level, regions, alone)
            self._sharing.walk(own)
            self._end(level, own)
            if level.state() == before:
                break
        for given in level.given:
            for at in level.own():
                level.heads[at].sources |= given[at]
        for head in level.heads:
            if head.written:
                head.write(head.reused, head.early)
        passed = self._passed(level, regions, alone)
        self._place(level, step.outputs, passed, regions, lent)

    def call(self, body: Body, position: int, step: Step) -> None:
        """A further call, met in the function."""
        level = self._known[step.node.attributes["function"]]
        sharing = self._sharing
        inner = sharing.open_guards[level.open :]
        alone, lent = self._alone(level, body, position, step)
        regions = [sharing.regions[variable] for variable in step.inputs]
        for at, brought in enumerate(regions):
            cells = cells_of(brought)
            level.cells[at] |= cells
            # Its own try statements have other cells at each level.
            held = any(guard in inner for guard, _ in cells)
            if held or not alone[at]:
                level.shared.add(at)
            elif at in level.writes:
                for region in brought:
                    region.write(*level.writes[at])
        level.given.append(regions)
        passed = [None if at in level.shared else one for at, one in enumerate(regions)]
        self._place(level, step.outputs, passed, regions, lent)

    def _alone(
        self, level: Level, body: Body, position: int, step: Step
    ) -> tuple[list[bool], set[int]]:
        """For each argument whether nothing but the call reaches its memory.

        The second: those that are parts of an array, and are changed where they lie.
        """
        lent = set[int]()
        alone = [self._sharing.is_alone(body, position, step, v) for v in step.inputs]
        for at, variable in enumerate(step.inputs):
            if alone[at] or not self._sharing.follows(variable):
                continue
            stores = self._stores_of_part(body, position, variable)
            if stores:
                alone[at] = self._is_lent(level, body, position, at, stores)
                for store in stores:
                    put = (
                        self._sharing.lent.add
                        if alone[at]
                        else self._sharing.lent.discard
                    )
                    put(body.steps[store])
                lent |= {at} if alone[at] else set()
        return alone, lent

    def _stores_of_part(
        self, body: Body, position: int, part: Variable
    ) -> Sequence[int]:
        """The stores of a call's result where the part lies that it was given."""
        step, parts = body.steps[position], self._sharing.parts
        if step.inputs.count(part) > 1 or body.last_use[part] > position:
            return ()
        stores = [*parts.put_back(body, position, step.outputs, parts.of(part))]
        given = [body.steps[at].inputs[1] for at in stores[:1]]
        is_read = any(body.last_use[one] > stores[0] for one in given)
        return () if is_read or not {*given} <= {*step.outputs} else stores

    def _is_lent(
        self, level: Level, body: Body, position: int, at: int, stores: Sequence[int]
    ) -> bool:
        """Whether an argument is a part that the call changes where it lies.

        stores: the steps that put a result of the call where the part was
        """
        sharing, step = self._sharing, body.steps[position]
        content = body.steps[stores[0]].inputs[1]
        end = level.ends[step.outputs.index(content)]
        regions = sharing.regions[step.inputs[at]]
        if end.anew or not end.clear or not end.passed <= {at}:
            return False
        if not Placing(sharing).may_write_there(regions, body, position, stores):
            return False
        members = {one for region in regions for one in region.members}
        return members.isdisjoint(set(step.inputs) - {step.inputs[at]})

    def _level(self, step: Step) -> Level:
        name = step.node.attributes["function"]
        level = self._known.get(name)
        if level is None or level.step is not step:
            sharing = self._sharing
            level = self._known[name] = Level(step, len(sharing.open_guards))
            level.cells = [set() for _ in step.inputs]
            level.ends = [End() for _ in step.outputs]
            level.shared = {
                at
                for at, variable in enumerate(step.carried)
                if not sharing.follows(variable)
            }
        return level

    def _begin(
        self, level: Level, regions: Sequence[Regions], alone: Sequence[bool]
    ) -> None:
        """Say where the parameters are."""
        keeps, late = any(map(is_kept, regions)), any(map(is_late, regions))
        # One region for all that are not alone: they may be in each other's.
        common = Region(owned=False)
        level.heads, level.given = [], []
        for at, variable in enumerate(level.step.carried):
            head = Region(owned=True, kept=keeps or not alone[at], late=late)
            head.cells |= level.cells[at]
            level.heads.append(common if at in level.shared else head)
            self._sharing.place(variable, [level.heads[-1]])

    def _end(self, level: Level, own: Body) -> None:
        """Take in what the walk has shown."""
        for at, head in enumerate(level.heads):
            if head.written:
                reused, early = level.writes.get(at, (False, False))
                level.writes[at] = (reused or head.reused, early or head.early)
        found = [self._at_end(level, own, one) for one in own.outputs]
        level.ends = [a.joined(b) for a, b in zip(level.ends, found, strict=True)]

    def _at_end(self, level: Level, own: Body, variable: Variable) -> End:
        regions, last = self._sharing.regions[variable], len(own.steps)
        origins: set[Region] = set()
        for region in regions:
            origins |= {one for one in region.lineage() if not one.sources}
        passed = frozenset(at for at, h in enumerate(level.heads) if h in origins)
        clear = all(
            region.owned
            and not any(
                other is not variable
                and (other in own.results or alive_after(other, own, last))
                for other in region.members
            )
            for region in regions
        )
        known = {level.nothing, *level.heads}
        return End(passed, not origins <= known, clear)

    def _passed(
        self, level: Level, regions: Sequence[Regions], alone: Sequence[bool]
    ) -> list[Regions | None]:
        """Decide the copies before the first call; where what it passes on is.

        None: something else may reach it
        """
        step, passed = level.step, list[Regions | None]()
        followed = (at for at, v in enumerate(step.carried) if self._sharing.follows(v))
        step.copied.difference_update(followed)
        for at, (head, brought) in enumerate(zip(level.heads, regions, strict=True)):
            if at in level.shared:
                passed.append(None)
            elif alone[at]:
                head.sources |= brought
                head.write_on(brought)
                passed.append(frozenset({head}))
            elif head.written:
                step.copied.add(at)
                head.sources.add(Region(owned=True))  # the copy's
                passed.append(frozenset({head}))
            else:
                passed.append(None)
        return passed

    def _place(
        self,
        level: Level,
        outputs: Sequence[Variable],
        passed: Sequence[Regions | None],
        regions: Sequence[Regions],
        lent: set[int],
    ) -> None:
        """Say where the results of a call are.

        passed: for each argument where it is; None: something else may reach it
        lent:   those that are parts, whose arrays are read afterwards
        """
        sharing = self._sharing
        unclear = frozenset({sharing.foreign}).union(*regions)
        made: dict[Variable, Regions] = {}
        ends = zip(outputs, level.step.bodies[0].outputs, level.ends, strict=True)
        for output, inner, end in ends:
            sources = [passed[at] for at in end.passed]
            if not end.clear or None in sources:
                sharing.place(output, unclear)
                continue
            if inner not in made and not lent.isdisjoint(end.passed):
                own = {Region(owned=True)} if end.anew else set[Region]()
                there = (regions[at] if at in lent else passed[at] for at in end.passed)
                made[inner] = frozenset(own).union(*(one for one in there if one))
            if inner not in made:
                found = set[Region]().union(*(one for one in sources if one))
                found |= {Region(owned=True)} if end.anew else set()
                made[inner] = frozenset({Region(True, found or {level.nothing})})
            sharing.place(output, made[inner])
