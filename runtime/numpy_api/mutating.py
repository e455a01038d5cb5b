"""NumPy's functions and methods that change their first argument.

Each is staged as an op that gives the changed array, and a write of the whole: the
executor changes the array itself where nobody can tell.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime import operators
from runtime.errors import OnlyPythonError, PythonTypeError, located
from runtime.numpy_api import into
from runtime.numpy_api.operands import as_array, cast_constant
from runtime.numpy_api.table import implements
from runtime.picked import may_be_number, require_array
from runtime.spec import TensorSpec
from runtime.tensor import Tensor, tensor

# What NumPy calls a read-only array in which they would write.
LOCKED: dict[Callable[..., Any], str] = {
    np.put: "put: output array",
    np.putmask: "putmask: output array",
    np.fill_diagonal: "underlying array",
    np.ndarray.partition: "partition array",
}


def _write_changed(
    mutate: Callable[..., Any], target: Any, args: Any, kwargs: Any
) -> None:
    base = tensor(target)
    _require_array(base)
    base.require_writable(LOCKED.get(mutate, "assignment destination"))
    base.write(after(mutate, base, *args, **kwargs).value)


def _require_array(base: Tensor) -> None:
    """PythonTypeError: of a number NumPy changes an array that it then forgets."""
    if base.scalar or may_be_number(base):
        raise located(
            PythonTypeError("this changes what is a number, or may be one, in place"),
            "Make an array of it: `np.array(x)`.",
        )


def after(mutate: Callable[..., Any], base: Tensor, *args: Any, **kwargs: Any) -> Any:
    """What `base` holds after `mutate(base, *args, **kwargs)`."""
    return into.after(mutate, base, (base, *args), kwargs)


def _mutator(function: Callable[..., Any]) -> None:
    @implements(function, operands=3)
    def change(a: Any, *args: Any, **kwargs: Any) -> None:
        _write_changed(function, a, args, kwargs)


# What is called to change an array, as a function and as its method.
CHANGES: tuple[Callable[..., Any], ...] = (
    np.put,
    np.place,
    np.putmask,
    np.fill_diagonal,
)
METHODS = frozenset({"fill", "sort", "partition", "put"})

for _function in CHANGES:
    _mutator(_function)
CHANGES += (np.put_along_axis, np.copyto)


@implements(np.copyto, operands=4)
def copyto(dst: Any, src: Any, *args: Any, **kwargs: Any) -> None:
    """`np.copyto`: of one dtype and everywhere, as `dst[...] = src`."""
    same = isinstance(dst, Tensor) and isinstance(src, Tensor) and not dst.scalar
    if isinstance(dst, Tensor) and dst.spec.dtype is not None:
        kind = f"numpy.{dst.spec.dtype.type.__name__}"
        require_array(dst, f"copyto() argument 1 must be a numpy.ndarray, not {kind}")
    if same and _changes_nothing(dst, src, kwargs):
        return  # NumPy does not ask then whether it may write, and what
    if same:
        _require_told(dst)
    if same and not args and not kwargs and _is_one_dtype(dst.spec, src.spec):
        operators.numpy_api.set_item(dst, Ellipsis, src)
    else:
        _write_changed(np.copyto, dst, (src, *args), kwargs)


def _require_told(dst: Tensor) -> None:
    """OnlyPythonError: it may be read-only, and what is copied to it may be itself."""
    pick = dst.root._pick
    if dst.is_locked or (pick and pick.may_be_locked):
        raise located(
            OnlyPythonError("np.copyto to what is, or may be, read-only"),
            "Copy to an array of its own.",
        )


def _changes_nothing(dst: Tensor, src: Tensor, kwargs: dict[str, Any]) -> bool:
    """True for a copy of what may be read-only onto itself."""
    where = kwargs.get("where", True)
    if dst is not src or set(kwargs) - {"where"} or dst.spec.kinds:
        return dst.is_locked and _is_one_place(dst, src)
    return as_array(where).spec.dtype == bool


def _is_one_place(a: Tensor, b: Tensor) -> bool:
    mine, other = (operators.numpy_api.layout(one) for one in (a, b))
    if a.root is not b.root or a.spec != b.spec or mine is None or other is None:
        return False
    places = (one.__array_interface__["data"][0] for one in (mine, other))
    return len(set(places)) == 1 and mine.strides == other.strides


def _is_one_dtype(a: TensorSpec, b: TensorSpec) -> bool:
    known = a.dtype is not None and not (a.kinds or b.kinds or b.weak)
    return known and a.dtype == b.dtype


@implements(np.nan_to_num, operands=5)
def nan_to_num(
    x: Any, copy: Any = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None
) -> Any:
    """`np.nan_to_num`: without a copy it changes x."""
    if isinstance(copy, Tensor):
        raise located(
            OnlyPythonError("np.nan_to_num copies or not, depending on data"),
            "Write both calls under an `if`.",
        )
    if copy or not isinstance(x, (Tensor, np.ndarray)) or tensor(x).scalar:
        return NotImplemented
    _write_changed(np.nan_to_num, x, (False, nan, posinf, neginf), {})
    return x


def fill(target: Tensor, value: Any) -> None:
    """`a.fill(value)`."""
    rank = value.spec.rank if isinstance(value, Tensor) else np.ndim(value)
    _require_array(target)
    if rank != 0:
        _write_changed(np.ndarray.fill, target, (value,), {})
        return
    target.require_writable()
    # Into the memory of the whole, where it is a part.
    operators.numpy_api.set_item(target, Ellipsis, cast_constant(target, value))


def sort(
    target: Tensor, axis: int = -1, kind: str | None = None, *args: Any, **kwargs: Any
) -> None:
    """`a.sort()`: in place; by the fields of `order`, or `stable`, as NumPy does."""
    operator.index(axis)
    target.require_writable("sort array")
    given = (axis, kind, *args)
    target.write(after(np.ndarray.sort, target, *given, **kwargs).value)


def partition(target: Tensor, kth: Any, *args: Any, **kwargs: Any) -> None:
    """`a.partition(kth)`: in place."""
    _write_changed(np.ndarray.partition, target, (kth, *args), kwargs)


def put(target: Tensor, indices: Any, values: Any, mode: str = "raise") -> None:
    """`a.put(indices, values)`: in place."""
    _write_changed(np.put, target, (indices, values, mode), {})
