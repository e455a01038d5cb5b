"""may_warn: of which nodes NumPy may warn as they run, judged by their types.

What is not known to be silent may warn; that costs an operation that is done twice, as
the program says, never a warning that is lost. What is of Python's numbers, texts and
lists alone is never NumPy's to warn of.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from runtime.graph import Node
from runtime.spec import TensorSpec

# Given operands of numbers that broadcast, they neither fail nor warn; but see below.
SILENT = {
    *("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"),
    *("logical_and", "logical_or", "logical_xor", "logical_not"),
    *("bitwise_and", "bitwise_or", "bitwise_xor", "invert"),
    *("maximum", "minimum", "fmax", "fmin", "isnan", "isinf", "isfinite"),
    *("signbit", "copysign", "conjugate", "floor", "ceil", "trunc", "rint", "where"),
}
# Of complex numbers they warn of NaN.
ORDERS = {"less", "less_equal", "greater", "greater_equal"}
# Of whole numbers only these warn: of zero, and of nothing to divide by.
DIVIDES = {
    *("divide", "floor_divide", "remainder", "fmod", "divmod", "power", "reciprocal"),
    *("mean", "var", "std", "median", "nanmean", "nanvar", "nanstd", "nanmedian"),
    *("array_power", "number_power", "masked_ufunc", "ufunc_reduce"),
    "ufunc_into_each",
    *("ufunc_accumulate", "python_call", "host_call"),
}
# What only moves, shapes, orders and finds elements has no row here.
COMPUTES = {
    *("sum", "prod", "mean", "var", "std", "ptp", "median", "nansum", "nanprod"),
    *("nanmax", "nanmin", "nanmean", "nanvar", "nanstd", "nanmedian", "cumsum"),
    *("cumprod", "diff", "dot", "vdot", "inner", "outer", "kron", "cross", "trace"),
    *("tensordot", "einsum", "round", "clip", "arange", "linspace", "full", "pad"),
    *("strong", "array_power", "number_power", "masked_ufunc", "ufunc_reduce"),
    "ufunc_into_each",
    *("ufunc_accumulate", "python_call", "host_call"),
}


def may_warn(node: Node) -> bool:
    """True unless NumPy is known to be silent of `node`."""
    rule = _RULES.get(node.op.name)
    if rule is None and isinstance(node.op.numpy, np.ufunc):
        rule = _computes
    found = [value.spec for value in node.inputs]
    return rule is not None and not all(map(_is_pythons, found)) and rule(node)


def is_silent(node: Node) -> bool:
    """True of an op of SILENT whose operands are none of which it warns."""
    if node.op.name not in SILENT:
        return False
    specs = [value.spec for value in node.inputs]
    if node.op.name in ORDERS and any(_kind(spec) in "c?" for spec in specs):
        return False
    # Python's numbers become the arrays', and may be too large for these.
    weak = any(spec.weak and _kind(spec) in "fc?" for spec in specs)
    return not (weak and any(_is_short(spec) for spec in specs))


def _computes(node: Node) -> bool:
    specs = [value.spec for value in (*node.inputs, *node.outputs)]
    if node.op.name in DIVIDES or any(_kind(spec) not in "biu" for spec in specs):
        return True
    # Arrays of whole numbers wrap in silence, scalars of NumPy's warn.
    return not all(spec.shape or spec.weak for spec in specs)


def _elements(node: Node) -> bool:
    return not is_silent(node)


def _cast(node: Node) -> bool:
    found, made = node.inputs[0].spec.dtype, node.outputs[0].spec.dtype
    if found is None or made is None:
        return True
    whole = found.kind in "biu" and made.kind in "biu"
    return not (whole or np.can_cast(found, made, "safe"))


def _is_pythons(spec: TensorSpec) -> bool:
    return type(spec) is not TensorSpec or spec.weak or _kind(spec) in "UST"


def _is_short(spec: TensorSpec) -> bool:
    """Whether a float of Python's may be too large for it, once it is one of those."""
    if spec.weak:
        return False
    return spec.dtype is None or spec.dtype.char in "efF"


def _kind(spec: TensorSpec) -> str:
    return "?" if spec.dtype is None else spec.dtype.kind


_RULES: dict[str, Callable[[Node], bool]] = {
    **dict.fromkeys(COMPUTES, _computes),
    **dict.fromkeys(SILENT, _elements),
    "cast": _cast,
}
