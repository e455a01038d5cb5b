"""flat_keys: what is a key of `x.flat`, and what is left to NumPy's own rules for it.

`x.flat[1.5]` and `x.flat[True]` warn, a list of truths is refused where an array of
them is not, and errors have other words: a call with such a key is made as Python.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from runtime.errors import OnlyPythonError, located

if TYPE_CHECKING:
    from runtime.numpy_api.indexing import Key


def flat_key(key: Any, encode: Callable[[Any], Key]) -> Key:
    """The key, which is one int, slice or array of them.

    encode: makes a Key of a key of an array
    OnlyPythonError: it is none of these
    """
    try:
        found = encode(key)
    except (IndexError, TypeError):
        found = None
    if found is None or len(found.index) > 1 or _is_truth(key, found):
        raise located(
            OnlyPythonError("`x.flat[key]` by a key that is no int, slice or array"),
            "Write `x.ravel()[key]`.",
        )
    return found


def _is_truth(key: Any, found: Key) -> bool:
    """True for a truth, or a list of them."""
    for part in found.dynamic:
        if part.spec.dtype == bool:
            return isinstance(key, list) or part.spec.shape == ()
    return False
