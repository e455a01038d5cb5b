"""NumPy's functions that join arrays and split them."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.errors import OnlyPythonError, located
from runtime.numpy_api import faults
from runtime.numpy_api.indexing import view
from runtime.numpy_api.operands import as_array, has_tensor
from runtime.numpy_api.shaping import atleast_1d, atleast_2d, atleast_3d, ravel
from runtime.numpy_api.table import WRITES_BY_PARTS, implements
from runtime.ops import join
from runtime.ops.inference import axis_of
from runtime.ops.template import Input
from runtime.ops.views import write_through
from runtime.tensor import Tensor, tensor


def _arrays(sequence: Any) -> list[Tensor]:
    return [as_array(part) for part in sequence]


@implements(np.concatenate)
def concatenate(arrays: Any, axis: int | None = 0) -> Any:
    """`np.concatenate`."""
    parts = _arrays(arrays)
    if not parts:
        raise ValueError("need at least one array to concatenate")
    return join.concatenate(*parts, axis=None if axis is None else operator.index(axis))


@implements(np.stack)
def stack(arrays: Any, axis: int = 0) -> Any:
    """`np.stack`."""
    parts = _arrays(arrays)
    if not parts:
        raise ValueError("need at least one array to stack")
    return join.stack(*parts, axis=operator.index(axis))


def _write_concatenated(
    out: Any, arrays: Any, axis: int | None = 0, **options: Any
) -> None:
    """`np.concatenate(arrays, axis, out)`: NumPy writes one array after the other."""
    before = (slice(None),) * axis_of(axis or 0, tensor(out).ndim)
    start: Any = 0
    for part in _arrays(arrays):
        part = ravel(part) if axis is None else part
        stop = start + part.shape[len(before)]
        out[(*before, slice(start, stop))] = part
        start = stop


def _write_stacked(out: Any, arrays: Any, axis: int = 0, **options: Any) -> None:
    """`np.stack(arrays, axis, out)`, likewise."""
    before = (slice(None),) * axis_of(axis, tensor(out).ndim)
    for at, part in enumerate(_arrays(arrays)):
        out[(*before, at)] = part


WRITES_BY_PARTS.update(
    {np.concatenate: _write_concatenated, np.stack: _write_stacked},
)


def _joined(
    tup: Any, raise_rank: Callable[[Any], Any], axis: Callable[[Tensor], int]
) -> Any:
    """Arrays brought to a least rank, then one after another."""
    parts = [raise_rank(part) for part in _arrays(tup)]
    if any(part is NotImplemented for part in parts):
        return NotImplemented
    return concatenate(parts, axis(parts[0]))


@implements(np.vstack)
def vstack(tup: Any) -> Any:
    """`np.vstack`."""
    return _joined(tup, atleast_2d, lambda _: 0)


@implements(np.hstack)
def hstack(tup: Any) -> Any:
    """`np.hstack`."""
    return _joined(tup, atleast_1d, lambda first: 0 if first.spec.rank == 1 else 1)


@implements(np.dstack)
def dstack(tup: Any) -> Any:
    """`np.dstack`."""
    return _joined(tup, atleast_3d, lambda _: 2)


@implements(np.column_stack)
def column_stack(tup: Any) -> Any:
    """`np.column_stack`."""
    parts = _arrays(tup)
    rows = [atleast_1d(part) for part in parts]
    if any(row is NotImplemented for row in rows):
        return NotImplemented
    columns = [row if row.ndim >= 2 else row[:, None] for row in rows]
    return concatenate(columns, 1)


@implements(np.append, operands=2)
def append(arr: Any, values: Any, axis: int | None = None) -> Any:
    """`np.append`."""
    parts = [as_array(arr), as_array(values)]
    return concatenate(list(map(ravel, parts)) if axis is None else parts, axis or 0)


def _split(ary: Any, indices_or_sections: Any, axis: int, even: bool) -> Any:
    x = as_array(ary)
    if isinstance(indices_or_sections, Tensor):
        return NotImplemented
    if isinstance(indices_or_sections, Sequence | np.ndarray):
        sections: Any = tuple(map(_bound, indices_or_sections))
        if any(one is None for one in sections):
            return NotImplemented
    else:
        sections = operator.index(indices_or_sections)
        if sections < 1:
            return NotImplemented  # NumPy says what is wrong with that
    bounds = _bounds(x, sections, axis, even)
    if bounds is not None:
        before = (slice(None),) * (axis % (x.spec.rank or 1))
        return [x[(*before, slice(start, stop))] for start, stop in bounds]
    if has_tensor(sections):
        return NotImplemented
    options = {"sections": sections, "axis": axis, "even": even}
    return [_part(x, part, at, options) for at, part in enumerate(_parts(x, options))]


def _bound(index: Any) -> Any:
    """Where a part ends, which the run may say; None: not by an int."""
    if not isinstance(index, Tensor):
        return operator.index(index)
    spec = index.spec
    is_int = spec.dtype is not None and spec.dtype.kind in "iu"
    return index if is_int and spec.shape == () else None


def unstack(x: Any, /, *, axis: int = 0) -> Any:
    """`np.unstack`: views. OnlyPythonError: how many there are is not known."""
    base = as_array(x)
    rank = base.spec.rank
    if rank == 0:
        return NotImplemented
    axis = axis if rank is None else axis_of(operator.index(axis), rank)
    count = None if rank is None else base.shape[axis]
    if count is None or isinstance(count, Tensor):
        raise located(
            OnlyPythonError("the number of arrays that np.unstack gives is of the run"),
            "Take the parts by an index, or call np.unstack outside.",
        )
    return tuple(base[(*(slice(None),) * axis, at)] for at in range(count))


# NumPy 2.0 has none.
if hasattr(np, "unstack"):
    implements(np.unstack)(unstack)


def _parts(x: Tensor, options: dict[str, Any]) -> tuple[Tensor, ...]:
    made = join.split(x, **options)
    return made if isinstance(made, tuple) else (made,)


def _part(x: Tensor, first: Tensor, at: int, options: dict[str, Any]) -> Tensor:
    """One part as a view, where its bounds are found by the run."""

    def write(whole: Tensor, new: Tensor) -> Tensor:
        args = (Input(0), at)
        made = write_through(whole, new, function=_nth, args=args, kwargs=options)
        return made

    return view(x, first, lambda whole: _parts(whole, options)[at], write)


def _nth(x: Any, at: int, sections: Any, axis: int, even: bool) -> Any:
    return (np.split if even else np.array_split)(x, sections, axis)[at]


def _bounds(x: Tensor, sections: Any, axis: int, even: bool) -> Any:
    """Where each part starts and stops, which makes them views; None: not known."""
    dims = x.spec.shape
    if dims is None or not -len(dims) <= axis < len(dims):
        return None
    length = dims[axis]
    if isinstance(sections, tuple):
        ends = (*sections, None)
    elif even and isinstance(length, int) and length % sections:
        return None  # the op raises NumPy's error
    elif isinstance(length, int):
        short, longer = divmod(length, sections)
        sizes = [short + 1] * longer + [short] * (sections - longer)
        ends = tuple(itertools.accumulate(sizes))
    else:
        ends = _ends(x, sections, axis, even)
    return list(zip((0, *ends), ends, strict=False))


def _ends(x: Tensor, sections: int, axis: int, even: bool) -> tuple[Any, ...]:
    """Where the parts end of an array whose length only the run knows."""
    if even:
        faults.ask(np.split, (x, sections, axis), {}, pure=True)
    length = x.shape[axis]
    short, longer = length // sections, length % sections
    ends = [number * short for number in range(1, sections)]
    if not even:
        ends = [end + np.minimum(longer, at) for at, end in enumerate(ends, 1)]
    return (*ends, None)


@implements(np.split, operands=2)
def split(ary: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    """`np.split`."""
    return _split(ary, indices_or_sections, axis, even=True)


@implements(np.array_split, operands=2)
def array_split(ary: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    """`np.array_split`."""
    return _split(ary, indices_or_sections, axis, even=False)


@implements(np.vsplit, operands=2)
def vsplit(ary: Any, indices_or_sections: Any) -> Any:
    """`np.vsplit`."""
    x = as_array(ary)
    if x.spec.rank in (0, 1):
        raise ValueError("vsplit only works on arrays of 2 or more dimensions")
    return _split(x, indices_or_sections, 0, even=True)


@implements(np.hsplit, operands=2)
def hsplit(ary: Any, indices_or_sections: Any) -> Any:
    """`np.hsplit`."""
    x = as_array(ary)
    if x.ndim == 0:
        raise ValueError("hsplit only works on arrays of 1 or more dimensions")
    return _split(x, indices_or_sections, 1 if x.ndim > 1 else 0, even=True)
