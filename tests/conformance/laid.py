"""Copies of arguments whose arrays lie in memory as the arguments' do.

`copy.deepcopy` makes one piece of `x[::2]`, and two arrays of `x` and `x[1:]`. These
have the same strides, are parts of one another where the arguments are, and are
read-only where they are.
"""

import copy
from typing import Any
from unittest import mock

import numpy as np

Array = np.ndarray[Any, Any]


def copies(arguments: Any) -> Any:
    """A deep copy of the arguments, of arrays by what is said above.

    >>> row = np.arange(8.0)
    >>> part, whole = copies((row[::2], row))
    >>> part.strides, np.shares_memory(part, whole), np.shares_memory(whole, row)
    ((16,), True, False)
    """
    # What `deepcopy` asks a type for; there is no public way to say it for one of C's.
    with mock.patch.dict("copy._deepcopy_dispatch", {np.ndarray: _copied}):
        return copy.deepcopy(arguments)


def _copied(x: Array, memo: dict[Any, Any]) -> Array:
    owner = _owner(x)
    if owner is None or x.dtype.hasobject:
        return x.__deepcopy__(memo)
    made = _memory_of(owner, memo) if owner is not x else _own(x, memo)
    if owner is not x:
        start = _address(x) - _address(owner)
        made = np.ndarray(x.shape, x.dtype, made, start, x.strides)
    made.flags.writeable = x.flags.writeable
    return made


def _own(x: Array, memo: dict[Any, Any]) -> Array:
    """The copy of an array that has memory of its own."""
    _memory_of(x, memo)
    made: Array = memo["copy", id(x)]
    return made


def _memory_of(owner: Array, memo: dict[Any, Any]) -> Array:
    """A copy of what an array owns, as one piece in C order; it can be written."""
    key = "memory", id(owner)
    if key not in memo:
        made = owner.copy("K")
        order = sorted(range(owner.ndim), key=lambda axis: -owner.strides[axis])
        memo["copy", id(owner)] = made
        memo[key] = made.transpose(order).view()
    memory: Array = memo[key]
    return memory


def _owner(x: Array) -> Array | None:
    """The array in whose memory it lies; None: it is not in one piece, or not one's."""
    while isinstance(x.base, np.ndarray):
        x = x.base
    in_one = x.flags.owndata and x.size and x.copy("K").strides == x.strides
    return x if in_one and type(x) is np.ndarray else None


def _address(x: Array) -> int:
    return int(x.__array_interface__["data"][0])
