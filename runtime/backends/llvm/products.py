"""products: `x @ y` of rows, columns and matrices, to the bit.

Of floats it is NumPy's own loop, which is given what NumPy gives it: whatever the
arrays' strides are, it asks BLAS where BLAS can; or it is ours (`product_choice.py`).
Of ints NumPy's goes down the columns, one element after the other; here whole rows are
added, and those of small matrices are vectors (`small_products.py`). What all turns of
a loop multiply by is packed once (`turns.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from runtime.backends.llvm import abi
from runtime.backends.llvm.arrays import give_array, load, new_cell
from runtime.backends.llvm.blocks import choice, new_array, some_rows
from runtime.backends.llvm.dot_calls import DOT
from runtime.backends.llvm.fallback import whole
from runtime.backends.llvm.fusing import Fusion
from runtime.backends.llvm.loops import (
    INT,
    POINTER,
    Array,
    Instruction,
    Map,
    Number,
    Operand,
)
from runtime.backends.llvm.lowering import LOWER, OF_ARRAYS, Lowering
from runtime.backends.llvm.maps import broadcast
from runtime.backends.llvm.parts import row_of
from runtime.backends.llvm.pieces import is_one, is_step_one
from runtime.backends.llvm.placed import Result, give_computed
from runtime.backends.llvm.product_choice import loop_of
from runtime.backends.llvm.small_products import emit_small_product, is_small
from runtime.backends.llvm.stack import result_array
from runtime.backends.llvm.values import NotLowered
from runtime.backends.numpy.program import Step
from runtime.structs import replace

MATMUL = "matmul"
# The dtypes of which BLAS is asked.
BY_BLAS = frozenset("fdFD")
# Rows that are added at once.
AT_ONCE = 8


def matmul(lowering: Lowering, step: Step) -> None:
    """`x @ y` of arrays of the result's dtype; of more dims all their matrices."""
    (variable,) = step.outputs
    dtype = variable.spec.dtype
    if dtype is None or len(step.inputs) != 2:
        raise NotLowered("a product of unknown dtype")
    address, data = loop_of(dtype, lowering.precise)
    x, y = (whole(lowering, one) for one in step.inputs)
    if not address or not isinstance(x, Array) or not isinstance(y, Array):
        raise NotLowered(f"a product of {dtype}")
    if {x.dtype, y.dtype} != {dtype} or not (x.dims and y.dims):
        raise NotLowered("a product of several dtypes")
    lowering.leave_unless_equal(y.dims[-2:][0], x.dims[-1])
    is_stack = max(len(x.dims), len(y.dims)) > 2
    if dtype.kind in "iu" and not is_stack:
        _of_ints(lowering, step, x, y)
        return
    both = [replace(one, dims=one.dims[:-2]) for one in (x, y)]
    stack = broadcast(lowering, both) if is_stack else ()
    if len(x.dims) == len(y.dims) == 1 and dtype.char in BY_BLAS:
        made = new_cell(lowering, dtype)
        add_products(lowering, x, y, made)
        lowering.give(step, *load(lowering, made))
        return
    symbol = f"{MATMUL}_{'_'.join([str(dtype.num)] * 3)}"
    lowering.outside[symbol] = (address, data)
    number = lowering.turns.number(lowering, step.inputs[1])

    def write(made: Array) -> None:
        _product(lowering, symbol, (x, y, made), stack, number)

    if variable.spec.shape == ():
        cell = new_cell(lowering, dtype)
        write(cell)
        lowering.give(step, *load(lowering, cell))
        return
    dims = (*stack, *x.dims[-2:-1], *y.dims[-1:][: len(y.dims) - 1])
    give_computed(lowering, step, Result(dtype, dims, (x, y)), write)
    lowering.warned += [step] if dtype.kind in "fc" else []


def add_products(
    lowering: Lowering, x: Array, y: Array, cell: Array, silent: str = ""
) -> None:
    """The sum of the products of two rows, into memory.

    silent: any word, where NumPy says nothing of what comes of it
    """
    if not abi.sum_of_products(x.dtype):
        raise NotLowered(f"a sum of products of {x.dtype}")
    rows = (x.data, x.strides[0], y.data, y.strides[0])
    operands = (*rows, cell.data, x.dims[0])
    lowering.emit(DOT, *operands, type=str(x.dtype.num), symbol=silent)


