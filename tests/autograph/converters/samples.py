"""Sample functions: run plain, converted, and as a graph, they must do the same.

The same means the value and its type, the text printed, and the exception. What a
function does beside its result it prints, so order and number of evaluations count.
"""

import contextlib
import copy
import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import autograph as ag

Function = Callable[..., Any]
Outcome = tuple[Any, str, tuple[str, str] | None]


def say(text: Any, value: Any = None) -> Any:
    """`value`, having printed `text`: an expression whose evaluation can be seen."""
    print(text)
    return value


@dataclass(frozen=True)
class Sample:
    """A function and the arguments for each of its calls; `staged`: as a graph too."""

    function: Function
    calls: tuple[tuple[Any, ...], ...]
    staged: bool = True

    def check_converted(self) -> None:
        """Converted, it does on plain values what Python does."""
        converted = ag.convert(self.function)
        assert converted is not self.function
        for arguments in self.calls:
            assert same(
                observe(self.function, arguments), observe(converted, arguments)
            )

    def check_staged(self) -> None:
        """As a graph it does on NumPy values what Python does, traced and cached."""
        graph = ag.function(self.function)
        for arguments in (*self.calls, *self.calls):
            arrays = tuple(map(as_numpy, arguments))
            python, staged = observe(self.function, arrays), observe(graph, arrays)
            assert same(python, staged), f"{arrays}\n{python}\n{staged}"


class Samples:
    """The samples of one file, in order."""

    def __init__(self) -> None:
        self._samples: list[Sample] = []

    def __call__(
        self, *calls: Any, staged: bool = True
    ) -> Callable[[Function], Function]:
        """Decorate a sample; each of `calls` is one argument, or a tuple of several."""
        each = tuple(call if isinstance(call, tuple) else (call,) for call in calls)

        def add(function: Function) -> Function:
            self._samples.append(Sample(function, each, staged))
            return function

        return add

    @property
    def all(self) -> list[Sample]:
        """Every sample."""
        return list(self._samples)

    @property
    def staged(self) -> list[Sample]:
        """Those that make sense on arrays."""
        return [sample for sample in self._samples if sample.staged]


def name(sample: Sample) -> str:
    """How pytest calls the sample."""
    return sample.function.__name__


def as_numpy(argument: Any) -> Any:
    """A number as a NumPy scalar, a list of numbers as an array; others as they are."""
    if isinstance(argument, list):
        return np.array(argument)
    return np.asarray(argument)[()] if isinstance(argument, int | float) else argument


def observe(function: Function, arguments: tuple[Any, ...]) -> Outcome:
    """What can be seen of one call on a copy of the arguments."""
    printed = io.StringIO()
    result, raised = None, None
    with contextlib.redirect_stdout(printed):
        try:
            result = function(*copy.deepcopy(arguments))
        except Exception as error:
            raised = type(error).__name__, str(error)
    return result, printed.getvalue(), raised


def same(python: Any, other: Any) -> bool:
    """Equal values of equal types, all the way down.

    A Python number that met an array on another path is a NumPy one in the graph.
    """
    if isinstance(python, tuple | list):
        return (
            type(python) is type(other)
            and len(python) == len(other)
            and all(map(same, python, other))
        )
    if isinstance(python, dict):
        return (
            type(python) is type(other)
            and list(python) == list(other)
            and all(same(python[key], other[key]) for key in python)
        )
    if isinstance(python, np.ndarray | np.generic | int | float):
        a, b = np.asarray(python), np.asarray(other)
        array = isinstance(python, np.ndarray)
        return (
            isinstance(other, np.ndarray) == array
            and (a.dtype, a.shape) == (b.dtype, b.shape)
            and np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
        )
    return type(python) is type(other) and bool(python == other)
