"""NumPy's functions that choose, place, sort and look at elements."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from runtime.errors import OnlyPythonError, located
from runtime.numpy_api.create import as_indices
from runtime.numpy_api.indexing import view
from runtime.numpy_api.operands import array_tensor, as_array, is_number, strong
from runtime.numpy_api.table import WITH_KEYWORDS, call_function, implements
from runtime.ops import basic, index, sort
from runtime.ops.elementwise import maximum, minimum
from runtime.ops.inference import refuse_as_numpy, stand_in
from runtime.spec import TensorSpec, object_type
from runtime.tensor import Tensor, tensor


def _axis(axis: Any) -> int | None:
    return None if axis is None else operator.index(axis)


@implements(np.take, operands=2)
def take(a: Any, indices: Any, axis: int | None = None, *, mode: str = "raise") -> Any:
    """`np.take` that raises for an index outside."""
    if mode != "raise":
        return NotImplemented
    if type(indices) is int and not -(2**63) <= indices < 2**63:
        refuse_as_numpy(np.take, np.zeros(1), indices)
    return index.take(as_array(a), as_indices(indices), axis=_axis(axis))


@implements(np.take_along_axis, operands=2)
def take_along_axis(arr: Any, indices: Any, axis: int | None = -1) -> Any:
    """`np.take_along_axis`."""
    along = _axis(axis)
    return index.take_along_axis(as_array(arr), as_array(indices), axis=along)


@implements(np.put_along_axis, operands=3)
def put_along_axis(arr: Any, indices: Any, values: Any, axis: int | None) -> None:
    """`np.put_along_axis`: writes into arr."""
    target = tensor(arr)
    target.require_writable()
    made = index.put_along_axis(target, as_array(indices), values, axis=_axis(axis))
    target.write(made.value)


@implements(np.where, operands=3)
def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    """`np.where`: a choice, or with one argument `np.nonzero`."""
    if x is None and y is None:
        return nonzero(condition)
    if x is None or y is None:
        raise ValueError("either both or neither of x and y should be given")
    sides = tuple(side if is_number(side) else as_array(side) for side in (x, y))
    if all(map(is_number, sides)):
        sides = tuple(map(strong, sides))
    return array_tensor(index.where(as_array(condition), *sides))


@implements(np.nonzero)
def nonzero(a: Any) -> Any:
    """`np.nonzero`."""
    x = as_array(a)
    if x.ndim == 0:
        refuse_as_numpy(
            np.nonzero, stand_in(x.spec) if not x.scalar else x.dtype.type()
        )
    found = index.nonzero(x, rank=x.ndim)
    return found if isinstance(found, tuple) else (found,)


@implements(np.flatnonzero)
def flatnonzero(a: Any) -> Any:
    """`np.flatnonzero`."""
    return index.flatnonzero(as_array(a))


@implements(np.argwhere)
def argwhere(a: Any) -> Any:
    """`np.argwhere`."""
    return index.argwhere(as_array(a))


# A bound that is not given at all, which is no None.
_MISSING: Any = object()


@implements(np.clip, operands=5)
def clip(
    a: Any,
    a_min: Any = _MISSING,
    a_max: Any = _MISSING,
    *,
    min: Any = _MISSING,
    max: Any = _MISSING,
) -> Any:
    """`np.clip`; a bound may be missing."""
    low, high = _bounds(a_min, a_max, min, max)
    x = as_array(a)
    if low is None and high is None:
        return basic.copy(x)
    bound = high if low is None else low
    if (low is None or high is None) and is_number(bound) and not _is_float(x):
        return NotImplemented  # one that no such array holds is none
    if low is None:
        return minimum(x, high)
    if high is None:
        return maximum(x, low)
    return index.clip(x, low, high)


def _bounds(a_min: Any, a_max: Any, low: Any, high: Any) -> tuple[Any, Any]:
    """The two bounds. TypeError, ValueError: in NumPy's words, as they were given."""
    named = {"a_min": a_min, "a_max": a_max, "min": low, "max": high}
    given = {name for name, value in named.items() if value is not _MISSING}
    if given not in ({"a_min", "a_max"}, {"min", "max"}, {"min"}, {"max"}, set()):
        refuse_as_numpy(np.clip, np.zeros(1), **dict.fromkeys(given, 0))
    both = (a_min, a_max) if "a_min" in given else (low, high)
    first, second = (None if bound is _MISSING else bound for bound in both)
    return first, second


def clip_into(
    a: Any,
    a_min: Any = _MISSING,
    a_max: Any = _MISSING,
    out: Any = None,
    *,
    min: Any = _MISSING,
    max: Any = _MISSING,
    **keywords: Any,
) -> Any:
    """`np.clip` with an `out` and keywords of ufuncs: the ufunc that NumPy calls."""
    low, high = _bounds(a_min, a_max, min, max)
    x = as_array(a)
    dtype = x.spec.dtype
    if dtype is None or x.spec.kinds:
        raise located(OnlyPythonError("np.clip with keywords of an array of any dtype"))
    if dtype.kind in "iu":
        # A Python int that no such array holds is no bound.
        limits = np.iinfo(dtype)
        low = None if type(low) is int and low <= limits.min else low
        high = None if type(high) is int and high >= limits.max else high
    if low is None and high is None:
        return np.positive(x, out=out, **keywords)
    if low is None:
        return np.minimum(x, high, out=out, **keywords)
    if high is None:
        return np.maximum(x, low, out=out, **keywords)
    return _CLIP(x, low, high, out=out, **keywords)


_CLIP = np._core.umath.clip  # type: ignore[attr-defined] # it has no public name
WITH_KEYWORDS[np.clip] = clip_into


