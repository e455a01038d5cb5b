"""Objects of libraries in a graph: sparse matrices, polynomials, results of solvers.

No graph knows what they are. What is asked of one is a host call, tried on an example
of it while tracing, and keeps its place, since an object may change.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime import objects
from runtime.errors import OnlyPythonError, located
from runtime.foreign import PACKAGES, is_foreign, package
from runtime.library_spec import LibrarySpec
from runtime.numpy_api import host
from runtime.numpy_api.found import UNKNOWN, joined
from runtime.numpy_api.trials import sample, spec_of_item
from runtime.operator_words import operation_of
from runtime.ops import random
from runtime.ops.template import encode, fill
from runtime.quiet import drawing, quietly
from runtime.spec import ListSpec
from runtime.structs import struct
from runtime.tensor import Tensor
from runtime.tensor_view import View


class MissingError(OnlyPythonError):
    """An example of an object has no such attribute, which the run's may have."""

    why = "whether a library's object has an attribute depends on data"


# Of these packages, and yet known to a trace.
_KNOWN = (np.generic, np.dtype, np.ufunc, np.errstate, type)


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
    if package(type(thing)) not in PACKAGES or type(thing) is np.ndarray:
        return is_foreign(thing)
    return not isinstance(thing, _KNOWN) and not random.is_generator(thing)


def meet(*operands: Any) -> bool:
    """True for a tensor beside an object that is known while tracing."""
    tensors = any(isinstance(operand, Tensor) for operand in operands)
    return tensors and any(map(is_plain_object, operands))


def attribute(of: Tensor, name: str) -> Any:
    """`of.name`: a method, or what a look at it gives when the graph runs.

    MissingError: the example has none; what was done to the object may have failed for
    the example, or come to another end, so that the object may have it.
    AttributeError: it has none of Python's own, `__self__`, which its class decides
    """
    assert isinstance(of.spec, LibrarySpec)
    try:
        held = getattr(of.spec.example, name)
    except AttributeError as error:
        if name.startswith("__"):
            raise
        raise located(MissingError(str(error))) from None
    if inspect.isroutine(held):
        return functools.partial(method, of, name)
    return part(host.call(_attribute, (of, name), {}))


def _attribute(of: Any, name: str) -> Any:
    return getattr(of, name)


def method(of: Any, name: str, *args: Any, **kwargs: Any) -> Any:
    """`of.name(*args, **kwargs)`; afterwards the object may have more attributes."""
    if not isinstance(of, Tensor):
        # A function of a library calls it when the graph runs.
        return call_method(of, name, *args, **kwargs)
    made = part(host.call(call_method, (of, name, *args), kwargs))
    _renew(call_method, of, name, *args, **kwargs)
    return made


def _renew(act: Callable[..., Any], of: Tensor, *args: Any, **kwargs: Any) -> None:
    """Let the example be one to which this was done: an estimator that is fitted."""
    assert isinstance(of.spec, LibrarySpec)
    content, tensors = encode((args, kwargs), lambda one: isinstance(one, Tensor))
    try:
        tried = sample(of.spec)
        positional, named = fill(content, tuple(sample(one.spec) for one in tensors))
        with quietly(), drawing():
            act(tried, *positional, **named)
    except Exception:
        return
    object.__setattr__(of.spec, "example", tried)


def part(made: Any) -> Any:
    """What an object gives: an array is in its memory, so a write is made there too."""
    is_array = isinstance(made, Tensor) and not (made.scalar or is_object(made))
    if not is_array:
        return made
    memory = Tensor(made.value)

    def write(_: Tensor, content: Tensor) -> Tensor:
        host.call(np.copyto, (memory, content), {}, writes=True)
        return content

    view = View(made, lambda base: Tensor(base.value), write)
    return Tensor(made.value, scalar=False, view=view)


def call_method(of: Any, name: str, *args: Any, **kwargs: Any) -> Any:
    """`of.name(*args, **kwargs)`."""
    return getattr(of, name)(*args, **kwargs)


def call(of: Any, *args: Any, **kwargs: Any) -> Any:
    """`of(*args, **kwargs)`."""
    return part(host.call(_called, (of, *args), kwargs))


def _called(of: Any, *args: Any, **kwargs: Any) -> Any:
    return of(*args, **kwargs)


def item(of: Any, key: Any) -> Any:
    """`of[key]`."""
    return part(host.call(_item, (of, key), {}))


def _item(of: Any, key: Any) -> Any:
    return of[key]


def items(of: Tensor) -> Any:
    """`list(of)`, where its items are numbers or texts of one kind; None: they are not.

    A column of pandas' gives Python's numbers, and is asked for others by its labels.
    """
    try:
        with quietly(), drawing():
            found = list(map(spec_of_item, sample(of.spec)))
    except Exception:
        return None
    item = functools.reduce(joined, found, found[0] if found else UNKNOWN)
    if isinstance(item, LibrarySpec) or item == UNKNOWN or item.rank:
        return None
    return objects.call(list, ListSpec(item), of)


def set_item(of: Any, key: Any, content: Any) -> None:
    """`of[key] = content`."""
    host.call(_set_item, (of, key, content), {}, writes=True)
    if is_object(of):
        _renew(_set_item, of, key, content)


def _set_item(of: Any, key: Any, content: Any) -> None:
    of[key] = content


def as_array(of: Any) -> Any:
    """`np.asarray(of)` of an object known while tracing: what it holds at each run.

    An object of the user's own is asked at once: its method gives tensors.
    """
    if is_foreign(of):
        return host.call(np.asarray, (of,), {}, in_place=True)
    return of.__array__()


def set_attribute(of: Tensor, name: str, content: Any) -> None:
    """`of.name = content`."""
    host.call(setattr, (of, name, content), {}, writes=True)
    _renew(setattr, of, name, content)


def operate(word: str, *operands: Any) -> Any:
    """The operator whose method is `__word__`, where an operand is such an object."""
    return host.call(Operator(word), operands, {})


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
        with quietly(), drawing():
            return Operator(word)(tried, example) is tried
    except Exception:
        return True


@struct
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


@struct
class Operator:
    """Python's operator, by the word of its method."""

    word: str

    def __call__(self, *operands: Any) -> Any:
        """Its result."""
        return operation_of(self.word)(*operands)

    @property
    def __name__(self) -> str:
        return self.word
