"""operations: what a ufunc gives of arrays and numbers, as an expression."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.backends.llvm import abi
from runtime.backends.llvm.elements import is_own, is_simple
from runtime.backends.llvm.library_bits import of_elements, of_known_power
from runtime.backends.llvm.loops import Local, Map, Number, Numeric, Operand
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.maps import DOUBLES, as_dtype, broadcast
from runtime.backends.llvm.powers import never_raises
from runtime.backends.llvm.values import NotLowered
from runtime.backends.numpy.program import Step

# Of ints: NumPy's loops raise, or warn in a way of their own.
RAISING = frozenset(
    {"power", "divmod", "floor_divide", "remainder", "fmod", "reciprocal"}
)
# Exponents of so few products that these are within 4 units of the power, and where
# something between is no float, neither is the power.
FEW_PRODUCTS = range(2, 9)
PYTHONS = {np.dtype(int): int, np.dtype(float): float, np.dtype(complex): complex}


def operation(
    lowering: Lowering, step: Step, ufunc: np.ufunc, operands: Sequence[Numeric | Map]
) -> Map:
    """What a ufunc of one result gives for these operands, as an expression."""
    found = dtypes_of(ufunc, operands)
    args = as_taken(lowering, operands, found)
    dims = broadcast(lowering, args)
    made = expression_of(lowering, step, ufunc, found, args, dims)
    lowering.outside |= made.outside
    return made


def as_taken(
    lowering: Lowering,
    operands: Sequence[Numeric | Map],
    found: Sequence[np.dtype[Any]],
) -> tuple[Numeric | Map, ...]:
    """The operands as the ufunc takes them."""
    return tuple(
        as_dtype(lowering, operand, wanted)
        for operand, wanted in zip(operands, found, strict=False)
    )


def dtypes_of(
    ufunc: np.ufunc, operands: Sequence[Numeric | Map]
) -> tuple[np.dtype[Any], ...]:
    """The dtypes of what a ufunc takes, and of what it gives, for such operands."""
    given = [_kind_of(operand) for operand in operands]
    try:
        return ufunc.resolve_dtypes((*given, None))
    except TypeError as error:
        # Of a ufunc that writes into an array only the run says so.
        raise NotLowered(f"{ufunc.__name__} of {given}") from error


def _kind_of(operand: Numeric | Map) -> Any:
    weak = isinstance(operand, Number) and operand.weak
    if isinstance(weak, Local):
        raise NotLowered("a number that may be Python's or NumPy's")
    return PYTHONS.get(operand.dtype, operand.dtype) if weak else operand.dtype


def expression_of(
    lowering: Lowering,
    step: Step,
    ufunc: np.ufunc,
    found: Sequence[np.dtype[Any]],
    args: tuple[Numeric | Map, ...],
    dims: tuple[Operand, ...],
) -> Map:
    """The expression: an operation of the machine's, or ours, or a loop of NumPy's."""
    name = ufunc.__name__
    is_ours = not lowering.precise and is_own(name, found)
    if is_ours and (products := _by_products(lowering, name, found, args, dims)):
        return products
    if is_ours or is_simple(name, found, args):
        return Map(found[-1], dims, name, args)
    if found[-1].kind in "iu" and name in RAISING:
        if name != "power" or not never_raises(args[1]):
            raise NotLowered(f"{name} of arrays of ints")
    if lowering.precise and (known := of_elements(name, found, args)):
        return Map(found[-1], dims, known, args)
    address, data = abi.ufunc_loop(ufunc, tuple(found))
    if not address:
        raise NotLowered(f"{name} of {found}")
    symbol = f"{name}_{'_'.join(str(one.num) for one in found)}"
    return Map(found[-1], dims, "", args, symbol, {symbol: (address, data)})


def _by_products(
    lowering: Lowering,
    name: str,
    found: Sequence[np.dtype[Any]],
    args: tuple[Numeric | Map, ...],
    dims: tuple[Operand, ...],
) -> Map | None:
    """A power by a known half of an int, which needs no logarithm."""
    known = of_known_power(args[1]) if name == "power" else None
    if known is None:
        return None
    for exponent in FEW_PRODUCTS:
        if isinstance(args[1], Number) and args[1].parts[0] == exponent:
            return _power_of(args[0], exponent, found[-1], dims)
    wide = tuple(as_dtype(lowering, one, DOUBLES) for one in args)
    made = Map(DOUBLES, dims, known, wide)
    return made if found[-1] == DOUBLES else Map(found[-1], dims, "cast", (made,))


def _power_of(
    base: Numeric | Map, exponent: int, dtype: np.dtype[Any], dims: tuple[Operand, ...]
) -> Map:
    """Squares of squares, and what is left."""

    def product(a: Numeric | Map, b: Numeric | Map) -> Map:
        return Map(dtype, dims, "multiply", (a, b))

    if exponent == 2:
        return product(base, base)
    if exponent % 2:
        return product(_power_of(base, exponent - 1, dtype, dims), base)
    half = _power_of(base, exponent // 2, dtype, dims)
    return product(half, half)
