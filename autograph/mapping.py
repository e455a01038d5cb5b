"""`ag.vectorize`, `ag.vmap`: a function of numbers, or of slices, over whole arrays.

Both mean a plain loop that calls the function for one element, or slice, after the
other (`turns.py`); it is staged, so that it becomes machine code.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

from autograph.function import function
from autograph.layouts import Elements, Slices
from autograph.turns import over_elements, over_slices
from tracer.function import Function

Mapped = Function[..., Any]


def vectorize(
    python_function: Callable[..., Any] | None = None,
    *,
    otypes: str | Sequence[Any] | None = None,
    excluded: Collection[int | str] = (),
) -> Any:
    """A function of arrays, broadcast, that calls one of numbers for each element.

    As `np.vectorize`, but compiled: in C's order, one call after the other, each with
    its own branches, loops, prints and changes outside, and the exception of the first
    one that raises. It is a decorator, too.

    An argument that is a number stays that number; the elements of arrays are scalars
    of NumPy's, where `np.vectorize` passes Python's numbers. A function that returns a
    tuple gives a tuple of arrays. Their dtype is that of `np.array` of what all calls
    gave, where `np.vectorize` asks the first one alone.

    otypes:   the dtypes of the results, as `np.vectorize` takes them
    excluded: positions and names of arguments that are passed as they are
    returns:  arrays of the shape that the arguments are broadcast to; NumPy's scalars
              where all are numbers
    ValueError: there is no element, and no otypes; the function gives an array, or not
    always as many numbers; the shapes do not go together.

    >>> squared = vectorize(lambda x, low: np.maximum(x, low) ** 2)
    >>> squared(np.array([-1.0, 2.0]), np.array([[0.0], [3.0]]))
    array([[0., 4.],
           [9., 9.]])
    """

    def make(python: Callable[..., Any]) -> Mapped:
        elements = Elements(_name(python), _dtypes(otypes), _excluded(excluded))
        return _named(over_elements(python, elements), python)

    return make if python_function is None else make(python_function)


def vmap(
    python_function: Callable[..., Any] | None = None,
    in_axes: Any = 0,
    out_axes: Any = 0,
) -> Any:
    """A function that calls another one for each slice of arrays, and stacks results.

    It means a loop over an axis: one call after the other, each with its own branches
    and loops. A vmap of a vmap goes along two axes. It is a decorator, too.

    in_axes:  the axis of the arguments' slices; None for an argument that each call
              gets whole; a tuple with an entry for each argument, in which tuples,
              lists and dicts of entries stand for those of arrays. That of keyword
              arguments is 0.
    out_axes: the axis along which results are stacked, in the same way
    ValueError: the axes have several sizes or none, an axis is not there, there is
    nothing to go along, or results differ in shape or structure.
    TypeError: an axis is no int, or a result neither an array nor a number.

    >>> def norm(x):
    ...     total = 0.0
    ...     for part in x:
    ...         total += part * part
    ...     return total**0.5
    >>> vmap(norm)(np.array([[3.0, 4.0], [6.0, 8.0]]))
    array([ 5., 10.])
    >>> vmap(np.dot, in_axes=(1, None))(np.eye(2), np.array([1.0, 2.0]))
    array([1., 2.])
    """
    for which, axes in (("in_axes", in_axes), ("out_axes", out_axes)):
        _require_axes(which, axes)

    def make(python: Callable[..., Any]) -> Mapped:
        slices = Slices(_name(python), in_axes, out_axes)
        return _named(over_slices(python, slices), python)

    return make if python_function is None else make(python_function)


def _named(made: Callable[..., Any], python: Callable[..., Any]) -> Mapped:
    """It as a Function that is called what the user called it."""
    made.__name__ = made.__qualname__ = _name(python)
    made.__doc__ = getattr(python, "__doc__", None)
    return function(made)


def _name(python: Callable[..., Any]) -> str:
    if not callable(python):
        raise TypeError(f"a function is wanted, not {python!r}")
    return getattr(python, "__name__", type(python).__name__)


def _dtypes(otypes: str | Sequence[Any] | None) -> tuple[np.dtype[Any], ...] | None:
    """A dtype for each result: of a text, one for each letter."""
    return None if otypes is None else tuple(map(np.dtype, otypes))


def _excluded(excluded: Collection[int | str]) -> frozenset[int | str]:
    wrong = [one for one in excluded if not isinstance(one, (int, str))]
    if wrong or isinstance(excluded, str):
        raise TypeError(
            f"excluded holds positions and names of arguments, not {excluded!r}"
        )
    return frozenset(excluded)


def _require_axes(which: str, axes: Any) -> None:
    if isinstance(axes, dict):
        axes = tuple(axes.values())
    if isinstance(axes, (tuple, list)):
        for one in axes:
            _require_axes(which, one)
    elif axes is not None and type(axes) is not int:
        raise TypeError(f"{which} holds ints and None, not {axes!r}")
