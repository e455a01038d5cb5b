"""linear: `np.linalg.solve`, `inv`, `det`, `cholesky` and `eigvalsh` of one matrix.

They are NumPy's own loops, which ask LAPACK. Where one notes an invalid value NumPy
raises: Python does it once more, and says what. Stacks of matrices are Python's.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.backends.llvm import abi
from runtime.backends.llvm.arrays import give_array, load, new_cell
from runtime.backends.llvm.float_errors import FLAGS, INVALID
from runtime.backends.llvm.handed import (
    leave_if_empty,
    matrix,
    row,
)
from runtime.backends.llvm.library import ROWS, Call
from runtime.backends.llvm.lines import LINEAR
from runtime.backends.llvm.loops import Array, Instruction, Number, Operand
from runtime.backends.llvm.stack import result_array
from runtime.backends.llvm.values import NotLowered

REAL, COMPLEX = np.dtype(float), np.dtype(complex)


def solve(known: Call) -> None:
    """`np.linalg.solve(a, b)`, of one column or several."""
    a, other = _square(known), known.operand("b")
    if isinstance(other, Number) or other.dtype.char in "efgFG":
        raise NotLowered("a column of other floats")
    lowering = known.lowering
    one = len(other.dims) == 1
    b = row(lowering, other, a.dtype) if one else matrix(lowering, other, a.dtype)
    lowering.leave_unless_equal(b.dims[0], a.dims[0])
    for axis in range(len(b.dims)):
        leave_if_empty(lowering, b, axis)
    made = result_array(lowering, known.step.outputs[0], a.dtype, b.dims)
    _run(known, "solve1" if one else "solve", [a, b, made], b.dims)
    give_array(lowering, known.step, made)


def inv(known: Call) -> None:
    """`np.linalg.inv(a)`."""
    _of_one(known, "inv")


def cholesky(known: Call) -> None:
    """`np.linalg.cholesky(a, upper=False)`."""
    upper = known.args.get("upper", False)
    if type(upper) is not bool:
        raise NotLowered("a side that the run knows")
    _of_one(known, "cholesky_up" if upper else "cholesky_lo")


def _of_one(known: Call, name: str) -> None:
    """A matrix of a matrix."""
    a = _square(known)
    made = result_array(known.lowering, known.step.outputs[0], a.dtype, a.dims)
    _run(known, name, [a, made], a.dims[:1])
    give_array(known.lowering, known.step, made)


def eigvalsh(known: Call) -> None:
    """`np.linalg.eigvalsh(a, UPLO)`."""
    side = known.args.get("UPLO", "L")
    if side not in ("L", "U"):
        raise NotLowered("a side that NumPy may refuse")
    a, lowering = _square(known), known.lowering
    made = result_array(lowering, known.step.outputs[0], REAL, a.dims[:1])
    _run(known, f"eigvalsh_{'lo' if side == 'L' else 'up'}", [a, made], a.dims[:1])
    give_array(lowering, known.step, made)


def det(known: Call) -> None:
    """`np.linalg.det(a)`, which is not told to be silent."""
    a, lowering = _square(known), known.lowering
    made = new_cell(lowering, a.dtype)
    _run(known, "det", [a, made], a.dims[:1], FLAGS)
    lowering.give(known.step, *load(lowering, made))


def _square(known: Call) -> Array:
    """The matrix, which is as wide as it is high, as floats."""
    found, lowering = known.operand("a"), known.lowering
    if isinstance(found, Number) or len(found.dims) != 2:
        raise NotLowered("a stack of matrices")
    dtype = COMPLEX if found.dtype.kind == "c" else REAL
    if found.dtype.kind in "fc" and found.dtype != dtype:
        raise NotLowered(f"a matrix of {found.dtype}")
    made = matrix(lowering, found, dtype)
    lowering.leave_unless_equal(made.dims[0], made.dims[1])
    leave_if_empty(lowering, made)
    return made


def _run(
    known: Call,
    name: str,
    arrays: list[Array],
    sizes: tuple[Operand, ...],
    told: int = INVALID,
) -> None:
    """The call of a loop, of one matrix; Python goes on where it notes this."""
    lowering = known.lowering
    dtypes = tuple(one.dtype for one in arrays)
    symbol = f"{abi.LINALG}{name}._{'_'.join(str(one.num) for one in dtypes)}"
    ufunc = abi.ufunc_named(f"{abi.LINALG}{name}.")
    found = abi.ufunc_loop(ufunc, dtypes) if ufunc is not None else (0, 0)
    if not found[0]:
        raise NotLowered(f"no loop of NumPy's for {name} of {dtypes}")
    lowering.outside[symbol] = found
    steps: list[Any] = [0] * len(arrays)
    for one in arrays:
        steps += one.strides
    args = (*(one.data for one in arrays), 1, *sizes, *steps)
    exit = lowering.exit()
    words = f"{len(arrays)} {len(sizes) + 1} {told}"
    made = Instruction(LINEAR, (), args, exit=exit, symbol=symbol, type=words)
    lowering.block.instructions.append(made)


ROWS |= {
    "solve": (("a", "b"), solve),
    "inv": (("a",), inv),
    "det": (("a",), det),
    "cholesky": (("a", "upper"), cholesky),
    "eigvalsh": (("a", "UPLO"), eigvalsh),
}
