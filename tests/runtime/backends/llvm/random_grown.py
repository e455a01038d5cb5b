"""random_grown: random loops over ints that read, add up and write, some of them large.

By hand: `python -m tests.runtime.backends.llvm.random_grown SEED COUNT`.
"""

import random
from contextlib import suppress
from unittest import mock

import numpy as np

import autograph as ag
from runtime.backends.llvm import hot
from tests.conformance.by_hand import (
    branch,
    differing,
    function_of,
    indented,
    report,
)
from tests.runtime.backends.llvm.compiling import loops_of
from tests.runtime.backends.llvm.fenced import fenced

ENDS = np.iinfo(np.int64)
NAMES = ("s", "m", "a")


class Writer:
    """One program under construction."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)

    def read(self) -> str:
        """An int that is read."""
        far = self.draw.choice(["i", "i", "i - 1", "i + 1", "i - 2", "i - k", "n - i"])
        array = self.draw.choice(["x", "x", "y", "y", "g[j]", "g[j + 1]"])
        return self.draw.choice([f"{array}[{far}]"] * 4 + ["t[q[i]]", "x[k]", "y[j]"])

    def whole(self, depth: int = 0) -> str:
        """An expression."""
        if depth > 1 or self.draw.random() < 0.3:
            first = [self.read(), self.read(), *NAMES, "k", "i", "1", "3"]
            return self.draw.choice(first)
        a, b = self.whole(depth + 1), self.whole(depth + 1)
        return self.draw.choice(
            [f"({a} + {b})", f"({a} - {b})", f"min({a}, {b})", f"max({a}, {b})"]
            + [f"({a} + 1)", f"({a} * 3)", f"({a} % 7)", f"({a} // 2)", f"({a} & 15)"]
            + [f"({a} * {b})", f"({a} if {self.test()} else {b})", f"({a} // 3)"]
            + [f"({a} ^ {b})", f"-{a}", f"abs({a})"]
        )

    def test(self) -> str:
        """A condition."""
        a = self.draw.choice([self.read(), *NAMES, "i"])
        return f"{a} {self.draw.choice(['<', '>', '==', '>='])} {self.whole(2)}"

    def step(self, depth: int = 0) -> list[str]:
        """A statement."""
        kind = self.draw.random()
        if kind < 0.25 and depth < 2:
            return branch(self.test(), self.draw, lambda: self.step(depth + 1))
        if kind < 0.5:
            return [f"{self.draw.choice(NAMES)} = {self.whole()}"]
        place = self.draw.choice(["y[i]", "y[i]", "y[i + 1]", "g[j + 1, i]", "g[j, i]"])
        if kind < 0.65:
            place = self.draw.choice(["t[q[i]]", "y[k]", "y[i - 1]", "x[i]"])
        word = self.draw.choice(["=", "=", "+="])
        return [f"{place} {word} {self.whole()}"]

    def program(self) -> str:
        """The text of a function `f`."""
        body = [f"a = {self.whole()}"]
        for _ in range(self.draw.randint(1, 4)):
            body += self.step()
        first = self.draw.choice(["0", "2", "2", "3"])
        last = self.draw.choice(["n", "n - 1", "n - 3", "n - 3"])
        lines = [
            f"s, m = {self.draw.choice(['0', 'k', 'x[2]'])}, 0",
            "for j in range(2):",
            f"    for i in range({first}, {last}):",
            *indented(indented(body)),
            "return s, m, x, y, t, g",
        ]
        return "\n".join(["def f(x, y, t, q, g, k, n):", *indented(lines), ""])


def program(seed: int) -> str:
    """The text of a random program."""
    return Writer(seed).program()


def arguments(seed: int) -> tuple[object, ...]:
    """Arrays of ints for a program; some ints are near the ends of what fits."""
    draw = np.random.default_rng(seed)
    n = int(draw.choice([5, 40, 70, 300]))
    x, y = draw.integers(-9, 30, (2, n))
    t, g = draw.integers(-9, 9, 6), draw.integers(0, 9, (3, n))
    if draw.random() < 0.2:
        x, y = (base := draw.integers(-9, 9, n + 1))[1:], base[:-1]
    elif draw.random() < 0.1:
        x = x[::-1]
    for _ in range(draw.integers(0, 3)):
        given = (x, y, t, g[1])[draw.integers(4)]
        size = draw.choice([ENDS.max, ENDS.min + 1, 2**62, 2**45, -(2**60), 10**12])
        given[draw.integers(len(given))] = size
    beyond = draw.choice([0, 0, 0, 2])
    k = draw.choice([1, 2, 3, 3, 2**40, ENDS.max])
    q = draw.integers(0, 6, n)
    return x, y, t, q, g, np.int64(k), np.int64(n + beyond)


def tried(seed: int) -> tuple[str | None, bool]:
    """How the compiled program differs from Python, and whether it looks once."""
    plain = function_of(program(seed), f"<grown {seed}>")
    leavings = mock.patch.object(hot, "LEAVINGS", 1_000_000)
    with ag.config(backend="native"), leavings:
        staged = ag.function(plain)
        for given in (arguments(seed), arguments(seed), arguments(seed + 1)):
            found = differing(plain, staged, given)
            if found is not None:
                return found, False
        given = arguments(seed)
        with suppress(Exception), np.errstate(all="ignore"):
            staged(*(fenced(x) if isinstance(x, np.ndarray) else x for x in given))
        return None, looks_once(staged, given)


def looks_once(staged: object, given: tuple[object, ...]) -> bool:
    """Whether a loop of it looks at ints once for many turns."""
    functions = [loop.lowered()[1] for loop in loops_of(staged, given) if loop.function]
    chunks = [
        one
        for f in functions
        for one in f.body.walk()
        if one.type in ("turns", "chunk")
    ]
    words = {one.type for one in chunks}
    return words == {"turns", "chunk"}


if __name__ == "__main__":
    report(program, lambda seed: tried(seed)[0])
