"""histograms: `np.histogram(x, bins, range, weights=weights)` of so many bins.

What NumPy raises or warns of, of numbers that are not finite above all, is Python's.
"""

from __future__ import annotations

from runtime.backends.llvm import histogram_text
from runtime.backends.llvm.arrays import load
from runtime.backends.llvm.blocks import new_array
from runtime.backends.llvm.handed import buffer, leave_if_empty, row, temporary
from runtime.backends.llvm.helpers import call
from runtime.backends.llvm.library import ROWS, Call
from runtime.backends.llvm.loops import (
    BIT,
    DOUBLE,
    INT,
    POINTER,
    Array,
    Local,
    Number,
    Operand,
)
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.maps import DOUBLES
from runtime.backends.llvm.numbers import convert
from runtime.backends.llvm.values import NotLowered
from runtime.backends.numpy.program import Variable

# What the helpers here are called; the module has put their text into the table.
TEXTS = histogram_text.TEXTS
INFINITY = float("inf")
# Ints from here on are no floats.
FAR = 2.0**53


def histogram(known: Call) -> None:
    """How many are in each bin, or the sums of their weights; and the edges."""
    lowering, step = known.lowering, known.step
    if known.args.get("density") not in (None, False) or len(step.outputs) != 2:
        raise NotLowered("a density")
    bins, given = known.size("bins", 10), known.operand("a")
    _leave_unless(lowering, "icmp sge", bins, 1, INT)
    if given.dtype.kind not in "iuf" or given.dtype.char in "efg":
        raise NotLowered(f"a histogram of {given.dtype}")
    x = row(lowering, given, DOUBLES)
    weights = _weights(known, x)
    first, last = _outer_edges(known, x, given.dtype.kind != "f")
    edges = new_array(lowering, DOUBLES, (_one_more(lowering, bins),))
    counts, edges_of = step.outputs
    lowering.hold(edges_of, edges.object, lowering.place[0])
    fine = call(lowering, "edges", first, last, bins, edges.data, leaves=True)
    lowering.leave_unless(fine)
    words = (x.data, x.dims[0], x.strides[0], first, last, bins, edges.data)
    dtype = counts.spec.dtype if weights is None else DOUBLES
    assert dtype is not None
    made = new_array(lowering, dtype, (bins,))
    lowering.hold(counts, made.object, lowering.place[0])
    if weights is None:
        call(lowering, "histogram", *words, made.data)
    else:
        sums = temporary(lowering, DOUBLES, (bins,))
        more = (made.data, sums.data, weights.data, weights.strides[0])
        # Sums that overflow are NumPy's to warn of.
        call(lowering, "weights_in_bins", *words, *more, leaves=True)
    lowering.values |= {counts: made, edges_of: edges}


def _weights(known: Call, x: Array) -> Array | None:
    """The weights of all elements; of other floats they are added in another dtype."""
    if known.args.get("weights") is None:
        return None
    given = known.operand("weights")
    if given.dtype != DOUBLES:
        raise NotLowered(f"weights of {given.dtype}")
    found = row(known.lowering, given)
    known.lowering.leave_unless_equal(found.dims[0], x.dims[0])
    return found


def _outer_edges(known: Call, x: Array, are_ints: bool) -> tuple[Operand, Operand]:
    """Where the first bin begins and the last one ends: both are finite."""
    lowering = known.lowering
    given = known.args.get("range")
    if given is not None:
        if type(given) is not tuple or len(given) != 2:
            raise NotLowered("a range that the run knows")
        first, last = (_number(known, one) for one in given)
        _leave_unless(lowering, "fcmp ole", first, last, DOUBLE)
    else:
        leave_if_empty(lowering, x)
        place = buffer(lowering, DOUBLES, 2)
        fine = call(lowering, "ends", x.data, x.dims[0], x.strides[0], place)
        lowering.leave_unless(fine)
        ends = (place, lowering.compute("address", POINTER, place, 1, 8))
        first, last = (
            load(lowering, Array(DOUBLES, 0, one, (), ()))[0] for one in ends
        )
        if not are_ints:
            # It may be the one zero or the other, which the last edge tells.
            _leave_unless(lowering, "fcmp une", last, 0.0, DOUBLE)
    far = FAR if are_ints else INFINITY
    _leave_unless(lowering, "fcmp ogt", first, -far, DOUBLE)
    _leave_unless(lowering, "fcmp olt", last, far, DOUBLE)
    same = lowering.compute("fcmp oeq", BIT, first, last, type=DOUBLE)
    half = lowering.compute("select", DOUBLE, same, 0.5, 0.0)
    # NumPy's are moved apart; the others are left as they are, whichever zero it is.
    below = lowering.compute("fsub", DOUBLE, first, half, type=DOUBLE)
    above = lowering.compute("fadd", DOUBLE, last, half, type=DOUBLE)
    return (
        lowering.compute("select", DOUBLE, same, below, first),
        lowering.compute("select", DOUBLE, same, above, last),
    )


def _number(known: Call, one: object) -> Operand:
    """An end of a range, as a float."""
    if isinstance(one, Variable):
        found = known.lowering.operand(one)
    elif isinstance(one, int | float) and type(one) in (int, float):
        found = Number(DOUBLES, True, (float(one),))
    else:
        raise NotLowered("an end of a range that is no number")
    if not isinstance(found, Number) or found.dtype.kind not in "f":
        raise NotLowered("an end of a range that is no float")
    if found.dtype != DOUBLES:
        raise NotLowered(f"an end of a range of {found.dtype}")
    (part,) = convert(known.lowering, found, DOUBLES)
    return part


def _leave_unless(
    lowering: Lowering, test: str, a: Operand, b: Operand, kind: str
) -> None:
    """Go on as Python unless the test holds."""
    found = lowering.compute(test, BIT, a, b, type=kind)
    lowering.leave_unless(found)


def _one_more(lowering: Lowering, size: Operand) -> Operand:
    if not isinstance(size, Local):
        return size + 1
    return lowering.compute("add", INT, size, 1, type=INT)


ROWS["histogram"] = (("a", "bins", "range", "density", "weights"), histogram)
