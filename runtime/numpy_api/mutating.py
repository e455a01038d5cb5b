"""NumPy's functions and methods that change their first argument.

Each is staged as an op that gives the changed array, and a write of the whole: the
executor changes the array itself where nobody can tell.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.errors import StagingNotImplementedError, located
from runtime.numpy_api.operands import cast_constant
from runtime.numpy_api.table import implements
from runtime.ops.index import store
from runtime.ops.inference import refuse_as_numpy
from runtime.ops.template import encode
from runtime.ops.views import changed
from runtime.picked import possible
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
    if base.scalar and mutate not in (np.put, np.fill_diagonal):
        raise TypeError(f"{mutate.__name__}() argument 1 must be a numpy.ndarray")
    base.require_writable(LOCKED.get(mutate, "assignment destination"))
    base.write(after(mutate, base, *args, **kwargs).value)


def after(mutate: Callable[..., Any], base: Tensor, *args: Any, **kwargs: Any) -> Any:
    """What `base` holds after `mutate(base, *args, **kwargs)`."""
    (positional, named), inputs = encode(((base, *args), kwargs), _is_array)
    return changed(*inputs, function=mutate, args=positional, kwargs=named)


def _is_array(part: Any) -> bool:
    """A tensor, or an array that the user may change: read at each call."""
    if isinstance(part, np.ndarray):
        return part.dtype.kind in "biufc"
    return isinstance(part, Tensor)


def _mutator(function: Callable[..., Any]) -> None:
    @implements(function, operands=3)
    def change(a: Any, *args: Any, **kwargs: Any) -> None:
        _write_changed(function, a, args, kwargs)


# What is called to change an array, as a function and as its method.
CHANGES: tuple[Callable[..., Any], ...] = (
    np.put,
    np.copyto,
    np.place,
    np.putmask,
    np.fill_diagonal,
)
METHODS = frozenset({"fill", "sort", "partition", "put"})

for _function in CHANGES:
    _mutator(_function)
CHANGES += (np.put_along_axis,)


@implements(np.nan_to_num)
def nan_to_num(x: Any, copy: bool = True, **numbers: Any) -> Any:
    """`np.nan_to_num`: without a copy it changes x."""
    if copy or not isinstance(x, (Tensor, np.ndarray)) or tensor(x).scalar:
        return NotImplemented
    _write_changed(np.nan_to_num, x, (False,), numbers)
    return x


def set_flat(base: Tensor, key: Any, content: Any) -> Any:
    """What `base` holds after `base.flat[key] = content`, which repeats itself."""
    same = content is base
    root = base.root
    others = possible(content) if isinstance(content, Tensor) and not same else ()
    if any(root is one for one in others):
        raise located(
            StagingNotImplementedError("`.flat` of an array is given a part of it"),
            "Copy that part first (`y.copy()`).",
        )
    return after(_set_flat, base, key, content)


def _set_flat(x: Any, key: Any, content: Any) -> None:
    x.flat[key] = content


def fill(target: Tensor, value: Any) -> None:
    """`a.fill(value)`; it does nothing to a NumPy scalar."""
    if target.scalar:
        return
    target.require_writable()
    if value.spec.rank if isinstance(value, Tensor) else np.ndim(value):
        refuse_as_numpy(np.ndarray.fill, np.zeros(1), np.zeros(2))
    value = cast_constant(target, value)
    target.write(store(target, value, index=(Ellipsis,)).value)


def sort(target: Tensor, axis: int = -1, kind: str | None = None) -> None:
    """`a.sort()`: in place."""
    operator.index(axis)
    target.require_writable("sort array")
    target.write(after(np.ndarray.sort, target, axis=axis, kind=kind).value)


def partition(target: Tensor, kth: Any, axis: int = -1) -> None:
    """`a.partition(kth)`: in place."""
    _write_changed(np.ndarray.partition, target, (kth, axis), {})


def put(target: Tensor, indices: Any, values: Any, mode: str = "raise") -> None:
    """`a.put(indices, values)`: in place."""
    _write_changed(np.put, target, (indices, values, mode), {})
