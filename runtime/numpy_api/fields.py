"""Structured arrays: their fields, and their elements, which are views as well.

`x["a"]` is the view of a field, the key ("a",) of the ops `slice` and `store`. An
element of a structured array, NumPy's `np.void`, is a reference to its memory.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime import shapes
from runtime.errors import OnlyPythonError, located
from runtime.numpy_api import host
from runtime.numpy_api.operands import as_element
from runtime.ops.index import slice_
from runtime.ops.index import store as store_op
from runtime.spec import TensorSpec
from runtime.tensor import Tensor, tensor

View = Callable[..., Tensor]


def is_record(operand: Any) -> bool:
    """True for a structured array, and for an element of one."""
    dtype = operand.spec.dtype if isinstance(operand, Tensor) else None
    return dtype is not None and dtype.names is not None


def is_attribute(operand: Tensor, name: str) -> bool:
    """True for a field of an element of a `np.recarray`, which has it as an attribute.

    Not of a record in a record, which is a record of that kind as well.
    """
    dtype = operand.spec.dtype
    if not operand.scalar or dtype is None or dtype.type is not np.record:
        return False
    if hasattr(np.record, name):
        return False
    fields: Any = dtype.fields or {}
    return name in fields and fields[name][0].names is None


def is_field_key(key: Any) -> bool:
    """True for the name of a field, and for a list of names."""
    return isinstance(key, str) or (
        isinstance(key, list) and bool(key) and all(isinstance(k, str) for k in key)
    )


def get(base: Tensor, key: Any, view: View) -> Tensor:
    """`base[key]`, a field or several: a view.

    ValueError: there is no such field.
    """
    index = (_name_of(base, key),)

    def read(whole: Tensor) -> Tensor:
        return slice_(whole, index=index)

    first = read(base)
    # Of an element it is a number; of an array without dims it is one, too.
    is_element = base.scalar and first.spec.shape == ()
    if is_element and not is_record(first):
        return first
    made = view(
        base, first, read, lambda whole, part: store_op(whole, part, index=index)
    )
    made.scalar = is_element
    return made


def _name_of(base: Tensor, key: Any) -> str | tuple[str, ...]:
    names = base.dtype.names or ()
    if isinstance(key, list):
        base.dtype[key]  # which knows them, or raises
        return tuple(key)
    if not isinstance(key, str):
        try:
            return names[operator.index(key)]
        except IndexError:
            raise IndexError("invalid index") from None
    found = key if key in names else _titled(base.dtype, key)
    if found is None:
        raise ValueError(f"no field of name {key}")
    return found


def _titled(dtype: np.dtype[Any], title: str) -> str | None:
    """The name of the field that has a title; None where none has."""
    fields: Any = dtype.fields or {}
    found = (name for name in dtype.names or () if fields[name][2:] == (title,))
    return next(found, None)


def store(base: Tensor, key: Any, content: Any) -> Tensor:
    """The whole of `base` after `base[key] = content`, of a field.

    ValueError: there is no such field.
    """
    if base.scalar and base._view is None:
        raise located(
            OnlyPythonError("a field of this scalar is set"),
            "Set it in an array: `x[i]['name'] = ...`, or `x['name'][i] = ...`.",
        )
    name = _name_of(base, key)
    if isinstance(name, tuple) and isinstance(content, tuple):
        _check_count(content, name)
        for one, part in zip(name, content, strict=True):
            base = store_op(base, part, index=(one,))
        return base
    if isinstance(name, str) and base.spec.dtype is not None:
        content = as_element(base.spec.dtype[name].base, content)
    return store_op(base, content, index=(name,))


def with_fields(element: Tensor, content: Any) -> Tensor:
    """An element with a tuple's items as its fields.

    ValueError: they are not as many.
    """
    names = element.dtype.names or ()
    _check_count(content, names)
    for name, part in zip(names, content, strict=True):
        element = store_op(element, part, index=(name,))
    return element


def _check_count(content: Any, names: tuple[str, ...]) -> None:
    if len(content) != len(names):
        raise ValueError(
            f"could not assign tuple of length {len(content)} to structure "
            f"with {len(names)} fields."
        )


def compare(word: str, first: Any, second: Any) -> Any:
    """`first == second` or `!=`, of records: one bool for each element."""
    x, y = tensor(first), tensor(second)
    spec = TensorSpec(shapes.broadcast(x.spec.shape, y.spec.shape), bool)
    return host.call(getattr(operator, word), (x, y), {}, spec)
