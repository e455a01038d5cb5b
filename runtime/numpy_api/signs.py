"""signs: which numbers cannot be negative, by how the frame has just made them.

`r ** 0.5` of Python's floats is complex where r is negative, and what is computed with
it is then one of two kinds of numbers. Of a sum of squares it never is.
"""

from __future__ import annotations

from typing import Any

from runtime import build
from runtime.graph import Node, Value
from runtime.tensor import Tensor

# Of the latest nodes so many are looked at, and so many steps back from a number.
RECENT, DEEPEST = 64, 12
# Not below zero (or NaN) where all of their inputs are not; of anything.
_OF_SUCH = frozenset({"add", "multiply", "divide", "positive", "identity"})
_ALWAYS = frozenset({"absolute", "exp", "sqrt", "length"})


def sign(operand: Any) -> int:
    """1 for a number known not to be negative, -1 for one known to be, else 0.

    operand: a number of Python's, or a tensor of one. A NaN is not negative.
    """
    if isinstance(operand, Tensor):
        frame = build.current()
        if frame is None or operand.spec.kinds:
            return 0
        makers = {out: node for node in frame.nodes[-RECENT:] for out in node.outputs}
        return int(_is_square_like(operand.value, makers, DEEPEST))
    if type(operand) is complex:
        return 0
    return 1 if operand >= 0 else -1


def _is_square_like(value: Value, makers: dict[Value, Node], steps: int) -> bool:
    """Whether a value is never below zero."""
    node = makers.get(value)
    if node is None or steps == 0:
        return False
    name, inputs = node.op.name, node.inputs
    if name == "constant":
        return _is_not_below(node.attributes["value"])
    if name in _ALWAYS:
        return True
    if name == "multiply" and inputs[0] is inputs[1]:
        return not _is_complex(inputs[0])
    if name == "number_power" and _is_even(makers.get(inputs[1])):
        return not _is_complex(inputs[0])
    if name in _OF_SUCH:
        return all(_is_square_like(one, makers, steps - 1) for one in inputs)
    return False


def _is_even(node: Node | None) -> bool:
    if node is None or node.op.name != "constant":
        return False
    exponent = node.attributes["value"]
    return type(exponent) in (int, float) and exponent % 2 == 0


def _is_not_below(constant: Any) -> bool:
    return type(constant) in (bool, int, float) and constant >= 0


def _is_complex(value: Value) -> bool:
    """Whether a value is complex, or may be: its square may lie below zero."""
    options = value.spec.options
    return any(one.dtype is None or one.dtype.kind == "c" for one in options)
