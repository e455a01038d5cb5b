"""random_kinds: random loops over numbers that are Python's or NumPy's, by data.

By hand: `python -m tests.runtime.backends.llvm.random_kinds SEED COUNT`.
"""

import random
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

NAMES = ("a", "b", "c")
# An array of each dtype, by its name.
DTYPES = {
    "x": "float64",
    "y": "float32",
    "u": "int64",
    "v": "int32",
    "w": "uint8",
    "t": "bool",
}
CONSTANTS = ("0", "1", "3", "-2", "0.0", "2.5", "True", "100")


class Writer:
    """One program under construction, over a few of the arrays."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.arrays = self.draw.sample([*DTYPES], self.draw.choice([1, 1, 2, 2, 3]))

    def number(self, depth: int = 0) -> str:
        """An expression."""
        one_of = self.draw.choice
        if depth > 1 or self.draw.random() < 0.35:
            read = f"{one_of(self.arrays)}[i]"
            return one_of([read, read, *NAMES, one_of(CONSTANTS), "i"])
        a, b = self.number(depth + 1), self.number(depth + 1)
        return one_of(
            [f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"({a} * 2)", f"-{a}"]
            + [f"max({a}, {b})", f"min({a}, {b})", f"abs({a})", f"({a} / 4)"]
            + [f"({a} if {self.test()} else {b})"] * 2
            + [f"({a} // 3)", f"({a} % 5)", f"({a} / {b})", f"({a} // {b})"]
            + [f"({a} ** 2)", f"float({a})", f"np.sqrt(abs({a}))", f"({a} < {b})"]
        )

    def test(self) -> str:
        """A condition."""
        a = self.draw.choice([f"{self.draw.choice(self.arrays)}[i]", *NAMES, "i % 3"])
        word = self.draw.choice(["<", ">", "==", ">=", "!="])
        return f"{a} {word} {self.number(2)}"

    def step(self, depth: int = 0) -> list[str]:
        """A statement."""
        kind = self.draw.random()
        if kind < 0.35 and depth < 2:
            return branch(self.test(), self.draw, lambda: self.step(depth + 1))
        if kind < 0.7:
            word = self.draw.choice(["=", "=", "+="])
            return [f"{self.draw.choice(NAMES)} {word} {self.number()}"]
        word = self.draw.choice(["=", "=", "=", "+="])
        return [f"{self.draw.choice(self.arrays)}[i] {word} {self.number()}"]

    def program(self) -> str:
        """The text of a function `f`."""
        body = []
        for _ in range(self.draw.randint(1, 4)):
            body += self.step()
        firsts = ", ".join(self.draw.choice(CONSTANTS) for _ in NAMES)
        lines = [
            f"a, b, c = {firsts}",
            "for i in range(n):",
            *indented(body),
            f"return a, b, c, {', '.join(self.arrays)}",
        ]
        return "\n".join([f"def f({', '.join(self.arrays)}, n):", *indented(lines), ""])


def program(seed: int) -> str:
    """The text of a random program."""
    return Writer(seed).program()


def arguments(seed: int) -> tuple[object, ...]:
    """Small numbers of each dtype for a program."""
    draw = np.random.default_rng(seed)
    names, n = Writer(seed).arrays, int(draw.choice([0, 1, 7, 40]))
    given = []
    for name in names:
        low = 0 if DTYPES[name] == "uint8" else -6
        made = draw.integers(low, 9, n)
        if DTYPES[name].startswith("float"):
            made = made * draw.choice([0.5, 1.0])
        given.append(made.astype(DTYPES[name]))
    return *given, np.int64(n)


def tried(seed: int) -> str | None:
    """How the compiled program differs from Python."""
    plain = function_of(program(seed), f"<kinds {seed}>")
    leavings = mock.patch.object(hot, "LEAVINGS", 1_000_000)
    with ag.config(backend="native"), leavings:
        staged = ag.function(plain)
        for at in (0, 0, 1000, 2000):
            found = differing(plain, staged, _like(seed, at))
            if found is not None:
                return found
    return None


def _like(seed: int, at: int) -> tuple[object, ...]:
    """Arguments of the program, drawn anew, and for as many turns."""
    draw = np.random.default_rng(seed + at)
    given = arguments(seed)
    if not at:
        return given
    return *(draw.permutation(x) for x in given[:-1]), given[-1]


if __name__ == "__main__":
    report(program, tried)
