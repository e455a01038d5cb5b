"""own views: stores of a part into the very place that it lies in, which do nothing.

`x[key] += y` changes the view `x[key]` in place, and then stores it where it lies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from runtime.shapes import Shape
from runtime.tensor import Tensor

if TYPE_CHECKING:
    from runtime.numpy_api.indexing import Key


def is_own_view(base: Tensor, key: Key, content: Any) -> bool:
    """True after `x[key] += y`: Python stores the view that was written in place.

    Also for `x[key] = x[key]`, if it cannot fail: one that does is a store of the run.
    """
    if not isinstance(content, Tensor) or content._view is None:
        return False
    made = content._view
    if made.base is not base or made.key is None or not key.same(made.key):
        return False
    return content._value is content._written or _always_fits(key, base.spec.shape)


def _always_fits(key: Key, shape: Shape) -> bool:
    """Whether a key that has been taken of an array of this shape fits each such."""
    parts = key.index if isinstance(key.index, tuple) else (key.index,)
    if all(part is None or part is ... or isinstance(part, slice) for part in parts):
        return True
    return not key.dynamic and shape is not None and None not in shape
