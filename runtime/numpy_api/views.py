"""NumPy's rarer views, and what is set on an array: `flat`, `view(dtype)`, `.shape =`.

Those by index, and of another order of the axes, are in `indexing` and `shaping`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from runtime import build
from runtime.dtypes import same_dtype
from runtime.errors import OnlyPythonError, located
from runtime.hushed import warnings_as
from runtime.layouts import is_contiguous
from runtime.library_spec import LibrarySpec
from runtime.numpy_api import elements, fields, library, shaping
from runtime.numpy_api.indexing import layout, view
from runtime.numpy_api.operands import as_array, sizes
from runtime.numpy_api.set_flat import set_flat
from runtime.numpy_api.table import implements
from runtime.ops import shape as shape_ops
from runtime.ops.basic import copy
from runtime.ops.inference import stand_in
from runtime.ops.views import view_bits
from runtime.tensor import Tensor, tensor
from runtime.tensor_slot import TensorSlot, ViewSlot


@implements(np.require)
def require(
    a: Any, dtype: Any = None, requirements: Any = None, *, like: Any = None
) -> Any:
    """`np.require`: the array itself where it is what is required already."""
    base = as_array(a)
    wanted = {word[0].upper() for word in requirements or ()}
    same = dtype is None or same_dtype(base.spec.dtype, np.dtype(dtype))
    if like is not None or not same or wanted - set("WCA") or not is_contiguous(base):
        return NotImplemented
    return base


@implements(np.from_dlpack)
def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> Any:
    """`np.from_dlpack` of an array without dims, which a call would get as a number."""
    is_array = isinstance(x, Tensor) and x.spec.shape == () and not x.scalar
    dtype = x.spec.dtype if is_array else None
    if dtype is None or dtype.kind not in "biufc" or device is not None or copy:
        return NotImplemented
    return x[...]


def flat(base: Tensor) -> Any:
    """`a.flat`: all elements in C order; a slice of it is a copy."""
    if base.scalar:
        return shaping.ravel(base)

    in_order = is_contiguous(base)

    def read(x: Tensor) -> Tensor:
        made = shape_ops.ravel(x)
        # Of others the row may be a copy, or not: nothing is written into it.
        return made if in_order else copy(made)

    return view(base, read(base), read, shaping.restore_shape, flat=True)


def flatten(a: Tensor, order: str = "C") -> Any:
    """`a.flatten()`: a copy."""
    if a.scalar or order not in ("C", "F"):
        return copy(shaping.ravel(a, order))
    made = shape_ops.ravel(shaping.turned(a) if order == "F" else a, copies=True)
    made.scalar = False
    return made


def bits(base: Tensor, dtype: Any = None) -> Any:
    """`a.view()`: another reference to the same memory; with a dtype, its bytes."""
    if dtype is None:
        return base if base.scalar else base[...]
    wanted = np.dtype(dtype)
    before = base.spec.dtype
    if before is None or base.scalar:
        return view_bits(base, dtype=wanted)

    def read(x: Tensor) -> Tensor:
        return view_bits(x, dtype=wanted)

    def write(_: Tensor, part: Tensor) -> Tensor:
        return view_bits(part, dtype=before)

    in_order = is_contiguous(base)
    how = "bits", wanted
    return view(base, read(base), read, write, contiguous=in_order, how=how)


def element(array: Tensor, index: Any) -> Any:
    """The element at a place in the flat array. IndexError: it certainly has none."""
    if isinstance(index, int) and array.spec.is_static:
        stand_in(array.spec).item(index)
    return (array if array.spec.rank == 1 else flat(array))[index]


# What is set on an array.


def set_attribute(target: Tensor, name: str, content: Any) -> None:
    """`target.name = content`.

    AttributeError: an array has no such attribute, or it cannot be set.
    """
    if isinstance(target.spec, LibrarySpec):
        library.set_attribute(target, name, content)
        return
    if fields.is_attribute(target, name):
        target[name] = content
        return
    if target.scalar:
        kind = target.spec.python_type if target.spec.weak else target.dtype.type
        setattr(kind(1), name, content)  # which says why not, in Python's words
    setter = _SETTERS.get(name)
    if setter is None and name != "strides":  # which fit no other array
        with warnings_as("ignore"):
            setattr(np.zeros(1), name, content)  # the same
    if setter is None:
        _refuse(name)
    setter(target, content)


def _refuse(name: str) -> NoReturn:
    raise located(
        OnlyPythonError(f"setting `.{name}` of an array is not staged"),
        "Make a new array instead, or do it outside of the function.",
    )


def _set_part(part: str) -> Callable[[Tensor, Any], None]:
    def set_part(target: Tensor, content: Any) -> None:
        is_complex = target.dtype.kind == "c"
        if part == "imag" and not is_complex:
            np.zeros(1).imag = 0  # NumPy's own error
        (getattr(elements, part)(target) if is_complex else target)[...] = content

    return set_part


def _set_flat(target: Tensor, content: Any) -> None:
    target.require_writable("array")
    target.write(set_flat(target, None, content).value)


def _set_shape(target: Tensor, content: Any) -> None:
    template, found = sizes(content)
    found = [Tensor(size.value) for size in found]

    def read(x: Tensor) -> Tensor:
        return shape_ops.reshape(x, *found, shape=template)

    frame = build.require_current("an array")
    if target.root is target:
        frame.change(TensorSlot(target), read(target).value)
        return
    before = Tensor(target.value, scalar=False, view=target._view)
    after = shaping.reshape(before, content)
    if after.root is after:
        raise AttributeError(
            "Incompatible shape for in-place modification. Use `.reshape()` to make "
            "a copy with the desired shape."
        )
    frame.change(ViewSlot(target), after.view_state())


_SETTERS: dict[str, Callable[[Tensor, Any], None]] = {
    "real": _set_part("real"),
    "imag": _set_part("imag"),
    "flat": _set_flat,
    "shape": _set_shape,
}


# How an array lies in memory, where that is known while tracing.


def strides(array: Tensor) -> tuple[int, ...]:
    """`a.strides`."""
    return tuple(step * array.itemsize for step in _in_memory(array, "strides").strides)


class Flags:
    """`a.flags` of a tensor: read only."""

    def __init__(self, array: Tensor) -> None:
        object.__setattr__(self, "_array", array)

    def __getattr__(self, name: str) -> Any:
        array: Tensor = self._array
        if name == "writeable":
            root = array.root
            if not array.is_locked and (root._pick or root.sources):
                # One of those that it may be, and no other, may be read-only.
                _refuse_flag(name)
            return not array.is_locked
        if name not in ("c_contiguous", "f_contiguous", "contiguous", "forc", "fnc"):
            _refuse_flag(name)
        return getattr(_in_memory(array, "flags").flags, name)

    def __eq__(self, other: object) -> bool:
        _refuse_flag("__eq__")

    def __repr__(self) -> str:
        # It says who owns the memory, and whether it is aligned.
        _refuse_flag("__repr__")

    def __getitem__(self, name: str) -> Any:
        return getattr(self, _LONG_NAMES.get(name, name).lower())

    def __setattr__(self, name: str, value: Any) -> None:
        _refuse(f"flags.{name}")

    def __setitem__(self, name: str, value: Any) -> None:
        _refuse(f"flags.{_LONG_NAMES.get(name, name).lower()}")


_LONG_NAMES = {"C": "C_CONTIGUOUS", "F": "F_CONTIGUOUS", "W": "WRITEABLE"}


def _refuse_flag(name: str) -> NoReturn:
    raise located(
        OnlyPythonError(f"`.flags.{name}` of an array is not staged"),
        "Ask outside of the function.",
    )


def _in_memory(array: Tensor, what: str) -> np.ndarray[Any, Any]:
    found = layout(tensor(array))
    # An argument may lie otherwise in another call.
    build.require_current("an array").trace.asks_layout = True
    if found is None:
        raise located(
            OnlyPythonError(
                f"`.{what}` of this array is known only when the graph runs"
            ),
            "Ask outside of the function, or copy the array first.",
        )
    return found
