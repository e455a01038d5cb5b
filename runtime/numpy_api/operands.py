"""Operands: what users give to NumPy's functions, as tensors and plain values."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

import numpy as np

from runtime.errors import ObjectArrayError, OnlyPythonError, located
from runtime.ops import basic
from runtime.ops.template import Input, encode
from runtime.spec import OBJECT_TYPES, PYTHON_NUMBERS, holds_objects
from runtime.tensor import Tensor, tensor

Axis = int | tuple[int, ...] | None


def is_number(operand: Any) -> bool:
    """True for a Python number, staged or not."""
    if isinstance(operand, Tensor):
        return operand.spec.weak
    return type(operand) in PYTHON_NUMBERS


def strong(operand: Any) -> Any:
    """`operand` with a Python number made what NumPy makes of it."""
    if isinstance(operand, Tensor):
        return basic.strong(operand) if operand.spec.may_be_weak else operand
    if type(operand) not in PYTHON_NUMBERS:
        return operand
    made = np.asarray(operand)
    if holds_objects(made.dtype):
        raise ObjectArrayError.located()  # an int beyond 64 bits
    return made[()]


def as_array(operand: Any) -> Tensor:
    """`operand` as a tensor that is no Python number: `np.asarray`."""
    made = tensor(strong(operand))
    return basic.strong(made) if made.spec.may_be_weak else made


def array_tensor(made: Tensor) -> Tensor:
    """`made`, fresh from an op, as an array even if it has no dims."""
    made.scalar = False
    return made


def has_tensor(*values: Any) -> bool:
    """True when a tensor is among `values`, at any depth of lists, tuples, dicts."""
    return bool(encode(values, lambda part: isinstance(part, Tensor))[1])


def static_axis(axis: Any) -> Axis:
    """An axis argument as int, tuple of ints or None."""
    if axis is None:
        return None
    if isinstance(axis, (tuple, list)):
        return tuple(operator.index(one) for one in axis)
    return operator.index(axis)


def sizes(shape: Any) -> tuple[Any, list[Tensor]]:
    """A shape argument as a template, and the staged ints in it.

    Of as many sizes as the run finds it is the place of all of them.
    TypeError: a size is a bool, or no whole number, in NumPy's words
    """
    many = isinstance(shape, Iterable) and not isinstance(shape, Tensor)
    if isinstance(shape, Tensor) and shape.spec.shape != ():
        if shape.spec.shape in (None, (None,)):
            return Input(0), [shape]
        many = True
    dims = tuple(shape) if many else (shape,)
    plain = tuple(d if isinstance(d, Tensor) else _size(d, many) for d in dims)
    template, found = encode(plain, lambda part: isinstance(part, Tensor))
    return template, found


def _size(size: Any, one_of_many: bool) -> int:
    is_bool = isinstance(size, (bool, np.bool_))
    if not one_of_many and (is_bool or isinstance(size, (float, complex, np.inexact))):
        words = "expected a sequence of integers or a single integer"
        raise TypeError(f"{words}, got '{size!r}'")
    if is_bool:
        raise TypeError("an integer is required")
    return operator.index(size)


def cast_constant(base: Tensor, content: Any) -> Any:
    """`content` as an element of `base`, if it is a constant that is no number."""
    known = base.spec.dtype is not None and not base.spec.kinds
    return as_element(base.spec.dtype, content) if known else content


def as_element(dtype: Any, content: Any) -> Any:
    """None or a text as an element of an array of numbers or dates.

    TypeError, ValueError: it is no such element, in NumPy's words.
    """
    if content is not None and type(content) not in OBJECT_TYPES:
        return content
    if dtype.kind not in "biufcmM":
        return content
    made = np.zeros((), dtype)
    made[()] = content
    return made[()]


def list_as_element(dtype: np.dtype[Any], content: Any) -> Any:
    """What a list is as an element: a truth. Of others NumPy says that it is none.

    OnlyPythonError: an element of text, which shows what is in it
    """
    if dtype.kind == "b":
        return len(content) > 0
    if dtype.kind == "T":
        raise located(OnlyPythonError("a list that is stored as a text"))
    np.empty(1, dtype)[0] = content
    return content
