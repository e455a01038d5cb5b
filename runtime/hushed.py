"""hushed: warnings of one thread that are errors, or said to nobody, for a block.

The filters of warnings are one for all threads. Exchanged for a block, as
`warnings.catch_warnings` does, they make errors of what another thread warns of
meanwhile, or swallow it, and two blocks that overlap leave one's filters for good.
"""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from runtime.streams import held

# Of a text: C functions that say yes and no to it.
_YES: Callable[[str], Any] = type
_NO: Callable[[str], Any] = frozenset().__contains__


class _Pattern(threading.local):
    """The pattern of a filter that matches all warnings of some threads.

    C code alone is run to ask it: Python goes through the filters without a reference
    to their list, which another thread could exchange if it had a chance to.
    """

    match: Callable[[str], Any] = _NO


_PATTERNS = {"ignore": _Pattern(), "error": _Pattern()}
_FILTERS: list[Any] = [
    (action, pattern, Warning, None, 0) for action, pattern in _PATTERNS.items()
]
_lock = threading.Lock()
_blocks = 0


@contextmanager
def warnings_as(action: str) -> Iterator[None]:
    """In the block this thread's warnings are an "error", or said to nobody: "ignore".

    >>> with warnings_as("ignore"):
    ...     warnings.warn("unheard")
    """
    before = [pattern.match for pattern in _PATTERNS.values()]
    for name, pattern in _PATTERNS.items():
        pattern.match = _YES if name == action else _NO
    _add_filters(action)
    try:
        yield
    finally:
        for pattern, match in zip(_PATTERNS.values(), before, strict=True):
            pattern.match = match
        _remove_filters()


def _add_filters(action: str) -> None:
    global _blocks
    filters: Any = warnings.filters
    with _lock:
        _blocks += 1
        if filters[: len(_FILTERS)] != _FILTERS:
            filters[:0] = _FILTERS
        if action == "error":  # also those that have been said at their line already
            warnings._filters_mutated()  # type: ignore[attr-defined] # its own


def _remove_filters() -> None:
    global _blocks
    with _lock:
        _blocks -= 1
        for one in _FILTERS if _blocks == 0 else ():
            while one in warnings.filters:
                warnings.filters.remove(one)  # type: ignore[attr-defined] # a list


class _Here(threading.local):
    """unshown: in how many blocks without a word this thread is."""

    unshown = 0


_here = _Here()
_show: Callable[[Any], None] = warnings._showwarnmsg  # type: ignore[attr-defined]


def _show_of_others(message: Any) -> None:
    if not _here.unshown:
        _show(message)


@contextmanager
def unheard() -> Iterator[None]:
    """In the block this thread prints nothing, and shows no warning.

    Warnings that are errors for the user are raised all the same.
    """
    # Looked up by name at each warning, and by nothing else exchanged.
    warnings._showwarnmsg = _show_of_others  # type: ignore[attr-defined] # its own
    _here.unshown += 1
    try:
        with held("stdout"), held("stderr"):
            yield
    finally:
        _here.unshown -= 1


def _forked() -> None:
    """In a child another thread, which may have held the lock, is not there."""
    global _lock
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
