"""few: reductions of few elements of a known number, written out as an expression.

So few NumPy adds one after the other, in whatever order the array lies, and what comes
of them is part of the chain that follows.
"""

from __future__ import annotations

from typing import Any

from runtime.backends.llvm.loops import POINTER, Array, Local, Map, Number, Operand
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.mathematics import ALL
from runtime.backends.llvm.pieces import terms_of
from runtime.backends.llvm.values import NotLowered
from runtime.structs import replace

# Elements that are written out, and the operations that this may come to.
FEW, OPERATIONS = 7, 48


def written_out(
    lowering: Lowering,
    name: str,
    value: Map | Array,
    axis: int,
    size: int,
    keeps: bool,
) -> Map:
    """The reduction of few elements of a known number, as an expression of each.

    keeps: the axis stays, of one element
    """
    dtype, found = value.dtype, at_index(lowering, value, axis, 0, keeps)
    for index in range(1, size):
        other = at_index(lowering, value, axis, index, keeps)
        found = Map(dtype, other.dims, name, (found, other))
    assert not isinstance(found, Number)
    if dtype.kind == "f" and name == "add":
        # NumPy's begins with 0.0, which turns -0.0 round.
        found = Map(dtype, found.dims, name, (found, Number(dtype, False, (0.0,))))
    if isinstance(found, Map):
        return found
    return Map(dtype, found.dims, "cast", (found,))  # the one element


def at_index(
    lowering: Lowering, value: Any, axis: int, index: Operand, keeps: bool
) -> Any:
    """The part of an expression at an index of any axis."""
    known: dict[int, Any] = {}
    rank = len(value.dims)

    def part(one: Any) -> Any:
        place = axis - rank + len(getattr(one, "dims", ()))
        if isinstance(one, Number) or place < 0:
            return one
        if id(one) not in known:
            known[id(one)] = cut(one, place)
        return known[id(one)]

    def cut(one: Any, place: int) -> Any:
        axes = (1,) if keeps else ()
        dims = (*one.dims[:place], *axes, *one.dims[place + 1 :])
        if isinstance(one, Map):
            return replace(one, dims=dims, args=tuple(map(part, one.args)))
        is_repeated = one.dims[place] == 1 and not isinstance(one.dims[place], Local)
        data, step = one.data, one.strides[place]
        if index and not is_repeated:
            data = lowering.compute("address", POINTER, data, index, step)
        steps = (0,) if keeps else ()
        strides = (*one.strides[:place], *steps, *one.strides[place + 1 :])
        return replace(one, data=data, dims=dims, strides=strides, is_view=True)

    return part(value)


def operations(value: Any) -> int:
    """How many operations an expression has; NotLowered where one is a loop."""
    maps = [one for one in terms_of(value) if isinstance(one, Map)]
    if any(one.symbol for one in maps):
        raise NotLowered("a loop of NumPy's")
    owns = [ALL.get(one.op) for one in maps]
    return sum(own.cost if own else 1 for own in owns)
