"""Several outputs: a ufunc that is told to write its results into several arrays.

NumPy writes where they lie, in an order that nobody may count on where two of them
have elements in common: such calls are Python's.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from runtime.errors import OnlyPythonError, located
from runtime.numpy_api.indexing import Key
from runtime.ops.elementwise import ufunc_into_each
from runtime.picked import possible
from runtime.tensor import Tensor, tensor


def are_arrays(out: tuple[Any, ...]) -> bool:
    """Whether there are arrays of one known dtype for the results."""
    specs = [tensor(one).spec for one in out if one is not None]
    return all(spec.dtype is not None and not spec.kinds for spec in specs)


def write_each(
    ufunc: np.ufunc, out: tuple[Any, ...], operands: tuple[Any, ...]
) -> tuple[Any, ...]:
    """`ufunc(*operands, out=out)`, where `out` has arrays, and None for new ones.

    OnlyPythonError: two of them may have elements in common
    """
    targets = [tensor(one) for one in out if one is not None]
    if not all(itertools.starmap(_are_apart, itertools.combinations(targets, 2))):
        words = f"np.{ufunc.__name__} writes into arrays that may overlap"
        raise located(OnlyPythonError(words), "Write into arrays of their own.")
    given = tuple(one is not None for one in out)
    made = ufunc_into_each(*targets, *operands, ufunc=ufunc, given=given)
    for one, content in zip(out, made, strict=True):
        if one is not None:
            tensor(one).write(content.value)
    return tuple(m if one is None else one for one, m in zip(out, made, strict=True))


def _are_apart(one: Tensor, other: Tensor) -> bool:
    """Whether two arrays have no element in common, for sure."""
    mine, others = ({id(it) for it in possible(array)} for array in (one, other))
    if mine.isdisjoint(others):
        return True
    parts = [_known_part(array) for array in (one, other)]
    if parts[0] is None or parts[1] is None or parts[0][0] is not parts[1][0]:
        return False
    whole = np.empty([int(dim or 0) for dim in parts[0][0].spec.shape or ()], "i1")
    return not np.shares_memory(*(whole[part[1]] for part in parts if part))


def _known_part(array: Tensor) -> tuple[Tensor, Any] | None:
    """The array that it is a part of, and the index; None where the run says one."""
    view = array._view
    if view is None or type(view.key) is not Key or not view.base.spec.is_static:
        return None
    dtype = view.base.spec.dtype
    known = not view.key.dynamic and dtype is not None and dtype.fields is None
    return (view.base, view.key.index) if known else None
