"""The ops that only pass values on: constants, sizes, casts, copies."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import shapes
from runtime.foreign import is_object
from runtime.library_spec import LibrarySpec
from runtime.op import op
from runtime.spec import PYTHON_TYPE_OF_KIND, TensorSpec, spec_of

WEAK_BOOL = TensorSpec((), bool, weak=True)
WEAK_INT = TensorSpec((), int, weak=True)


def _constant(*, value: Any, shared: bool = False) -> Any:
    return value


@op(kernel=_constant)
def constant(*, value: Any, shared: bool = False) -> TensorSpec:
    """`value`: an array, a NumPy scalar or a Python number.

    shared: the array is the user's own; its content may differ at the next call; or it
            is an object of a library's
    """
    return LibrarySpec(value) if is_object(value) else spec_of(value)


@op(kernel=lambda x, *, axis: x.shape[axis], source="{0}.shape[{axis!r}]")
def dim(x: TensorSpec, *, axis: int) -> TensorSpec:
    """The size of x along `axis`, as a Python int."""
    return WEAK_INT


@op(kernel=lambda x: x.size, source="{0}.size")
def size(x: TensorSpec) -> TensorSpec:
    """The number of elements of x, as a Python int."""
    return WEAK_INT


@op(kernel=lambda x: x, view=True, source="{0}")
def identity(x: TensorSpec) -> TensorSpec:
    """`x` itself."""
    return x


@op(kernel=np.array, numpy=np.copy)
def copy(x: TensorSpec, *, order: str = "K") -> TensorSpec:
    """An array of its own with the content of x.

    order: how it lies in memory: "K", as x does, or "C" or "F"
    """
    return x.strong()


def _cast(x: Any, *, dtype: np.dtype[Any], weak: bool = False) -> Any:
    if weak:
        return PYTHON_TYPE_OF_KIND[dtype.kind](x)
    if isinstance(x, (np.ndarray, np.generic)):
        return x.astype(dtype)
    return np.array(x, dtype)[()]


@op(kernel=_cast)
def cast(x: TensorSpec, *, dtype: np.dtype[Any], weak: bool = False) -> TensorSpec:
    """`x` as another dtype, values cut as `astype` does.

    weak: to the Python number of that kind, as `int(x)`, `float(x)`, `bool(x)` do:
          x has one element
    """
    return TensorSpec(() if weak else x.shape, dtype, weak)


@op(kernel=lambda x: np.asarray(x)[()])
def strong(x: TensorSpec) -> TensorSpec:
    """A Python number as the NumPy scalar that NumPy makes of it.

    OverflowError: an int that needs more than 64 bits.
    """
    return x.strong()


@op(kernel=bool, source="bool({0})")
def truth(x: TensorSpec) -> TensorSpec:
    """`bool(x)`; x: one element of any dtype.

    ValueError: x has several elements.
    """
    if x.is_static and not x.weak and x.shape != () and shapes.size_of(x.shape) != 1:
        bool(np.zeros(min(shapes.size_of(x.shape) or 0, 2)))  # NumPy's own error
    return WEAK_BOOL


@op(kernel=lambda x: not x, source="not {0}")
def not_(x: TensorSpec) -> TensorSpec:
    """`not x`, of a staged Python bool."""
    return WEAK_BOOL


def _float_kind(dtype: np.dtype[Any] | None) -> np.dtype[Any] | None:
    return None if dtype is None else np.zeros(0, dtype).real.dtype


@op(kernel=np.real, numpy=np.real, view=True)
def real(x: TensorSpec) -> TensorSpec:
    """The real part; real numbers as they are."""
    return TensorSpec(x.shape, _float_kind(x.dtype))


@op(kernel=np.imag, numpy=np.imag, view=True)
def imag(x: TensorSpec) -> TensorSpec:
    """The imaginary part; zeros for real numbers."""
    return TensorSpec(x.shape, _float_kind(x.dtype))


def _with_part(x: Any, content: Any, *, part: str) -> Any:
    setattr(x, part, content)
    return x


@op(into=_with_part)
def with_part(x: TensorSpec, content: TensorSpec, *, part: str) -> TensorSpec:
    """`x` with `content` as its `part`, "real" or "imag"."""
    return x
