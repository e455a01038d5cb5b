"""searches: `np.searchsorted`, `np.digitize` and `np.interp`: places in what is sorted.

The search itself is NumPy's, written once more (`search_text.py`).
"""

from __future__ import annotations

import functools

import numpy as np

from runtime.backends.llvm import search_text
from runtime.backends.llvm.arrays import give_array, load, new_cell
from runtime.backends.llvm.handed import cell, leave_if_empty, row
from runtime.backends.llvm.helpers import call, kind_of
from runtime.backends.llvm.library import OPS, ROWS, Call
from runtime.backends.llvm.loops import INT, POINTER, Array, Map, Number, Operand
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.maps import DOUBLES
from runtime.backends.llvm.numbers import convert
from runtime.backends.llvm.stack import result_array
from runtime.backends.llvm.values import NotLowered
from runtime.backends.numpy.program import Step

# What the helpers here are called; the module has put their text into the table.
TEXTS = search_text.TEXTS
POSITIONS = np.dtype(np.intp)


def searchsorted(lowering: Lowering, step: Step) -> None:
    """`np.searchsorted(x, keys, side)`."""
    x, keys = step.inputs
    side = step.node.attributes.get("side", "left")
    _search(lowering, step, lowering.operand(x), lowering.operand(keys), side)


def digitize(known: Call) -> None:
    """`np.digitize(x, bins, right)`, of bins that go up; others are left to Python."""
    lowering, right = known.lowering, known.args.get("right", False)
    if type(right) is not bool:
        raise NotLowered("a side that the run knows")
    keys, bins = known.operand("x"), row(lowering, known.operand("bins"))
    if keys.dtype.kind == "c":
        raise NotLowered("complex numbers in bins")
    where = f"in_order.{kind_of(bins.dtype)}"
    fine = call(lowering, where, bins.data, bins.dims[0], bins.strides[0])
    lowering.leave_unless(fine)
    _search(lowering, known.step, bins, keys, "left" if right else "right")


def _search(
    lowering: Lowering,
    step: Step,
    x: Number | Array | Map,
    keys: Number | Array | Map,
    side: str,
) -> None:
    """The places of the keys: both are compared in the dtype that has room for both."""
    dtype = np.result_type(x.dtype, keys.dtype)
    if dtype.kind not in "biuf" or side not in ("left", "right"):
        raise NotLowered(f"a search among {dtype}")
    symbol = f"search.{side}.{kind_of(dtype)}"
    among = row(lowering, x, dtype)
    sorted_ = (among.data, among.dims[0], among.strides[0])
    (variable,) = step.outputs
    if isinstance(keys, Number):
        key = cell(lowering, keys, dtype)
        to = new_cell(lowering, POSITIONS)
        call(lowering, symbol, *sorted_, key, 1, 0, to.data)
        lowering.give(step, *load(lowering, to))
        return
    each = row(lowering, keys, dtype)
    made = result_array(lowering, variable, POSITIONS, each.dims)
    call(
        lowering, symbol, *sorted_, each.data, each.dims[0], each.strides[0], made.data
    )
    give_array(lowering, step, made)


def interp(known: Call) -> None:
    """`np.interp(x, xp, fp, left, right)`, of floats."""
    lowering, step = known.lowering, known.step
    if known.args.get("period") is not None or not _is_plain():
        raise NotLowered("an interpolation with a period")
    xs, ys = (row(lowering, known.operand(word), DOUBLES) for word in ("xp", "fp"))
    lowering.leave_unless_equal(xs.dims[0], ys.dims[0])
    leave_if_empty(lowering, xs)
    last = lowering.compute("sub", INT, ys.dims[0], 1, type=INT)
    places = {"left": ys.data}
    places["right"] = lowering.compute("address", POINTER, ys.data, last, ys.strides[0])
    ends = [_end(known, word, place) for word, place in places.items()]
    curve = (xs.data, xs.dims[0], xs.strides[0], ys.data, ys.strides[0], *ends)
    values = known.operand("x")
    if isinstance(values, Number):
        to = new_cell(lowering, DOUBLES)
        call(lowering, "interp", cell(lowering, values, DOUBLES), 1, *curve, to.data)
        lowering.give(step, *load(lowering, to))
        return
    each = row(lowering, values, DOUBLES, side_by_side=True)
    made = result_array(lowering, step.outputs[0], DOUBLES, each.dims)
    call(lowering, "interp", each.data, each.dims[0], *curve, made.data)
    give_array(lowering, step, made)


def _end(known: Call, word: str, place: Operand) -> Operand:
    """What comes before, or behind, the curve: its own end unless another is given."""
    lowering = known.lowering
    if known.args.get(word) is None:
        return load(lowering, Array(DOUBLES, 0, place, (), ()))[0]
    given = known.operand(word)
    if not isinstance(given, Number) or given.dtype.kind == "c":
        raise NotLowered("an end of a curve that is no float")
    (found,) = convert(lowering, given, DOUBLES)
    return found


@functools.cache
def _is_plain() -> bool:
    """Whether NumPy rounds a product before it adds: C compilers need not."""
    step = 1.0 + 2.0**-30
    return float(np.interp(step, [0.0, 2.0], [-step, 2 * step - step])) == (
        step * step - step
    )


OPS["searchsorted"] = searchsorted
ROWS |= {
    "digitize": (("x", "bins", "right"), digitize),
    "interp": (("x", "xp", "fp", "left", "right", "period"), interp),
}
