"""TupleSpec: what is known of a tuple of numbers that is an item of a caller's list."""

from __future__ import annotations

from runtime.spec import TensorSpec
from runtime.structs import field, struct


@struct(locked=True)
class TupleSpec(TensorSpec):
    """A tuple of so many parts, each of a spec of its own.

    A graph takes lists of such tuples apart as they come in (`runtime.ops.given`), so
    it computes with none.

    >>> TupleSpec((TensorSpec((), int, weak=True), TensorSpec((), float, weak=True)))
    tuple[~int64[], ~float64[]]
    """

    parts: tuple[TensorSpec, ...] = field(init=False)

    def __init__(self, parts: tuple[TensorSpec, ...]) -> None:
        TensorSpec.__init__(self, None, None)
        object.__setattr__(self, "parts", parts)

    def __repr__(self) -> str:
        return f"tuple[{', '.join(map(repr, self.parts))}]"

    def describes_kinds(self, other: TensorSpec) -> bool:
        """True for a tuple of the same parts."""
        return self == other

    def describes(self, other: TensorSpec) -> bool:
        """True for a tuple of the same parts."""
        return self == other
