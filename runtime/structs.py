"""structs: classes of fields that are made quickly, as a start-up needs many.

`dataclass(frozen=True, slots=True)` writes and compiles seven methods, which takes
0.3 ms a class on the machine where a call takes 0.1 us, and each instance is filled in
by calls of `object.__setattr__`. A struct has an `__init__` written by `dataclass` and
shares all else; that nobody sets a field is seen by the type checker alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from dataclasses import field as field
from operator import attrgetter
from reprlib import recursive_repr
from typing import Any, TypeVar, dataclass_transform, overload

C = TypeVar("C", bound=type)


@overload
def struct(made: C, /) -> C: ...
@overload
def struct(*, eq: bool = True, frozen: bool = True) -> Callable[[C], C]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def struct(made: type | None = None, /, *, eq: bool = True, frozen: bool = True) -> Any:
    """A class decorator: a dataclass with slots.

    eq:     instances are equal by their fields, else by which they are
    frozen: nobody sets a field (the type checker looks); has a hash if `eq`

    >>> @struct
    ... class Point:
    ...     x: int
    ...     y: int = 0
    >>> Point(1), Point(1) == Point(1, 0), len({Point(1), Point(1)})
    (Point(x=1, y=0), True, 1)
    """

    def make(bare: type) -> type:
        own: type = dataclass(slots=True, eq=False, repr=False)(bare)
        of: Any = own
        if "__repr__" not in vars(bare):
            of.__repr__ = _shown
        if eq:
            _compare_by_fields(of, frozen)
        return own

    return make if made is None else make(made)


def _compare_by_fields(made: Any, is_hashed: bool) -> None:
    """Give a class `__eq__`, and `__hash__` or none, unless it has its own."""
    names = [one.name for one in fields(made) if one.compare]
    # A tuple, so that what is itself is equal, as a NaN.
    key: Any = attrgetter(*names) if len(names) > 1 else _few(names)

    def __eq__(self: Any, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return key(self) == key(other)

    def __hash__(self: Any) -> int:
        return hash(key(self))

    own = vars(made)
    if "__eq__" not in own:
        made.__eq__ = __eq__
    if "__hash__" not in own or own["__hash__"] is None:
        made.__hash__ = __hash__ if is_hashed else None


def _few(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Gives the tuple of one field, or of none."""
    return lambda one: tuple([getattr(one, name) for name in names])


@recursive_repr()
def _shown(self: Any) -> str:
    shown = (
        f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr
    )
    return f"{type(self).__qualname__}({', '.join(shown)})"
