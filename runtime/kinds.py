"""Kinds: what is done with a value that is one of several kinds of numbers.

A mixed value is never cast: the run does with it what Python does with the object that
it is. So an op needs nothing but a type rule, which is asked for each kind. Code that
looks at the dtype while tracing is run for each kind instead, in branches (`split`).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from runtime.errors import StagingTypeError, located
from runtime.graph import Graph, Value
from runtime.memory import STORES
from runtime.op import Inference, Op
from runtime.operators import Operators
from runtime.ops.template import encode, fill
from runtime.spec import Kind, TensorSpec, any_width, is_wide, join, of_kinds

__all__ = ["Kind", "has_mixed", "infer", "is_mixed", "set_split", "split"]

# More combinations of kinds than this are refused.
MOST = 128
# Their type rules do not look at what kind an input is.
INDIFFERENT = frozenset(
    {"print", "assert", "raise", "host_call", "python_call", "assign_variable", "call"}
    | {"list_of"}
)
# They promote the dtypes of all inputs to one, whatever their number.
JOINS = frozenset({"stack", "concatenate"})


def infer(
    op: Op,
    inputs: Sequence[Value],
    attributes: Mapping[str, Any],
    graphs: tuple[Graph, ...] = (),
) -> tuple[TensorSpec, ...]:
    """The specs of the op's outputs, by its type rule.

    The kinds of mixed inputs are tried one by one. A combination for which the rule
    raises, raises at the run; the rule's error is raised when all do.
    """
    specs = [value.spec for value in inputs]
    if graphs:
        return _tuple(op.infer(*specs, graphs=graphs, **attributes))
    if any(map(is_wide, specs)) and op.name not in STORES:
        return tuple(map(_wide, _tuple(op.infer(*specs, **attributes))))
    mixed = list(dict.fromkeys(value for value in inputs if value.spec.kinds))
    if not mixed or op.name in INDIFFERENT:
        return _tuple(op.infer(*specs, **attributes))
    if op.name in JOINS:
        return (_promoted(op, specs, attributes),)
    _require_few([value.spec for value in mixed])
    found: list[tuple[TensorSpec, ...]] = []
    error: Exception | None = None
    for options in itertools.product(*(value.spec.options for value in mixed)):
        exact = dict(zip(mixed, options, strict=True))
        given = [exact.get(value, value.spec) for value in inputs]
        try:
            found.append(_tuple(op.infer(*given, **attributes)))
        except Exception as raised:
            error = raised
    if not found:
        assert error is not None
        raise error
    joined, *others = found
    for other in others:
        joined = tuple(itertools.starmap(join, zip(joined, other, strict=True)))
    return joined


def _wide(spec: TensorSpec) -> TensorSpec:
    """What an op makes of texts of any width."""
    if spec.dtype is None or spec.dtype.kind not in "US":
        return spec
    return TensorSpec(spec.shape, any_width(spec.dtype))


def _promoted(
    op: Op, specs: Sequence[TensorSpec], attributes: Mapping[str, Any]
) -> TensorSpec:
    """What the op makes of inputs of any of their kinds."""
    (made,) = _tuple(op.infer(*(spec.options[0] for spec in specs), **attributes))
    if made.dtype is None:
        return made
    found: set[Any] = set()
    for spec in specs:
        dtypes = {option.dtype for option in spec.options}
        pairs = itertools.product(found, dtypes)
        found = {np.result_type(*pair) for pair in pairs} or dtypes
    return of_kinds(made.shape, [(dtype, False) for dtype in found])


def _tuple(inferred: Inference) -> tuple[TensorSpec, ...]:
    return inferred if isinstance(inferred, tuple) else (inferred,)


def _require_few(specs: Sequence[TensorSpec]) -> None:
    if math.prod(len(spec.kinds) for spec in specs) > MOST:
        raise located(
            StagingTypeError(
                f"{len(specs)} numbers of which each may be of several types, "
                "depending on data, meet in one operation"
            ),
            "Convert them first, for example with float(x).",
        )


# Something done for each kind that its operands may be.

Split = Callable[[Sequence[Any], Callable[[Sequence[Any]], Any]], Any]
_split: list[Split] = []


def set_split(split: Split) -> None:
    """Tell how branches are made (done once, by `tracer.picking`)."""
    _split[:] = [split]


def is_mixed(part: Any) -> bool:
    """True for a tensor that is one of several kinds of numbers."""
    # Operators are a Tensor's; no object of the user's is asked for an attribute.
    return isinstance(part, Operators) and bool(part.spec.kinds)  # type: ignore[attr-defined] # a Tensor has a spec


def has_mixed(*parts: Any) -> bool:
    """True when a mixed tensor is among `parts`, at any depth of lists and tuples."""
    return bool(encode(parts, is_mixed)[1])


def attribute(exact: Any, name: str) -> Any:
    """`exact.name` of a tensor of one kind. AttributeError: it is a Python number."""
    if exact.spec.weak:
        kind = exact.spec.python_type.__name__
        raise AttributeError(f"'{kind}' object has no attribute '{name}'")
    return getattr(exact, name)


def dims(exact: Any, name: str) -> Any:
    """The sizes of a tensor of one kind, asked for as its attribute `name`."""
    attribute(exact, name)
    return exact.shape


def split(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """`function(*args, **kwargs)`, in a branch for each kind of the mixed tensors."""
    template, mixed = encode((args, kwargs), is_mixed)
    _require_few([tensor.spec for tensor in mixed])

    def call(exact: Sequence[Any]) -> Any:
        args, kwargs = fill(template, tuple(exact))
        return function(*args, **kwargs)

    return _split[0](mixed, call)