def _product(
    lowering: Lowering,
    symbol: str,
    arrays: tuple[Array, Array, Array],
    stack: Sequence[Operand],
    number: Operand,
) -> None:
    """The call of a loop, which goes over the last axis of a stack by itself.

    stack:  the sizes of the axes before those of the matrices
    number: by which the second one is known, if all turns of a loop read it
    """
    x, y, made = arrays
    if len(stack) > 1:
        index, rank = lowering.local(INT), len(stack) + 2
        own = len(made.dims)

        def each() -> None:
            parts = (
                row_of(lowering, x, index, rank),
                row_of(lowering, y, index, rank),
                row_of(lowering, made, index, own),
            )
            _product(lowering, symbol, parts, stack[1:], number)

        blocks = (lowering.within(each),)
        lowering.emit("for", index, stack[0], blocks=blocks)
        return
    # An axis that is not there has one element, and steps of nothing.
    rows, columns = x.dims[-2:-1], y.dims[-1:][: len(y.dims) - 1]
    sizes: list[Operand] = [*(stack or (1,)), *(rows or (1,))]
    sizes += [x.dims[-1], *(columns or (1,))]
    steps: list[Operand] = [_step_of(one, 3 if stack else 9) for one in (x, y)]
    steps += [made.strides[0] if stack else 0]
    steps += x.strides[-2:] if rows else (0, *x.strides)
    steps += y.strides[-2:] if columns else (*y.strides, 0)
    below = made.strides[len(stack) :]
    steps += [below[0] if rows else 0, below[-1] if columns else 0, number]
    operands = (x.data, y.data, made.data, *sizes, *steps)
    made_by = Instruction("product", (), operands, symbol=symbol)
    lowering.block.instructions.append(made_by)


def _step_of(array: Array, rank: int) -> Operand:
    """From one matrix of a stack to the next one; of a single one nothing."""
    if len(array.dims) < rank or is_one(array.dims[0]):
        return 0
    return array.strides[0]


def _of_ints(lowering: Lowering, step: Step, x: Array, y: Array) -> None:
    """A product of ints, which wrap round: they may be added in any order."""
    if len(y.dims) == 1:
        # Rows by one column.
        both = Map(x.dtype, x.dims, "multiply", (x, y))
        sums = Fusion(lowering, "add", both, len(x.dims) - 1, len(x.dims), None)
        if len(x.dims) == 1:
            lowering.give(step, *sums.number())
            return
        made = new_array(lowering, x.dtype, x.dims[:1])
        sums.fill(made)
    else:
        dims = (*x.dims[:-1], y.dims[1])
        made = result_array(lowering, step.outputs[0], x.dtype, dims)
        test = is_step_one(lowering, y)
        each = partial(_by_rows, lowering, made, x, y)
        side_by_side = (
            partial(emit_small_product, lowering, made, x, y)
            if is_small(x, y)
            else partial(each, True)
        )
        choice(lowering, test, side_by_side, partial(each, False))()
    give_array(lowering, step, made)


def _by_rows(
    lowering: Lowering, made: Array, x: Array, y: Array, one_piece: bool
) -> None:
    """Of each row of x the sum of y's rows, times its elements; several at once."""
    if len(x.dims) == 1:
        _one_row(lowering, made, x, y, one_piece)
        return
    index = lowering.local(INT)

    def row() -> None:
        to = row_of(lowering, made, index, 2)
        _one_row(lowering, to, row_of(lowering, x, index, 2), y, one_piece)

    blocks = (lowering.within(row),)
    lowering.emit("for", index, x.dims[0], blocks=blocks)


def _one_row(
    lowering: Lowering, to: Array, x: Array, y: Array, one_piece: bool
) -> None:
    (size,), dtype = x.dims, x.dtype
    zero = Number(dtype, False, (0,))
    some_rows(lowering, to, zero, 0, to.dims[0], one_piece)

    def add(first: Operand, count: int) -> None:
        """So many of y's rows, from one on."""
        total: Map | Array = to
        for number in range(count):
            at = first
            if number:
                at = lowering.compute("add", INT, first, number, type=INT)
            place = lowering.compute("address", POINTER, x.data, at, x.strides[0])
            one = Number(dtype, False, load(lowering, Array(dtype, 0, place, (), ())))
            times = Map(dtype, to.dims, "multiply", (row_of(lowering, y, at, 2), one))
            total = Map(dtype, to.dims, "add", (total, times))
        some_rows(lowering, to, total, 0, to.dims[0], one_piece)

    whole_parts = lowering.compute("sdiv", INT, size, AT_ONCE, type=INT)
    done = lowering.compute("mul", INT, whole_parts, AT_ONCE, type=INT)
    rest = lowering.compute("sub", INT, size, done, type=INT)
    many, single = lowering.local(INT), lowering.local(INT)

    def several() -> None:
        add(lowering.compute("mul", INT, many, AT_ONCE, type=INT), AT_ONCE)

    def one() -> None:
        add(lowering.compute("add", INT, done, single, type=INT), 1)

    for index, count, write in ((many, whole_parts, several), (single, rest, one)):
        blocks = (lowering.within(write),)
        lowering.emit("for", index, count, blocks=blocks)


LOWER[MATMUL] = OF_ARRAYS[MATMUL] = matmul
