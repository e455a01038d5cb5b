"""random_calls: draws from NumPy's generators happen at each execution, in order.

An outer generator is state that advances; one made inside the function starts anew at
each execution, as `np.random.default_rng(seed)` in plain Python does.
"""

from __future__ import annotations

import copy
import sys
import types
from collections.abc import Callable, Iterator, Sequence
from functools import partial, reduce
from itertools import product
from typing import Any

import numpy as np

from runtime import build
from runtime.errors import OnlyPythonError, StagingTypeError, located
from runtime.numpy_api.trials import tried
from runtime.ops import random
from runtime.ops.template import encode
from runtime.spec import TensorSpec, join, spec_of
from runtime.tensor import Tensor, tensor
from tracer import places
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
    if not random.is_source(owner):
        return None
    if isinstance(getattr(type(owner), function.__name__, None), types.FunctionType):
        return _inherited
    known = _OF_BITS if isinstance(owner, np.random.BitGenerator) else _SPAWNING
    special = known.get(function.__name__, _draw)
    return special and partial(special, owner, function.__name__)


def _inherited(*_: Any, **__: Any) -> Any:
    """`super().random()` in a class with another `random`, which runs ask by name."""
    raise located(
        OnlyPythonError("a draw by `super()` in a class of generators"),
        "Keep a generator in an attribute, and draw from that.",
    )


def _draw(owner: Any, method: str, /, *args: Any, **kwargs: Any) -> Any:
    target = _written(owner, method, args, kwargs)
    if isinstance(target, (Tensor, np.ndarray)):
        return _draw_into(target, owner, method, args, kwargs)
    template, inputs = encode((args, kwargs), _is_tensor)
    positional, named = template
    spec, is_array = _tried(owner, method, template, inputs)
    made: Tensor = random.draw(
        *inputs,
        generator=owner,
        method=method,
        args=positional,
        kwargs=named,
        result=spec,
    )
    if is_array:
        made.scalar = False
    return made


def _is_tensor(part: Any) -> bool:
    return isinstance(part, Tensor)


def _written(owner: Any, method: str, args: Any, kwargs: Any) -> Any:
    """The array that a method writes into; None for most."""
    place = _OUT.get(method)
    if method == "shuffle":
        return args[0] if args else kwargs.get("x")
    if place is None or len(args) <= place:
        return kwargs.get("out")
    return args[place]


# Where `out` stands among the arguments.
_OUT = {
    "random": 2,
    "standard_normal": 2,
    "standard_exponential": 3,
    "standard_gamma": 3,
}


def _draw_into(
    given: Any, owner: Any, method: str, args: Any, kwargs: Any
) -> Tensor | None:
    """Draws that change an array, or its order."""
    target = tensor(given)
    target.require_writable("output array" if method != "shuffle" else "array")
    (positional, named), inputs = encode(
        (args, kwargs), lambda part: part is given or isinstance(part, Tensor)
    )
    of = next(at for at, one in enumerate(inputs) if one is given)
    others = (*inputs[:of], *inputs[of + 1 :])
    made = random.draw_into(
        target,
        *others,
        generator=owner,
        method=method,
        args=positional,
        kwargs=named,
        of=of,
    )
    target.write(made.value)
    return None if method == "shuffle" else target


def _tried(
    owner: Any, method: str, template: Any, inputs: list[Any]
) -> tuple[TensorSpec, bool]:
    """The spec of what a copy of the generator gives; whether it is an array.

    One of `size=()` has no dims.
    """

    def call(*args: Any, **kwargs: Any) -> Any:
        args = _in_order(args) if method in _FROM_TO else args
        return getattr(copy.deepcopy(owner), method)(*args, **kwargs)

    if not inputs:
        with build.suspended():
            answer = call(*template[0], **template[1])
        spec = spec_of(answer) if is_numeric(answer) else UNKNOWN
        return spec, isinstance(answer, np.ndarray)
    # A number of several kinds is tried as each of them.
    options = product(*(one.spec.options for one in inputs))
    return reduce(_joined, (_tried_with(call, template, one) for one in options))


def _tried_with(
    call: Callable[..., Any], template: Any, inputs: Sequence[TensorSpec]
) -> tuple[TensorSpec, bool]:
    found = tried(call, template, list(inputs), shaped=True)
    one = found.specs[0] if found.whole is None and found.specs else UNKNOWN
    return (one, all(found.arrays)) if type(one) is TensorSpec else (UNKNOWN, False)


def _joined(
    a: tuple[TensorSpec, bool], b: tuple[TensorSpec, bool]
) -> tuple[TensorSpec, bool]:
    """What serves both, where something is known of them."""
    specs = a[0], b[0]
    try:
        return UNKNOWN if UNKNOWN in specs else join(*specs), a[1] and b[1]
    except TypeError:
        return UNKNOWN, False


# They draw from one number up to another, which is to be above it.
_FROM_TO = frozenset({"integers", "randint"})


def _in_order(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments of a trial, which knows nothing of which is the higher one."""
    low, high, *others = (*args, None, None)[: max(2, len(args))]
    if not all(isinstance(one, (int, np.integer)) for one in (low, high)):
        return args
    # One more may be more than the dtype holds.
    return args if low < high else (high, low + (low == high), *others)


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
            return places.created(made)
        made = maker(*args, **kwargs)
        # A generator around another one goes on where that one stands.
        if not random.is_source(seed):
            state = None if seed is None else random.state_of(made)
            random.seed(generator=made, state=state)
        return places.created(made)

    return make


def _spawned(owner: Any, method: str, n_children: Any) -> Any:
    """`rng.spawn(n)`: generators that start anew at each run."""
    if isinstance(n_children, Tensor):
        raise located(
            StagingTypeError("how many generators are made is known only by the run"),
            "Pass a Python number.",
        )
    if _is_begun_anew(owner):
        raise located(
            OnlyPythonError("a generator that each run begins anew has had children"),
            "Make the generator outside of the function.",
        )
    with build.suspended():
        children = tuple(copy.deepcopy(owner).spawn(n_children))
    random.spawn(generator=owner, children=children)
    return list(children)


def _is_begun_anew(generator: Any) -> bool:
    """Whether the trace has made it: a run puts its state back, not what it has had."""
    frame = build.current()
    while frame is not None:
        for node in frame.nodes:
            seeds = node.op in (random.seed, random.seed_by)
            if seeds and node.attributes["generator"] is generator:
                return True
        frame = frame.parent
    return False


def _advanced(owner: Any, method: str, /, *args: Any, **kwargs: Any) -> Any:
    """`bits.advance(n)`."""
    _draw(owner, method, *args, **kwargs)
    return owner


def _jumped(owner: Any, method: str, jumps: Any = 1) -> Any:
    """`bits.jumped(n)`: another one, which starts anew at each run."""
    with build.suspended():
        made = owner.jumped(jumps)
    random.jump(generator=owner, made=made, jumps=jumps)
    return made


_SPAWNING: dict[str, Any] = {"spawn": _spawned}
_OF_BITS: dict[str, Any] = {
    "spawn": _spawned,
    "advance": _advanced,
    "jumped": _jumped,
    "random_raw": _draw,
}


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
