"""TensorSpec: what is known of a value before the program runs: dtype and shape.

A value may also be a list whose length is found when the graph runs: a ListSpec says
what is known of its items.

`weak` marks a staged Python number: it follows Python's own arithmetic with other
Python numbers and takes the other operand's dtype with arrays, as in NumPy 2 (NEP 50).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from runtime import shapes
from runtime.shapes import Dim, Shape

PYTHON_NUMBERS: dict[type, np.dtype[Any]] = {
    bool: np.dtype(np.bool_),
    int: np.dtype(np.int64),
    float: np.dtype(np.float64),
    complex: np.dtype(np.complex128),
}
PYTHON_TYPE_OF_KIND = {"b": bool, "i": int, "f": float, "c": complex}


@dataclass(frozen=True, slots=True)
class TensorSpec:
    """The dtype and shape of a tensor; frozen, hashable.

    shape: dims, each an int, a name (equal names, equal sizes) or None (any size);
           None instead of the tuple when even the rank is unknown
    dtype: anything np.dtype takes; None when it is found only at run time
    weak:  a Python number rather than an array

    >>> TensorSpec([None, 3], np.float32)
    float32[?,3]
    >>> TensorSpec(("n",), "int64"), TensorSpec(None, float), TensorSpec((), int, True)
    (int64[n], float64[...], ~int64[])
    """

    shape: Shape
    dtype: np.dtype[Any] | None
    weak: bool = False

    def __init__(
        self, shape: Sequence[Dim] | int | None, dtype: Any, weak: bool = False
    ) -> None:
        if isinstance(shape, (int, str)):
            raise TypeError(
                f"a TensorSpec's shape is a sequence of dims or None, not {shape!r}; "
                f"write ({shape!r},)"
            )
        dims = None if shape is None else tuple(_dim(dim) for dim in shape)
        object.__setattr__(self, "shape", dims)
        object.__setattr__(self, "dtype", None if dtype is None else np.dtype(dtype))
        object.__setattr__(self, "weak", bool(weak))

    @property
    def rank(self) -> int | None:
        """The number of dims, or None when unknown."""
        return None if self.shape is None else len(self.shape)

    @property
    def is_static(self) -> bool:
        """True when every dim is a known int."""
        return shapes.is_static(self.shape)

    @property
    def python_type(self) -> type:
        """For a weak spec: the Python type that its values have."""
        assert self.dtype is not None
        return PYTHON_TYPE_OF_KIND[self.dtype.kind]

    def __repr__(self) -> str:
        dtype = "?" if self.dtype is None else _dtype_text(self.dtype)
        if self.shape is None:
            dims = "..."
        else:
            dims = ",".join("?" if dim is None else str(dim) for dim in self.shape)
        return f"{'~' if self.weak else ''}{dtype}[{dims}]"

    def describes(self, other: TensorSpec) -> bool:
        """True when every value of `other` is also a value of this spec."""
        if isinstance(other, ListSpec):
            return False
        same = self.dtype is None or self.dtype == other.dtype
        same = same and self.weak == other.weak
        return same and shapes.describes(self.shape, other.shape)

    def accepts(self, array: np.ndarray[Any, Any]) -> bool:
        """True when `array` has this dtype and fits this shape."""
        same = self.dtype is None or array.dtype == self.dtype
        return same and shapes.accepts(self.shape, array.shape)

    def with_shape(self, shape: Shape) -> TensorSpec:
        """The same dtype with another shape."""
        return TensorSpec(shape, self.dtype, self.weak)

    def strong(self) -> TensorSpec:
        """The spec of the array that NumPy makes of such a value."""
        return TensorSpec(self.shape, self.dtype)


@dataclass(frozen=True, slots=True, init=False, repr=False)
class ListSpec(TensorSpec):
    """A Python list, of any length, whose items are of one spec; frozen, hashable.

    item: what every item is; a weak one means Python numbers, and dims that are not
          known may differ from item to item

    It is a TensorSpec that knows neither dtype nor shape to whoever asks for these, so
    that a list is held, named and passed as an array is.

    >>> ListSpec(TensorSpec((), int, weak=True)), ListSpec(TensorSpec((2, None), bool))
    (list[~int64[]], list[bool[2,?]])
    """

    item: TensorSpec = field(init=False)

    def __init__(self, item: TensorSpec) -> None:
        TensorSpec.__init__(self, None, None)
        object.__setattr__(self, "item", item)

    def __repr__(self) -> str:
        return f"list[{self.item!r}]"

    def describes(self, other: TensorSpec) -> bool:
        """True when every list of `other` is also one of this spec."""
        return isinstance(other, ListSpec) and self.item.describes(other.item)

    def accepts(self, array: np.ndarray[Any, Any]) -> bool:
        """False: no array is a list."""
        return False

    def with_shape(self, shape: Shape) -> TensorSpec:
        """Itself: a list has no shape."""
        return self

    def strong(self) -> TensorSpec:
        """Itself: NumPy makes an array of a list only when it is asked to."""
        return self


def spec_of(value: Any) -> TensorSpec:
    """The exact spec of an array, a NumPy scalar or a Python number.

    >>> spec_of(np.zeros((2, 3))), spec_of(np.int8(1)), spec_of(1.5)
    (float64[2,3], int8[], ~float64[])
    """
    dtype = PYTHON_NUMBERS.get(type(value))
    if dtype is not None:
        return TensorSpec((), dtype, weak=True)
    return TensorSpec(value.shape, value.dtype)


def result_dtype(*specs: TensorSpec) -> np.dtype[Any] | None:
    """NumPy's promotion of the specs' dtypes, Python numbers weak (NEP 50)."""
    if any(spec.dtype is None for spec in specs):
        return None
    operands = [spec.python_type() if spec.weak else spec.dtype for spec in specs]
    return np.result_type(*operands)


def join(a: TensorSpec, b: TensorSpec) -> TensorSpec:
    """The spec of a name that holds `a` on one path and `b` on another.

    Dtypes join by NumPy's promotion, differing dims become unknown.

    >>> join(spec_of(0), spec_of(0.0)), join(spec_of(np.zeros(2)), spec_of(np.ones(3)))
    (~float64[], float64[?])

    Lists join by their items.

    TypeError: no dtype holds both, as for a date and a number, or one is a list.
    """
    if a == b:
        return a
    if isinstance(a, ListSpec) or isinstance(b, ListSpec):
        return _join_lists(a, b)
    shape = shapes.join(a.shape, b.shape)
    if a.dtype is None or b.dtype is None:
        return TensorSpec(shape, None)
    return TensorSpec(shape, result_dtype(a, b), a.weak and b.weak)


def _join_lists(a: TensorSpec, b: TensorSpec) -> ListSpec:
    if not isinstance(a, ListSpec) or not isinstance(b, ListSpec):
        raise TypeError(f"no value is both {a!r} and {b!r}")
    return ListSpec(join(a.item, b.item))


def _dim(dim: Any) -> Dim:
    if dim is None or isinstance(dim, str):
        return dim
    size = int(dim)
    if size < 0:
        raise ValueError(f"a dim is a size of at least 0, a name or None, not {dim!r}")
    return size


def _dtype_text(dtype: np.dtype[Any]) -> str:
    return dtype.name if dtype.isbuiltin == 1 and dtype.names is None else str(dtype)
