"""Sums of items that come one by one, rounded as Python's `sum` rounds them.

From Python 3.12 on `sum` keeps what rounding loses of a float, and adds it at the end.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

from autograph.operators.objects import binary
from runtime import kinds
from runtime.spec import PYTHON_NUMBERS
from runtime.tensor import Tensor
from tracer import for_loop
from tracer.cond import choose
from tracer.exits import Exit
from tracer.state import EMPTY, Box, State, with_boxes

_KEEPS = sys.version_info >= (3, 12)
# Goes through an iterable, with a body for its items and the state of that.
Through = Callable[[Callable[[Any], Exit], State], Any]


class Rest(for_loop.Rows):
    """All items of an iterable but the first."""

    def __init__(self, rows: Any) -> None:
        object.__setattr__(self, "tensor", rows)

    def length(self) -> Any:
        return self.tensor.length() - 1

    def item(self, index: Any) -> Any:
        return self.tensor.item(index + 1)


def begun(rows: Any, start: int) -> tuple[Any, Any]:
    """The sum with an array's first item, and the rest, where it is known to have one.

    So the loop carries a number of one dtype, not first one of Python's.
    """
    length = rows.length() if type(rows) is for_loop.Rows else 0
    if not isinstance(length, int) or not length:
        return start, rows
    return start + rows.item(0), Rest(rows)


def total(through: Through, start: Any) -> Any:
    """The sum of `start` and of all items that `through` gives its body."""
    found, lost = Box(start), Box(0.0)

    def body(item: Any) -> Exit:
        found.content, lost.content = _added(found.content, lost.content, item)
        return None

    words = "the result so far"
    through(body, with_boxes(EMPTY, {words: found, "what rounding lost of it": lost}))
    return _whole(found.content, lost.content)


def python_kind(number: Any) -> type | None:
    """The type of a Python number, known or of the run; None for other things."""
    if isinstance(number, Tensor):
        return number.spec.python_type if number.spec.weak else None
    return type(number) if type(number) in PYTHON_NUMBERS else None


def _added(found: Any, lost: Any, item: Any) -> tuple[Any, Any]:
    """The sum with an item more, and what it has lost."""
    if not _KEEPS:
        return _plus(found, item), lost
    if kinds.is_mixed(found) or kinds.is_mixed(item):
        made: tuple[Any, Any] = kinds.split(_added, found, lost, item)
        return made
    pair = python_kind(found), python_kind(item)
    if pair == (float, float):
        made = found + item
        back = made - found
        return made, lost + ((found - (made - back)) + (item - back))
    if pair in ((float, int), (float, bool)):
        return found + item, lost
    return _plus(_whole(found, lost), item), 0.0


def _plus(found: Any, item: Any) -> Any:
    # Of lists, some of which stand for what they hold, a new one.
    return binary(found, "+", item) if type(found) is list else found + item


def _whole(found: Any, lost: Any) -> Any:
    """The sum with what it has lost, where that is a number that says something."""
    if not isinstance(lost, Tensor):
        return found + lost if lost and math.isfinite(lost) else found
    if kinds.is_mixed(found):
        return kinds.split(_whole, found, lost)
    if python_kind(found) is not float:
        return found
    tells = (lost != 0.0) & (abs(lost) < math.inf)
    return choose(tells, lambda: found + lost, lambda: found)
