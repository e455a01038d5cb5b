"""handed: rows and numbers in memory, for the functions that `helpers.py` calls."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.backends.llvm.arrays import new_cell, put
from runtime.backends.llvm.blocks import materialized, new_array, on_stack
from runtime.backends.llvm.laid import leave_if_below_one
from runtime.backends.llvm.loops import (
    POINTER,
    Array,
    Local,
    Map,
    Number,
    Operand,
)
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.numbers import convert
from runtime.backends.llvm.pieces import flat, is_one_piece, product
from runtime.backends.llvm.references import Hold
from runtime.backends.llvm.stack import stays_inside
from runtime.backends.llvm.values import NotLowered, machine_type
from runtime.backends.llvm.views import as_copied
from runtime.backends.numpy.program import Variable
from runtime.structs import replace

Given = Number | Array | Map


def row(
    lowering: Lowering,
    value: Given,
    dtype: np.dtype[Any] | None = None,
    side_by_side: bool = False,
) -> Array:
    """An array of one dim; a copy if that is of another dtype, or an expression.

    side_by_side: without steps in between
    """
    if isinstance(value, Number) or len(value.dims) != 1:
        raise NotLowered("what is no row")
    if dtype is not None and dtype != value.dtype:
        value = _cast(value, dtype)
    assert not isinstance(value, Number)
    if isinstance(value, Array):
        (step,) = value.strides
        if not side_by_side or step == value.dtype.itemsize:
            return value
    return in_memory(lowering, value)


def elements_of(lowering: Lowering, value: Given, dtype: np.dtype[Any]) -> Array:
    """All elements, in C's order, as a row of a dtype; a copy if they are none."""
    if isinstance(value, Number) or len(value.dims) == 1:
        return row(lowering, value, dtype)
    made = in_memory(lowering, value if value.dtype == dtype else _cast(value, dtype))
    return flat(made, product(lowering, made.dims))


def flattened(lowering: Lowering, value: Array | Map) -> Array:
    """All elements, in C's order, as a row: where they are, if that is one piece."""
    if len(value.dims) == 1:
        return row(lowering, value)
    size = product(lowering, value.dims)
    if isinstance(value, Array):
        piece = is_one_piece(lowering, value)
        if piece is True:
            return flat(value, size)
        if piece is not False and isinstance(value.object, Local):
            made = as_copied(lowering, value, value, piece)
            keep_for_now(lowering, made)
            return flat(made, size)
    return flat(in_memory(lowering, value), size)


def matrix(lowering: Lowering, value: Given, dtype: np.dtype[Any]) -> Array:
    """An array of two dims, of a dtype; a copy if that is another, or an expression."""
    if isinstance(value, Number) or len(value.dims) != 2:
        raise NotLowered("what is no matrix")
    if value.dtype != dtype:
        value = _cast(value, dtype)
    return value if isinstance(value, Array) else in_memory(lowering, value)


def _cast(value: Array | Map, dtype: np.dtype[Any]) -> Map:
    """The elements as those of a dtype that has room for them all."""
    if value.dtype.kind not in "biuf" or not np.can_cast(value.dtype, dtype):
        raise NotLowered(f"{value.dtype} as {dtype}")
    machine_type(value.dtype)
    return Map(dtype, value.dims, "cast", (value,))


def in_memory(lowering: Lowering, value: Array | Map) -> Array:
    """A copy in C's order that lives until the step at hand is done."""
    return materialized(lowering, value, temporary)


def temporary(lowering: Lowering, dtype: np.dtype[Any], dims: Any) -> Array:
    """Memory until the step at hand is done: on the stack, if it is little."""
    found = on_stack(lowering, dtype, dims)
    if found is not None:
        return found
    made = new_array(lowering, dtype, dims)
    keep_for_now(lowering, made)
    return made


def keep_for_now(lowering: Lowering, one: Array) -> None:
    """Let go of an array when the step at hand is done, or left."""
    body, position = lowering.place
    lowering.holds.append(Hold(one.object, body, [], position))


def result_of_some(
    lowering: Lowering,
    variable: Variable,
    dtype: np.dtype[Any],
    count: Operand,
    most: Operand,
) -> Array:
    """An array for so many elements of at most `most`, which may lie on the stack."""
    if not isinstance(most, Local) and stays_inside(lowering, variable):
        found = on_stack(lowering, dtype, (most,))
        if found is not None:
            return replace(found, dims=(count,))
    return new_array(lowering, dtype, (count,))


def buffer(lowering: Lowering, dtype: np.dtype[Any], count: int = 1) -> Local:
    """A place on the stack for so many numbers."""
    return lowering.compute("buffer", POINTER, symbol=str(count * dtype.itemsize))


def cell(lowering: Lowering, number: Number, dtype: np.dtype[Any]) -> Operand:
    """A number in memory, as one of a dtype."""
    made = new_cell(lowering, dtype)
    put(lowering, made, convert(lowering, number, dtype))
    return made.data


def leave_if_empty(lowering: Lowering, one: Array, axis: int = 0) -> None:
    """Let Python say what comes of an array without elements."""
    leave_if_below_one(lowering, one.dims[axis])
