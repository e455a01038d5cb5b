"""random_calls: draws from NumPy's generators happen at each execution, in order.

An outer generator is state that advances; one made inside the function starts anew at
each execution, as `np.random.default_rng(seed)` in plain Python does.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime import build
from runtime.ops import random
from runtime.ops.template import encode
from runtime.spec import TensorSpec, spec_of
from runtime.tensor import Tensor
from tracer.leaves import is_numeric

UNKNOWN = TensorSpec(None, None)


def call(function: Any) -> Callable[..., Any] | None:
    """The staged form of a generator's method or of default_rng; None otherwise."""
    if function is np.random.default_rng:
        return _make
    owner = getattr(function, "__self__", None)
    if not isinstance(owner, (np.random.Generator, np.random.RandomState)):
        return None

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


def _make(seed: Any = None) -> Any:
    if isinstance(seed, np.random.Generator):
        return seed
    generator = np.random.default_rng(seed)
    state = None if seed is None else generator.bit_generator.state
    random.seed(generator=generator, state=state)
    return generator
