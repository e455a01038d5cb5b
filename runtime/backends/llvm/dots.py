"""dots: `np.dot`, `np.inner` and `np.vdot`, to the bit.

Of two rows they are one sum, as `@` of them is, by the function of the dtype that NumPy
itself calls for all four. What `np.dot` does otherwise: of rows of one element it gives
the product, without a sum that begins with 0.0; rows that are repeated or lie
backwards are copied first, as they are here; so are matrices with gaps, which are left
to it.
"""

from __future__ import annotations

from functools import partial

from runtime.backends.llvm.arrays import load, new_cell, put
from runtime.backends.llvm.blocks import choice, compute_into, new_array
from runtime.backends.llvm.fallback import whole
from runtime.backends.llvm.loops import BIT, INT, Array, Operand
from runtime.backends.llvm.lowering import LOWER, OF_ARRAYS, Lower, Lowering
from runtime.backends.llvm.pieces import is_one, is_one_piece, is_step_one
from runtime.backends.llvm.products import BY_BLAS, add_products, matmul
from runtime.backends.llvm.values import NotLowered, machine_type
from runtime.backends.numpy.program import Step
from runtime.structs import replace

# Those of them whose products of matrices are `@`'s, too.
REAL = frozenset("fd")
# What NumPy says nothing of, whatever comes of it.
SILENT = "silent"


def dot(lowering: Lowering, step: Step) -> None:
    """`np.dot` of rows and matrices."""
    x, y = _operands(lowering, step)
    if len(x.dims) == len(y.dims) == 1:
        inner(lowering, step)
        return
    if x.dtype.char in BY_BLAS:
        _leave_unless_as_matmul(lowering, x, y)
    matmul(lowering, step)


def inner(lowering: Lowering, step: Step) -> None:
    """`np.dot` or `np.inner` of two rows."""
    x, y = _operands(lowering, step)
    if not len(x.dims) == len(y.dims) == 1:
        raise NotLowered("an inner product of other than rows")
    if x.dtype.char not in BY_BLAS:
        matmul(lowering, step)
        return
    lowering.leave_unless_equal(y.dims[0], x.dims[0])
    cell = new_cell(lowering, x.dtype)
    is_single = _is_single(lowering, x.dims[0])
    multiply = partial(_multiply, lowering, x, y, cell)
    several = partial(_add_forwards, lowering, (x, y), (), cell)
    choice(lowering, is_single, multiply, several)()
    lowering.give(step, *load(lowering, cell))


def vdot(lowering: Lowering, step: Step) -> None:
    """`np.vdot` of two rows of real numbers, of which NumPy says nothing."""
    x, y = _operands(lowering, step)
    is_real = x.dtype.char in REAL
    if not len(x.dims) == len(y.dims) == 1 or not (is_real or x.dtype.kind in "iu"):
        raise NotLowered("a product of other than real rows")
    if not is_real:
        matmul(lowering, step)
        return
    lowering.leave_unless_equal(y.dims[0], x.dims[0])
    # It takes copies of what does not lie in one piece.
    for one in (x, y):
        lowering.leave_unless(is_step_one(lowering, one))
    cell = new_cell(lowering, x.dtype)
    add_products(lowering, x, y, cell, SILENT)
    lowering.give(step, *load(lowering, cell))


def _operands(lowering: Lowering, step: Step) -> tuple[Array, Array]:
    """The arrays, both of the result's dtype."""
    dtype, inputs = step.outputs[0].spec.dtype, step.inputs
    if dtype is None or len(inputs) != 2:
        raise NotLowered("a product of unknown dtype")
    x, y = (whole(lowering, one) for one in inputs)
    if not isinstance(x, Array) or not isinstance(y, Array):
        raise NotLowered("a product of numbers")
    if {x.dtype, y.dtype} != {dtype}:
        raise NotLowered("a product of several dtypes")
    if not {len(x.dims), len(y.dims)} <= {1, 2}:
        raise NotLowered("a product of stacks")
    return x, y


def _multiply(lowering: Lowering, x: Array, y: Array, cell: Array) -> None:
    """The one product. Of complex numbers NumPy does it."""
    if x.dtype.char not in REAL:
        lowering.leave_if(True)
        return
    kind = machine_type(x.dtype)
    parts = [load(lowering, replace(one, dims=(), strides=()))[0] for one in (x, y)]
    put(lowering, cell, (lowering.compute("fmul", kind, *parts, type=kind),))


def _add_forwards(
    lowering: Lowering, rows: tuple[Array, ...], before: tuple[Array, ...], cell: Array
) -> None:
    """The sum of the products of `before` and `rows`, of which some may be copied."""
    if not rows:
        x, y = before
        add_products(lowering, x, y, cell)
        return
    row, *after = rows

    def copied() -> None:
        made = new_array(lowering, row.dtype, row.dims)
        compute_into(lowering, made, row)
        _add_forwards(lowering, (*after,), (*before, made), cell)
        lowering.emit("release", made.object)

    as_it_lies = partial(_add_forwards, lowering, (*after,), (*before, row), cell)
    choice(lowering, _is_copied(lowering, row), copied, as_it_lies)()


def _is_copied(lowering: Lowering, row: Array) -> Operand:
    """Whether BLAS cannot go through a row forwards, item by item."""
    (step,), size = row.strides, row.dtype.itemsize
    found = lowering.compute("icmp sle", BIT, step, 0, type=INT)
    if row.dtype.alignment < size:
        rest = lowering.compute("srem", INT, step, size, type=INT)
        is_between = lowering.compute("icmp ne", BIT, rest, 0, type=INT)
        found = lowering.compute("or", BIT, found, is_between, type=BIT)
    return found


def _is_single(lowering: Lowering, size: Operand) -> Operand:
    return lowering.compute("icmp eq", BIT, size, 1, type=INT)


def _leave_unless_as_matmul(lowering: Lowering, x: Array, y: Array) -> None:
    """Where a product with a matrix may have other bits than `@`, NumPy does it."""
    if x.dtype.char not in REAL:
        raise NotLowered("a product of complex matrices")
    if is_one(x.dims[-1]):
        raise NotLowered("a product of one column by one row")
    lowering.leave_if(_is_single(lowering, x.dims[-1]))
    for one in (x, y):
        if len(one.dims) == 1:
            lowering.leave_if(_is_copied(lowering, one))
        else:
            turned = replace(one, dims=one.dims[::-1], strides=one.strides[::-1])
            pieces = [is_one_piece(lowering, way) for way in (one, turned)]
            lowering.leave_unless(lowering.compute("or", BIT, *pieces, type=BIT))


DOTS: dict[str, Lower] = {"dot": dot, "inner": inner, "vdot": vdot}
LOWER |= DOTS
OF_ARRAYS["dot"] = dot
