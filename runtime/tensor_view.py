"""View: how a tensor lies in the memory of another one."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.build import Frame
from runtime.errors import PythonValueError, located
from runtime.graph import Value
from runtime.location import Location
from runtime.shapes import Shape
from runtime.structs import struct
from runtime.written import keep_failing

if TYPE_CHECKING:
    from runtime.picked import Pick
    from runtime.tensor import Tensor


@struct(eq=False)
class View:
    """How a view reads its base's value, and gives the base a new one.

    contiguous: its elements lie in C order without gaps, as far as the base's do
    layout:     an array that lies in memory as it does, when the sizes are known
    key:        for a view by index, what it was made with
    locked:     it is read-only, as what `np.broadcast_to` gives
    by_layout:  in other memory orders of the arguments it would be a copy
    flat:       it is what `.flat` gives, whose slices are copies
    shape:      of the base, when the view was taken
    turned:     it is the base with its axes the other way round
    location:   where it was taken, which is where it is said to be read
    handed:     a branch or loop has taken it, and handed on where it lies: this is that
    which:      of one that is handed on, the arrays of which it may be all
    how:        says how it is taken, where that needs nothing but the base: views of
                one base that are taken alike are one
    """

    base: Tensor
    read: Callable[[Tensor], Tensor]
    write: Callable[[Tensor, Tensor], Tensor]
    contiguous: bool = False
    layout: np.ndarray[Any, Any] | None = None
    key: Any = None
    locked: bool = False
    by_layout: bool = False
    flat: bool = False
    shape: Shape = None
    turned: bool = False
    location: Location | None = None
    handed: Value | None = None
    which: Pick | None = None
    how: Hashable = None

    def again(self, frame: Frame, before: Value | None) -> Value:
        """What it is of what its base is now; the nodes are where it was taken.

        before: what was read of what its base was, where it fails if it cannot be taken
        """
        if before is not None:
            keep_failing(frame, before)
        place, frame.location = frame.location, self.location
        try:
            return self.read(self.base).value
        finally:
            frame.location = place


def reshaped_error() -> PythonValueError:
    """The error for a read of a view whose base has another shape since."""
    return located(
        PythonValueError("this view was taken before `.shape` of its array was set"),
        "Set the shape first, or use `.reshape()`, which gives a view.",
    )
