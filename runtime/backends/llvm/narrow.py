"""narrow: sums of truths and of short ints, which NumPy adds as ints of 64 bits.

Some at once are added in as few bits as hold their sum: a vector has many of these. A
mean of them is that sum too, where float64 has each sum, in whatever order it comes.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from runtime.backends.llvm.elements import element
from runtime.backends.llvm.loops import INT, Array, Local, Map, Operand
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.maps import as_dtype, leaves_of
from runtime.backends.llvm.row_block import RowBlock
from runtime.backends.llvm.values import machine_type
from runtime.structs import struct

# How many are added at once, and in ints of which dtype: by the bytes of the longest
# element that is read, and for ints by their own.
OF_TRUTHS = {1: (128, "u1"), 2: (2**14, "u2"), 4: (2**14, "u4")}
OF_INTS = {1: (128, "2"), 2: (2**14, "4")}
WHOLE = np.dtype(np.int64)


@struct
class Narrow:
    """How the elements of a row are added.

    value: what they are before they are cast; size: so many at once; dtype: as these
    """

    value: Array | Map
    size: int
    dtype: np.dtype[Any]


def narrow_of(name: str, value: Any) -> Narrow | None:
    """How a row of a value may be added in few bits; None where it may not."""
    if name != "add" or not isinstance(value, Map) or value.op != "cast":
        return None
    (given,) = value.args
    if value.dtype.itemsize < WHOLE.itemsize or value.dtype.kind not in "iu":
        return None
    if not isinstance(given, Array | Map) or given.dtype.kind not in "biu":
        return None
    leaves = leaves_of(given)
    if given.dims != value.dims or not leaves:
        return None
    read = max(leaf.dtype.itemsize for leaf in leaves)
    is_truth = given.dtype.kind == "b"
    sizes = OF_TRUTHS if is_truth else OF_INTS
    found = sizes.get(read if is_truth else max(read, given.dtype.itemsize))
    if found is None:
        return None
    size, kind = found
    return Narrow(given, size, np.dtype(kind if is_truth else given.dtype.kind + kind))


def add_row(
    lowering: Lowering, emitter: RowBlock, part: Map, how: Narrow, total: Local
) -> None:
    """Add the elements of a row to a number of the machine's."""
    (size,) = part.dims
    (value,) = part.args
    dtype, whole = how.dtype, part.dtype
    count = lowering.compute("udiv", INT, size, how.size, type=INT)
    number, few = lowering.local(INT), lowering.local(machine_type(dtype))

    def put(into: Local, wide: np.dtype[Any], at: Operand, index: Operand) -> None:
        given = emitter.value(value, at, index, {})
        _add(lowering, into, wide, [(value.dtype, given)])

    def block() -> None:
        start = lowering.compute("mul", INT, number, how.size, type=INT)
        lowering.assign([few], [0])
        emitter.each(start, how.size, partial(put, few, dtype))
        _add(lowering, total, whole, [(dtype, (few,))])

    blocks = (lowering.within(block),)
    lowering.emit("for", number, count, blocks=blocks)
    done = lowering.compute("mul", INT, count, how.size, type=INT)
    rest = lowering.compute("sub", INT, size, done, type=INT)
    emitter.each(done, rest, partial(put, total, whole))


def _add(lowering: Lowering, into: Local, dtype: np.dtype[Any], given: Any) -> None:
    (cast,) = element(lowering, "cast", dtype, given)
    kind = machine_type(dtype)
    lowering.assign([into], [lowering.compute("add", kind, into, cast, type=kind)])


def counted(lowering: Lowering, value: Array | Map) -> Map:
    """Ints as those that are added for a mean that is exact."""
    whole = np.dtype(np.uint64) if value.dtype.kind == "u" else WHOLE
    made = as_dtype(lowering, value, whole)
    assert isinstance(made, Map)
    return made
