"""Records: classes that say themselves what fields their objects have.

Dataclasses, and those of attrs, which is not imported for it.
"""

from __future__ import annotations

import dataclasses
from typing import Any

# Most of what is met; to look whether a class says something takes a microsecond.
_NONE = frozenset({bool, int, float, complex, str, bytes, type(None), list, tuple})

# Classes whose objects stand in the text of a graph as `Name(field, ...)`.
STRUCTURES: dict[str, type] = {}


def textual(structure: type) -> type:
    """Class decorator: print instances of a struct by their fields."""
    STRUCTURES[structure.__name__] = structure
    return structure


def is_record(kind: Any) -> bool:
    """True for a dataclass and for a class of attrs, but an exception of attrs.

    >>> Point = dataclasses.make_dataclass("Point", ["x"])
    >>> is_record(Point), is_record(dict)
    (True, False)
    """
    if kind in _NONE:
        return False
    if dataclasses.is_dataclass(kind):
        return True
    return hasattr(kind, "__attrs_attrs__") and not issubclass(kind, BaseException)


def field_names(kind: Any) -> tuple[str, ...]:
    """The attributes that are its fields, in their order.

    >>> field_names(dataclasses.make_dataclass("Point", ["x", "y"]))
    ('x', 'y')
    """
    if dataclasses.is_dataclass(kind):
        return tuple(field.name for field in dataclasses.fields(kind))
    return tuple(attribute.name for attribute in kind.__attrs_attrs__)
