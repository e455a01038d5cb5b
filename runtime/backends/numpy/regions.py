"""Regions: pieces of memory, as the walk over a program knows them (see `sharing`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from runtime.backends.numpy.program import (
    Body,
    Variable,
    alive_after,
    dead_for_good,
)
from runtime.backends.numpy.watched import Cell
from runtime.structs import field, struct


class Region:
    """A piece of memory.

    owned:    made by this graph, so it may be written
    sources:  regions whose memory this one may be, under an older label
    kept:     no ufunc writes it: it would be copied first, or an argument be lost
    late:     no ufunc writes it before Python would
    reused:   a ufunc writes it
    early:    what a ufunc has written may be there before Python would write it
    cells:    those of try statements that checkpoints have put it into
    """

    __slots__ = (
        *("cells", "early", "kept", "late", "members", "owned", "reused", "sources"),
        "written",
    )

    def __init__(
        self,
        owned: bool,
        sources: Iterable[Region] = (),
        *,
        kept: bool = False,
        late: bool = False,
    ) -> None:
        self.owned = owned
        self.kept = kept
        self.late = late
        self.reused = self.early = False
        self.sources = set(sources)
        self.members: list[Variable] = []
        self.cells: set[Cell] = set()
        self.written = False

    def write(self, reused: bool = False, early: bool = False) -> None:
        """Note that the memory is written in place, under every label it had."""
        for region in self.lineage():
            region.written = True
            region.reused |= reused
            region.early |= early

    def write_on(self, regions: Iterable[Region]) -> None:
        """The same of what this one goes on from, if it is written."""
        for region in regions if self.written else ():
            region.write(self.reused, self.early)

    def is_read(self, body: Body, position: int, last: int, ended: bool) -> bool:
        """Whether a variable that is in it is read after the second of two steps.

        Those that nobody reads after the first one are forgotten.
        ended: the body of a try ends if the second one does not fail
        """
        kept = []
        for variable in self.members:
            if dead_for_good(variable, body, position):
                continue
            kept.append(variable)
            if alive_after(variable, body, last, ended):
                return True
        self.members = kept
        return False

    def lineage(self) -> set[Region]:
        """This region and all whose memory it may be."""
        found: set[Region] = set()
        waiting = [self]
        while waiting:
            region = waiting.pop()
            if region not in found:
                found.add(region)
                waiting.extend(region.sources)
        return found


@struct
class InPlace:
    """What a program does to the memory of inputs that it may overwrite.

    written: positions of the inputs that a store may write into
    ends:    (input, output): the output is the input's memory, and all that led to it
             was written there
    """

    written: frozenset[int]
    ends: frozenset[tuple[int, int]]


@struct
class Asked:
    """What is asked for when a program is walked over.

    donated: positions of the inputs that it may overwrite
    ends:    the outputs that are what these hold at the end, where that is known
    late:    they must not be written before Python would
    reuses:  whether ufuncs may write into memory that nobody reads
    """

    donated: frozenset[int] = frozenset()
    ends: Mapping[int, int] = field(default_factory=dict)
    late: bool = False
    reuses: bool = False


Regions = frozenset[Region]
NOWHERE: Regions = frozenset()


def is_kept(regions: Regions) -> bool:
    """Whether one of these is kept from ufuncs."""
    return any(one.kept for region in regions for one in region.lineage())


def cells_of(regions: Iterable[Region]) -> set[Cell]:
    """The cells of try statements that these may be in."""
    found: set[Cell] = set()
    for region in regions:
        found = found.union(*(one.cells for one in region.lineage()))
    return found


def is_late(regions: Regions) -> bool:
    """Whether one of these is not to be written before Python would."""
    return any(one.late for region in regions for one in region.lineage())
