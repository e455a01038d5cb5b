"""grown_keys: which dicts and sets of constants get their keys by one path alone.

What a branch adds to a set is there if the run takes it. A set that a search adds to
would be one of as many sets as there are subsets of what it has met, so such a one is a
table at once, as it is where data tell the key (`dict_objects`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from runtime import build
from tracer.dict_objects import is_keyed
from tracer.leaves import is_numeric


def grows(of: Any, key: Any, values: Iterable[Any] = ()) -> bool:
    """True for a new key of a set or dict that was made before this branch or turn.

    Keys and values that are numbers, or tuples of them: those that texts tell apart are
    records, of which a trace knows more than of tables.
    values: those of a dict, and the new one
    """
    frame = build.current()
    if frame is None or frame.parent is None or is_keyed(of) or not _is_known(key):
        return False
    made = frame.trace.created.get(id(of))
    if made is None or made[1] is frame or key in of:
        return False
    return all(map(_is_known, of)) and all(map(_is_number, values))


def _is_known(key: Any) -> bool:
    """True for a key of numbers that no run tells."""
    parts = key if type(key) is tuple else (key,)
    return bool(parts) and all(type(part) is int for part in parts)


def _is_number(value: Any) -> bool:
    parts = value if type(value) is tuple else (value,)
    return all(is_numeric(part) and getattr(part, "shape", ()) == () for part in parts)
