"""input_signature: one graph for all calls; arguments are fitted to its specs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.spec import TensorSpec, spec_of
from tracer import tree


def check(input_signature: Any) -> tuple[Any, ...]:
    """The signature as a tuple. TypeError: not a sequence of (nested) TensorSpecs."""
    if not isinstance(input_signature, (list, tuple)):
        raise TypeError(
            "input_signature must be a list or tuple of TensorSpecs, one for each "
            f"argument, not {_a(input_signature)}"
        )
    for leaf in tree.flatten(tuple(input_signature))[0]:
        if not isinstance(leaf, TensorSpec):
            raise TypeError(
                f"input_signature must hold TensorSpecs only, but it holds {leaf!r}"
            )
    return tuple(input_signature)


def fit(
    name: str,
    input_signature: Sequence[Any],
    args: Sequence[Any],
    kwargs: dict[str, Any],
    names: Sequence[str],
) -> tuple[Any, ...]:
    """The arguments converted to the specs' dtypes.

    TypeError: a value has another structure, cannot become the dtype without loss of
    kind, or does not fit the shape.
    """
    if kwargs:
        raise TypeError(
            f"{name}() has an input_signature, so it cannot take the keyword-only "
            f"argument `{next(iter(kwargs))}`"
        )
    if len(args) != len(input_signature):
        raise TypeError(
            f"{name}() has an input_signature of {len(input_signature)} specs, but "
            f"{len(args)} arguments were passed"
        )
    pairs = zip(names, input_signature, args, strict=False)
    return tuple(_fit(name, *triple) for triple in pairs)


def _fit(function: str, argument: str, wanted: Any, passed: Any) -> Any:
    if isinstance(wanted, TensorSpec):
        return _array(function, argument, wanted, passed)
    specs, structure = tree.flatten(wanted)
    leaves, other = tree.flatten(passed)
    if structure != other:
        raise TypeError(
            f"{function}: `{argument}` is {_a(passed)} that is not nested as "
            f"{wanted!r} in the input_signature"
        )
    where = [argument + path for path in tree.paths(wanted)]
    fitted = [
        _array(function, *triple) for triple in zip(where, specs, leaves, strict=True)
    ]
    return tree.unflatten(structure, fitted)


def _array(function: str, argument: str, wanted: TensorSpec, passed: Any) -> Any:
    if isinstance(passed, TensorSpec):
        if not wanted.describes(passed):
            raise _does_not_fit(function, argument, wanted, repr(passed))
        return passed
    try:
        array = np.asarray(passed)
        fits = wanted.dtype is None or np.can_cast(
            array.dtype, wanted.dtype, "same_kind"
        )
        array = array.astype(wanted.dtype, copy=False) if fits else array
    except (ValueError, TypeError):
        fits, array = False, np.empty(0)
    if not fits or not wanted.accepts(array):
        shown = repr(spec_of(array)) if fits or array.size else _a(passed)
        raise _does_not_fit(function, argument, wanted, shown)
    return passed if isinstance(passed, np.ndarray) and array is passed else array


def _does_not_fit(
    function: str, argument: str, wanted: TensorSpec, shown: str
) -> TypeError:
    return TypeError(
        f"{function}: `{argument}` is {shown}, which does not fit {wanted!r} of the "
        "input_signature"
    )


def _a(thing: Any) -> str:
    word = type(thing).__name__
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"
