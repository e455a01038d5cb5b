"""updated: `x op= v` of a value: a list, a set or an array is changed in place.

A name that holds one of several has the one changed that it is, under a test.
"""

from __future__ import annotations

import operator
from collections import deque
from typing import Any

import numpy as np

from autograph.operators import dicts, fstring, lists
from autograph.operators.iterators import require_here
from autograph.operators.objects import in_place
from autograph.operators.registry import staging_of
from autograph.operators.tensors import TENSORS
from runtime.operator_words import has_no_say
from runtime.operators import operate_reflected
from runtime.spec import holds_objects
from runtime.tensor import Tensor, tensor_of_array
from tracer import places
from tracer.choice import Choice, varying
from tracer.list_objects import is_staged
from tracer.picking import each
from tracer.varied import with_all

# What an operator changes in place, beside lists.
_CHANGED = (dict, set, deque)


def update(value: Any, word: str, operand: Any) -> Any:
    """`value op= operand`, as a value."""
    if type(value) is Choice:
        return each(value, lambda option: update(option, word, operand))
    if varying(value) is not None or varying(operand) is not None:
        with_all((value, operand), lambda: update(value, word, operand))
        return value
    if type(operand) is Choice and isinstance(value, _CHANGED):
        return each(operand, lambda option: update(value, word, option))
    if type(value) is list:
        return _list_updated(value, word, operand)
    if dicts.take_over(word, value, operand):
        return value
    if word == "imod" and type(value) in fstring.TEXTS:
        return fstring.percent(value, operand)
    return _operated(
        tensor_of_array(value) if is_array(value) else value, word, operand
    )


def _list_updated(value: list[Any], word: str, operand: Any) -> Any:
    if word == "iadd" and _is_numpys(operand):
        # NumPy is asked before the list is.
        return operand + value
    if is_staged(value) or _grows(word, operand):
        return lists.update(value, word, operand)
    return _operated(value, word, operand)


def _operated(value: Any, word: str, operand: Any) -> Any:
    result = in_place(value, word, operand)
    if result is not NotImplemented:
        return result
    require_here(operand)
    if isinstance(operand, Tensor) and has_no_say(type(value), word[1:]):
        return operate_reflected(word[1:], operand, value, lambda: True)
    return places.watched(getattr(operator, word), (value, operand))


def _is_numpys(operand: Any) -> bool:
    """True for an array or NumPy scalar of the run, of which a list is an operand."""
    return type(operand) is Tensor and not operand.spec.may_be_weak


def _grows(word: str, operand: Any) -> bool:
    """True when `+=` or `*=` makes a list of a length that depends on data."""
    if word == "imul":
        return staging_of(operand) is TENSORS
    return word == "iadd" and (staging_of(operand) is not None)


def is_array(value: Any) -> bool:
    """True for an array that each run of the graph changes, not the trace."""
    is_known = isinstance(value, np.ndarray) and not holds_objects(value.dtype)
    return is_known and places.tracing()
