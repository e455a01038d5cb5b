"""lying_ahead: whether what is read lies ahead of what is written: it needs no copy.

`x[:-1] += x[1:]` writes each element after all that read it: a loop in C's order needs
no copy of what it reads, as long as it goes one way through the memory. NumPy makes
none there, either.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from runtime.backends.llvm.loops import BIT, INT, Array, Local, Operand
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.maps import meets_leaf
from runtime.backends.llvm.pieces import all_of, is_alike, is_one, turned_round


def overlap_behind(
    lowering: Lowering, target: Array, leaves: Sequence[Array]
) -> tuple[Operand, Operand]:
    """Whether what is read may be written before; whether an order prevents it.

    The order is that of the target's elements, or of the turned target's
    """
    pairs = [(leaf, meets_leaf(lowering, target, leaf)) for leaf in leaves]
    pairs = [(leaf, meets) for leaf, meets in pairs if isinstance(meets, Local)]
    if not pairs:
        return False, False
    found = pairs[0][1]
    for _, meets in pairs[1:]:
        found = lowering.compute("or", BIT, found, meets, type=BIT)
    ahead = lowering.local(BIT)
    lowering.assign([ahead], [False])

    def look() -> None:
        way = _Way(lowering, target, goes_turned(target, leaves))
        tests = way.goes_one_way()
        for leaf, meets in pairs:
            other = lowering.compute("xor", BIT, meets, True, type=BIT)
            is_ahead = way.is_ahead(leaf)
            tests.append(lowering.compute("or", BIT, is_ahead, other, type=BIT))
        lowering.assign([ahead], [all_of(lowering, tests)])

    blocks = (lowering.within(look), lowering.within(lambda: None))
    lowering.emit("if", found, blocks=blocks)
    behind = lowering.compute("xor", BIT, ahead, True, type=BIT)
    return lowering.compute("and", BIT, found, behind, type=BIT), ahead


class _Way:
    """The way through memory that a loop over the target's elements goes.

    is_turned: it goes along the memory of a target that is turned: see `blocks.py`
    """

    def __init__(self, lowering: Lowering, target: Array, is_turned: bool) -> None:
        self.is_turned = is_turned
        self.target = turned_round(target) if is_turned else target
        self.lowering, self._int = lowering, partial(lowering.compute, type=INT)
        # Of each axis, from the last one on: its steps, and how many there are.
        self.is_down = self._int("icmp slt", BIT, self.target.strides[-1], 0)
        self.sign = lowering.compute("select", INT, self.is_down, -1, 1)
        pairs = zip(self.target.dims, self.target.strides, strict=True)
        self.steps = [
            (self._int("mul", INT, step, self.sign), self._int("sub", INT, size, 1))
            for size, step in reversed([*pairs])
        ]

    def goes_one_way(self) -> list[Operand]:
        """Whether each step is longer than all that the axes behind it span."""
        tests: list[Operand] = []
        span: Operand = self.target.dtype.itemsize
        for step, more in self.steps:
            is_longer = self._int("icmp sge", BIT, step, span)
            is_alone = self._int("icmp sle", BIT, more, 0)
            test = self.lowering.compute("or", BIT, is_longer, is_alone, type=BIT)
            tests.append(test)
            span = self._int("add", INT, span, self._int("mul", INT, more, step))
        return tests

    def is_ahead(self, leaf: Array) -> Operand:
        """Whether each element is read where, or beyond where, the loop has come to."""
        lowering, of = self.lowering, self._int
        leaf = turned_round(leaf) if self.is_turned else leaf
        place, mine = (
            lowering.compute("ptrtoint", INT, one.data, type="ptr")
            for one in (leaf, self.target)
        )
        far = of("mul", INT, of("sub", INT, place, mine), self.sign)
        if leaf.dtype.itemsize != self.target.dtype.itemsize:
            longer = self.target.dtype.itemsize - leaf.dtype.itemsize
            more = lowering.compute("select", INT, self.is_down, longer, 0)
            far = of("add", INT, far, more)
        for at, (step, count) in enumerate(self.steps, start=1):
            other = _step(leaf, at)
            if other is self.target.strides[-at]:
                continue
            other = of("mul", INT, other, self.sign)
            less = of("mul", INT, count, of("sub", INT, other, step))
            far = of("add", INT, far, lowering.compute("smin", INT, less, 0))
        return of("icmp sge", BIT, far, 0)


def goes_turned(target: Array, leaves: Sequence[Array]) -> bool:
    """Whether a loop goes along the memory of a target that is turned."""
    return target.is_turned and all(is_alike(one, target) for one in leaves)


def _step(leaf: Array, axis: int) -> Operand:
    """The step along an axis, counted from the last; 0 where it is repeated."""
    if axis > len(leaf.dims) or is_one(leaf.dims[-axis]):
        return 0
    return leaf.strides[-axis]
