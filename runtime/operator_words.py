"""operator_words: how operators are written, and which functions and types have one."""

from __future__ import annotations

import dis
import operator
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np

Operation = Callable[[Any, Any], Any]

# By the words of the methods that Python calls for them.
ORDERS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}
BINARY = {
    **{"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//"},
    **{"mod": "%", "divmod": "divmod", "pow": "**", "matmul": "@", "and": "&"},
    **{"or": "|", "xor": "^", "lshift": "<<", "rshift": ">>"},
}


def operation_of(word: str) -> Operation:
    """The function that asks the method `__word__`."""
    found: Operation = divmod if word == "divmod" else getattr(operator, f"__{word}__")
    return found


def is_written(symbol: str, frame: FrameType) -> bool:
    """Whether it is this operator that a frame is in: Python has asked the right."""
    at = frame.f_lasti
    found = (one for one in dis.get_instructions(frame.f_code) if one.offset == at)
    shown = next((one.argrepr for one in found), "")
    return shown.removeprefix("bool(").removesuffix(")") == symbol


def is_operator(frame: FrameType) -> bool:
    """Whether it is an operator that a frame is in, and no call."""
    return frame.f_code.co_code[frame.f_lasti] in _OPERATORS


_OPERATORS = {dis.opmap["BINARY_OP"], dis.opmap["COMPARE_OP"]}


def has_no_say(kind: type, word: str) -> bool:
    """Whether an operator of this type is the other one's where that is of the run."""
    names = (f"__{word}__", f"__i{word}__")
    # Not `hasattr`: all types have the `__or__` of their own type.
    without = not any(name in vars(base) for base in kind.__mro__ for name in names)
    if kind in _NUMBERS or kind in _SETS or issubclass(kind, np.generic):
        return True
    return without and kind.__module__ == "builtins"


_NUMBERS = (bool, int, float, complex)
# Whose operators take sets alone.
_SETS = (set, frozenset)
