"""Formatting: the functions that a run calls to make a text of values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_CONVERSIONS: dict[int, Callable[[Any], Any]] = {
    -1: lambda value: value,
    ord("s"): str,
    ord("r"): repr,
    ord("a"): ascii,
}


def format_value(value: Any, conversion: int, spec: str) -> str:
    """`{value!conversion:spec}` of an f-string.

    >>> format_value(1.5, -1, ".3f"), format_value("a", ord("r"), "")
    ('1.500', "'a'")
    """
    return format(_CONVERSIONS[conversion](value), spec)


def join_parts(*parts: str) -> str:
    """The parts of an f-string as one text."""
    return "".join(parts)
