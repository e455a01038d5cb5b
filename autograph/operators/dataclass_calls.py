"""The comparisons that `dataclass` writes: of the fields, as converted code does it.

They have no source. `==` and the like of two objects of one class are those of the
tuples of their fields.
"""

from __future__ import annotations

import dataclasses
import operator
import sys
import types
from collections.abc import Callable
from functools import partial
from typing import Any

from autograph.operators.attributes import read
from autograph.operators.logical import and_
from autograph.operators.sequences import compared

_COMPARISONS = {
    f"__{name}__": getattr(operator, name) for name in ("eq", "lt", "le", "gt", "ge")
}
# From here on `==` is that of each field in turn, not of tuples.
_BY_FIELDS = sys.version_info >= (3, 13)


def comparison(
    function: types.FunctionType, args: tuple[Any, ...]
) -> Callable[..., Any] | None:
    """What the function does, if `dataclass` has written it as a comparison."""
    if function.__code__.co_filename != "<string>" or len(args) != 2:
        return None
    found = _COMPARISONS.get(function.__name__)
    if found is None or not dataclasses.is_dataclass(type(args[0])):
        return None
    return partial(_compared, found)


def _compared(comparison: Callable[[Any, Any], Any], one: Any, other: Any) -> Any:
    if type(other) is not type(one):
        return NotImplemented
    names = [field.name for field in dataclasses.fields(one) if field.compare]
    if comparison is operator.eq and _BY_FIELDS:
        return _equal(names, one, other)
    fields = (tuple(read(of, name) for name in names) for of in (one, other))
    return compared(comparison, *fields)


def _equal(names: list[str], one: Any, other: Any) -> Any:
    if one is other or not names:
        return True

    def same(name: str) -> Any:
        return compared(operator.eq, read(one, name), read(other, name))

    first, *others = (partial(same, name) for name in names)
    return and_(first(), *others)
