"""middles: `np.median`, `np.percentile`, `np.quantile` of a row, and `np.unique`."""

from __future__ import annotations

from runtime.backends.llvm import order_text
from runtime.backends.llvm.arrays import give_array, load
from runtime.backends.llvm.handed import (
    elements_of,
    keep_for_now,
    leave_if_empty,
    result_of_some,
    temporary,
)
from runtime.backends.llvm.helpers import call, kind_of
from runtime.backends.llvm.library import OPS, ROWS, Call
from runtime.backends.llvm.loops import (
    BIT,
    DOUBLE,
    INT,
    POINTER,
    Array,
    Instruction,
    Local,
    Number,
    Operand,
)
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.maps import DOUBLES
from runtime.backends.llvm.values import NotLowered, machine_type
from runtime.backends.numpy.program import Step

# What the helpers here are called; the module has put their text into the table.
TEXTS = order_text.TEXTS


def median(lowering: Lowering, step: Step) -> None:
    """`np.median(x)` of all elements."""
    known = step.node.attributes
    if known.get("axis") is not None or step.outputs[0].spec.shape != ():
        raise NotLowered("medians along an axis")
    if step.outputs[0].spec.dtype != DOUBLES:
        raise NotLowered(f"medians that are {step.outputs[0].spec.dtype}")
    x = elements_of(lowering, lowering.operand(step.inputs[0]), DOUBLES)
    size = x.dims[0]
    leave_if_empty(lowering, x)
    less = lowering.compute("sub", INT, size, 1, type=INT)
    first = lowering.compute("lshr", INT, less, 1, type=INT)
    one, other, _ = _selected(lowering, x, first)
    odd = lowering.compute("and", INT, size, 1, type=INT)
    is_one = lowering.compute("icmp eq", BIT, odd, 1, type=INT)
    lowering.give(step, call(lowering, "middle", one, other, is_one, leaves=True))
    lowering.warned.append(step)


def percentile(known: Call) -> None:
    """`np.percentile(x, q)`, by lines between elements."""
    q = known.operand("q")
    if not isinstance(q, Number) or isinstance(q.parts[0], Local):
        raise NotLowered("a percentile that the run knows")
    _quantile(known, float(q.parts[0]) / 100)


def quantile(known: Call) -> None:
    """`np.quantile(x, q)`, by lines between elements."""
    q = known.operand("q")
    if not isinstance(q, Number) or q.dtype != DOUBLES:
        raise NotLowered("a quantile that is no float")
    _quantile(known, q.parts[0])


def _quantile(known: Call, q: Operand) -> None:
    lowering, step = known.lowering, known.step
    if known.args.get("axis") is not None or step.outputs[0].spec.shape != ():
        raise NotLowered("quantiles along an axis")
    given = known.operand("a")
    if given.dtype != DOUBLES:
        raise NotLowered(f"a quantile of {given.dtype}")
    x = elements_of(lowering, given, DOUBLES)
    leave_if_empty(lowering, x)
    for test, end in (("fcmp oge", 0.0), ("fcmp ole", 1.0)):
        fine = lowering.compute(test, BIT, q, end, type=DOUBLE)
        lowering.leave_unless(fine)
    last = lowering.compute("sub", INT, x.dims[0], 1, type=INT)
    far = lowering.compute("sitofp", DOUBLE, last, type=INT)
    virtual = lowering.compute("fmul", DOUBLE, far, q, type=DOUBLE)
    index = lowering.compute("fptosi", INT, virtual, type=DOUBLE)
    one, other, told = _selected(lowering, x, index)
    whole = lowering.compute("sitofp", DOUBLE, index, type=INT)
    part = lowering.compute("fsub", DOUBLE, virtual, whole, type=DOUBLE)
    found = call(lowering, "lerp", one, other, part, leaves=True)
    # Which zero it is, NumPy's order among zeros tells.
    is_zero = lowering.compute("fcmp oeq", BIT, found, 0.0, type=DOUBLE)
    is_told = lowering.compute("icmp eq", BIT, told, 2, type=INT)
    lowering.leave_if(lowering.compute("and", BIT, is_zero, is_told, type=BIT))
    lowering.give(step, found)
    lowering.warned.append(step)


def _selected(
    lowering: Lowering, x: Array, index: Operand
) -> tuple[Local, Local, Local]:
    """The element at an index, in order, and the next, if there is one.

    The third says how far they can be told.
    """
    made = temporary(lowering, DOUBLES, x.dims)
    told = call(lowering, "select", x.data, x.dims[0], x.strides[0], index, made.data)
    lowering.leave_if(lowering.compute("icmp eq", BIT, told, 0, type=INT))
    more = lowering.compute("add", INT, index, 1, type=INT)
    last = lowering.compute("sub", INT, x.dims[0], 1, type=INT)
    following = lowering.compute("smin", INT, more, last)
    found: list[Local] = []
    for at in (index, following):
        place = lowering.compute("address", POINTER, made.data, at, 8)
        found += load(lowering, Array(DOUBLES, 0, place, (), ()))
    one, other = found
    return one, other, told


def unique(lowering: Lowering, step: Step) -> None:
    """`np.unique(x)`, of a row: those that differ, in order."""
    x = lowering.array_of(step.inputs[0])
    kind = x.dtype.kind
    if len(x.dims) != 1 or kind not in "biuf" or step.node.attributes:
        raise NotLowered("what differs in several dims")
    leave_if_empty(lowering, x)
    made = lowering.local(POINTER), lowering.local(POINTER)
    words = Instruction("sort", made, (0, 0), exit=lowering.exit(), values=(x,))
    lowering.block.instructions.append(words)
    in_order = Array(x.dtype, *made, x.dims, (x.dtype.itemsize,))
    keep_for_now(lowering, in_order)
    if kind == "f":
        _leave_if_last_is_nan(lowering, in_order)
    symbol = f"distinct.{kind_of(x.dtype)}"
    count = call(lowering, symbol, in_order.data, x.dims[0], x.dtype.itemsize)
    lowering.leave_if(lowering.compute("icmp slt", BIT, count, 0, type=INT))
    found = result_of_some(lowering, step.outputs[0], x.dtype, count, x.dims[0])
    moved = found.data, in_order.data, count
    lowering.emit("typed_move", *moved, symbol=str(x.dtype.itemsize))
    give_array(lowering, step, found)


def _leave_if_last_is_nan(lowering: Lowering, x: Array) -> None:
    """Of several NaNs NumPy keeps one, which may be any."""
    last = lowering.compute("sub", INT, x.dims[0], 1, type=INT)
    place = lowering.compute("address", POINTER, x.data, last, x.strides[0])
    (one,) = load(lowering, Array(x.dtype, 0, place, (), ()))
    kind = machine_type(x.dtype)
    lowering.leave_if(lowering.compute("fcmp uno", BIT, one, one, type=kind))


OPS |= {"median": median, "unique": unique}
ROWS |= {
    "percentile": (("a", "q", "axis"), percentile),
    "quantile": (("a", "q", "axis"), quantile),
}
