"""raised_calls: calls of which a trace has raised at once, and that Python makes.

What a program raises on every path, before it has any effect, leaves no graph: a name
that is none of those it knows, two sizes that do not fit. To find that out again takes
a trace for each call, a thousand times as long as Python. So calls like that one are
made as Python until one of them raises nothing. Where they are many, all of their types
wait for a trace (`put_off`), as a reader tells these by less.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from tracer import again, log
from tracer.generated import MISS
from tracer.seldom import ALIKE, like

# Kinds of calls that are remembered.
MOST_KNOWN = 1_000
# Calls of these kinds until those of their types wait.
MANY = 64


class RaisedCalls:
    """What a Function knows of them."""

    def __init__(self) -> None:
        self._known: set[Any] = set()
        self._calls = 0

    def call(
        self,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
        python: Callable[..., Any],
        wait: Callable[..., None],
    ) -> Any:
        """What a call like one of them gives as Python; MISS: it is like none.

        wait: lets calls with arguments of these types wait
        """
        if not self._known:
            return MISS
        kind = _kind(args, kwargs)
        if kind not in self._known:
            return MISS
        self._calls += 1
        if self._calls % MANY == 0:
            wait(args, kwargs)
        result = python(log.RAISED)
        self._known.discard(kind)
        return result

    def first(self, args: Any, kwargs: Any, python: Callable[..., Any]) -> Any:
        """A call whose trace has raised; the next ones like it are Python's."""
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known.add(_kind(args, kwargs))
        return again.raised((args, kwargs), python)


def _kind(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """What such calls have in common: constants too, which a program looks at."""
    pairs = tuple((name, _told(one)) for name, one in kwargs.items())
    return (*map(_told, args), *pairs)


def _told(one: Any) -> Any:
    if type(one) in ALIKE:
        return type(one), one
    return (like(one), one.dtype) if type(one) is np.ndarray else like(one)
