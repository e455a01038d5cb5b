"""operator_words: how operators are written, and which functions and types have one."""

from __future__ import annotations

import dis
import operator
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np

from runtime.errors import ObjectArrayError
from runtime.foreign import package
from runtime.spec import object_type

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


# What has a say of its own in what is done with it and a tensor.
_OURS = ("autograph", "tracer", "runtime")
_SAYS = ("__array_ufunc__", "__array__", "__array_priority__", "__float__")


def is_ours(kind: type) -> bool:
    """Whether it is a class of this project's."""
    return package(kind) in _OURS


def is_like_array(kind: type) -> bool:
    """True for a class of the user's that NumPy takes for an array in its operators."""
    if not hasattr(kind, "__array__") or hasattr(kind, "__array_ufunc__"):
        return False
    priority: float = getattr(kind, "__array_priority__", 0)
    return priority <= 0 and not is_ours(kind)


def may_answer(kind: type, word: str) -> bool:
    """Whether a class of the user's may have the operator, beside an array."""
    names = (f"__{word}__", f"__r{word}__", *_SAYS)
    return kind.__module__ != "builtins" and any(hasattr(kind, one) for one in names)


def refuse_elements(self: Any, kind: type) -> None:
    """Refuse an object that NumPy asks with one element after the other: a Decimal.

    Python asks the object itself where a number of Python's own stands beside it.
    """
    is_text = self.scalar and object_type(self.spec) is not None
    own = hasattr(kind, "__array_ufunc__") or hasattr(kind, "__array_priority__")
    builtin = kind.__module__ == "builtins"
    if not (self.spec.weak or self.spec.kinds or is_text or own or builtin):
        raise ObjectArrayError.located()
