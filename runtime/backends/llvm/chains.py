"""chains: what elementwise ops of whole arrays become: one loop for a chain of them.

The result of such an op is not computed at once: it is a Map, an expression of its
elements, which the one op that uses it computes with its own, or stores where it goes.
What is used twice, or by anything else, is made an array where it stands. So is what
something that may write memory comes after.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.backends.llvm import abi
from runtime.backends.llvm.blocks import materialized
from runtime.backends.llvm.elements import is_simple
from runtime.backends.llvm.functions import OWN_ERRORS
from runtime.backends.llvm.loops import Local, Map, Number, Numeric, Operand
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.maps import as_dtype, broadcast
from runtime.backends.llvm.values import NotLowered, is_elementwise
from runtime.backends.numpy.program import Step, Variable
from runtime.memory import STORES

REDUCTIONS = ("sum", "mean", "prod", "max", "min", "any", "all")
# The ops that take a Map as it is.
TAKERS = frozenset({"store", "where", "array_power", *REDUCTIONS})
# What the operator `**` takes short cuts for.
SHORT_CUTS: dict[Any, np.ufunc] = {2: np.square, 0.5: np.sqrt, 1: np.positive}
PYTHONS = {np.dtype(int): int, np.dtype(float): float, np.dtype(complex): complex}


def elementwise(lowering: Lowering, step: Step) -> None:
    """A ufunc of arrays."""
    ufunc, inputs = _ufunc_of(lowering, step)
    operands = [lowering.operand(variable) for variable in inputs]
    (variable,) = step.outputs
    dtype = variable.spec.dtype
    given = [_kind_of(operand) for operand in operands]
    found = ufunc.resolve_dtypes((*given, None))
    if found[-1] != dtype or ufunc.nout != 1:
        raise NotLowered(f"{step.node.op.name} of {given}")
    args = tuple(
        as_dtype(lowering, operand, wanted)
        for operand, wanted in zip(operands, found, strict=False)
    )
    dims = broadcast(lowering, args)
    made = _made(step, ufunc, found, args, dims)
    lowering.outside |= made.outside
    if dtype is not None and dtype.kind in "fc":
        lowering.warned.append(step)
    give(lowering, step, made, inputs)


def _ufunc_of(lowering: Lowering, step: Step) -> tuple[np.ufunc, list[Variable]]:
    """The ufunc that a step is, and its operands."""
    ufunc, name = step.node.op.numpy, step.node.op.name
    if name == "array_power":
        base, exponent = step.inputs
        value = lowering.value(exponent)
        known = isinstance(value, Number) and len(value.parts) == 1
        n = value.parts[0] if known and isinstance(value, Number) else None
        if not isinstance(n, Local) and n in SHORT_CUTS and base.spec.dtype is not None:
            if base.spec.dtype.kind == "f":
                return SHORT_CUTS[n], [base]
        raise NotLowered("a power of arrays")
    if not is_elementwise(ufunc) or step.node.attributes:
        raise NotLowered(f"{name} of arrays")
    return ufunc, step.inputs


def _kind_of(operand: Numeric | Map) -> Any:
    weak = isinstance(operand, Number) and operand.weak
    if isinstance(weak, Local):
        raise NotLowered("a number that may be Python's or NumPy's")
    return PYTHONS.get(operand.dtype, operand.dtype) if weak else operand.dtype


def _made(
    step: Step,
    ufunc: np.ufunc,
    found: Sequence[np.dtype[Any]],
    args: tuple[Numeric | Map, ...],
    dims: tuple[Operand, ...],
) -> Map:
    """The expression: an operation of the machine's, or a loop of NumPy's."""
    name = ufunc.__name__
    if is_simple(name, found, args):
        return Map(found[-1], dims, name, args)
    integers = found[-1].kind in "iu"
    if integers and (name in OWN_ERRORS or name in ("floor_divide", "remainder")):
        raise NotLowered(f"{name} of arrays of ints")
    address, data = abi.ufunc_loop(ufunc, tuple(found))
    if not address:
        raise NotLowered(f"{name} of {found}")
    symbol = f"{name}_{'_'.join(str(one.num) for one in found)}"
    return Map(found[-1], dims, "", args, symbol, {symbol: (address, data)})


def give(lowering: Lowering, step: Step, made: Map, inputs: Sequence[Variable]) -> None:
    """The step's result: the Map itself where one op alone takes it, else an array."""
    (variable,) = step.outputs
    end = lowering.end_of(variable.home)
    if not _is_taken_once(variable, lowering.place[1], end):
        array = materialized(lowering, made)
        lowering.values[variable] = array
        lowering.hold(variable, array.object, lowering.place[0])
        return
    lowering.values[variable] = made
    # What it reads stays until it is computed.
    for one in inputs:
        for hold in lowering.reads_of(one):
            hold.variables.append(variable)
            lowering.read_by.setdefault(variable, []).append(hold)


def _is_taken_once(variable: Variable, position: int, end: int) -> bool:
    """Whether one step of the same body takes it, and none before that writes."""
    body = variable.home
    last = body.last_use.get(variable, -1)
    if last >= end or last <= position or variable in body.kept:
        return False
    taker = body.steps[last]
    between = body.steps[position + 1 : last]
    uses = sum(step.inputs.count(variable) for step in (*between, taker))
    writes = any(step.bodies or step.node.op.name in STORES for step in between)
    ufunc = is_elementwise(taker.node.op.numpy)
    takes = ufunc or taker.node.op.name in TAKERS
    is_target = taker.node.op.name == "store" and taker.inputs[1] is not variable
    return uses == 1 and takes and not writes and not is_target
