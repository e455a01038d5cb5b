"""foreign_calls: what is given an array of a class that no graph takes is Python's.

Methods of a class derived from `np.ndarray` are called with new objects each time, of
which nothing but the class tells that Python runs them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from runtime.config import WATCH
from runtime.depth import as_python
from tracer.generated import MISS
from tracer.short_keys import form_of
from tracer.signature import ARRAYS


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
        readers[form] = (*readers.get(form, ()), _reader(*found[0]))


def _reader(place: int, kind: type) -> Callable[..., Any]:
    def read(owner: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if type(args[place]) is not kind:
            return MISS
        return as_python(owner.python_function, args, kwargs)

    return read
