"""LibrarySpec: what is known of a library's object that the run makes."""

from __future__ import annotations

from typing import Any

from runtime.shapes import Shape
from runtime.spec import TensorSpec
from runtime.structs import field, struct


@struct(locked=True)
class LibrarySpec(TensorSpec):
    """An object of a library's, as a sparse matrix, which the run makes and asks.

    example: one like it, found while tracing, which tells what it can be asked

    As a ListSpec, it is a TensorSpec that knows neither dtype nor shape.

    >>> import numpy as np
    >>> LibrarySpec(np.poly1d([1, 2]))
    object[numpy.poly1d]
    """

    kind: type = field(init=False)
    example: Any = field(init=False, compare=False)

    def __init__(self, example: Any) -> None:
        TensorSpec.__init__(self, None, None)
        object.__setattr__(self, "kind", type(example))
        object.__setattr__(self, "example", example)

    def __repr__(self) -> str:
        return f"object[{self.kind.__module__}.{self.kind.__qualname__}]"

    def describes_kinds(self, other: TensorSpec) -> bool:
        """`describes`: an object of the same class."""
        return isinstance(other, LibrarySpec) and self.kind is other.kind

    describes = describes_kinds

    def with_shape(self, shape: Shape) -> TensorSpec:
        """Itself: its shape, if it has one, is its own affair."""
        return self

    def strong(self) -> TensorSpec:
        """Itself."""
        return self
