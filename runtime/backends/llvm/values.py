"""values: which machine types the numbers of a program have."""

from __future__ import annotations

import sys
from typing import Any, TypeGuard

import numpy as np

from runtime.graph import Node
from runtime.ops.template import Input
from runtime.ops.world import Looked
from runtime.spec import TensorSpec, of_kinds


class NotLowered(Exception):
    """This cannot be machine code; says what."""


def machine_type(dtype: np.dtype[Any]) -> str:
    """The type of a local that holds one number, or one part of it."""
    if dtype.kind == "b":
        return "i1"
    if dtype.kind in "iu" and dtype.isnative:
        return f"i{8 * dtype.itemsize}"
    parts = 2 if dtype.kind == "c" else 1
    types = {4: "float", 8: "double"}  # as in loops.py
    if dtype.kind in "fc" and dtype.itemsize // parts in types and dtype.isnative:
        return types[dtype.itemsize // parts]
    raise NotLowered(f"numbers of dtype {dtype}")


def narrowed(spec: TensorSpec) -> TensorSpec:
    """What machine code takes a value for: of a float or a complex number a float.

    Where it is complex, and that is found when it comes in or is made, Python goes on.
    """
    reals = [one for one in spec.kinds if one[0].kind != "c"]
    if len(reals) == len(spec.kinds) or any(one[0].kind != "f" for one in reals):
        return spec
    return of_kinds(spec.shape, reals) if reals else spec


def parts_of(dtype: np.dtype[Any]) -> int:
    """Of how many operands a number consists."""
    return 2 if dtype.kind == "c" else 1


def memory_type(dtype: np.dtype[Any]) -> str:
    """How one part of a number lies in memory."""
    kind = machine_type(dtype)
    return "i8" if kind == "i1" else kind


def is_elementwise(function: Any) -> TypeGuard[np.ufunc]:
    """Whether it is one of NumPy's functions of elements, which `np.matmul` is not."""
    return isinstance(function, np.ufunc) and function.signature is None


def ufunc_of(node: Node, precise: bool) -> np.ufunc | None:
    """The function of elements that a node is; None where it is no such one.

    It is NumPy's, or one of SciPy's that we have of our own, unless all is `precise`.
    """
    if is_elementwise(node.op.numpy):
        return node.op.numpy
    if node.op.name == "ufunc_into":
        return node.attributes["ufunc"]
    if precise or node.op.name != "host_call":
        return None
    from runtime.backends.llvm.mathematics import OF_SCIPY

    known = node.attributes
    function = known["function"]
    if isinstance(function, Looked):
        function = function.function
    name = getattr(function, "__name__", "")
    its_own = getattr(sys.modules.get("scipy.special"), name, None)
    if name not in OF_SCIPY or function is not its_own or known["kwargs"]:
        return None
    is_whole = known["args"] == (Input(0),) and not known["writes"]
    return function if is_whole and is_elementwise(function) else None
