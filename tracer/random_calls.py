"""random_calls: draws from NumPy's generators happen at each execution, in order.

An outer generator is state that advances; one made inside the function starts anew at
each execution, as `np.random.default_rng(seed)` in plain Python does.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime import build
from runtime.errors import StagingTypeError, located
from runtime.ops import random
from runtime.ops.template import encode
from runtime.spec import TensorSpec, spec_of
from runtime.tensor import Tensor
from tracer import tree
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
        if tree.holds_tensor(seed):
            raise located(
                StagingTypeError("this seed is known only when the graph runs"),
                "Make the generator outside of the function and pass it, or pass the "
                "seed as a Python number.",
            )
        made = maker(*args, **kwargs)
        # A generator around another one goes on where that one stands.
        if not random.is_source(seed):
            state = None if seed is None else random.state_of(made)
            random.seed(generator=made, state=state)
        return made

    return make
