"""scalar_operators: `C * v`, where C is one of NumPy's scalars that the trace knows.

Python asks C first, which calls the ufunc, as `np.multiply(C, v)` does. That is another
function of numbers, which machine code has not: its warnings are not the operator's.
Whether it is the operator is seen by who calls.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.operator_words import is_operator, operation_of
from runtime.operators import Operators, numpy_api

_OPERATORS: dict[np.ufunc, str] = {
    **{np.add: "add", np.subtract: "sub", np.multiply: "mul", np.divide: "truediv"},
    **{np.floor_divide: "floordiv", np.remainder: "mod", np.power: "pow"},
    **{np.bitwise_and: "and", np.bitwise_or: "or", np.bitwise_xor: "xor"},
    **{np.left_shift: "lshift", np.right_shift: "rshift"},
}
_COMPARISONS: dict[np.ufunc, str] = {
    **{np.less: "lt", np.less_equal: "le", np.greater: "gt", np.greater_equal: "ge"},
    **{np.equal: "eq", np.not_equal: "ne"},
}
_WORDS = _OPERATORS | _COMPARISONS


def call_ufunc(
    ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """What a tensor answers to a ufunc, which an operator may have called."""
    scalar = _scalar(ufunc, inputs[0])
    if scalar is not None and len(inputs) == 2 and _is_number(inputs[1]):
        if is_operator(sys._getframe(2)):
            return numpy_api.operate(_WORDS[ufunc], scalar, inputs[1])
    return numpy_api.call_ufunc(ufunc, method, inputs, kwargs)


def _scalar(ufunc: np.ufunc, left: Any) -> Any:
    """The scalar whose operator calls the ufunc; None where it is none."""
    if isinstance(left, np.generic) and ufunc in _WORDS:
        return left
    # For a comparison it makes an array of itself.
    is_one = isinstance(left, np.ndarray) and left.ndim == 0
    return left[()] if is_one and ufunc in _COMPARISONS else None


def _is_number(operand: Any) -> bool:
    return isinstance(operand, Operators) and bool(operand.scalar)  # type: ignore[attr-defined] # a Tensor has it


def plainly(word: str) -> Callable[[Any, Any], Any]:
    """Python's operator, as a function, which is the one of known scalars, too."""
    operation, is_known = operation_of(word), word in _WORDS.values()

    def plain(left: Any, right: Any) -> Any:
        if is_known and isinstance(left, np.generic) and _is_number(right):
            return numpy_api.operate(word, left, right)
        return operation(left, right)

    return plain
