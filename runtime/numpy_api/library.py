"""Objects of libraries in a graph: sparse matrices, polynomials, results of solvers.

No graph knows what they are. What is asked of one is a host call, tried on an example
of it while tracing, and keeps its place, since an object may change.
"""

from __future__ import annotations

import functools
import operator
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.build import suspended
from runtime.foreign import is_foreign, package
from runtime.library_spec import LibrarySpec
from runtime.numpy_api import host
from runtime.numpy_api.trials import sample
from runtime.ops.template import encode
from runtime.tensor import Tensor

# Of these packages, and yet known to a trace.
_KNOWN = (np.generic, np.dtype, np.ufunc, np.errstate, np.random.Generator, type)


def is_object(operand: Any) -> bool:
    """True for a tensor that is a library's object when the graph runs."""
    return isinstance(operand, Tensor) and isinstance(operand.spec, LibrarySpec)


def has_own_say(operand: Any) -> bool:
    """True for such an object, of the run or known while tracing, beside tensors."""
    return is_object(operand) or is_foreign(operand)


def holds_object(parts: Any) -> bool:
    """True when one is among `parts`."""
    return bool(encode(parts, has_own_say)[1])


def is_plain_object(thing: Any) -> bool:
    """True for such an object that is known while tracing."""
    if package(type(thing)) not in host.PACKAGES or type(thing) is np.ndarray:
        return is_foreign(thing)
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


def as_array(of: Any) -> Any:
    """`np.asarray(of)` of an object known while tracing: what it holds at each run.

    An object of the user's own is asked at once: its method gives tensors.
    """
    if is_foreign(of):
        return host.call(np.asarray, (of,), {}, in_place=True)
    return of.__array__()


def operate(word: str, *operands: Any) -> Any:
    """The operator whose method is `__word__`, where an operand is such an object."""
    return host.call(Operator(word), operands, {}, in_place=True)


def operate_in_place(word: str, target: Tensor, other: Any) -> Any:
    """`target op= other` of an array and such an object; None: it is still target.

    pandas puts a Series in the place of the array, which it changes too.
    """
    target.require_writable("output array")
    stays = _stays(word, target, other)
    changed = host.call(Changed(word), (target, other), {}, target.spec)
    result = None
    if not stays:
        result = host.call(Changed(word, whole=True), (target, other), {})
    target.write(changed.value)
    return result


def _stays(word: str, target: Tensor, other: Any) -> bool:
    """Whether the name goes on to mean the array, as a sample tells."""
    example = sample(other.spec) if isinstance(other, Tensor) else other
    tried = sample(target.spec)
    try:
        with suspended(), warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return Operator(word)(tried, example) is tried
    except Exception:
        return True


@dataclass(frozen=True, slots=True)
class Changed:
    """An operator in place on a copy: the copy, or what stands in its place."""

    word: str
    whole: bool = False

    def __call__(self, target: Any, other: Any) -> Any:
        """What the operator leaves, or gives."""
        changed = np.array(target)
        result = Operator(self.word)(changed, other)
        return result if self.whole else changed

    @property
    def __name__(self) -> str:
        return self.word


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
