"""Random draws: calls of a NumPy generator's methods, in program order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.effects import Effect, Effects
from runtime.op import op
from runtime.ops.template import fill
from runtime.spec import TensorSpec

if TYPE_CHECKING:
    # NumPy imports np.random only when it is asked for.
    Source = np.random.Generator | np.random.RandomState | np.random.BitGenerator


def is_source(thing: Any) -> bool:
    """True for generators, old and new, and for what feeds them with bits."""
    kinds = np.random.Generator, np.random.RandomState, np.random.BitGenerator
    return isinstance(thing, kinds)


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


def state_of(generator: Source) -> Any:
    """Where a generator stands: what `_seed` takes it back to."""
    if isinstance(generator, np.random.RandomState):
        return generator.get_state(legacy=False)
    return _bits(generator).state


def _bits(generator: Any) -> np.random.BitGenerator:
    made: np.random.BitGenerator = getattr(generator, "bit_generator", generator)
    return made


def _seed(*, generator: Source, state: Any) -> tuple[()]:
    if isinstance(generator, np.random.RandomState):
        generator.set_state(state or state_of(np.random.RandomState()))
    else:
        bits = _bits(generator)
        bits.state = state or type(bits)().state
    return ()


@op(kernel=_seed, effects=_writes)
def seed(*, generator: Any, state: Any) -> tuple[()]:
    """Make `generator` start anew; state None takes fresh entropy."""
    return ()
