"""Plain parts: what plain NumPy took of an array of texts, dates or records.

Such an array stays plain while tracing until something is written into it: what it
holds may be a key, or decide something. By then others may have parts of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.structs import struct

Plain = np.ndarray[Any, Any]
_NUMBERS = "biufc"


def owner_of(array: Plain) -> Plain | None:
    """The plain array of texts, dates or records that this is a part of, if any."""
    owner = array
    while type(owner.base) is np.ndarray:
        owner = owner.base
    if owner is array or owner.base is not None or owner.dtype.kind in _NUMBERS:
        return None
    # Its elements follow one another, so that all of its memory is a row of bytes.
    return owner if np.may_share_memory(owner.ravel("K"), owner) else None


@struct
class Part:
    """A function that takes the part of an array in such memory that lies so.

    start: bytes from the first of the memory
    """

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    start: int
    strides: tuple[int, ...]

    def __call__(self, owner: Plain) -> Plain:
        """The part: a view."""
        memory = owner.ravel("K").view("u1")
        found: Plain = np.ndarray(
            self.shape, self.dtype, memory.data, self.start, self.strides
        )
        return found

    @property
    def __name__(self) -> str:
        return "part"


def part_of(owner: Plain, array: Plain) -> Part:
    """How to take `array` of its owner, or of what lies in memory as that does."""
    start = array.__array_interface__["data"][0] - owner.__array_interface__["data"][0]
    return Part(array.shape, array.dtype, start, array.strides)
