"""into: calls of functions without an op, which NumPy lets write into an array.

`np.fix(x, out=x)` is what x holds after the call: the executor makes it with x itself
where nobody can tell, so that no array is made for the result, and NumPy says itself
what it thinks of the array. An `out` without dims is not for here: it may be a number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.foreign import is_object
from runtime.layouts import laid_out
from runtime.numpy_api import callbacks
from runtime.numpy_api.found import Found
from runtime.ops.random import is_source
from runtime.ops.template import Input, encode, fill, refill
from runtime.ops.views import changed
from runtime.spec import TensorSpec
from runtime.structs import struct
from runtime.tensor import Tensor, tensor


def suits(target: Tensor, given: Any) -> bool:
    """True where a call may be made with the array itself.

    given: the function, and its arguments, among which are no things with a state
    """
    spec = target.spec
    if type(spec) is not TensorSpec or not spec.shape or spec.kinds:
        return False
    known = spec.dtype is not None and spec.dtype.kind in "biufc"
    plain = not callbacks.holds_callback(callbacks.callbacks(given))
    return known and plain and not encode(given, _has_state)[1]


def _has_state(part: Any) -> bool:
    return is_source(part) or is_object(part)


def after(
    mutate: Callable[..., Any],
    base: Tensor,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    """What `base` holds after `mutate(*args, **kwargs)`, in which it is changed."""
    others: list[Any] = []

    def placed(part: Any) -> Any:
        if tensor(part) is base:
            return Input(0)  # the array itself, or the copy that is changed for it
        others.append(part)
        return Input(len(others))

    (template, inputs) = encode((args, kwargs), _is_array)
    positional, named = refill(template, tuple(map(placed, inputs)))
    return changed(base, *others, function=mutate, args=positional, kwargs=named)


def outputs(named: dict[str, Any], inputs: Sequence[Tensor]) -> frozenset[int]:
    """Those of a call's inputs that it is told to write into, whatever trials say.

    named: its keywords, a template of the inputs
    """
    outs = [named[name] for name in ("out", "output") if name in named]
    numbers: list[Input] = encode(outs, lambda part: type(part) is Input)[1]
    return frozenset(one.k for one in numbers if inputs[one.k].spec.shape != ())


def gives_it_back(found: Found, at: int) -> bool:
    """Whether a call gives nothing but the argument at `at`, which it changes."""
    if not found.specs:
        return True
    (lies, *others) = found.lies or (None,)
    alone = found.whole is None and not others
    return (
        alone and lies is not None and lies.certain and lies.same and lies.of == (at,)
    )


def write_into(
    function: Callable[..., Any],
    target: Tensor,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> None:
    """`function(*args, **kwargs, out=target)`."""
    target.require_writable("output array")
    target.write(after(function, target, args, {**kwargs, "out": target}).value)


def _is_array(part: Any) -> bool:
    """A tensor, or an array that the user may change: read at each call."""
    if isinstance(part, np.ndarray):
        return part.dtype.kind in "biufc"
    return isinstance(part, Tensor)


@struct(eq=False)
class Changing:
    """A function that changes arguments: its results, and what these hold then.

    template: (args, kwargs) of the function
    changed:  the places of what it changes among the inputs
    count:    of its results
    """

    function: Callable[..., Any]
    template: Any
    changed: tuple[int, ...]
    count: int

    def __call__(self, *inputs: Any) -> Any:
        """Its results, and the copies that it has changed."""
        given = list(inputs)
        for at in self.changed:
            given[at] = laid_out(given[at], given[at])
        positional, named = fill(self.template, tuple(given))
        answer = self.function(*positional, **named)
        answers = () if self.count == 0 else answer if self.count > 1 else (answer,)
        made = (*answers, *(given[at] for at in self.changed))
        return made if len(made) > 1 else made[0]

    @property
    def __name__(self) -> str:
        return getattr(self.function, "__name__", type(self.function).__name__)
