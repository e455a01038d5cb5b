"""read_rows: what the turns of a loop read side by side, and where that lies.

`x[i - 1] + x[i] + x[i + 1]` reads three elements in each turn, and in all turns those
of one row, each of which is looked at once (`reads_ahead.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from runtime.backends.llvm.loops import Instruction, Local, Operand

# The places of a row, of one turn, are fewer than so many apart.
WIDEST = 16
# More reads beside writes are not compared.
PAIRS = 24
# What the place of an element is computed by.
_PLACES = frozenset({"address", "same", "add", "sub", "mul"})


class Unfit(Exception):
    """What the turns compute is not told by what they read."""


class Row(NamedTuple):
    """What turns read side by side.

    reads:  what the reads of a turn give, by their indices; those at one place in the
            turn's order
    spread: how far the last one is from the first
    """

    reads: tuple[Local, ...]
    spread: int

    @property
    def first(self) -> Local:
        """What the read gives that has the lowest index."""
        return self.reads[0]

    @property
    def last(self) -> Local:
        """What the one with the highest gives."""
        return self.reads[-1]


# The places in a turn of a row's first and last read; that of a write.
Pair = tuple[tuple[Operand, Operand], Operand]


class Places:
    """Where a turn reads and writes.

    inside: its instructions; reads: those that read, by what they give
    """

    def __init__(
        self,
        inside: list[Instruction],
        counter: Local,
        reads: Mapping[Local, Instruction],
    ) -> None:
        self.inside, self.counter, self.reads = inside, counter, reads

    def rows(self, noted: Iterable[Local]) -> list[Row]:
        """The reads that give these ints, as rows."""
        found: dict[Any, list[tuple[int, Local]]] = {}
        for local in noted:
            last = self.last_step(self.reads[local].args[0])
            index, stride = last.args[1:]
            far = self.far(index)
            key = self.place(last.args[0]), index if far is None else None, stride
            found.setdefault(key, []).append((far or 0, local))
        return [row for reads in found.values() for row in _rows(reads)]

    def pairs(self, rows: Iterable[Row], stores: list[Instruction]) -> list[Pair]:
        """What is read and what is written elsewhere; they must lie apart."""
        found: list[Pair] = []
        for row in rows:
            places = [self.reads[one].args[0] for one in (row.first, row.last)]
            for store in stores:
                if not self._is_own(row, store):
                    if self._base(places[0]) == self._base(store.args[0]):
                        raise Unfit  # a turn reads what another one writes
                    found.append(((places[0], places[1]), store.args[0]))
        if len(found) > PAIRS:
            raise Unfit
        return found

    def _is_own(self, row: Row, store: Instruction) -> bool:
        """Whether each turn writes where it has read, and no later one reads there."""
        place = self.reads[row.first].args[0]
        if self.place(place) != self.place(store.args[0]):
            return False
        order = {id(one): at for at, one in enumerate(self.inside)}
        loads = [order[id(self.reads[one])] for one in row.reads]
        return max(loads) < order[id(store)]

    def _base(self, place: Operand) -> tuple[Operand, ...]:
        """What the last step on the way to a place goes on from; it is a local."""
        return self.place(self.last_step(place).args[0])

    def last_step(self, place: Operand) -> Instruction:
        made = self.maker(place)
        while made is not None and made.op == "same":
            made = self.maker(made.args[0])
        if made is None or made.op != "address":
            raise Unfit
        return made

    def far(self, index: Operand) -> int | None:
        """How far an index is from the counter, if that is always as far."""
        if index is self.counter:
            return 0
        made = self.maker(index)
        if made is None or made.op not in ("same", "add", "sub"):
            return None
        if made.op == "same":
            return self.far(made.args[0])
        one, by = made.args
        if made.op == "add" and not isinstance(one, Local):
            one, by = by, one
        far = self.far(one)
        if far is None or isinstance(by, Local):
            return None
        return far + int(by) if made.op == "add" else far - int(by)

    def place(self, operand: Operand) -> tuple[Operand, ...]:
        """What a place is: what it is computed of, in order."""
        made = self.maker(operand)
        if made is None or made.op not in ("address", "same"):
            return (operand,)
        return tuple(part for arg in made.args for part in self.place(arg))

    def maker(self, operand: Operand) -> Instruction | None:
        makers = [one for one in self.inside if operand in one.outs]
        if len(makers) > 1:
            raise Unfit
        return makers[0] if makers else None

    def reading(self, places: Iterable[Operand], rows: list[Row]) -> list[Instruction]:
        """The steps that compute these places, and read the rows, in their order."""
        wanted: dict[int, Instruction] = {}
        asked: list[Operand] = [*places]
        while asked:
            made = self.maker(asked.pop())
            if made is None or id(made) in wanted:
                continue
            if made.op not in _PLACES or made.exit:
                raise Unfit
            wanted[id(made)] = made
            asked += made.args
        wanted |= {id(self.reads[row.first]): self.reads[row.first] for row in rows}
        return [one for one in self.inside if id(one) in wanted]


def _rows(reads: list[tuple[int, Local]]) -> Iterable[Row]:
    """The rows of reads that lie so far from the counter."""
    order = sorted(reads, key=lambda read: read[0])
    while order:
        begin, _ = order[0]
        near = [read for read in order if read[0] < begin + WIDEST]
        end, _ = near[-1]
        yield Row(tuple(local for _, local in near), end - begin)
        order = order[len(near) :]
