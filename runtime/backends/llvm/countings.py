"""countings: `np.bincount`, `np.nonzero`, `np.count_nonzero` and `x[truths]` of rows.

How many there are is asked first; then an array of that size is filled.
"""

from __future__ import annotations

import numpy as np

from runtime.backends.llvm import counting_text, taking_text
from runtime.backends.llvm.arrays import give_array
from runtime.backends.llvm.blocks import new_array
from runtime.backends.llvm.elements import is_simple
from runtime.backends.llvm.fusing import Fusion
from runtime.backends.llvm.handed import (
    Given,
    flattened,
    result_of_some,
    row,
    temporary,
)
from runtime.backends.llvm.helpers import call, kind_of
from runtime.backends.llvm.library import OPS, ROWS, Call
from runtime.backends.llvm.loops import BIT, INT, Array, Local, Map, Number, Operand
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.maps import DOUBLES
from runtime.backends.llvm.values import NotLowered
from runtime.backends.numpy.program import Step

# What the helpers here are called; the modules have put their text into the table.
TEXTS = counting_text.TEXTS | taking_text.TEXTS
COUNTS, TRUTHS = np.dtype(np.intp), np.dtype(bool)


def truths(lowering: Lowering, value: Given) -> Array | Map:
    """Whether elements are nothing: as NumPy takes them for truths."""
    if isinstance(value, Number):
        raise NotLowered("a number where an array is wanted")
    if value.dtype == TRUTHS:
        return value
    zero = Number(value.dtype, False, (0.0 if value.dtype.kind == "f" else 0,))
    if not is_simple("not_equal", [value.dtype] * 2 + [TRUTHS], (value, zero)):
        raise NotLowered(f"truths of {value.dtype}")
    return Map(TRUTHS, value.dims, "not_equal", (value, zero))


def nonzero(lowering: Lowering, step: Step) -> None:
    """`np.nonzero(x)` of one dim."""
    if len(step.outputs) != 1:
        raise NotLowered("several results")
    where = row(lowering, truths(lowering, lowering.operand(step.inputs[0])))
    count = _count(lowering, where)
    most = where.dims[0]
    made = result_of_some(lowering, step.outputs[0], COUNTS, count, most)
    call(lowering, "indices", *_words(where), count, made.data)
    give_array(lowering, step, made)


def count_nonzero(lowering: Lowering, step: Step) -> None:
    """`np.count_nonzero(x)`, without an axis."""
    if step.node.attributes.get("axis") is not None or step.outputs[0].spec.shape:
        raise NotLowered("counts along an axis")
    found = truths(lowering, lowering.operand(step.inputs[0]))
    if isinstance(found, Array) and len(found.dims) == 1:
        lowering.give(step, _count(lowering, found))
        return
    ones = Map(COUNTS, found.dims, "cast", (found,))
    rank = len(found.dims)
    lowering.give(step, *Fusion(lowering, "add", ones, 0, rank, None).number())


def by_truths(lowering: Lowering, step: Step) -> None:
    """`x[truths]`, which say of each element, in C's order, whether it is taken."""
    variable, *dynamic = step.inputs
    (part,) = step.node.attributes["index"]
    truths, array = (lowering.operand(v) for v in (dynamic[part.k], variable))
    if isinstance(truths, Number) or isinstance(array, Number):
        raise NotLowered("truths about a number")
    for size, known in zip(truths.dims, array.dims, strict=True):
        lowering.leave_unless_equal(size, known)
    where, x = flattened(lowering, truths), flattened(lowering, array)
    count = _count(lowering, where)
    made = result_of_some(lowering, step.outputs[0], x.dtype, count, x.dims[0])
    symbol = f"taken.{8 * x.dtype.itemsize}"
    elements = x.data, x.strides[0], made.data
    call(lowering, symbol, *_words(where), count, *elements)
    give_array(lowering, step, made)


def indices_of(lowering: Lowering, where: Array) -> Array:
    """The indices at which a row of truths holds, until the step at hand is done."""
    count = _count(lowering, where)
    made = temporary(lowering, COUNTS, (count,))
    call(lowering, "indices", *_words(where), count, made.data)
    return made


def bincount(lowering: Lowering, step: Step) -> None:
    """`np.bincount(x, minlength=n)`."""
    x = row(lowering, lowering.operand(step.inputs[0]))
    made = _bins(lowering, x, step.node.attributes.get("minlength", 0), COUNTS)
    call(lowering, f"bincount.{kind_of(x.dtype)}", *_words(x), made.data, made.dims[0])
    give_array(lowering, step, made)


def weighted(known: Call) -> None:
    """`np.bincount(x, weights, n)`, of floats."""
    lowering = known.lowering
    if known.args.get("weights") is None:
        raise NotLowered("no weights")
    x = row(lowering, known.operand("x"))
    weights = row(lowering, known.operand("weights"), DOUBLES)
    lowering.leave_unless_equal(weights.dims[0], x.dims[0])
    # Of nothing NumPy gives ints.
    lowering.leave_if(lowering.compute("icmp eq", BIT, x.dims[0], 0, type=INT))
    made = _bins(lowering, x, known.size("minlength", 0), DOUBLES)
    words = made.data, made.dims[0], weights.data, weights.strides[0]
    call(lowering, f"weighted.{kind_of(x.dtype)}", *_words(x), *words)
    give_array(lowering, known.step, made)


def _bins(lowering: Lowering, x: Array, least: Operand, dtype: np.dtype) -> Array:
    """An array with a place for each of some ints; Python raises of negative ones."""
    if x.dtype.kind not in "biu" or x.dtype.char in "LQ":
        raise NotLowered(f"counts of {x.dtype}")
    if isinstance(least, Local):
        lowering.leave_if(lowering.compute("icmp slt", BIT, least, 0, type=INT))
    elif type(least) is not int or least < 0:
        raise NotLowered("a number of bins that NumPy refuses")
    size = call(lowering, f"size.{kind_of(x.dtype)}", *_words(x))
    lowering.leave_if(lowering.compute("icmp slt", BIT, size, 0, type=INT))
    return new_array(lowering, dtype, (lowering.compute("smax", INT, size, least),))


def _count(lowering: Lowering, where: Array) -> Local:
    return call(lowering, "true", *_words(where))


def _words(x: Array) -> tuple[Operand, ...]:
    """What a helper is told of a row."""
    return x.data, x.dims[0], x.strides[0]


OPS |= {"nonzero": nonzero, "flatnonzero": nonzero, "bincount": bincount}
OPS["count_nonzero"] = count_nonzero
ROWS["bincount"] = (("x", "weights", "minlength"), weighted)
