"""stacking: what `np.array` makes of a list whose length depends on data."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.errors import StagingTypeError, located
from runtime.ops import lists
from runtime.spec import PYTHON_NUMBERS, TensorSpec, result_dtype, spec_of
from tracer.item_type import NOTHING, ItemType, of_rows
from tracer.rows import row_in


def stacked_spec(kind: ItemType, dtype: Any) -> TensorSpec:
    """The spec of the array. TypeError: the items are no numbers, arrays or lists."""
    shape = kind.shape
    if shape.structure.is_leaf() and shape.fixed == (None,):
        return lists.stacked_spec(kind.specs[0], dtype)
    item = shape.whole(kind.specs)
    row = row_in(item)
    if row is not None:
        inner = of_rows(row.region.held[0].type)
        if inner == NOTHING:
            return TensorSpec((None, 0), dtype or float)
        spec = stacked_spec(inner, dtype)
        return TensorSpec((None, *(spec.shape or ())), spec.dtype)
    found = _sizes_of(item)
    leaves = [spec for spec in kind.specs if not spec.kinds]
    if found is None or len(leaves) < len(kind.specs):
        raise located(
            StagingTypeError(
                "an array of a list whose length depends on data, and whose items "
                "are no numbers and no arrays"
            ),
            "Keep one list for each part of the items, or append arrays.",
        )
    fixed = [spec_of(leaf.content) for leaf in shape.fixed if leaf is not None]
    wanted = dtype or result_dtype(*(spec.strong() for spec in (*leaves, *fixed)))
    return TensorSpec((None, *found), wanted)


def _sizes_of(item: Any) -> tuple[Any, ...] | None:
    """The dims of the array that NumPy makes of nested lists; None when it has none."""
    if isinstance(item, TensorSpec):
        return (
            item.shape if type(item) is TensorSpec and item.dtype is not None else None
        )
    if type(item) in PYTHON_NUMBERS or isinstance(item, np.generic):
        return ()
    if type(item) not in (list, tuple) or not item:
        return None
    inner = {_sizes_of(part) for part in item}
    dims = inner.pop()
    return None if inner or dims is None else (len(item), *dims)
