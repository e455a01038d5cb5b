"""Effects: what a node does besides computing its outputs.

Program order is the order: two nodes keep their places unless neither has an effect
or both only read. A node with sub-graphs has the effects of what it contains.
"""

from __future__ import annotations

from typing import Literal

from runtime.structs import struct


class World:
    """The outside of the program: printing, assertions, exceptions, host calls."""

    def __repr__(self) -> str:
        return "world"


WORLD = World()


class Guard:
    """A try statement of a graph: what may fail in it writes to it, and so is kept."""

    def __repr__(self) -> str:
        return "guard"


# Of a view that is read again: no try statement sees it fail, but it fails where it was
# taken, and not where it is read when its array has been changed.
TAKEN = Guard()


@struct
class Effect:
    """A `read` or a `write` of `what`: a Variable, a generator, a Guard, the WORLD.

    >>> Effect("write", WORLD)
    Effect(kind='write', what=world)
    """

    kind: Literal["read", "write"]
    what: object

    def __hash__(self) -> int:
        # A Variable compares elementwise, so what is written is told by identity.
        return hash((self.kind, id(self.what)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Effect):
            return NotImplemented
        return self.kind == other.kind and self.what is other.what


Effects = frozenset[Effect]
PURE: Effects = frozenset()
FAILS_THERE: Effects = frozenset({Effect("write", TAKEN)})
WRITES_WORLD: Effects = frozenset({Effect("write", WORLD)})


def writes(effects: Effects) -> bool:
    """True when a node with these effects must run even if nobody uses its outputs."""
    return any(effect.kind == "write" for effect in effects)
