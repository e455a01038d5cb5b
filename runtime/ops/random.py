"""Random draws: calls of a NumPy generator's methods, in program order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from runtime.effects import Effect, Effects
from runtime.op import op
from runtime.ops.template import fill
from runtime.spec import TensorSpec


def _writes(attributes: Mapping[str, Any]) -> Effects:
    return frozenset({Effect("write", attributes["generator"])})


def _draw(
    *inputs: Any,
    generator: Any,
    method: str,
    args: Any,
    kwargs: Any,
    result: TensorSpec,
) -> Any:
    positional, named = fill((args, kwargs), inputs)
    return getattr(generator, method)(*positional, **named)


@op(kernel=_draw, effects=_writes)
def draw(
    *inputs: TensorSpec,
    generator: Any,
    method: str,
    args: Any,
    kwargs: Any,
    result: TensorSpec,
) -> TensorSpec:
    """`generator.method(*args, **kwargs)`: templates with places for the inputs.

    result: the spec of what it gives, unknown where the inputs decide
    """
    return result


def _seed(*, generator: np.random.Generator, state: Any) -> tuple[()]:
    fresh = np.random.default_rng().bit_generator.state
    generator.bit_generator.state = fresh if state is None else state
    return ()


@op(kernel=_seed, effects=_writes)
def seed(*, generator: Any, state: Any) -> tuple[()]:
    """Make `generator` start anew; state None takes fresh entropy."""
    return ()
