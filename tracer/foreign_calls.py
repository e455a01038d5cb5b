"""foreign_calls: what is given an array of a class that no graph takes is Python's.

Methods of a class derived from `np.ndarray` are called with new objects each time, of
which nothing but the class tells that Python runs them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from runtime.config import WATCH
from runtime.depth import as_python
from tracer.generated import MISS
from tracer.short_keys import form_of
from tracer.signature import ARRAYS

# Classes that are looked for in calls of one form, each in turn: a program that makes a
# class for each call has all others look the long way, and no call look at them all.
MOST = 8


def note(owner: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
    """A call of a Function was made as Python, since an argument is of such a class.

    Others of its form are, by a look at the class.
    """
    kinds = [type(one) for one in args]
    found = [
        (place, kind)
        for place, kind in enumerate(kinds)
        if issubclass(kind, np.ndarray) and kind not in ARRAYS
    ]
    # While all is logged no reader is asked.
    if found and owner.input_signature is None and not WATCH.on:
        form, readers = form_of(args, dict(kwargs)), owner._short.readers
        known = readers.get(form, ())
        if sum(type(one) is _Reader for one in known) < MOST:
            readers[form] = (*known, _Reader(*found[0]))


class _Reader:
    """Makes calls as Python that are given an array of a class at a place."""

    def __init__(self, place: int, kind: type) -> None:
        self.place, self.kind = place, kind

    def __call__(
        self, owner: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        if type(args[self.place]) is not self.kind:
            return MISS
        return as_python(owner.python_function, args, kwargs)