def clip_method(
    tensor: Tensor, min: Any = None, max: Any = None, out: Any = None, **keywords: Any
) -> Any:
    """`a.clip(min, max)`, whose bounds are None where they are not given."""
    return call_function(np.clip, (tensor, min, max, out), keywords)


def _is_float(x: Tensor) -> bool:
    return x.spec.dtype is not None and x.spec.dtype.kind in "fc" and not x.spec.kinds


@implements(np.round, np.around)
def round(a: Any, decimals: int = 0) -> Any:
    """`np.round`; of truths NumPy scales with, and into, the dtype of an `out`."""
    x, places = as_array(a), operator.index(decimals)
    if x.spec.dtype == bool and places:
        return NotImplemented
    return index.round_(x, decimals=places)


@implements(np.sort)
def sorted(
    a: Any,
    axis: int | None = -1,
    kind: str | None = None,
    *,
    stable: bool | None = None,
) -> Any:
    """`np.sort`: a sorted copy."""
    kind = "stable" if stable else kind
    return sort.sort(as_array(a), axis=_axis(axis), kind=kind)


@implements(np.argsort)
def argsort(
    a: Any,
    axis: int | None = -1,
    kind: str | None = None,
    *,
    stable: bool | None = None,
) -> Any:
    """`np.argsort`."""
    kind = "stable" if stable else kind
    return sort.argsort(as_array(a), axis=_axis(axis), kind=kind)


@implements(np.searchsorted, operands=2)
def searchsorted(a: Any, v: Any, side: str = "left") -> Any:
    """`np.searchsorted` in a sorted array."""
    return sort.searchsorted(as_array(a), as_array(v), side=side)


@implements(np.unique)
def unique(ar: Any) -> Any:
    """`np.unique`: the values alone."""
    return sort.unique(as_array(ar))


@implements(np.bincount)
def bincount(x: Any, /, *, minlength: int = 0) -> Any:
    """`np.bincount` without weights."""
    return sort.bincount(as_array(x), minlength=minlength)


@implements(np.real)
def real(val: Any) -> Any:
    """`np.real`: a view."""
    return _part(as_array(val), "real")


@implements(np.imag)
def imag(val: Any) -> Any:
    """`np.imag`: a view."""
    return _part(as_array(val), "imag")


def _part(base: Tensor, part: str) -> Any:
    op = getattr(basic, part)
    if base.spec.dtype is None:
        return op(base)
    if base.spec.dtype.kind != "c":
        if part == "real" or base.scalar:
            return base if part == "real" else op(base)
        # NumPy's zeros are no part of the array, and read-only.
        made = op(base)
        zeros = Tensor(made.value, scalar=False)
        zeros.layout = made.layout
        itself = (lambda x: x), (lambda _, new: new)
        return view(zeros, zeros, *itself, contiguous=True, locked=True)

    def write(whole: Tensor, new: Tensor) -> Tensor:
        return basic.with_part(whole, new, part=part)

    return view(base, op(base), op, write, how=part)


@implements(np.shape)
def shape(a: Any) -> Any:
    """`np.shape`."""
    return as_array(a).shape


@implements(np.ndim)
def ndim(a: Any) -> int:
    """`np.ndim`."""
    return as_array(a).ndim


@implements(np.size)
def size(a: Any, axis: Any = None) -> Any:
    """`np.size`."""
    x = as_array(a)
    return x.size if axis is None else x.shape[operator.index(axis)]


@implements(np.iscomplexobj)
def iscomplexobj(x: Any) -> Any:
    """`np.iscomplexobj`."""
    dtype = as_array(x).spec.dtype
    return NotImplemented if dtype is None else bool(dtype.kind == "c")


@implements(np.isrealobj)
def isrealobj(x: Any) -> Any:
    """`np.isrealobj`."""
    dtype = as_array(x).spec.dtype
    return NotImplemented if dtype is None else bool(dtype.kind != "c")


@implements(np.isscalar)
def isscalar(element: Any) -> bool:
    """`np.isscalar`: a number or a text, and no array without dims."""
    return element.scalar if isinstance(element, Tensor) else np.isscalar(element)


@implements(np.iterable)
def iterable(y: Any) -> Any:
    """`np.iterable`."""
    if not isinstance(y, Tensor):
        return np.iterable(y)
    if object_type(y.spec) is not None:
        return True
    return NotImplemented if y.spec.rank is None else y.spec.rank > 0


# What dtypes tell is known while tracing: `if np.result_type(x, y) == np.float64`.


@implements(np.result_type)
def result_type(*arrays_and_dtypes: Any) -> Any:
    """`np.result_type`."""
    return _of_dtypes(np.result_type, arrays_and_dtypes)


@implements(np.common_type)
def common_type(*arrays: Any) -> Any:
    """`np.common_type`."""
    return _of_dtypes(np.common_type, arrays)


@implements(np.min_scalar_type)
def min_scalar_type(a: Any) -> Any:
    """`np.min_scalar_type`, which of a number depends on how large it is."""
    return _of_dtypes(np.min_scalar_type, (a,)) if a.spec.rank else NotImplemented


def _of_dtypes(function: Any, operands: tuple[Any, ...]) -> Any:
    """What a function gives that asks its operands for nothing but their dtypes."""
    specs = [x.spec for x in operands if isinstance(x, Tensor)]
    if not all(type(spec) is TensorSpec and spec.dtype is not None for spec in specs):
        return NotImplemented
    return function(*(_like(x) if isinstance(x, Tensor) else x for x in operands))


def _like(x: Tensor) -> Any:
    """Something of this dtype, a number of Python's where it is one."""
    return x.spec.python_type() if x.spec.weak else np.empty(1, x.spec.dtype)
