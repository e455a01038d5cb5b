"""halves: the sum of all elements, of which threads take halves of halves.

NumPy adds floats by halves. The sums of the parts that the first halvings give are
computed apart, by whichever thread takes them, and put together as NumPy does: the same
additions, whatever the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable

from runtime.backends.llvm.loops import BIT, INT, POINTER, Local, Map, Operand
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.maps import leaves_of
from runtime.backends.llvm.pieces import is_one, with_arrays
from runtime.backends.llvm.sharing import cost_of, plus, share
from runtime.backends.llvm.values import machine_type
from runtime.structs import replace

# So many times many elements are halved, into parts that NumPy halves once more.
DEPTH = 6
PARTS = 2**DEPTH
MANY = 256 * PARTS
# Halves are of whole eights but for the last.
EIGHTS = -8


class Halves:
    """One such sum, under construction.

    part: an expression of one dim, of `size` elements
    add:  writes the sum of some elements of an expression, and gives it
    sums: where those of the parts are
    """

    def __init__(
        self, lowering: Lowering, part: Map, add: Callable[[Map], Operand]
    ) -> None:
        self.lowering = lowering
        self.part = part
        self.add = add
        (self.size,) = part.dims
        self.kind = machine_type(part.dtype)
        room = str(PARTS * part.dtype.itemsize)
        self.sums = lowering.compute("buffer", POINTER, symbol=room)
        self.depth, self.count = self._halvings()

    def total(self) -> Operand:
        """The sum, without NumPy's 0.0 before."""
        lowering = self.lowering
        each = self._int("lshr", self.size, self.depth)
        share(lowering, self.count, (each,), cost_of(self.part), True, self._some)
        left = lowering.local(INT)
        lowering.assign([left], [self.count])
        self._loop(self.depth, lambda _: self._join(left))
        return lowering.compute("load", self.kind, self.sums)

    def _halvings(self) -> tuple[Operand, Operand]:
        """How often all is halved, and how many parts that gives."""
        if not isinstance(self.size, Local):
            return (DEPTH, PARTS) if self.size >= MANY else (0, 1)
        lowering = self.lowering
        many = lowering.compute("icmp sge", BIT, self.size, MANY, type=INT)
        depth = lowering.compute("select", INT, many, DEPTH, 0)
        return depth, lowering.compute("select", INT, many, PARTS, 1)

    def _some(self, first: Operand, length: Operand) -> None:
        """The sums of some parts."""
        self._loop(length, lambda at: self._one(plus(self.lowering, first, at)))

    def _one(self, number: Operand) -> None:
        """The sum of a part: where it lies, its number says, a bit for each halving."""
        lowering = self.lowering
        start, size = lowering.local(INT), lowering.local(INT)
        lowering.assign([start, size], [0, self.size])

        def halve(done: Operand) -> None:
            later = self._int("sub", self._int("sub", self.depth, 1), done)
            bit = self._int("and", self._int("lshr", number, later), 1)
            is_second = lowering.compute("icmp ne", BIT, bit, 0, type=INT)
            half = self._int("and", self._int("lshr", size, 1), EIGHTS)
            further = self._int("add", start, half)
            rest = self._int("sub", size, half)
            begin = lowering.compute("select", INT, is_second, further, start)
            count = lowering.compute("select", INT, is_second, rest, half)
            lowering.assign([start, size], [begin, count])

        self._loop(self.depth, halve)
        lowering.emit(
            "store",
            self._place(number),
            self.add(self._from(start, size)),
            type=self.kind,
        )

    def _from(self, start: Operand, size: Operand) -> Map:
        """So many elements, from one on."""
        known = {}
        for leaf in leaves_of(self.part):
            known[id(leaf)] = leaf
            if leaf.dims and not is_one(leaf.dims[0]):
                step = leaf.strides[0]
                data = self.lowering.compute("address", POINTER, leaf.data, start, step)
                known[id(leaf)] = replace(leaf, data=data, dims=(size,))
        made = with_arrays(self.part, known, (size,))
        assert isinstance(made, Map)
        return made

    def _join(self, left: Local) -> None:
        """Two sums become one, everywhere."""
        lowering, half = self.lowering, self._int("lshr", left, 1)

        def pair(at: Operand) -> None:
            first = self._int("shl", at, 1)
            places = (self._place(first), self._place(self._int("add", first, 1)))
            a, b = (lowering.compute("load", self.kind, place) for place in places)
            both = lowering.compute("fadd", self.kind, a, b, type=self.kind)
            lowering.emit("store", self._place(at), both, type=self.kind)

        self._loop(half, pair)
        lowering.assign([left], [half])

    def _place(self, number: Operand) -> Local:
        size = self.part.dtype.itemsize
        return self.lowering.compute("address", POINTER, self.sums, number, size)

    def _int(self, word: str, a: Operand, b: Operand) -> Local:
        return self.lowering.compute(word, INT, a, b, type=INT)

    def _loop(self, count: Operand, write: Callable[[Local], None]) -> None:
        index = self.lowering.local(INT)
        blocks = (self.lowering.within(lambda: write(index)),)
        self.lowering.emit("for", index, count, blocks=blocks)
