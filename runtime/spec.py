"""TensorSpec: what is known of a value before the program runs: dtype and shape.

A value may also be a list whose length is found when the graph runs: a ListSpec says
what is known of its items. An ObjectSpec is of one of Python's immutable objects that
are no numbers: a text, or bytes.

`weak` marks a staged Python number: it follows Python's own arithmetic with other
Python numbers and takes the other operand's dtype with arrays, as in NumPy 2 (NEP 50).
`kinds` marks a mixed value: an int on one path and a float64 on another, say, which the
run keeps as it is.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from runtime import shapes
from runtime.dtypes import same_dtype
from runtime.shapes import Dim, Shape
from runtime.structs import field, struct

PYTHON_NUMBERS: dict[type, np.dtype[Any]] = {
    bool: np.dtype(np.bool_),
    int: np.dtype(np.int64),
    float: np.dtype(np.float64),
    complex: np.dtype(np.complex128),
}
# What is held as the object that it is; subclasses are told by NumPy's dtypes.
OBJECT_TYPES: tuple[type, ...] = (str, bytes)
# The types of single elements of NumPy's arrays of text.
_ELEMENTS: dict[str, type] = {"U": np.str_, "S": np.bytes_, "T": str}
OBJECT_NAMES = {kind.__name__: kind for kind in (str, bytes, np.str_, np.bytes_)}
PYTHON_TYPE_OF_KIND = {"b": bool, "i": int, "f": float, "c": complex}
# A dtype, and whether it is that of a Python number.
Kind = tuple[np.dtype[Any], bool]
# The dtypes that a mixed value may have, by their kind, in the order they are told in.
MIXABLE = "biufc"


@struct(locked=True)
class TensorSpec:
    """The dtype and shape of a tensor; frozen, hashable.

    shape: dims, each an int, a name (equal names, equal sizes) or None (any size);
           None instead of the tuple when even the rank is unknown
    dtype: anything np.dtype takes; None when it is found only at run time
    weak:  a Python number rather than an array
    kinds: of a mixed value all that it may be; `dtype` is then their promotion, and
           `weak` says that all are Python numbers. Made by `of_kinds` and `join`.

    >>> TensorSpec([None, 3], np.float32)
    float32[?,3]
    >>> TensorSpec(("n",), "int64"), TensorSpec(None, float), TensorSpec((), int, True)
    (int64[n], float64[...], ~int64[])
    """

    shape: Shape
    dtype: np.dtype[Any] | None
    weak: bool = False
    kinds: tuple[Kind, ...] = ()

    def __init__(
        self,
        shape: Sequence[Dim] | int | None,
        dtype: Any,
        weak: bool = False,
        kinds: tuple[Kind, ...] = (),
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
        object.__setattr__(self, "kinds", kinds)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        assert isinstance(other, TensorSpec)
        mine = self.shape, self.weak, self.kinds
        same = mine == (other.shape, other.weak, other.kinds)
        return same and same_dtype(self.dtype, other.dtype)

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
        """For a weak spec of one kind: the Python type that its values have."""
        assert self.dtype is not None
        assert not self.kinds, f"{self!r} is of several types"
        return PYTHON_TYPE_OF_KIND[self.dtype.kind]

    @property
    def options(self) -> tuple[TensorSpec, ...]:
        """A spec for each kind that the value may be; the spec itself for one kind."""
        if not self.kinds:
            return (self,)
        return tuple(TensorSpec(self.shape, dtype, weak) for dtype, weak in self.kinds)

    @property
    def may_be_weak(self) -> bool:
        """True when the value may be a Python number."""
        return self.weak or any(weak for _, weak in self.kinds)

    def __repr__(self) -> str:
        if self.shape is None:
            dims = "..."
        else:
            dims = ",".join("?" if dim is None else str(dim) for dim in self.shape)
        kinds = "|".join(_kind_text(option) for option in self.options)
        return f"{kinds}[{dims}]"

    def describes(self, other: TensorSpec) -> bool:
        """True when every value of `other` is also a value of this spec."""
        return self.describes_kinds(other) and shapes.describes(self.shape, other.shape)

    def describes_kinds(self, other: TensorSpec) -> bool:
        """`describes`, of the dtypes alone."""
        if type(other) is not TensorSpec:
            return False
        if self.dtype is None or set(_kinds(self)).issuperset(_kinds(other)):
            return True
        wide = self.dtype.kind in "US" and self.dtype.itemsize == 0
        return wide and other.dtype is not None and other.dtype.kind == self.dtype.kind

    def accepts(self, array: np.ndarray[Any, Any]) -> bool:
        """True when `array` has this dtype and fits this shape."""
        same = self.describes_kinds(TensorSpec((), array.dtype))
        return same and shapes.accepts(self.shape, array.shape)

    def with_shape(self, shape: Shape) -> TensorSpec:
        """The same dtype with another shape."""
        return TensorSpec(shape, self.dtype, self.weak, self.kinds)

    def strong(self) -> TensorSpec:
        """The spec of the array that NumPy makes of such a value."""
        if self.kinds:
            return of_kinds(self.shape, [(dtype, False) for dtype, _ in self.kinds])
        return TensorSpec(self.shape, self.dtype)


@struct(locked=True)
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

    def describes_kinds(self, other: TensorSpec) -> bool:
        """`describes`, of the items' dtypes alone."""
        return isinstance(other, ListSpec) and self.item.describes_kinds(other.item)

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


