"""Ranges of the run, and others that a loop of the graph goes through, given to NumPy.

A range is a sequence to NumPy, which makes an array of its items. What is gone through
once, and a view of a dict, is one object to it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.operators import lists
from tracer.iterated import Iterated
from tracer.staged_list import StagedList
from tracer.staged_range import StagedRange


def holds_any(part: Any) -> bool:
    """True where one is among the arguments, or in a list or tuple of them."""
    if type(part) in (list, tuple):
        return any(map(holds_any, part))
    if type(part) is dict:
        return any(map(holds_any, part.values()))
    return isinstance(part, Iterated)


def call(again: Callable[..., Any], function: Any, *args: Any, **kwargs: Any) -> Any:
    """`function(*args, **kwargs)` of NumPy's, one of them such a one."""
    if function is np.fromiter:
        return again(function, (_items(args[0]), *args[1:]), kwargs)
    return again(function, _arrays(args), _arrays(kwargs))


def _arrays(part: Any) -> Any:
    if type(part) in (list, tuple):
        return type(part)(map(_arrays, part))
    if type(part) is dict:
        return {name: _arrays(value) for name, value in part.items()}
    if isinstance(part, StagedRange):
        return _items(part)
    if isinstance(part, Iterated):
        part.refuse_in_array()
    return part


def _items(of: Any) -> Any:
    """The items: in an array, where only the run knows how many these are."""
    held = lists.items_of(of)
    return held.stack() if isinstance(held, StagedList) else list(held)
