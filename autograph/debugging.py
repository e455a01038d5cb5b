"""debugging: checks that a graph makes each time it runs, also of what nobody uses, and
that raise at the user's line. What an `assert` says well has no check here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import build, shapes
from runtime.ops import world
from runtime.ops.template import encode
from runtime.tensor import Tensor, tensor
from runtime.variable import Variable
from tracer.leaves import a, is_numeric

Axis = int | str | None
Sizes = tuple[int, ...]


def check_numerics(x: Any, message: str = "") -> Any:
    """`x`, an array or number, in which nothing is NaN or infinite.

    message: what the error begins with
    FloatingPointError: something is; raised when the call runs, at the user's line.
    TypeError: x is no array or number.

    >>> check_numerics(np.array([1.0, np.inf, np.nan]), "loss")
    Traceback (most recent call last):
      ...
    FloatingPointError: loss: 2 of 3 elements are not finite, first inf at [1]
    """
    if not is_numeric(x) and not isinstance(x, Variable):
        raise TypeError(f"check_numerics takes an array or a number, not {a(x)}")
    if build.current() is None:
        _look_for_faults(_content(x), message)
    else:
        _stage(_look_for_faults, (_tensor(x), message))
    return x


def check_shapes(*pairs: tuple[Any, tuple[Axis, ...]]) -> None:
    """Nothing, where the shape of each array is what the pair says.

    pairs: an array or number, and its sizes: an int is a size, a text names one that is
           the same wherever it is named, None is any; `...` first is any more dims
    ValueError: a shape is another; raised when the call runs, at the user's line.
    TypeError: it is no pair of an array and a tuple or list of sizes.

    >>> x, w = np.ones((5, 3)), np.ones(4)
    >>> check_shapes((x, ("n", 3)), (w, (None,)))
    >>> check_shapes((x, ("n", "k")), (w, ("k",)))
    Traceback (most recent call last):
      ...
    ValueError: array 2 of check_shapes has shape (4,), not (k,) where k is 3
    """
    for number, pair in enumerate(pairs, 1):
        is_pair = isinstance(pair, (tuple, list)) and len(pair) == 2
        if not (is_pair and isinstance(pair[1], (tuple, list))):
            raise TypeError(
                f"argument {number} of check_shapes must be an array and its sizes, "
                'as in `check_shapes((x, ("n", 3)))`'
            )
    arrays = [array for array, _ in pairs]
    wanted = tuple(tuple(sizes) for _, sizes in pairs)
    if build.current() is None:
        _compare_shapes([np.shape(_content(array)) for array in arrays], wanted)
        return
    tensors = tuple(map(_tensor, arrays))
    if not _is_known_to_fit([one.spec.shape for one in tensors], wanted):
        _stage(_compare_arrays, (tensors, wanted))


def _tensor(x: Any) -> Tensor:
    return tensor(x.read() if isinstance(x, Variable) else x)


def _content(x: Any) -> Any:
    return x.read() if isinstance(x, Variable) else x


def _stage(check: Any, args: tuple[Any, ...]) -> None:
    """A node that makes the check when the graph runs."""
    template, inputs = encode(args, lambda part: isinstance(part, Tensor))
    world.host_call(
        *inputs,
        function=check,
        args=template,
        kwargs={},
        results=(),
        writes=False,
        checks=True,
    )


def _look_for_faults(x: Any, message: str) -> None:
    array = np.asarray(x)
    faults = ~np.isfinite(array)
    if not faults.any():
        return
    begin = f"{message}: " if message else ""
    if array.ndim == 0:
        raise FloatingPointError(f"{begin}the number is {x}")
    first = np.argwhere(faults)[0]
    raise FloatingPointError(
        f"{begin}{faults.sum()} of {array.size} elements are not finite, first "
        f"{array[tuple(first)]} at [{', '.join(map(str, first))}]"
    )


def _is_known_to_fit(known: list[Any], wanted: tuple[Any, ...]) -> bool:
    """What is known not to fit is said where the graph gets there, if it does."""
    if not all(map(shapes.is_static, known)):
        return False
    try:
        _compare_shapes(known, wanted)
    except ValueError:
        return False
    return True


def _compare_arrays(arrays: tuple[Any, ...], wanted: tuple[Any, ...]) -> None:
    _compare_shapes([np.shape(array) for array in arrays], wanted)


def _compare_shapes(found: list[Sizes], wanted: tuple[tuple[Axis, ...], ...]) -> None:
    known: dict[str, int] = {}
    for number, (shape, sizes) in enumerate(zip(found, wanted, strict=True), 1):
        before = dict(known)
        if not _fits(shape, sizes, known):
            words = ", ".join(map(_word, sizes)) + "," * (len(sizes) == 1)
            names = {size for size in sizes if isinstance(size, str)} & before.keys()
            where = ", ".join(f"{name} is {before[name]}" for name in sorted(names))
            raise ValueError(
                f"array {number} of check_shapes has shape {shape}, not ({words})"
                + (f" where {where}" if where else "")
            )


def _word(size: Any) -> str:
    return {None: "any", ...: "..."}.get(size, str(size))


def _fits(shape: Sizes, sizes: tuple[Any, ...], known: dict[str, int]) -> bool:
    """Whether it does; sizes that are named the first time become `known`."""
    if sizes[:1] == (...,):
        sizes = sizes[1:]
        shape = shape[max(len(shape) - len(sizes), 0) :]
    if len(shape) != len(sizes):
        return False
    for size, wanted in zip(shape, sizes, strict=True):
        if isinstance(wanted, str):
            wanted = known.setdefault(wanted, size)
        if wanted not in (None, size):
            return False
    return True
