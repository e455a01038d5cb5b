"""own_texts: the texts that objects of the user's make of themselves.

`__str__`, `__repr__` and `__format__` are called converted, where a text is asked for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.operators.slots import call, slot
from runtime.library_spec import LibrarySpec
from runtime.spec import object_type
from runtime.tensor import Tensor
from tracer.choice import Choice, each
from tracer.opened import holds_of_run


def text(value: Any) -> Any:
    """`str(value)`; as it is where Python's own way makes the text."""
    kind: Any = type(value)
    if holds_of_run(value):
        # Each run makes the text, of an object that holds what it has then.
        return value
    name, function = "__str__", slot(kind, "__str__")
    if function is None and kind.__str__ is object.__str__:
        name, function = "__repr__", slot(kind, "__repr__")
    if function is None:
        return value
    return _required(call(function, value), f"{name} returned non-string (type {{}})")


def shown(value: Any) -> Any:
    """`repr(value)`; as it is where Python's own way makes the text."""
    function = None if holds_of_run(value) else slot(type(value), "__repr__")
    if function is None:
        return value
    return _required(call(function, value), "__repr__ returned non-string (type {})")


def in_format(value: Any, spec: Any = "") -> Any:
    """`format(value, spec)` by a method of the user's; None where there is none."""
    function = slot(type(value), "__format__")
    if function is None:
        return None
    made = call(function, value, spec)
    return _required(made, "__format__ must return a str, not {}")


def _required(made: Any, words: str) -> Any:
    """TypeError, with the words around its type: what a method gave is no text."""
    if type(made) is Choice:
        return each(made, lambda option: _required(option, words))
    is_run = isinstance(made, Tensor)
    kind = object_type(made.spec) if is_run else type(made)
    if kind is None or not issubclass(kind, str):
        raise TypeError(words.format(type_name(made)))
    return made


def type_name(thing: Any) -> str:
    """The name of its type, as Python's messages have it."""
    if not isinstance(thing, Tensor):
        kind = type(thing)
    elif isinstance(thing.spec, LibrarySpec):
        kind = thing.spec.kind
    elif thing.spec.weak:
        kind = thing.spec.python_type
    else:
        kind = thing.dtype.type if thing.scalar else np.ndarray
    numpys = issubclass(kind, (np.generic, np.ndarray))
    return f"numpy.{kind.__name__}" if numpys else kind.__name__
