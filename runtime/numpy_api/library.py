"""Objects of libraries in a graph: sparse matrices, polynomials, results of solvers.

No graph knows what they are. What is asked of one is a host call, tried on an example
of it while tracing, and keeps its place, since an object may change.
"""

from __future__ import annotations

import functools
import operator
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.library_spec import LibrarySpec
from runtime.numpy_api import host
from runtime.ops.template import encode
from runtime.tensor import Tensor

_PACKAGES = ("numpy", "scipy")
# Of these packages, and yet known to a trace.
_KNOWN = (np.generic, np.dtype, np.ufunc, np.errstate, np.random.Generator, type)


def is_object(operand: Any) -> bool:
    """True for a tensor that is a library's object when the graph runs."""
    return isinstance(operand, Tensor) and isinstance(operand.spec, LibrarySpec)


def holds_object(parts: Any) -> bool:
    """True when one is among `parts`."""
    return bool(encode(parts, is_object)[1])


def is_plain_object(thing: Any) -> bool:
    """True for such an object that is known while tracing."""
    package = type(thing).__module__.partition(".")[0]
    if package not in _PACKAGES or type(thing) is np.ndarray:
        return False
    return not isinstance(thing, _KNOWN)


def meet(*operands: Any) -> bool:
    """True for a tensor beside an object that is known while tracing."""
    tensors = any(isinstance(operand, Tensor) for operand in operands)
    return tensors and any(map(is_plain_object, operands))


def attribute(of: Tensor, name: str) -> Any:
    """`of.name`: a method, or what a look at it gives when the graph runs.

    AttributeError: its class has no such attribute.
    """
    assert isinstance(of.spec, LibrarySpec)
    held = getattr(of.spec.example, name)
    if callable(held) and not isinstance(held, np.ndarray):
        return functools.partial(_method, of, name)
    return host.call(_attribute, (of, name), {}, in_place=True)


def _attribute(of: Any, name: str) -> Any:
    return getattr(of, name)


def _method(of: Tensor, name: str, *args: Any, **kwargs: Any) -> Any:
    return host.call(call_method, (of, name, *args), kwargs, in_place=True)


def call_method(of: Any, name: str, *args: Any, **kwargs: Any) -> Any:
    """`of.name(*args, **kwargs)`."""
    return getattr(of, name)(*args, **kwargs)


def call(of: Any, *args: Any, **kwargs: Any) -> Any:
    """`of(*args, **kwargs)`."""
    return host.call(_called, (of, *args), kwargs, in_place=True)


def _called(of: Any, *args: Any, **kwargs: Any) -> Any:
    return of(*args, **kwargs)


def item(of: Any, key: Any) -> Any:
    """`of[key]`."""
    return host.call(_item, (of, key), {}, in_place=True)


def _item(of: Any, key: Any) -> Any:
    return of[key]


def set_item(of: Any, key: Any, content: Any) -> None:
    """`of[key] = content`."""
    host.call(_set_item, (of, key, content), {}, writes=True)


def _set_item(of: Any, key: Any, content: Any) -> None:
    of[key] = content


def operate(word: str, *operands: Any) -> Any:
    """The operator whose method is `__word__`, where an operand is such an object."""
    return host.call(Operator(word), operands, {}, in_place=True)


@dataclass(frozen=True, slots=True)
class Operator:
    """Python's operator, by the word of its method."""

    word: str

    def __call__(self, *operands: Any) -> Any:
        """Its result."""
        return getattr(operator, f"__{self.word}__")(*operands)

    @property
    def __name__(self) -> str:
        return self.word