@struct(locked=True)
class ObjectSpec(TensorSpec):
    """An immutable object of Python's that is no number, such as a text.

    kind: its exact type

    >>> ObjectSpec(str), ListSpec(ObjectSpec(bytes))
    (str, list[bytes])
    """

    kind: type = field(init=False)

    def __init__(self, kind: type) -> None:
        TensorSpec.__init__(self, (), None)
        object.__setattr__(self, "kind", kind)

    def __repr__(self) -> str:
        return self.kind.__name__

    @property
    def python_type(self) -> type:
        """Its exact type."""
        return self.kind

    def describes_kinds(self, other: TensorSpec) -> bool:
        """True for the same type, or an element of an array of that type."""
        return self.kind is object_type(other)

    def describes(self, other: TensorSpec) -> bool:
        """As `describes_kinds`."""
        return self.describes_kinds(other)

    def accepts(self, array: np.ndarray[Any, Any]) -> bool:
        """False: no array is such an object."""
        return False

    def with_shape(self, shape: Shape) -> TensorSpec:
        """Itself: it has no other shape."""
        return self

    def strong(self) -> TensorSpec:
        """An array of a dtype that is found when the graph runs."""
        return TensorSpec((), None)


def object_type(spec: TensorSpec) -> type | None:
    """The type of a value that Python's operators take as an object, or None.

    An element of an array of text is one, too.

    >>> object_type(ObjectSpec(str)), object_type(TensorSpec((), "U3"))
    (<class 'str'>, <class 'numpy.str_'>)
    """
    if isinstance(spec, ObjectSpec):
        return spec.kind
    if spec.dtype is None or spec.shape != ():
        return None
    return _ELEMENTS.get(spec.dtype.kind)


