"""Products of arrays: matmul, dot, einsum and their kin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime import shapes
from runtime.op import op
from runtime.ops.elementwise import UFUNCS, ufunc_dtypes
from runtime.ops.inference import (
    DType,
    axis_of,
    refuse_as_numpy,
    sampled_dtype,
    stand_in,
)
from runtime.shapes import Dim, Shape
from runtime.spec import TensorSpec, result_dtype


def _agree(a: Dim, b: Dim) -> bool:
    """False when two sizes that must be equal certainly are not."""
    return not (isinstance(a, int) and isinstance(b, int)) or a == b


@op(numpy=np.matmul, source="{0} @ {1}", out=True)
def matmul(x: TensorSpec, y: TensorSpec) -> TensorSpec:
    """`x @ y`: [..., m, n] @ [..., n, p] -> [..., m, p]; 1-d: a row, a column.

    ValueError: a 0-d operand, or the inner sizes differ.
    """
    dtype = ufunc_dtypes(np.matmul, (x.strong(), y.strong()))[0]
    if x.shape is None or y.shape is None:
        return TensorSpec(None, dtype)
    a, b = x.shape, y.shape
    wrong = not a or not b or not _agree(a[-1], b[-2] if len(b) > 1 else b[-1])
    if wrong:
        refuse_as_numpy(np.matmul, stand_in(x), stand_in(y))
    batch = shapes.broadcast(a[:-2], b[:-2])
    assert batch is not None
    rows = a[-2:-1]
    columns = b[-1:] if len(b) > 1 else ()
    return TensorSpec((*batch, *rows, *columns), dtype)


UFUNCS[np.matmul] = matmul


@op(numpy=np.dot, out=True)
def dot(x: TensorSpec, y: TensorSpec) -> TensorSpec:
    """Sum over x's last and y's last but one axis; a product with a 0-d operand.

    ValueError: those sizes differ.
    """
    dtype = _product_dtype(np.dot, x, y)
    if x.shape is None or y.shape is None:
        return TensorSpec(None, dtype)
    a, b = x.shape, y.shape
    if not a or not b:
        return TensorSpec(a + b, dtype)
    if not _agree(a[-1], b[-2] if len(b) > 1 else b[-1]):
        refuse_as_numpy(np.dot, stand_in(x), stand_in(y))
    return TensorSpec((*a[:-1], *b[:-2], *(b[-1:] if len(b) > 1 else ())), dtype)


def _product_dtype(
    function: Callable[..., Any], x: TensorSpec, y: TensorSpec
) -> DType | None:
    return sampled_dtype(function, x.strong(), y.strong())


@op(numpy=np.vdot)
def vdot(x: TensorSpec, y: TensorSpec) -> TensorSpec:
    """The sum of conj(x) * y over the flat arrays."""
    return TensorSpec((), _product_dtype(np.vdot, x, y))


@op(numpy=np.inner)
def inner(x: TensorSpec, y: TensorSpec) -> TensorSpec:
    """Sum over the last axes of both; a product with a 0-d operand.

    ValueError: those sizes differ.
    """
    dtype = _product_dtype(np.inner, x, y)
    if x.shape is None or y.shape is None:
        return TensorSpec(None, dtype)
    if not x.shape or not y.shape:
        return TensorSpec(x.shape + y.shape, dtype)
    if not _agree(x.shape[-1], y.shape[-1]):
        refuse_as_numpy(np.inner, stand_in(x), stand_in(y))
    return TensorSpec((*x.shape[:-1], *y.shape[:-1]), dtype)


@op(numpy=np.outer)
def outer(x: TensorSpec, y: TensorSpec) -> TensorSpec:
    """Every product of an element of x and one of y, both flat: [x.size, y.size]."""
    sizes = (shapes.size_of(x.shape), shapes.size_of(y.shape))
    return TensorSpec(sizes, _product_dtype(np.outer, x, y))


@op(numpy=np.kron)
def kron(x: TensorSpec, y: TensorSpec) -> TensorSpec:
    """The Kronecker product: y times each element of x, in blocks."""
    dtype = _product_dtype(np.kron, x, y)
    if x.shape is None or y.shape is None:
        return TensorSpec(None, dtype)
    rank = max(len(x.shape), len(y.shape))
    padded = ((1,) * (rank - len(s)) + s for s in (x.shape, y.shape))
    return TensorSpec([_times(*dims) for dims in zip(*padded, strict=True)], dtype)


def _times(a: Dim, b: Dim) -> Dim:
    return a * b if isinstance(a, int) and isinstance(b, int) else None


def _cross(x: Any, y: Any) -> Any:
    return np.cross(np.repeat(x, 3), np.repeat(y, 3))


@op(numpy=np.cross)
def cross(x: TensorSpec, y: TensorSpec) -> TensorSpec:
    """The cross product of vectors of size 3 along the last axes."""
    return TensorSpec(shapes.broadcast(x.shape, y.shape), _product_dtype(_cross, x, y))


Axes = int | tuple[tuple[int, ...], tuple[int, ...]]


@op(numpy=np.tensordot)
def tensordot(x: TensorSpec, y: TensorSpec, *, axes: Axes = 2) -> TensorSpec:
    """Sum over pairs of axes: the last of x with the first of y, or those named.

    ValueError: a pair differs in size.
    """
    dtype = _product_dtype(np.dot, x, y)
    if x.shape is None or y.shape is None:
        return TensorSpec(None, dtype)
    if isinstance(axes, int):
        pair = (tuple(range(-axes, 0)), tuple(range(axes)))
    else:
        pair = axes
    gone_x = [axis_of(axis, len(x.shape)) for axis in pair[0]]
    gone_y = [axis_of(axis, len(y.shape)) for axis in pair[1]]
    pairs = zip(gone_x, gone_y, strict=False)
    if len(gone_x) != len(gone_y) or not all(
        _agree(x.shape[i], y.shape[j]) for i, j in pairs
    ):
        raise ValueError("shape-mismatch for sum")
    return TensorSpec((*_left(x.shape, gone_x), *_left(y.shape, gone_y)), dtype)


def _left(dims: Sequence[Dim], gone: Sequence[int]) -> list[Dim]:
    return [dim for index, dim in enumerate(dims) if index not in gone]


def _einsum(*xs: Any, subscripts: str, optimize: Any = False) -> Any:
    return np.einsum(subscripts, *xs, optimize=optimize)


@op(kernel=_einsum, numpy=np.einsum)
def einsum(*xs: TensorSpec, subscripts: str, optimize: Any = False) -> TensorSpec:
    """Einstein's summation by `subscripts`, as in "ij,jk->ik".

    ValueError: the subscripts do not fit the operands.
    """
    dtype = result_dtype(*(x.strong() for x in xs))
    if any(x.shape is None for x in xs):
        return TensorSpec(None, dtype)
    text = _without_dots(subscripts.replace(" ", ""), [x.rank or 0 for x in xs])
    operands, arrow, output = text.partition("->")
    terms = operands.split(",")
    if "." in text or len(terms) != len(xs):
        return TensorSpec(None, dtype)
    sizes: dict[str, Dim] = {}
    for term, x in zip(terms, xs, strict=True):
        if len(term) != x.rank:
            samples = map(stand_in, xs)
            refuse_as_numpy(np.einsum, subscripts, *samples, optimize=optimize)
        for letter, dim in zip(term, x.shape or (), strict=True):
            known = sizes.get(letter)
            # An axis of size 1 is broadcast.
            sizes[letter] = dim if known in (None, 1) else known
    if not arrow:
        output = "".join(sorted(c for c in sizes if operands.count(c) == 1))
    return TensorSpec([sizes[letter] for letter in output], dtype)


# `string` would be loaded for these alone.
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _without_dots(text: str, ranks: Sequence[int]) -> str:
    """Subscripts with letters for the axes of `...`, the last ones of all alike."""
    operands, arrow, output = text.partition("->")
    terms = operands.split(",")
    if "..." not in text or len(terms) != len(ranks):
        return text
    free = "".join(c for c in _LETTERS if c not in text)
    counts = [rank - len(term) + 3 for term, rank in zip(terms, ranks, strict=True)]
    if max(counts) > len(free) or min(counts) < 0:
        return text
    widest = 0
    for place, (term, count) in enumerate(zip(terms, counts, strict=True)):
        if "..." in term:
            terms[place] = term.replace("...", free[len(free) - count :])
            widest = max(widest, count)
    dots = free[len(free) - widest :]
    if not arrow:
        once = (c for c in operands if c not in ".," and operands.count(c) == 1)
        output = "..." + "".join(sorted(once))
    return f"{','.join(terms)}->{output.replace('...', dots)}"


def _plane(
    shape: Shape, axis1: int, axis2: int
) -> tuple[list[Dim], tuple[Dim, Dim]] | None:
    """The dims that a diagonal leaves, and those of the plane that it lies in."""
    if shape is None:
        return None
    if len(shape) < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    i, j = axis_of(axis1, len(shape)), axis_of(axis2, len(shape))
    return _left(shape, (i, j)), (shape[i], shape[j])


@op(numpy=np.trace)
def trace(
    x: TensorSpec, *, offset: int = 0, axis1: int = 0, axis2: int = 1
) -> TensorSpec:
    """The sum along the diagonal of the plane of the two axes."""
    dtype = sampled_dtype(np.trace, x, rank=2)
    found = _plane(x.shape, axis1, axis2)
    return TensorSpec(None if found is None else found[0], dtype)


@op(numpy=np.diagonal, view=True)
def diagonal(
    x: TensorSpec, *, offset: int = 0, axis1: int = 0, axis2: int = 1
) -> TensorSpec:
    """The diagonal of the plane of the two axes, as the last axis; read-only."""
    found = _plane(x.shape, axis1, axis2)
    if found is None:
        return TensorSpec(None, x.dtype)
    left, plane = found
    return TensorSpec((*left, diagonal_size(*plane, offset)), x.dtype)


def diagonal_size(rows: Dim, columns: Dim, offset: int) -> Dim:
    """How long the diagonal is; None when a size is unknown."""
    if not isinstance(rows, int) or not isinstance(columns, int):
        return None
    if offset < 0:
        return max(min(rows + offset, columns), 0)
    return max(min(rows, columns - offset), 0)


@op(numpy=np.diag)
def diag(x: TensorSpec, *, k: int = 0) -> TensorSpec:
    """The k-th diagonal of a matrix; of a 1-d array the matrix that has it there."""
    if x.shape is None:
        return TensorSpec(None, x.dtype)
    if len(x.shape) == 1:
        size = x.shape[0]
        full = size + abs(k) if isinstance(size, int) else None
        return TensorSpec((full, full), x.dtype)
    if len(x.shape) != 2:
        raise ValueError("Input must be 1- or 2-d.")
    return TensorSpec((diagonal_size(x.shape[0], x.shape[1], k),), x.dtype)


def _triangle(x: TensorSpec) -> TensorSpec:
    if x.shape is not None and len(x.shape) == 1:
        return TensorSpec((x.shape[0], x.shape[0]), x.dtype)
    return x.strong()


@op(numpy=np.tril)
def tril(x: TensorSpec, *, k: int = 0) -> TensorSpec:
    """`x` with zeros above the k-th diagonal."""
    return _triangle(x)


@op(numpy=np.triu)
def triu(x: TensorSpec, *, k: int = 0) -> TensorSpec:
    """`x` with zeros below the k-th diagonal."""
    return _triangle(x)
