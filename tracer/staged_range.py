"""StagedRange: `range` whose bounds or step are staged, or that is long.

In the graph it is three numbers. As a result, or in a text, it is Python's own range.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import optree

from runtime import objects
from runtime.errors import OnlyPythonError, located
from runtime.numpy_api.create import arange
from runtime.ops.basic import WEAK_BOOL, WEAK_INT, cast, not_
from runtime.ops.template import Input, Remade, set_rebuild
from runtime.structs import struct
from runtime.tensor import Tensor, tensor
from tracer.cond import choose
from tracer.iterated import Iterated, either
from tracer.plain import NAMESPACE
from tracer.truth import truth


@struct(eq=False)
class StagedRange(Iterated):
    """`range(start, stop, step)`: ints, plain or staged."""

    start: Any
    stop: Any
    step: Any

    def length(self) -> Any:
        """The number of items, by Python's rule for positive and negative steps."""
        start, stop, step = self.start, self.stop, self.step
        if not isinstance(step, Tensor):
            return _clip(_ceil_div(stop - start, step))
        return choose(
            step > 0,
            lambda: _clip(_ceil_div(stop - start, step)),
            lambda: _clip(_ceil_div(start - stop, -step)),
        )

    def item(self, index: Any) -> Any:
        """The number at `index`."""
        return self.start + index * self.step

    def is_true(self) -> Any:
        """Whether it has items."""
        return self.length() > 0

    def indices(self) -> Any:
        """Its items as NumPy takes them for an index: an array of integers."""
        return arange(self.start, self.stop, self.step, dtype=np.intp)

    def contains(self, item: Any) -> Any:
        """`item in` it: of an integer, whole steps away from the start."""
        number = _as_int(item)
        if number is None:
            return objects.call(_contains, WEAK_BOOL, self._bounds, item)
        away = number - self.start
        return choose(
            tensor(self.length() > 0), lambda: self._is_step(away), lambda: False
        )

    def _is_step(self, away: Any) -> Any:
        steps = away // self.step
        inside = (steps >= 0) & (steps < self.length())
        return truth(inside & (away % self.step == 0))

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            parts = index.start, index.stop, index.step
            cut = objects.call(_cut, (WEAK_INT,) * 3, self._bounds, parts)
            return StagedRange(*cut)
        length = self.length()
        if isinstance(index, Tensor):
            index = cast(index, dtype=np.dtype(int), weak=True)
        at = either(index < 0, lambda: index + length, lambda: index)

        def missing() -> Any:
            raise IndexError("range object index out of range")

        return either((at >= 0) & (at < length), lambda: self.item(at), missing)

    def __eq__(self, other: object) -> Any:
        if type(other) is not range and type(other) is not StagedRange:
            return NotImplemented
        others = other.start, other.stop, other.step
        return objects.call(_equal, WEAK_BOOL, self._bounds, others)

    def __ne__(self, other: object) -> Any:
        same = self.__eq__(other)
        return same if same is NotImplemented else not_(same)

    def __hash__(self) -> int:
        # A dict or set would keep it, and find no range that is equal to it.
        words = "the hash of a range whose bounds are known only when the graph runs"
        raise located(OnlyPythonError(words), "Use a list of its items.")

    def index(self, value: Any) -> Any:
        """Where `value` is in it. ValueError: it is not."""
        return objects.call(_index, WEAK_INT, self._bounds, value)

    def count(self, value: Any) -> Any:
        """How often `value` is in it: 0 or 1."""
        return objects.call(_count, WEAK_INT, self._bounds, value)

    @property
    def _bounds(self) -> tuple[Any, Any, Any]:
        return self.start, self.stop, self.step

    def __repr__(self) -> str:
        """As Python's own: an object of this class may stand in a text."""
        step = "" if type(self.step) is int and self.step == 1 else f", {self.step!r}"
        return f"range({self.start!r}, {self.stop!r}{step})"


def _as_int(item: Any) -> Any:
    """An integer as Python's own: NumPy's would count in their few bits. Or None."""
    if not isinstance(item, Tensor):
        return int(item) if isinstance(item, (int, np.integer)) else None
    kind = None if item.spec.kinds or not item.scalar else item.spec.dtype
    if kind is None or not np.can_cast(kind, np.int64):
        return None
    return cast(item, dtype=np.dtype(int), weak=True)


def _cut(bounds: tuple[int, int, int], parts: tuple[Any, ...]) -> tuple[int, int, int]:
    found = range(*bounds)[slice(*parts)]
    return found.start, found.stop, found.step


def _index(bounds: tuple[int, int, int], value: Any) -> int:
    return range(*bounds).index(value)


def _contains(bounds: tuple[int, int, int], value: Any) -> bool:
    return value in range(*bounds)


def _count(bounds: tuple[int, int, int], value: Any) -> int:
    return range(*bounds).count(value)


def _equal(bounds: tuple[int, int, int], others: tuple[int, int, int]) -> bool:
    return range(*bounds) == range(*others)


def _split(numbers: StagedRange) -> tuple[tuple[Any, ...], None]:
    return (numbers.start, numbers.stop, numbers.step), None


def _join(_: None, parts: Iterable[Any]) -> Any:
    """What a run has found is Python's own range."""
    bounds = tuple(parts)
    if any(type(bound) is Input for bound in bounds):
        return Remade(range, bounds)
    if all(type(bound) is int for bound in bounds) and bounds[-1] != 0:
        return range(*bounds)
    return StagedRange(*bounds)


_register: Any = optree.register_pytree_node  # its types say collections only
_register(StagedRange, _split, _join, namespace=NAMESPACE)
set_rebuild(StagedRange, lambda part, place: _join(None, map(place, part._bounds)))


def _ceil_div(a: Any, b: Any) -> Any:
    return -((-a) // b)


def _clip(count: Any) -> Any:
    if not isinstance(count, Tensor):
        return max(count, 0)
    return choose(count > 0, lambda: count, lambda: 0)
