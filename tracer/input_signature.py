"""input_signature: one graph for all calls; arguments are fitted to its specs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.dtypes import same_dtype
from runtime.spec import TensorSpec
from tracer import tree
from tracer.leaves import a, describe
from tracer.parameters import Parameters
from tracer.signature import example


def check(input_signature: Any) -> tuple[Any, ...]:
    """The signature as a tuple. TypeError: not a sequence of (nested) TensorSpecs."""
    if not isinstance(input_signature, (list, tuple)):
        raise TypeError(
            "input_signature must be a list or tuple of TensorSpecs, one for each "
            f"argument, not {a(input_signature)}"
        )
    for leaf in tree.flatten(tuple(input_signature))[0]:
        if not isinstance(leaf, TensorSpec):
            raise TypeError(
                f"input_signature must hold TensorSpecs only, but it holds {leaf!r}"
            )
    return tuple(input_signature)


def check_parameters(name: str, specs: Sequence[Any], parameters: Parameters) -> None:
    """TypeError: there are more specs than arguments, or an argument needs one."""
    wrong = _wrong(name, specs, parameters, parameters.instance)
    if wrong and parameters.in_class and not _wrong(name, specs, parameters, 1):
        # A method, whatever its first argument is called.
        parameters.is_method()
    elif wrong:
        raise TypeError(wrong)


def _wrong(
    name: str, specs: Sequence[Any], parameters: Parameters, instance: int
) -> str:
    takes = len(parameters.positional) - instance
    word = "spec" if len(specs) == 1 else "specs"
    has = f"the input_signature of {name}() has {len(specs)} {word}, but"
    if len(specs) > takes and not parameters.variadic:
        arguments = "argument" if takes == 1 else "arguments"
        return f"{has} the function takes {takes} {arguments}"
    for parameter in parameters.positional[instance + len(specs) :]:
        if parameter not in parameters.defaults:
            return f"{has} `{parameter}` needs one too"
    return ""


def of_examples(
    specs: Sequence[Any] | None, own: int, args: Any, kwargs: dict[str, Any]
) -> Any:
    """The arguments of a trace that is asked for by examples, or by the specs alone.

    own: how many arguments there are beside those
    """
    if specs is not None and len(args) == own and not kwargs:
        args = (*args, *specs)
    return tree.map_leaves(example, (args, kwargs))


def fit(
    name: str,
    specs: Sequence[Any],
    args: Sequence[Any],
    kwargs: dict[str, Any],
    parameters: Parameters,
) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """All positional arguments: as the trace knows them, and with the call's arrays.

    Converted to the specs' dtypes; what has no spec keeps its default.
    TypeError: a value has another structure, cannot become the dtype without loss of
    kind, does not fit the shape, or has no spec.
    """
    first, last = parameters.instance, parameters.instance + len(specs)
    if len(args) < last:
        raise TypeError(
            f"{name}() has an input_signature of {len(specs)} specs, but "
            f"{len(args) - first} arguments were passed"
        )
    names = [*parameters.positional, *(f"*args[{i}]" for i in range(len(args)))]
    rest = zip(names[last:], args[last:], strict=False)
    for argument, passed in (*rest, *kwargs.items()):
        if parameters.defaults.get(argument, fit) is not passed:
            raise TypeError(
                f"{name}() has an input_signature without a spec for `{argument}`, so "
                "only its default can be passed"
                if argument in parameters.defaults
                else f"{name}() has an input_signature without a spec for `{argument}`"
            )
    wanted = zip(names[first:], specs, args[first:last], strict=False)
    fitted = [_fit(name, *triple) for triple in wanted]
    return (
        (*args[:first], *specs, *args[last:]),
        (*args[:first], *fitted, *args[last:]),
    )


def _fit(function: str, argument: str, wanted: Any, passed: Any) -> Any:
    if isinstance(wanted, TensorSpec):
        return _array(function, argument, wanted, passed)
    specs, structure = tree.flatten(wanted)
    try:
        parts = structure.flatten_up_to(passed)
    except ValueError:
        raise TypeError(
            f"{function}: `{argument}` is {describe(passed)}, which is not nested as "
            f"{wanted!r} of the input_signature"
        ) from None
    where = [argument + path for path in tree.paths(wanted)]
    fitted = [
        _array(function, *triple) for triple in zip(where, specs, parts, strict=True)
    ]
    return tree.unflatten(structure, fitted)


def _array(function: str, argument: str, wanted: TensorSpec, passed: Any) -> Any:
    if isinstance(passed, TensorSpec):
        if not wanted.describes(passed):
            raise _does_not_fit(function, argument, wanted, passed)
        return passed
    try:
        array = np.asarray(passed)
        fits = array.dtype.kind != "O" and _can_cast(array, wanted.dtype)
        # Texts of any length are copied even into their own dtype.
        if fits and not same_dtype(array.dtype, wanted.dtype):
            with np.errstate(over="raise"):
                array = array.astype(wanted.dtype, copy=False)
    except (ValueError, TypeError, FloatingPointError):
        raise _does_not_fit(function, argument, wanted, passed) from None
    if not fits or not wanted.accepts(array):
        raise _does_not_fit(function, argument, wanted, passed)
    if wanted.shape == ():
        return array[()]
    return passed if isinstance(passed, np.ndarray) and array is passed else array


def _can_cast(array: Any, dtype: np.dtype[Any] | None) -> bool:
    """Whether all elements are of the dtype's kind, and whole numbers in its range."""
    if dtype is None or np.can_cast(array.dtype, dtype):
        return True
    if dtype.kind not in "iu" or array.dtype.kind not in "iu":
        return np.can_cast(array.dtype, dtype, "same_kind")
    known = np.iinfo(dtype)
    return not array.size or bool(
        known.min <= int(array.min()) and int(array.max()) <= known.max
    )


def _does_not_fit(
    function: str, argument: str, wanted: TensorSpec, passed: Any
) -> TypeError:
    words = f"is {describe(passed)}"
    if isinstance(passed, (np.ndarray, np.generic)) and passed.dtype.kind in "iu":
        whole = wanted.dtype is not None and wanted.dtype.kind in "iu"
        if whole and not _can_cast(passed, wanted.dtype):
            ends = dict.fromkeys((passed.min(), passed.max()))
            words += f" of {' to '.join(map(str, ends))}"
    return TypeError(
        f"{function}: `{argument}` {words}, which does not fit {wanted!r} of the "
        "input_signature"
    )
