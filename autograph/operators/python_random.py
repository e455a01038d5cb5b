"""Python's `random`: draws happen at each execution, in order, on the same generator.

What is drawn from a list or an array is drawn by its index, so the numbers are those
that plain Python would draw.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from autograph.operators.stores import get_item
from runtime import build, kinds
from runtime.errors import PythonTypeError, StagingTypeError, located
from runtime.numpy_api.trials import sample
from runtime.ops import random
from runtime.ops.template import encode, fill
from runtime.spec import TensorSpec, spec_of
from runtime.tensor import Tensor
from tracer import list_objects, places, tree
from tracer.leaves import is_numeric

WEAK_INT = TensorSpec((), int, weak=True)


def call(function: Any) -> Callable[..., Any] | None:
    """The staged form of a function of Python's `random`; None for others."""
    module = sys.modules.get("random")
    frame = build.current()
    if module is None or frame is None or frame.trace.python_effects == "trace":
        return None
    if not hasattr(module, "Random"):
        return None  # another thread is half-way through loading it
    if function is module.Random:
        return _making(function)
    name = getattr(function, "__name__", "")
    owner = getattr(function, "__self__", None)
    if isinstance(owner, module.Random):
        return lambda *args, **kwargs: drawn(owner, name, args, kwargs)
    found = getattr(module.Random, name, None) if type(name) is str else None
    # What every object has (`object.__getattribute__`) is no method of generators.
    if found is not function or found in (None, getattr(object, name, None)):
        return None
    return lambda owner, *args, **kwargs: drawn(owner, name, args, kwargs)


def drawn(owner: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`owner.name(*args, **kwargs)`."""
    by_index = _BY_INDEX.get(name)
    if by_index is not None:
        return by_index(owner, *args, **kwargs)
    if kinds.has_mixed(args, *kwargs.values()):
        return kinds.split(partial(_drawn_of, owner, name), *args, **kwargs)
    if name in ("seed", "setstate"):
        return _ask(owner, name, args, kwargs, ())
    return _ask(owner, name, args, kwargs, _try(owner, name, args, kwargs))


def _drawn_of(owner: Any, name: str, *args: Any, **kwargs: Any) -> Any:
    return drawn(owner, name, args, kwargs)


def _ask(
    owner: Any,
    name: str,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    results: tuple[TensorSpec, ...],
) -> Any:
    template, inputs = encode((args, kwargs), lambda part: isinstance(part, Tensor))
    positional, named = template
    made = random.ask(
        *inputs,
        generator=owner,
        method=name,
        args=positional,
        kwargs=named,
        results=results,
    )
    return made if results else None


def _try(
    owner: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[TensorSpec, ...]:
    """The spec of the number that a copy of the generator gives."""
    template, inputs = encode((args, kwargs), lambda part: isinstance(part, Tensor))
    samples = tuple(sample(tensor.spec) for tensor in inputs)
    positional, named = fill(template, samples)
    with build.suspended():
        try:
            answer = getattr(copy.deepcopy(owner), name)(*positional, **named)
        except Exception:
            # The sample may not suit it; the arguments' own error comes with the run.
            answer = 1 if "rand" in name else 1.0
    if not is_numeric(answer):
        raise located(
            PythonTypeError(f"random.{name}() gives no number"),
            "Call it outside of the decorated function, or by ag.py_function.",
        )
    return (spec_of(answer),)


def choice(owner: Any, seq: Any) -> Any:
    """`random.choice`."""
    count = _length(seq, "choice")
    if count == 0:
        return copy.deepcopy(owner).choice([])  # Python's own error
    return get_item(seq, _ask(owner, "choice", (range(count),), {}, (WEAK_INT,)))


def choices(
    owner: Any,
    population: Any,
    weights: Any = None,
    *,
    cum_weights: Any = None,
    k: int = 1,
) -> list[Any]:
    """`random.choices`."""
    named = {"weights": weights, "cum_weights": cum_weights, "k": k}
    indices = range(_length(population, "choices"))
    return _picked(owner, "choices", (indices,), named, population, k)


def sampled(owner: Any, population: Any, k: int, *, counts: Any = None) -> list[Any]:
    """`random.sample`."""
    if counts is not None:
        population = [
            item for item, n in zip(population, counts, strict=True) for _ in range(n)
        ]
    indices = range(_length(population, "sample"))
    return _picked(owner, "sample", (indices, k), {}, population, k)


def _picked(
    owner: Any, name: str, args: Any, kwargs: Any, population: Any, k: Any
) -> list[Any]:
    if isinstance(k, Tensor):
        raise located(
            PythonTypeError(f"random.{name}() of as many as only the run knows"),
            "Call it outside of the decorated function, or by ag.py_function.",
        )
    made = _ask(owner, name, args, kwargs, (WEAK_INT,) * k)
    indices = made if isinstance(made, tuple) else (made,) if k else ()
    return [get_item(population, index) for index in indices]


def shuffle(owner: Any, x: Any) -> None:
    """`random.shuffle`, and of NumPy's generators for a list."""
    held = list_objects.staged(x)
    if held is not None:
        order = random.shuffled(held.length(), generator=owner)
        list_objects.put(x, held.take(order))
        return
    count = _length(x, "shuffle")
    order = random.shuffled(count, generator=owner)
    if isinstance(x, Tensor):
        x[:] = x[order]
        return
    items = [get_item(list(x), order[at].item()) for at in range(count)]
    places.watched(x.__setitem__, (slice(None), items))


def shuffling(function: Any) -> Callable[..., Any] | None:
    """The staged form of the `shuffle` of a generator; None for other functions."""
    if getattr(function, "__name__", "") != "shuffle":
        return None
    owner = getattr(function, "__self__", None)
    of = function if owner is None else type(owner)
    if (of.__module__ or "").partition(".")[0] not in ("numpy", "random"):
        return None
    return shuffle if owner is None else partial(shuffle, owner)


def _length(items: Any, name: str) -> int:
    if isinstance(items, Tensor):
        length = items.length()
        if not isinstance(length, Tensor):
            return int(length)
        raise located(
            StagingTypeError(
                f"random.{name}() of an array whose length is known only when the "
                "graph runs"
            ),
            "Draw an index: random.randrange(len(x)).",
        )
    return len(items)


_BY_INDEX: dict[str, Callable[..., Any]] = {
    "choice": choice,
    "choices": choices,
    "sample": sampled,
    "shuffle": shuffle,
}


def _making(maker: Callable[..., Any]) -> Callable[..., Any]:
    """A generator made in the function starts anew at each execution."""

    def make(*args: Any) -> Any:
        if tree.holds_tensor(args):
            made = maker()
            _ask(made, "seed", args, {}, ())
            return places.created(made)
        made = maker(*args)
        unseeded = not args or args[0] is None
        random.seed(generator=made, state=None if unseeded else random.state_of(made))
        return places.created(made)

    return make
