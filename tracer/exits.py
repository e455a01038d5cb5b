"""Exits: how a converted body is left, as a value that the body returns.

A body that runs to its end returns None; `break`, `continue` and `return` return one
of these. When the way out depends on data, it is a StagedExit, whose tag is a tensor.
"""

from __future__ import annotations

from typing import Any

from runtime.structs import struct

NEXT, CONTINUES, BREAKS, RETURNS = range(4)
# The ways out of a loop, and of a function.
LEAVING = frozenset({BREAKS, RETURNS})


@struct
class Jump:
    """`break` or `continue`."""

    tag: int


BREAK = Jump(BREAKS)
CONTINUE = Jump(CONTINUES)


class Return:
    """`return content`."""

    __slots__ = ("content",)

    def __init__(self, content: Any = None) -> None:
        self.content = content

    @property
    def tag(self) -> int:
        """RETURNS."""
        return RETURNS


@struct
class StagedExit:
    """An exit known when the graph runs.

    tag:      a staged int, one of `possible`
    possible: the tags that can occur
    content:  what is returned when the tag is RETURNS (a Maybe, or UNDEFINED)
    """

    tag: Any
    possible: frozenset[int]
    content: Any


Exit = Jump | Return | StagedExit | None


def tags_of(exit_: Exit) -> frozenset[int]:
    """Every tag that `exit_` can have."""
    if exit_ is None:
        return frozenset({NEXT})
    if isinstance(exit_, StagedExit):
        return exit_.possible
    return frozenset({exit_.tag})
