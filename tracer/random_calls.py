"""random_calls: draws from NumPy's generators happen at each execution, in order.

An outer generator is state that advances; one made inside the function starts anew at
each execution, as `np.random.default_rng(seed)` in plain Python does.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from runtime import build
from runtime.errors import StagingTypeError, located
from runtime.ops import random
from runtime.ops.template import encode
from runtime.spec import TensorSpec, spec_of
from runtime.tensor import Tensor
from tracer.leaves import is_numeric

UNKNOWN = TensorSpec(None, None)
# Names in np.random, which NumPy imports when it is first asked for (8 ms): a program
# without random numbers does not pay for it.
_MAKERS = (
    *("default_rng", "RandomState", "PCG64", "PCG64DXSM", "MT19937", "Philox"),
    "SFC64",
)


def call(function: Any) -> Callable[..., Any] | None:
    """The staged form of what makes, seeds or asks a generator; None otherwise."""
    if "numpy.random" not in sys.modules:
        return None
    if any(function is getattr(np.random, maker) for maker in _MAKERS):
        return _making(function)
    if function is np.random.seed:
        function = np.random.mtrand._rand.seed
    owner = getattr(function, "__self__", None)
    if not isinstance(owner, (np.random.Generator, np.random.RandomState)):
        return None
    if function.__name__ == "spawn":
        return partial(_spawned, owner)

    def drawn(*args: Any, **kwargs: Any) -> Any:
        template, inputs = encode((args, kwargs), lambda part: isinstance(part, Tensor))
        result = UNKNOWN if inputs else _try(owner, function.__name__, args, kwargs)
        positional, named = template
        return random.draw(
            *inputs,
            generator=owner,
            method=function.__name__,
            args=positional,
            kwargs=named,
            result=result,
        )

    return drawn


def _try(owner: Any, method: str, args: Any, kwargs: Any) -> TensorSpec:
    """The spec of what a copy of the generator gives."""
    with build.suspended():
        answer = getattr(copy.deepcopy(owner), method)(*args, **kwargs)
    return spec_of(answer) if is_numeric(answer) else UNKNOWN


def _making(maker: Callable[..., Any]) -> Callable[..., Any]:
    def make(*args: Any, **kwargs: Any) -> Any:
        seed = next(iter((*args, *kwargs.values())), None)
        template, inputs = encode((args, kwargs), lambda part: isinstance(part, Tensor))
        if inputs:
            # The seed is known to each run; the generator is one object.
            made, (positional, named) = maker(0), template
            random.seed_by(
                *inputs, generator=made, maker=maker, args=positional, kwargs=named
            )
            return made
        made = maker(*args, **kwargs)
        # A generator around another one goes on where that one stands.
        if not random.is_source(seed):
            state = None if seed is None else random.state_of(made)
            random.seed(generator=made, state=state)
        return made

    return make


def _spawned(owner: Any, n_children: Any) -> Any:
    """`rng.spawn(n)`: generators that start anew at each run."""
    if isinstance(n_children, Tensor):
        raise located(
            StagingTypeError("how many generators are made is known only by the run"),
            "Pass a Python number.",
        )
    with build.suspended():
        children = tuple(copy.deepcopy(owner).spawn(n_children))
    random.spawn(generator=owner, children=children)
    return list(children)


def is_bits(thing: Any) -> bool:
    """True for what feeds a generator with bits, while a trace is on."""
    if build.current() is None or "numpy.random" not in sys.modules:
        return False
    return isinstance(thing, np.random.BitGenerator)


def state(bits: Any) -> Any:
    """`bit_generator.state`, at each run: the dict, with tensors for its numbers."""
    now = bits.state
    found = random.get_state(generator=bits, count=len(random.parts_of(now)))
    waiting = iter(found if isinstance(found, tuple) else (found,))
    return _with_parts(now, waiting)


def _with_parts(state: Any, parts: Iterator[Any]) -> Any:
    if isinstance(state, dict):
        return {name: _with_parts(inner, parts) for name, inner in state.items()}
    return state if isinstance(state, str) else next(parts)


def set_state(bits: Any, content: Any) -> None:
    """`bit_generator.state = content`, at each run."""
    template, inputs = encode(content, lambda part: isinstance(part, Tensor))
    random.set_state(*inputs, generator=bits, state=template)
