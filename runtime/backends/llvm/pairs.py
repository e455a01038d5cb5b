"""pairs: `np.allclose`, `np.isclose`, `np.isin` and `np.polyval`, of rows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.backends.llvm import pair_text
from runtime.backends.llvm.arrays import give_array, load, new_cell
from runtime.backends.llvm.handed import cell, elements_of, row
from runtime.backends.llvm.helpers import call, kind_of
from runtime.backends.llvm.library import ROWS, Call
from runtime.backends.llvm.loops import Local, Number, Operand
from runtime.backends.llvm.maps import DOUBLES
from runtime.backends.llvm.stack import result_array
from runtime.backends.llvm.values import NotLowered

# What the helpers here are called; the module has put their text into the table.
TEXTS = pair_text.TEXTS
TRUTHS = np.dtype(bool)
# Others that are looked at one after the other: of more NumPy makes a table, or sorts.
FEW = 64


def allclose(known: Call) -> None:
    """`np.allclose(a, b, rtol, atol, equal_nan)`, of float64 and ints."""
    words, _ = _close(known)
    known.lowering.give(
        known.step, call(known.lowering, "allclose", *words, leaves=True)
    )
    known.lowering.warned.append(known.step)


def isclose(known: Call) -> None:
    """`np.isclose(a, b, rtol, atol, equal_nan)`, of rows."""
    words, size = _close(known)
    if len(known.step.outputs[0].spec.shape or ()) != 1:
        raise NotLowered("what is close in several dims")
    made = result_array(known.lowering, known.step.outputs[0], TRUTHS, (size,))
    call(known.lowering, "isclose", *words, made.data, leaves=True)
    give_array(known.lowering, known.step, made)
    known.lowering.warned.append(known.step)


def _close(known: Call) -> tuple[list[Operand], Operand]:
    """What the helpers are told, and how many elements there are."""
    lowering, rest = known.lowering, []
    for word, usual in (("rtol", 1e-5), ("atol", 1e-8)):
        found = known.args.get(word, usual)
        if type(found) not in (int, float) or not math.isfinite(found):
            raise NotLowered("room that the run knows")
        rest.append(float(found))
    nan_too = known.args.get("equal_nan", False)
    if type(nan_too) is not bool:
        raise NotLowered("what the run knows of NaNs")
    given = known.operand("a"), known.operand("b")
    arrays = [one for one in given if not isinstance(one, Number)]
    if not arrays or any(one.dtype.char in "efgFDG" for one in given):
        raise NotLowered("what is close of other floats")
    if any(len(one.dims) != len(arrays[0].dims) for one in arrays):
        raise NotLowered("what is close of several dims")
    if given[0].dtype.kind != "f" and given[1].dtype.kind != "f":
        raise NotLowered("ints that are close")
    for size, other in zip(arrays[0].dims, arrays[-1].dims, strict=True):
        lowering.leave_unless_equal(size, other)
    words: list[Any] = []
    rows = []
    for one in given:
        if isinstance(one, Number):
            words.append((cell(lowering, one, DOUBLES), 0))
            continue
        rows.append(elements_of(lowering, one, DOUBLES))
        words.append((rows[-1].data, rows[-1].strides[0]))
    size = rows[0].dims[0]
    (x, step), (y, y_step) = words
    return [x, size, step, y, y_step, *rest, nan_too], size


def isin(known: Call) -> None:
    """`np.isin(x, others, invert=...)`, of a row and few others."""
    lowering, invert = known.lowering, known.args.get("invert", False)
    x, others = known.operand("element"), known.operand("test_elements")
    if type(invert) is not bool or isinstance(others, Number):
        raise NotLowered("elements among what the run knows")
    dtype = np.result_type(x.dtype, others.dtype)
    if isinstance(x, Number) or dtype.kind not in "iuf" or x.dtype != others.dtype:
        raise NotLowered("elements among those of another dtype")
    among = row(lowering, others)
    count = among.dims[0]
    if isinstance(count, Local) or count > FEW:
        raise NotLowered("elements among many")
    each = row(lowering, x)
    made = result_array(lowering, known.step.outputs[0], TRUTHS, each.dims)
    words = each.data, each.dims[0], each.strides[0]
    few = among.data, count, among.strides[0]
    call(lowering, f"among.{kind_of(dtype)}", *words, *few, invert, made.data)
    give_array(lowering, known.step, made)


def polyval(known: Call) -> None:
    """`np.polyval(p, x)`, of float64."""
    lowering, step, x = known.lowering, known.step, known.operand("x")
    if x.dtype != DOUBLES:
        raise NotLowered(f"a polynomial of {x.dtype}")
    terms = row(lowering, known.operand("p"), DOUBLES)
    rest = terms.data, terms.dims[0], terms.strides[0]
    if isinstance(x, Number):
        to = new_cell(lowering, DOUBLES)
        place = cell(lowering, x, DOUBLES)
        call(lowering, "polyval", place, 1, 0, *rest, to.data, leaves=True)
        lowering.give(step, *load(lowering, to))
    else:
        each = row(lowering, x)
        made = result_array(lowering, step.outputs[0], DOUBLES, each.dims)
        words = each.data, each.dims[0], each.strides[0]
        call(lowering, "polyval", *words, *rest, made.data, leaves=True)
        give_array(lowering, step, made)
    lowering.warned.append(step)


CLOSE = ("a", "b", "rtol", "atol", "equal_nan")
ROWS |= {
    "allclose": (CLOSE, allclose),
    "isclose": (CLOSE, isclose),
    "isin": (("element", "test_elements", "assume_unique", "invert"), isin),
    "polyval": (("p", "x"), polyval),
}
