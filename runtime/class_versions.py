"""class_versions: the number that CPython has for what a class and its bases hold.

A class has another number, or none, once it or one of its bases was changed. So one
look at it tells what a look at each of its attributes would.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Sequence

# What a class without a number has; and what no class has.
NONE, NEVER = 0, 2**32 - 1
Number = ctypes.c_uint32


def place_of(kind: type) -> Number | None:
    """Where the number of a class is, for as long as the class is alive.

    None: it is not found in this build of Python.
    """
    offset = _offset()
    return Number.from_address(id(kind) + offset) if offset else None


def number_of(kind: type, place: Number) -> int:
    """The number of a class, which is given one if it can be; NEVER: it has none."""
    # Python gives it when the class is asked for something.
    type.__getattribute__(kind, "__hash__")
    return place.value or NEVER


@functools.cache
def _offset() -> int:
    """How far behind its beginning a class keeps the number; 0: it is not found."""

    class Base:
        pass

    class One(Base):
        pass

    class Other(Base):
        pass

    found = [_words(One), _words(Other)]
    Base.changed = 1  # type: ignore[attr-defined] # which is what is looked at
    found.append(_words(One, is_asked=False))
    found.append(_words(One))
    rows = enumerate(zip(*found, strict=True))
    offsets = [4 * at for at, words in rows if _is_number(words)]
    return offsets[0] if len(offsets) == 1 else 0


def _words(kind: type, is_asked: bool = True) -> Sequence[int]:
    if is_asked:
        type.__getattribute__(kind, "__hash__")
    size: int = type.__basicsize__  # type: ignore[assignment] # typeshed has its getter
    count = size // 4
    return list((Number * count).from_address(id(kind)))


def _is_number(words: Sequence[int]) -> bool:
    one, other, changed, again = words
    return changed == NONE and NONE not in (one, other, again) and again > other > one
