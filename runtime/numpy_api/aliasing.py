"""Aliasing: what a call on samples tells of memory.

Which results lie in the memory of which arguments, and which arguments the function
has changed. What is made of that while tracing is `host_views`'s affair.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from runtime.hushed import warnings_as
from runtime.shapes import Shape
from runtime.structs import replace, struct

Array = np.ndarray[Any, Any]


@struct
class Lies:
    """That a result lies in the memory of an input, or may.

    of:       the inputs that it may be a part of
    certain:  it is, of the first, whatever the numbers are
    same:     it is the input itself
    locked:   it is read-only
    overlaps: some of its elements are one in memory
    in_order: it lies in C order, without gaps
    layout:   its shape, and the steps in memory for it, in elements
    """

    of: tuple[int, ...]
    certain: bool = True
    same: bool = False
    locked: bool = False
    overlaps: bool = False
    in_order: bool = False
    layout: tuple[tuple[int, ...], tuple[int, ...]] | None = None

    def lying(self, dims: Shape) -> Array | None:
        """An array of bytes that lies as the result does, if that has these sizes."""
        if self.layout is None or self.layout[0] != dims:
            return None
        return as_strided(np.empty((), "u1"), *self.layout)


def lies(part: Any, samples: Sequence[Any]) -> Lies | None:
    """Where one result of a call lies; None for memory of its own."""
    if not isinstance(part, np.ndarray):
        return None
    of = tuple(at for at, x in enumerate(samples) if _is_part(part, x))
    if not of:
        return None
    same = part is samples[of[0]]
    with warnings_as("ignore"):
        # NumPy warns of a look at what `np.broadcast_arrays` gives.
        locked = not part.flags.writeable
    steps = tuple(step // part.itemsize for step in part.strides)
    return Lies(
        of,
        len(of) == 1,
        same,
        locked,
        _overlaps(part),
        part.flags.c_contiguous,
        (part.shape, steps),
    )


def _is_part(part: Array, x: Any) -> bool:
    if not isinstance(x, np.ndarray):
        return False
    # One without elements has no memory, but knows whose it is.
    empty = part.size == 0 and _owner(part) is _owner(x)
    return empty or np.may_share_memory(part, x)


def _owner(array: Any) -> Any:
    while getattr(array, "base", None) is not None:
        array = array.base
    return array


def joined(found: Sequence[Lies | None]) -> Lies | None:
    """What several calls say of one result."""
    known = [one for one in found if one is not None]
    if not known:
        return None
    in_order = all(one.in_order for one in known)
    layouts = {one.layout for one in known}
    alike = {
        replace(
            one, in_order=in_order, layout=one.layout if len(layouts) == 1 else None
        )
        for one in known
    }
    if len(alike) == 1 and len(known) == len(found):
        return alike.pop()
    of = {at for one in known for at in one.of}
    return Lies(tuple(sorted(of)), certain=False)


def changed(before: Sequence[Any], after: Sequence[Any]) -> frozenset[int]:
    """The arrays that a call has changed."""
    pairs = enumerate(zip(before, after, strict=True))
    return frozenset(
        at
        for at, (old, new) in pairs
        if isinstance(new, np.ndarray) and old.tobytes() != new.tobytes()
    )


def _overlaps(part: Array) -> bool:
    """True when elements of a small array are one in memory."""
    places = np.zeros(part.shape, np.intp)
    for axis, step in enumerate(part.strides):
        ramp = np.arange(part.shape[axis]) * step
        places += ramp.reshape(-1, *[1] * (part.ndim - axis - 1))
    return np.unique(places).size < part.size
