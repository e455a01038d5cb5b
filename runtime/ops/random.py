"""Random draws: calls of a generator's methods, NumPy's or Python's, in order."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.effects import Effect, Effects
from runtime.op import op, outputs
from runtime.ops.template import fill
from runtime.spec import TensorSpec, spec_of

if TYPE_CHECKING:
    # NumPy imports np.random only when it is asked for.
    Source = np.random.Generator | np.random.RandomState | np.random.BitGenerator


def is_generator(thing: Any) -> bool:
    """True for a NumPy Generator."""
    return "numpy.random" in sys.modules and isinstance(thing, np.random.Generator)


def is_source(thing: Any) -> bool:
    """True for generators, old and new, and for what feeds them with bits."""
    if "numpy.random" not in sys.modules:
        # It takes 8 ms, which a program without random numbers does not pay.
        return False
    kinds = np.random.Generator, np.random.RandomState, np.random.BitGenerator
    return isinstance(thing, kinds)


def is_shared(source: Any) -> bool:
    """True for what NumPy's own functions draw from, and SciPy's distributions."""
    return source is getattr(np.random.get_state, "__self__", None)


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


def _draw_into(
    x: Any, *others: Any, generator: Any, method: str, args: Any, kwargs: Any, of: int
) -> Any:
    inputs = (*others[:of], x, *others[of:])
    positional, named = fill((args, kwargs), inputs)
    getattr(generator, method)(*positional, **named)
    return x


@op(into=_draw_into, effects=_writes)
def draw_into(
    x: TensorSpec,
    *others: TensorSpec,
    generator: Any,
    method: str,
    args: Any,
    kwargs: Any,
    of: int,
) -> TensorSpec:
    """`x` after `generator.method(*args, **kwargs)`, which changes it.

    args, kwargs: templates with places for the inputs
    of: the place of x among these
    """
    return x


def _ask(
    *inputs: Any,
    generator: Any,
    method: str,
    args: Any,
    kwargs: Any,
    results: tuple[TensorSpec, ...],
) -> Any:
    positional, named = fill((args, kwargs), inputs)
    answer = getattr(generator, method)(*positional, **named)
    if len(results) == 1 and not isinstance(answer, list):
        return answer
    return outputs(answer) if results else ()


@op(kernel=_ask, effects=_writes)
def ask(
    *inputs: TensorSpec,
    generator: Any,
    method: str,
    args: Any,
    kwargs: Any,
    results: tuple[TensorSpec, ...],
) -> tuple[TensorSpec, ...]:
    """`generator.method(*args, **kwargs)` of a generator of Python's `random`.

    results: the specs of what it gives: nothing, a number, or a list of numbers
    """
    return results


def _shuffle(count: int, *, generator: Any) -> Any:
    order = list(range(count))
    generator.shuffle(order)
    return np.array(order, int)


@op(kernel=_shuffle, effects=_writes)
def shuffled(count: TensorSpec, *, generator: Any) -> TensorSpec:
    """The order, as indices, in which `generator.shuffle` puts `count` items."""
    return TensorSpec((None,), int)


def state_of(generator: Any) -> Any:
    """Where a generator stands: what `_seed` takes it back to."""
    if hasattr(generator, "getstate"):
        return generator.getstate()
    if isinstance(generator, np.random.RandomState):
        return generator.get_state(legacy=False)
    return _bits(generator).state


def standing(generator: Any) -> tuple[Any, Callable[[], Any]]:
    """Where a generator stands, and what takes it back there."""
    state = state_of(generator)
    return state, partial(_seed, generator=generator, state=state)


def _bits(generator: Any) -> np.random.BitGenerator:
    made: np.random.BitGenerator = getattr(generator, "bit_generator", generator)
    return made


def _seed(*, generator: Any, state: Any) -> tuple[()]:
    if hasattr(generator, "setstate"):
        _seed_python(generator, state)
    elif isinstance(generator, np.random.RandomState):
        generator.set_state(state or state_of(np.random.RandomState()))
    else:
        bits = _bits(generator)
        bits.state = state or type(bits)().state
    return ()


def _seed_python(generator: Any, state: Any) -> None:
    if state is None:
        generator.seed()
    else:
        generator.setstate(state)


@op(kernel=_seed, effects=_writes)
def seed(*, generator: Any, state: Any) -> tuple[()]:
    """Make `generator` start anew; state None takes fresh entropy."""
    return ()


def _seed_by(*inputs: Any, generator: Any, maker: Any, args: Any, kwargs: Any) -> Any:
    positional, named = fill((args, kwargs), inputs)
    return _seed(generator=generator, state=state_of(maker(*positional, **named)))


@op(kernel=_seed_by, effects=_writes)
def seed_by(
    *inputs: TensorSpec, generator: Any, maker: Any, args: Any, kwargs: Any
) -> tuple[()]:
    """Make `generator` start as `maker(*args, **kwargs)` does, a seed among them."""
    return ()


def _jump(*, generator: Any, made: Any, jumps: int) -> tuple[()]:
    made.state = generator.jumped(jumps).state
    return ()


@op(kernel=_jump, effects=_writes)
def jump(*, generator: Any, made: Any, jumps: int) -> tuple[()]:
    """Make `made` start as `generator.jumped(jumps)` does."""
    return ()


def _spawn(*, generator: Any, children: tuple[Any, ...]) -> tuple[()]:
    for child, made in zip(children, generator.spawn(len(children)), strict=True):
        _bits(child).state = _bits(made).state
    return ()


@op(kernel=_spawn, effects=_writes)
def spawn(*, generator: Any, children: tuple[Any, ...]) -> tuple[()]:
    """Make `children` start as those that `generator.spawn(n)` gives."""
    return ()


def _get_state(*, generator: Any, count: int) -> Any:
    return outputs(tuple(parts_of(_bits(generator).state)))


def parts_of(state: Any) -> list[Any]:
    """The numbers and arrays in a generator's state, in order."""
    if isinstance(state, Mapping):
        return [part for inner in state.values() for part in parts_of(inner)]
    return [] if isinstance(state, str) else [state]


@op(kernel=_get_state, effects=_writes)
def get_state(*, generator: Any, count: int) -> tuple[TensorSpec, ...]:
    """The `count` numbers and arrays of a generator's state: `parts_of` it."""
    return tuple(map(spec_of, parts_of(_bits(generator).state)))


def _set_state(*inputs: Any, generator: Any, state: Any) -> tuple[()]:
    _bits(generator).state = fill(state, inputs)
    return ()


@op(kernel=_set_state, effects=_writes)
def set_state(*inputs: TensorSpec, generator: Any, state: Any) -> tuple[()]:
    """`generator.state = state`: a template with places for the inputs."""
    return ()
