"""slices: the ints of an index, and where slices begin and end, as Python cuts them."""

from __future__ import annotations

from typing import Any

from runtime.backends.llvm.loops import BIT, INT, Local, Number, Operand
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.values import NotLowered, machine_type
from runtime.backends.numpy.program import Variable
from runtime.ops.template import Input

# The longest step of a slice that goes backwards: no array has as many elements.
LONGEST = 2**62


def index_of(lowering: Lowering, part: Any, dynamic: list[Variable]) -> Operand | None:
    """An int of a key as an operand; None where it stands for an array."""
    if isinstance(part, int) and not isinstance(part, bool):
        return part
    if isinstance(part, Input):
        found = lowering.value(dynamic[part.k])
        if isinstance(found, Number) and found.dtype.kind in "iu":
            (one,) = found.parts
            kind = machine_type(found.dtype)
            if kind != INT and isinstance(one, Local):
                word = "sext" if found.dtype.kind == "i" else "zext"
                one = lowering.compute(word, INT, one, type=kind)
            elif found.dtype.kind == "u" and found.dtype.itemsize == 8:
                raise NotLowered("an index of uint64")
            return one
    return None


def sliced(
    lowering: Lowering, part: slice, size: Operand, dynamic: list[Variable]
) -> tuple[Operand, Operand, Operand]:
    """The first index, the length and the step of a slice, as Python cuts it."""
    step: Operand | None = (
        1 if part.step is None else index_of(lowering, part.step, dynamic)
    )
    if step is None or (not isinstance(step, Local) and step == 0):
        raise NotLowered("a slice by steps of nothing")
    if not isinstance(step, Local) and step < 0:
        return _backwards(lowering, part, size, dynamic, step)
    if isinstance(step, Local):
        lowering.leave_if(lowering.compute("icmp slt", BIT, step, 1, type=INT))
    ends = []
    for end, default in ((part.start, 0), (part.stop, size)):
        if end is None:
            ends.append(default)
            continue
        found = index_of(lowering, end, dynamic)
        if found is None:
            raise NotLowered("a slice by an array")
        ends.append(cut(lowering, found, size))
    first, stop = ends
    if not isinstance(first, Local) and first == 0 and step == 1:
        return 0, stop, 1
    known = [int(end) for end in (first, stop, step) if not isinstance(end, Local)]
    if len(known) == 3:
        return first, len(range(*known)), step
    length = lowering.compute("sub", INT, stop, first, type=INT)
    if isinstance(step, Local) or step != 1:
        # A longer step than the axis takes what one as long as it does.
        longest = lowering.compute("smax", INT, size, 1, type=INT)
        near = lowering.compute("smin", INT, step, longest, type=INT)
        more = lowering.compute("sub", INT, near, 1, type=INT)
        length = lowering.compute("add", INT, length, more, type=INT)
        length = lowering.compute("sdiv", INT, length, near, type=INT)
    return first, lowering.compute("smax", INT, length, 0, type=INT), step


def _backwards(
    lowering: Lowering, part: slice, size: Operand, dynamic: list[Variable], step: Any
) -> tuple[Operand, Operand, Operand]:
    """The same of a slice by a step below zero: it ends before the first, at -1."""
    far = min(-step, LONGEST)  # a longer one takes what this one does
    if isinstance(size, Local):
        last: Operand = lowering.compute("sub", INT, size, 1, type=INT)
    else:
        last = size - 1
    ends: list[Operand] = []
    for end, default in ((part.start, last), (part.stop, -1)):
        found = default if end is None else index_of(lowering, end, dynamic)
        if found is None:
            raise NotLowered("a slice by an array")
        ends.append(found if end is None else cut(lowering, found, size, -1, last))
    start, stop = ends
    if not isinstance(start, Local) and not isinstance(stop, Local):
        return max(start, 0), len(range(int(start), int(stop), -far)), -far
    length = lowering.compute("sub", INT, start, stop, type=INT)
    if far > 1:
        length = lowering.compute("add", INT, length, far - 1, type=INT)
        length = lowering.compute("sdiv", INT, length, far, type=INT)
    first = lowering.compute("smax", INT, start, 0, type=INT)
    return first, lowering.compute("smax", INT, length, 0, type=INT), -far


def cut(
    lowering: Lowering,
    end: Operand,
    size: Operand,
    least: int = 0,
    most: Operand | None = None,
) -> Operand:
    """An end of a slice, counted from the front and within the axis.

    least, most: the places that it may be: from the first to behind the last
    """
    most = size if most is None else most
    if not isinstance(end, Local) and not isinstance(size, Local):
        found = max(end + size if end < 0 else end, least)
        return found if isinstance(most, Local) else min(found, most)
    if isinstance(end, Local):
        below = lowering.compute("icmp slt", BIT, end, 0, type=INT)
        from_end = lowering.compute("add", INT, end, size, type=INT)
        end = lowering.compute("select", INT, below, from_end, end)
        end = lowering.compute("smax", INT, end, least, type=INT)
    elif end < 0:
        end = lowering.compute("add", INT, size, end, type=INT)
        return lowering.compute("smax", INT, end, least, type=INT)
    return lowering.compute("smin", INT, end, most, type=INT)
