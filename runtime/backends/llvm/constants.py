"""constants: the numbers and arrays that a graph holds, as operands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.backends.llvm.loops import POINTER, Array, Number
from runtime.backends.llvm.references import Hold
from runtime.backends.llvm.values import NotLowered, machine_type
from runtime.backends.numpy.program import Variable

if TYPE_CHECKING:
    from runtime.backends.llvm.operands import Operands


def constant_number(lowering: Operands, variable: Variable) -> Number | None:
    """The number that a variable always is."""
    if variable.index < 0:
        return None
    node = variable.home.steps[variable.index].node
    if node.op.name != "constant" or variable.spec.shape != ():
        return None
    value, spec = node.attributes["value"], lowering.number(variable.spec)
    if spec.dtype.kind == "c":
        parts: tuple[Any, ...] = (float(value.real), float(value.imag))
    else:
        kinds = {"b": bool, "i": int, "u": int, "f": float}
        parts = (kinds[spec.dtype.kind](value),)
    if spec.dtype.kind == "i" and not -(2**63) <= parts[0] < 2**63:
        raise NotLowered("a number of more than 64 bits")
    return Number(spec.dtype, spec.weak, parts)


def constant_array(lowering: Operands, variable: Variable) -> Array:
    """An array that the graph holds."""
    node = variable.home.steps[variable.index].node
    held = node.attributes.get("value")
    if variable.index < 0 or type(held) is not np.ndarray or not held.dtype.isnative:
        raise NotLowered(f"{variable!r} is not at hand")
    machine_type(held.dtype)
    if not held.flags.aligned:
        raise NotLowered("an array that is not aligned")
    # Their places are asked when the function begins: its text knows no address.
    thing, data = lowering.local(POINTER), lowering.local(POINTER)
    made = Array(held.dtype, thing, data, held.shape, held.strides)
    lowering.held[variable] = Hold(thing, None)
    lowering.constants.append((held, made))
    return made
