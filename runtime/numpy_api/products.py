"""NumPy's products of arrays, and what has to do with diagonals."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.layouts import Unknown, lying
from runtime.numpy_api import host, shaping
from runtime.numpy_api.found import Found
from runtime.numpy_api.indexing import view
from runtime.numpy_api.operands import array_tensor, as_array, static_axis
from runtime.numpy_api.shaping import ravel
from runtime.numpy_api.table import implements
from runtime.numpy_api.trials import tried
from runtime.ops import create, linalg, reduce
from runtime.ops.elementwise import UFUNCS
from runtime.ops.template import Input
from runtime.ops.views import write_through
from runtime.tensor import Tensor


@implements(np.dot, operands=2)
def dot(a: Any, b: Any) -> Any:
    """`np.dot`."""
    return linalg.dot(as_array(a), as_array(b))


@implements(np.vdot, operands=2)
def vdot(a: Any, b: Any, /) -> Any:
    """`np.vdot`."""
    return linalg.vdot(as_array(a), as_array(b))


@implements(np.inner, operands=2)
def inner(a: Any, b: Any, /) -> Any:
    """`np.inner`."""
    return linalg.inner(as_array(a), as_array(b))


@implements(np.outer, operands=2)
def outer(a: Any, b: Any) -> Any:
    """`np.outer`."""
    return linalg.outer(as_array(a), as_array(b))


@implements(np.kron, operands=2)
def kron(a: Any, b: Any) -> Any:
    """`np.kron`."""
    return linalg.kron(as_array(a), as_array(b))


@implements(np.cross, operands=2)
def cross(a: Any, b: Any) -> Any:
    """`np.cross` along the last axes, of vectors of size 3."""
    x, y = as_array(a), as_array(b)
    if not all(z.spec.shape and z.spec.shape[-1] == 3 for z in (x, y)):
        return NotImplemented
    return linalg.cross(x, y)


@implements(np.tensordot, operands=2)
def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    """`np.tensordot`."""
    if not isinstance(axes, int):
        first, second = map(static_axis, axes)
        axes = tuple((x,) if isinstance(x, int) else x for x in (first, second))
    made = linalg.tensordot(as_array(a), as_array(b), axes=axes)
    return array_tensor(made)


@implements(np.einsum, operands=2)
def einsum(subscripts: Any, *operands: Any, optimize: Any = False) -> Any:
    """`np.einsum` with subscripts as text."""
    if not isinstance(subscripts, str):
        return NotImplemented
    arrays = list(map(as_array, operands))
    order = _order(subscripts, arrays)
    if order is not None:
        return shaping.transpose(arrays[0], order)
    if len(arrays) == 1 and _only_rearranges(subscripts):
        options = {} if optimize is False else {"optimize": optimize}
        return host.call(np.einsum, (subscripts, arrays[0]), options)
    made = linalg.einsum(*arrays, subscripts=subscripts, optimize=optimize)
    if made.spec.rank == 0 and optimize is not False:
        # A product of matrices is an array without dims, where that is the last step.
        found = _tried(subscripts, arrays, optimize).arrays
        return array_tensor(made) if any(found) else made
    # It may lie in another order than C's: as the operands do.
    if made.spec.rank not in (0, 1) and any(
        _tried(subscripts, arrays, optimize).turned
    ):
        made.layout = Unknown.LAYOUT
    return made


def _tried(subscripts: str, arrays: list[Tensor], optimize: Any) -> Found:
    """What NumPy gives for samples of the operands."""
    places = tuple(map(Input, range(len(arrays))))
    template = (subscripts, *places), {"optimize": optimize}
    specs = [one.value.spec for one in arrays]
    return tried(np.einsum, template, specs, True, [*map(lying, arrays)])


def _order(subscripts: str, arrays: list[Tensor]) -> tuple[int, ...] | None:
    """The order of the axes, where a call gives its one operand with its axes turned.

    That is a view, which may be written.
    """
    before, arrow, after = subscripts.replace(" ", "").partition("->")
    letters = after if arrow else "".join(sorted(before))
    is_named = before.isascii() and before.isalpha()
    if len(arrays) != 1 or not is_named or sorted(letters) != sorted(before):
        return None
    spec = arrays[0].spec
    numbers = spec.dtype is not None and spec.dtype.kind in "biufc" and not spec.kinds
    if not numbers or spec.rank != len(before) or len(set(before)) != len(before):
        return None
    return tuple(map(before.index, letters))


def _only_rearranges(subscripts: str) -> bool:
    """True where nothing is summed, so that NumPy gives a view."""
    before, arrow, after = subscripts.replace(" ", "").partition("->")
    return set(before) == set(after) if arrow else len(set(before)) == len(before)


@implements(np.linalg.norm)
def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """`np.linalg.norm` of vectors of floats: in NumPy's own steps."""
    base = as_array(x)
    dtype, rank = base.spec.dtype, base.spec.rank
    if dtype is None or dtype.char not in "fd" or keepdims is not False:
        return NotImplemented
    if axis is None and (ord is None or (ord, rank) == (2, 1)):
        # What has gaps is laid out first, as NumPy does it: sums have other bits then.
        row = ravel(base, "C" if rank == 1 else "K")
        return UFUNCS[np.sqrt](linalg.dot(row, row))
    if axis is None and rank == 1:
        axis = 0
    if type(axis) is not int or ord not in (None, 1, 2):
        return NotImplemented
    add = reduce.REDUCTIONS[np.sum]
    if ord == 1:
        return add(UFUNCS[np.absolute](base), axis=axis)
    return UFUNCS[np.sqrt](add(UFUNCS[np.multiply](base, base), axis=axis))


@implements(np.trace)
def trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """`np.trace`."""
    return linalg.trace(as_array(a), offset=offset, axis1=axis1, axis2=axis2)


@implements(np.diagonal)
def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """`np.diagonal`: a read-only view."""
    base = as_array(a)

    def read(x: Tensor) -> Tensor:
        return linalg.diagonal(x, offset=offset, axis1=axis1, axis2=axis2)

    def write(whole: Tensor, part: Tensor) -> Tensor:
        options = {"offset": offset, "axis1": axis1, "axis2": axis2}
        made = write_through(
            whole, part, function=_writable_diagonal, args=(Input(0),), kwargs=options
        )
        return made

    return view(base, read(base), read, write, locked=True)


def _writable_diagonal(x: Any, **options: Any) -> Any:
    # `ufunc.at` writes into it all the same.
    made = np.diagonal(x, **options)
    made.flags.writeable = True
    return made


@implements(np.diag)
def diag(v: Any, k: int = 0) -> Any:
    """`np.diag`: of a matrix a read-only view."""
    base = as_array(v)
    return diagonal(base, k) if base.spec.rank == 2 else linalg.diag(base, k=k)


@implements(np.tril)
def tril(m: Any, k: int = 0) -> Any:
    """`np.tril`."""
    return linalg.tril(as_array(m), k=k)


@implements(np.triu)
def triu(m: Any, k: int = 0) -> Any:
    """`np.triu`."""
    return linalg.triu(as_array(m), k=k)


@implements(np.meshgrid)
def meshgrid(
    *xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy"
) -> Any:
    """`np.meshgrid`."""
    if not copy:
        return NotImplemented
    made = create.meshgrid(*map(as_array, xi), indexing=indexing, sparse=sparse)
    return made if isinstance(made, tuple) else (made,)
