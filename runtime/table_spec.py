"""TableSpec: what is known of the keys of a dict or set that a run makes."""

from __future__ import annotations

from runtime.spec import OBJECT_NAMES, ListSpec, ObjectSpec, TensorSpec
from runtime.structs import struct


@struct(locked=True)
class TableSpec(ListSpec):
    """The keys of a dict of the run, whatever they are, each with its place.

    It is a ListSpec to whoever asks what may be changed in place.

    >>> TableSpec()
    table
    """

    def __init__(self) -> None:
        ListSpec.__init__(self, TensorSpec(None, None))

    def __repr__(self) -> str:
        return "table"

    def describes_kinds(self, other: TensorSpec) -> bool:
        """True for any table."""
        return isinstance(other, TableSpec)

    def describes(self, other: TensorSpec) -> bool:
        """True for any table."""
        return isinstance(other, TableSpec)


# The specs that are told by a name alone, where a graph is read from its text.
NAMED: dict[str, TensorSpec] = {
    **{name: ObjectSpec(kind) for name, kind in OBJECT_NAMES.items()},
    "table": TableSpec(),
    "set": ObjectSpec(set),
}
