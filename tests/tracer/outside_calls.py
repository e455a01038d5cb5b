"""What tests of calls that change places outside share: models, and steps on them."""

from collections.abc import Callable
from typing import Any

import numpy as np

import autograph as ag

X = np.array([1.0, 2.0])


def plain(function: Any) -> Any:
    """A decorator that leaves a function as it is."""
    return function


def both_do(steps: Callable[[Any], list[Any]]) -> None:
    """The steps give, printed, the same with plain functions and with staged ones."""
    expected, found = steps(plain), steps(ag.function)
    pairs = zip(found, expected, strict=True)
    others = [(a, b) for a, b in pairs if repr(a) != repr(b)]
    assert others == [], others


def told(function: Callable[..., Any], *args: Any) -> Any:
    """What a call gives, or the words of what it raises."""
    try:
        return function(*args)
    except Exception as error:
        return type(error), str(error)


def model(decorate: Callable[[Any], Any]) -> Any:
    """A class whose methods change places outside: attributes, arrays, items."""

    class Model(_of_items(decorate)):
        def __init__(self) -> None:
            super().__init__()
            self.n = 0
            self.w = np.ones(2)
            self.other = np.zeros(2)

        @decorate
        def count(self, x: Any) -> Any:
            self.n += 1
            return x * self.n

        @decorate
        def step(self, g: Any) -> Any:
            self.w = self.w - 0.5 * g
            return self.w

        @decorate
        def swap(self) -> Any:
            self.w, self.other = self.other, self.w
            return self.w

        @decorate
        def write(self, x: Any) -> Any:
            self.w[0] += 1.0
            self.n += 1
            return x[0]

        @decorate
        def divide(self, x: Any, i: Any) -> Any:
            self.n += 1
            self.w[0] = 7.0
            return x[i]

    return Model


def _of_items(decorate: Callable[[Any], Any]) -> Any:
    class Items:
        kept = 1

        def __init__(self) -> None:
            self.log: list[Any] = []
            self.pair = [1.0, 2.0]
            self.table: dict[str, Any] = {"a": 1.0, "b": 2.0}

        @decorate
        def add(self, x: Any) -> None:
            self.log.append(x[0])

        @decorate
        def put(self, x: Any) -> Any:
            self.pair[0] += x[1]
            self.table["b"] = self.pair[1] + x[0]
            return self.table["a"]

        @decorate
        def keep(self, x: Any) -> Any:
            self.kept = self.kept + 1
            return x

    return Items
