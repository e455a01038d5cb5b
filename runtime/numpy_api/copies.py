"""copies: of objects of libraries, for trials; and whether a trial has changed one.

A graph reads what such an object holds before it runs, so what changes one is Python's.
"""

from __future__ import annotations

import copy
import operator
import pickle
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from runtime.errors import OnlyPythonError, located
from runtime.ops.random import is_source, standing

_VALUES = (bool, int, float, complex, str, bytes, type(None))
_SEQUENCES = (list, tuple, deque)


class ChangedError(OnlyPythonError):
    """A function changes an object that is known while tracing, at each run."""

    why = "a library changes an object of its own"


def like(example: Any, which: int) -> Any:
    """A copy, so that a trial does not change it; itself where there is none."""
    try:
        made = copy.deepcopy(example, _not_copied())
    except Exception:  # whatever the class of the user's or a library's raises
        return example
    if isinstance(made, np.ma.MaskedArray):
        # It depends on data whether there is a mask: an array, or False.
        made.mask = np.ma.getmaskarray(made) if which else np.ma.nomask
        return made if which else made.shrink_mask()
    return made


def _not_copied() -> dict[int, Any]:
    """What NumPy's functions draw from: a trial that draws is seen by where it stands.

    Distributions of SciPy's hold it, too.
    """
    if "numpy.random" not in sys.modules:
        return {}
    shared = getattr(np.random.get_state, "__self__", None)
    return {id(shared): shared}


def require_unchanged(things: Sequence[Any], copies: Sequence[Any]) -> None:
    """ChangedError: one of the copies has been changed, and is no source of draws."""
    for thing, tried in zip(things, copies, strict=True):
        if not is_source(thing) and not is_alike(thing, tried, set()):
            raise located(
                ChangedError(f"this changes a {type(thing).__name__} at each call"),
                "Change it outside of the decorated function, or by ag.py_function.",
            )


def is_alike(a: Any, b: Any, met: set[int]) -> bool:
    """Whether all that is seen of two things is the same; functions are not asked."""
    kind = type(a)
    if a is b or id(a) in met:
        return True
    if kind is not type(b):
        return False
    met.add(id(a))
    if is_source(a):
        return pickle.dumps(standing(a)[0]) == pickle.dumps(standing(b)[0])
    if kind in _VALUES or isinstance(a, np.generic):
        return repr(a) == repr(b)
    if isinstance(a, np.ndarray) and not a.dtype.hasobject:
        return a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(is_alike(a[k], b[k], met) for k in a)
    if isinstance(a, _SEQUENCES):
        pairs = zip(a, b, strict=False)
        return len(a) == len(b) and all(is_alike(x, y, met) for x, y in pairs)
    if isinstance(a, (set, frozenset)):
        return len(a) == len(b)
    return is_alike(getattr(a, "__dict__", None), getattr(b, "__dict__", None), met)


@contextmanager
def untouched(whole: Any) -> Iterator[None]:
    """The block after which lists, dicts and sets in `whole` hold what they held.

    ChangedError: they did not. What stands for the user's here would not be changed.
    """
    before = [(one, [*_items(one)]) for one in _containers_in(whole)]
    yield
    for one, held in before:
        now = [*_items(one)]
        if len(now) != len(held) or not all(map(operator.is_, now, held)):
            _put_back(one, held)
            raise located(
                ChangedError(f"this changes a {type(one).__name__} that it is given"),
                "Change it outside of the decorated function, or by ag.py_function.",
            )


def _containers_in(whole: Any) -> Iterator[Any]:
    if isinstance(whole, (list, tuple, dict, set)):
        if not isinstance(whole, tuple):
            yield whole
        for part in whole.values() if isinstance(whole, dict) else whole:
            yield from _containers_in(part)


def _items(container: Any) -> Iterable[Any]:
    pairs = container.items() if isinstance(container, dict) else ()
    return (part for pair in pairs for part in pair) if pairs else iter(container)


def _put_back(container: Any, held: list[Any]) -> None:
    container.clear()
    if isinstance(container, dict):
        container.update(zip(held[::2], held[1::2], strict=True))
    else:
        (container.extend if isinstance(container, list) else container.update)(held)