def any_width(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype of texts of any width, for one of texts; others as they are.

    >>> any_width(np.dtype("U3")).itemsize, any_width(np.dtype(int))
    (0, dtype('int64'))
    """
    return np.dtype(dtype.kind) if dtype.kind in "US" else dtype


def is_wide(spec: TensorSpec) -> bool:
    """True for texts of any width: an array that is found, or an element of one."""
    if spec.dtype is None or spec.dtype.kind not in "US":
        return False
    return spec.dtype.itemsize == 0 or spec.shape == ()


def holds_objects(dtype: np.dtype[Any]) -> bool:
    """True for arrays of Python objects, which no graph holds.

    Strings of any length (StringDType) lie elsewhere as objects do, but are values.
    """
    return bool(dtype.hasobject) and dtype.kind != "T"


def spec_of(value: Any) -> TensorSpec:
    """The exact spec of an array, a NumPy scalar, a Python number or a text.

    >>> spec_of(np.zeros((2, 3))), spec_of(np.int8(1)), spec_of(1.5)
    (float64[2,3], int8[], ~float64[])
    """
    dtype = PYTHON_NUMBERS.get(type(value))
    if dtype is not None:
        return TensorSpec((), dtype, weak=True)
    if type(value) in OBJECT_TYPES:
        return ObjectSpec(type(value))
    return TensorSpec(value.shape, value.dtype)


def result_dtype(*specs: TensorSpec) -> np.dtype[Any] | None:
    """NumPy's promotion of the specs' dtypes, Python numbers weak (NEP 50)."""
    if any(spec.dtype is None for spec in specs):
        return None
    operands = [spec.python_type() if spec.weak else spec.dtype for spec in specs]
    return np.result_type(*operands)


def of_kinds(shape: Shape, kinds: Iterable[Kind]) -> TensorSpec:
    """The spec of a value that may be of each of `kinds`.

    >>> of_kinds((), [(np.dtype(float), False), (np.dtype(int), True)])
    ~int64|float64[]

    ValueError: one of several is no number.
    """
    kinds = list(kinds)
    if kinds[1:] and not all(map(_is_number, kinds)):
        raise ValueError("only numbers can be of several kinds")
    found = tuple(sorted(set(kinds), key=_place))
    if len(found) == 1:
        return TensorSpec(shape, *found[0])
    dtype = np.result_type(*(dtype for dtype, _ in found))
    return TensorSpec(shape, dtype, all(weak for _, weak in found), found)


def _is_number(kind: tuple[np.dtype[Any] | None, bool]) -> bool:
    return kind[0] is not None and kind[0].kind in MIXABLE


def _place(kind: Kind) -> tuple[int, int, bool]:
    dtype, weak = kind
    return MIXABLE.index(dtype.kind), dtype.itemsize, not weak


def _kinds(spec: TensorSpec) -> tuple[tuple[np.dtype[Any] | None, bool], ...]:
    return spec.kinds or ((spec.dtype, spec.weak),)


def join(a: TensorSpec, b: TensorSpec) -> TensorSpec:
    """The spec of a name that holds `a` on one path and `b` on another.

    Differing kinds are all kept, differing dims become unknown.

    >>> join(spec_of(0), spec_of(0.0)), join(spec_of(np.zeros(2)), spec_of(np.ones(3)))
    (~int64|~float64[], float64[?])

    Lists join by their items.

    TypeError: no tensor is both, as of a date and a number, or one is a list.
    """
    if a == b:
        return a
    if isinstance(a, ListSpec) or isinstance(b, ListSpec):
        return _join_lists(a, b)
    kind = object_type(a)
    if kind is not None and kind is object_type(b):
        return ObjectSpec(kind)
    if type(a) is not TensorSpec or type(b) is not TensorSpec:
        raise TypeError(f"no value is both {a!r} and {b!r}")
    shape = shapes.join(a.shape, b.shape)
    if a.dtype is None or b.dtype is None:
        return TensorSpec(shape, None)
    kinds = {*_kinds(a), *_kinds(b)}
    if len(kinds) == 1:
        return TensorSpec(shape, a.dtype, a.weak)
    if a.dtype.kind in "US" and a.dtype.kind == b.dtype.kind:
        return TensorSpec(shape, any_width(a.dtype))
    if not all(map(_is_number, kinds)):
        raise TypeError(f"no tensor is {a!r} on one path and {b!r} on another")
    if shape != () and any(weak for _, weak in kinds):
        raise TypeError(f"no tensor is {a!r} on one path and {b!r} on another")
    return of_kinds(shape, kinds)  # type: ignore[arg-type] # no dtype is None here


def _join_lists(a: TensorSpec, b: TensorSpec) -> ListSpec:
    if not isinstance(a, ListSpec) or not isinstance(b, ListSpec):
        raise TypeError(f"no value is both {a!r} and {b!r}")
    return ListSpec(join(a.item, b.item))


def _dim(dim: Any) -> Dim:
    if dim is None or isinstance(dim, str):
        return dim
    words = f"a dim is a size of at least 0, a name or None, not {dim!r}"
    try:
        size = operator.index(dim)
    except TypeError:
        raise TypeError(words) from None
    if size < 0:
        raise ValueError(words)
    return size


def _kind_text(spec: TensorSpec) -> str:
    dtype = "?" if spec.dtype is None else _dtype_text(spec.dtype)
    return f"{'~' if spec.weak else ''}{dtype}"


def _dtype_text(dtype: np.dtype[Any]) -> str:
    return dtype.name if dtype.isbuiltin == 1 and dtype.names is None else str(dtype)
