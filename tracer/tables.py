"""tables: long lists of constants that data ask for an item of.

Such a list (digits, primes, costs by a number) is one object of the trace, which no run
makes anew: as a list of as many constants it took a microsecond of each call for ten
items, and of the trace half a millisecond for each.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime import build
from runtime.ops.world import host_call
from runtime.spec import ListSpec
from runtime.tensor import Tensor
from tracer.item_type import type_of_item
from tracer.rows import known
from tracer.staged_list import StagedList

# Shorter lists are made of their constants, which may be folded.
LONG = 32
_NUMBERS = ({bool}, {int}, {float})


class Table:
    """Gives the numbers of a list, always the same one, which nothing may change."""

    __slots__ = ("numbers",)
    __name__ = "table"

    def __init__(self, numbers: list[Any]) -> None:
        self.numbers = numbers

    def __call__(self) -> list[Any]:
        return self.numbers


def table_of(of: Any, otherwise: Callable[[Any], Any]) -> Any:
    """What a list holds, to be read only: a long one of numbers as one object.

    otherwise: gives it for all others
    """
    if type(of) is not list or len(of) < LONG or known() is not None:
        return otherwise(of)
    kinds = {*map(type, of)}
    if kinds not in _NUMBERS or (kinds == {int} and not _are_narrow(of)):
        return otherwise(of)
    kind = type_of_item(of[0])
    table = Table([*of])

    def make() -> Tensor:
        made: Tensor = host_call(
            function=table,
            args=(),
            kwargs={},
            results=(ListSpec(*kind.specs),),
            writes=False,
        )
        return made

    return StagedList(kind.shape, (at_root(make),), len(of))


def at_root(make: Callable[[], Tensor]) -> Tensor:
    """What `make` adds where the trace begins: outside of loops, branches and tries."""
    frame = build.require_current("a list")
    while frame.parent is not None:
        frame = frame.parent
    # It is made outside of the try statements around the place where it is asked.
    guards, frame.trace.guards = frame.trace.guards, []
    try:
        with build.building(frame):
            return make()
    finally:
        frame.trace.guards = guards


def _are_narrow(numbers: list[int]) -> bool:
    """Whether each has room in 64 bits."""
    return -(2**63) <= min(numbers) and max(numbers) < 2**63
