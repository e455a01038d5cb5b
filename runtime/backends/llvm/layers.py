"""layers: tables of which a branch has its own, at the price of what it changes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, TypeVar

_GONE = object()
Key = TypeVar("Key")
Held = TypeVar("Held")


class Table(Generic[Key, Held]):
    """What a branch has changed of a table, which stays as it is meanwhile.

    A program has thousands of locals and of branches, and a branch changes a few.

    below:   what it was made of
    changed: what it has instead, by key; _GONE: nothing any more
    """

    def __init__(self, below: Table[Key, Held] | None = None) -> None:
        self.below = below
        self.changed: dict[Key, Any] = {}

    def _found(self, key: Key) -> Any:
        table: Table[Key, Held] | None = self
        while table is not None:
            if key in table.changed:
                return table.changed[key]
            table = table.below
        return _GONE

    def get(self, key: Key, default: Any = None) -> Any:
        """What it has of a key, or else the default."""
        table: Table[Key, Held] | None = self
        while table is not None:
            if key in table.changed:
                found = table.changed[key]
                return default if found is _GONE else found
            table = table.below
        return default

    def __contains__(self, key: Key) -> bool:
        return self._found(key) is not _GONE

    def __setitem__(self, key: Key, value: Held) -> None:
        self.changed[key] = value

    def put_all(self, keys: Iterable[Key], value: Held) -> None:
        """Have the same of each of these."""
        self.changed.update(dict.fromkeys(keys, value))

    def drop(self, keys: Iterable[Key]) -> None:
        """Have nothing of these any more."""
        self.changed.update(dict.fromkeys(keys, _GONE))

    def items(self) -> list[tuple[Key, Held]]:
        """All that it has: to be asked for seldom."""
        layers: list[dict[Key, Any]] = []
        table: Table[Key, Held] | None = self
        while table is not None:
            layers.append(table.changed)
            table = table.below
        found: dict[Key, Any] = {}
        for layer in reversed(layers):
            found.update(layer)
        return [(key, value) for key, value in found.items() if value is not _GONE]

    def own(self) -> dict[Key, Held]:
        """What was put into it since it was made."""
        return {key: one for key, one in self.changed.items() if one is not _GONE}

    def meet(self, a: Table[Key, Held], b: Table[Key, Held]) -> None:
        """Have what both have, which were made of this one."""
        both = {
            key: (a._found(key), b._found(key)) for key in {**a.changed, **b.changed}
        }
        for key, (one, other) in both.items():
            self.changed[key] = one if one is other else _GONE
