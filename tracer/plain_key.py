"""plain_key: a call's signature in short, which most calls are looked up by."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.spec import holds_objects

# Types of arguments whose place in a signature is found without looking inside.
_BY_VALUE = frozenset({int, str, bool, type(None), bytes})
_SCALARS = frozenset(kind for kind in np.sctypeDict.values() if kind is not np.object_)


def plain_key(args: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """A signature in short, for arrays, NumPy scalars and simple constants only."""
    key: list[Any] = []
    for arg in args:
        kind = type(arg)
        if kind is np.ndarray and not holds_objects(arg.dtype):
            key.append(arg.dtype)
            key.append(arg.shape)
        elif kind in _SCALARS:
            key.append(arg.dtype)
        elif kind in _BY_VALUE:
            key.append(kind)
            key.append(arg)
        else:
            return None
    if len(args) > 1 and len(set(map(id, args))) < len(args):
        # One array passed twice is one reference in the trace, so another signature.
        return None
    return tuple(key)
