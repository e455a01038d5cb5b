"""list_compare: `==`, `<` and the like, of lists whose length depends on data."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from autograph.operators.lists import require_held
from runtime.tensor import Tensor
from tracer.list_objects import SEQUENCES, is_staged, staged

_WORDS = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}


def compare(word: str, left: Any, right: Any) -> Any:
    """`left == right` and the like, one of them such a list or tuple."""
    word = _WORDS[word]
    if type(left) not in SEQUENCES or type(left) is not type(right):
        return _compare_other(word, left, right)
    if not left or not right:
        return _compare_empty(word, left, right)
    return require_held(left).compare(word, require_held(right))


def _compare_empty(word: str, left: list[Any], right: list[Any]) -> Any:
    """With an empty list only the length counts."""
    lengths = (0 if not xs else require_held(xs).length() for xs in (left, right))
    return getattr(operator, word)(*lengths)


def _compare_other(word: str, left: Any, right: Any) -> Any:
    """A list and something else: an array compares by elements, others as Python."""
    if any(isinstance(x, (Tensor, np.ndarray)) for x in (left, right)):
        return getattr(operator, word)(_as_operand(left), _as_operand(right))
    plain = (type(x)() if is_staged(x) else x for x in (left, right))
    return getattr(operator, word)(*plain)


def _as_operand(x: Any) -> Any:
    held = staged(x)
    return x if held is None else held.stack()
