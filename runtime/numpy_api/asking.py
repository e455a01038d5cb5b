"""Asking Python what it raises: the operation is done with samples of the operands.

What Python says of a text and a number, or of a wrong argument, depends on the types
alone, so numbers and arrays of the same kind tell it in Python's own words.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime import shapes
from runtime.library_spec import LibrarySpec
from runtime.numpy_api.sample_sizes import SMALL
from runtime.numpy_api.trials import sample
from runtime.operator_words import operation_of
from runtime.ops.template import encode, fill
from runtime.quiet import quietly
from runtime.spec import ListSpec, ObjectSpec, TensorSpec
from runtime.tensor import Tensor


def raise_as_python(function: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
    """Raise what `function(*args, **kwargs)` raises for operands of these kinds."""
    found = answer(function, *args, **kwargs)
    if isinstance(found, Exception):
        raise found


def answered(operate: Callable[..., Any], word: str, *operands: Any) -> Any:
    """`operate(word, *operands)`, also where no operand has an answer, as Python."""
    result = operate(word, *operands)
    if result is not NotImplemented:
        return result
    if word not in ("eq", "ne"):
        raise_as_python(operation_of(word), *operands)
    return word == "ne"


def answer(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Exception | bool:
    """What `function` says to operands of these kinds and sizes.

    The exception that it raises; True when it gives something; False when it cannot be
    asked, since an operand may be of several kinds.
    """
    content, tensors = encode((args, kwargs), lambda part: isinstance(part, Tensor))
    if any(_is_unclear(tensor.spec) for tensor in tensors):
        return False
    positional, named = fill(content, tuple(map(_sample, tensors)))
    try:
        with quietly():
            function(*positional, **named)
    except Exception as error:
        return error.with_traceback(None)
    return True


def _is_unclear(spec: TensorSpec) -> bool:
    if isinstance(spec, (LibrarySpec, ListSpec)):
        return True
    return not isinstance(spec, ObjectSpec) and (bool(spec.kinds) or spec.dtype is None)


def is_flat(operand: Any) -> bool:
    """True for what `.flat` gives."""
    view = operand._view if isinstance(operand, Tensor) else None
    return view is not None and view.flat


def _sample(tensor: Tensor) -> Any:
    spec = tensor.spec
    count = shapes.size_of(spec.shape)
    if count is not None and count > SMALL:
        made = np.zeros([int(dim) for dim in spec.shape or () if dim], spec.dtype)
    else:
        made = sample(spec)
    if tensor.scalar and spec.dtype is not None and spec.dtype.kind in "US":
        # As long as the dtype has it, which messages name.
        return np.full((), "a" * spec.dtype.itemsize, spec.dtype)[()]
    if is_flat(tensor):
        return np.asarray(made).flat
    if tensor.scalar or spec.weak or isinstance(spec, ObjectSpec):
        return made
    made = np.asarray(made, spec.dtype)
    made.flags.writeable = not tensor.is_locked
    return made
