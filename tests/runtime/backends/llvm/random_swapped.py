"""random_swapped: random loops over arrays that change names, and are written to.

By hand: `python -m tests.runtime.backends.llvm.random_swapped SEED COUNT`.
"""

import random

import numpy as np

import autograph as ag
from tests.conformance.by_hand import differing, function_of, indented, report

DTYPES = [("f8",) * 3, ("i8",) * 3, ("f4", "f8", "f8"), ("i8", "f8", "i8")]


class Writer:
    """One program under construction; names: of its arrays."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.names = ["a", "b", "c"][: self.draw.choice([2, 2, 3])]

    def number(self, depth: int = 0) -> str:
        """An element, or what is computed of some."""
        name, kind = self.draw.choice(self.names), self.draw.random()
        if depth > 2 or kind < 0.5:
            far = ["i", "i", "i - 1", "i - 1", "q[i]", "(i + k) % n"]
            return f"{name}[{self.draw.choice(far)}]"
        if kind < 0.6:
            return self.draw.choice(["1", "2", "-1", "0.25"])
        one, other = self.number(depth + 1), self.number(depth + 1)
        made = [f"({one} + {other})", f"({one} * k)", f"min({one}, {other})"]
        return self.draw.choice([*made, f"({one} * 0.5 - {other})"])

    def store(self, depth: int = 0) -> list[str]:
        """A store, or a branch with some."""
        name, kind = self.draw.choice(self.names), self.draw.random()
        if kind < 0.2 and depth < 2:
            test = f"if {self.number()} > {self.draw.choice(['0', '1', 'k'])}:"
            lines = [test, *indented(self.store(depth + 1))]
            if self.draw.random() < 0.5:
                lines += ["else:", *indented(self.store(depth + 1))]
            return lines
        place = self.draw.choice(["i", "i", "i", "i - 1", "q[i]"])
        return [f"{name}[{place}] {self.draw.choice(['=', '=', '+='])} {self.number()}"]

    def swap(self) -> list[str]:
        """Some names are another's, in some of the steps or in all."""
        count = 2 if self.draw.random() < 0.5 else len(self.names)
        left = self.draw.sample(self.names, count)
        right = self.draw.sample(left, count)
        line = f"{', '.join(left)} = {', '.join(right)}"
        if self.draw.random() < 0.3:
            test = self.draw.choice(["k % 2", "k > 2", "total > 3", "flag"])
            return [f"if {test}:", f"    {line}"]
        return [line]

    def loop(self) -> list[str]:
        """A loop over elements."""
        body = [line for _ in range(self.draw.randint(1, 3)) for line in self.store()]
        if self.draw.random() < 0.2:
            body += self.swap()
        if self.draw.random() < 0.4:
            body.append(f"total += {self.number()}")
        if self.draw.random() < 0.2:
            body.append(f"if {self.number()} > 50: break")
        if self.draw.random() < 0.15:
            body.append(f"if {self.number()} > 90: return total, a, b")
        return ["for i in range(1, n):", *indented(body)]

    def program(self) -> str:
        """The text of a function `f`."""
        lines = ["n, total = len(a), 0.0"]
        if self.draw.random() < 0.4:
            one, other = (self.draw.choice(self.names) for _ in range(2))
            lines.append(f"{one} = {other}.copy()")
        if self.draw.random() < 0.2:
            lines.append("if flag: a = b")
        body = self.loop()
        if self.draw.random() < 0.3:
            body += self.loop()
        if self.draw.random() < 0.9:
            body += self.swap()
        lines += ["for k in range(steps):", *indented(body)]
        lines.append(f"return total, {', '.join(self.names)}")
        return "\n".join(["def f(a, b, c, q, steps, flag):", *indented(lines), ""])


def program(seed: int) -> str:
    """The text of a random program."""
    return Writer(seed).program()


def arguments(seed: int) -> tuple[object, ...]:
    """Arrays for a program, some with gaps, one in two places, or too short."""
    draw = np.random.default_rng(seed)
    n = int(draw.choice([7, 40, 41, 90]))
    arrays = []
    for dtype in DTYPES[draw.integers(len(DTYPES))]:
        ints = draw.integers(-3, 6, n)
        arrays.append(ints if dtype == "i8" else (draw.random(n) * 4 - 1).astype(dtype))
    laid = draw.integers(0, 7)
    if laid == 0:
        arrays[1] = np.repeat(arrays[1], 2)[::2]
    elif laid == 1:
        arrays[0] = arrays[0][::-1]
    elif laid == 2:
        arrays[1] = arrays[0]
    elif laid == 3:
        arrays[2] = arrays[2][: n - 2]
    places = draw.integers(0, n, n)
    if draw.random() < 0.1:
        places[draw.integers(n)] = n + 3
    return *arrays, places, int(draw.integers(0, 6)), bool(draw.integers(2))


def tried(seed: int) -> str | None:
    """How the compiled program differs from Python."""
    plain = function_of(program(seed), f"<swapped {seed}>")
    with ag.config(backend="native"):
        staged = ag.function(plain)
        for given in (seed, seed, seed + 1):
            found = differing(plain, staged, arguments(given))
            if found is not None:
                return found
    return None


if __name__ == "__main__":
    report(program, tried)
