"""dense: the body of a function twice, first for arrays that lie in C's order.

Where loops come to elements by index, each place is a product with a stride that only
the run knows. Nearly all arrays have none but those of their sizes: with these as
numbers places are shifted or added up, and LLVM sees which elements lie side by side.
"""

from __future__ import annotations

from collections.abc import Iterator

from runtime.backends.llvm.ahead import BESIDE
from runtime.backends.llvm.loops import Array, Function, Local
from runtime.backends.llvm.straightened import HIDDEN

# Instructions of a function that are few enough to be compiled twice.
MOST = 600
# What may stand in such a function: nothing that is a function of its own in the text.
_SIMPLE = {*BESIDE, "lanes", "for", "ptrtoint", "hold", "release", "new", "copy", "use"}
_SIMPLE.add(HIDDEN)


def strides_in_order(function: Function) -> dict[Local, int]:
    """The strides of inputs that are numbers where all lies in C's order.

    Nothing where it does not matter, or would be too long.
    """
    ops = [one.op for one in function.body.walk()]
    if len(ops) > MOST or "while" not in ops:
        return {}
    if not {op.split(" ")[0] for op in ops} <= _SIMPLE:
        return {}
    found = dict(_strides(function))
    used = {
        one.args[2]
        for loop in function.body.walk()
        if loop.op == "while"
        for block in loop.blocks
        for one in block.walk()
        if one.op == "address"
    }
    return found if not used.isdisjoint(found) else {}


def _strides(function: Function) -> Iterator[tuple[Local, int]]:
    for value in function.inputs:
        if not isinstance(value, Array):
            continue
        step = value.dtype.itemsize
        for size, stride in zip(value.dims[::-1], value.strides[::-1], strict=True):
            if isinstance(stride, Local):
                yield stride, step
            if isinstance(size, Local):
                break
            step *= int(size)
