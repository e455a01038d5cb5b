"""random_lanes: random loops whose turns do not depend on one another.

Each turn computes numbers of the elements at its index, by whiles and branches, and
keeps some. By hand: `python -m tests.runtime.backends.llvm.random_lanes SEED COUNT`.
"""

import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any
from unittest import mock

import numpy as np

import autograph as ag
from runtime.backends.llvm import hot, lane_trials, lanes
from tests.conformance.by_hand import function_of, report
from tests.conformance.harness import agrees_strictly, disagreement, observe
from tests.runtime.backends.llvm.compiling import loops_of
from tests.runtime.backends.llvm.fenced import fenced

FLOATS, INTS = ("a", "b", "c"), ("k", "m")
# Where the elements come from, and how; y and v are written, too.
READS = {
    "a": ("float(x[i])", "x[i]", "float(y[i])", "x[i // 2]", "x[i - 1]"),
    "b": ("float(y[i])", "0.5", "x[n - 1 - i]", "float(z[i])", "x[i + 1]"),
    "c": ("1.0", "x[i]", "0.25 * i", "float(z[i])"),
    "k": ("0", "int(v[i])", "i", "int(v[i]) + i"),
    "m": ("1", "i % 5", "int(v[i])"),
}
KEEPS = (
    "y[i] = {f}",
    "out[i] = {f}",
    "out[i, 0] = {f}",
    "v[i] = {i}",
    "total += {f}",
    "total += x[i]",
    "if {t}:\n    total += x[i]\nelse:\n    total -= x[i]",
    "count += {i}",
    "best = {f} if {f} > best else best",
    "if {t}:\n    y[i] = {f}",
    "if {t}:\n    total = total - {f}\nelse:\n    count = count + 1",
)


class Writer:
    """One program under construction."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.loops = 0

    def number(self, depth: int = 0) -> str:
        """An expression that is a float."""
        if depth > 1 or self.draw.random() < 0.3:
            return self.draw.choice([*FLOATS, *FLOATS, *INTS, "0.5", "3", "-1.25"])
        a, b = self.number(depth + 1), self.number(depth + 1)
        return self.draw.choice(
            [f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"({a} + {b})"]
            + [f"({a} * 0.5)", f"abs({a})", f"-{a}", f"np.sqrt(abs({a}))"]
            + [f"({a} / (1 + {b} * {b}))", f"({a} if {self.test(depth + 1)} else {b})"]
            + self.draw.choice([[f"({a} / {b})"], [f"np.sin({a})"], [f"({a} // 3)"]])
            + self.draw.choice([[f"math.exp(-abs({a}))"], [f"math.sqrt(abs({a}))"], []])
        )

    def whole(self, depth: int = 0) -> str:
        """An expression that is an int."""
        if depth > 1 or self.draw.random() < 0.3:
            return self.draw.choice([*INTS, *INTS, "i", "2", "7"])
        a, b = self.whole(depth + 1), self.whole(depth + 1)
        return self.draw.choice(
            [f"({a} + {b})", f"({a} - {b})", f"({a} * 3 % 101)", f"({a} // 2)"]
            + [f"({a} & {b})", f"({a} ^ {b})", f"({a} % 7)", f"({a} * {b})"]
            + self.draw.choice(
                [[f"({a} // {b})"], [f"int({self.number(depth + 1)})"], []]
            )
        )

    def test(self, depth: int = 0) -> str:
        """A condition."""
        a, b = self.number(depth + 1), self.number(depth + 1)
        k, m = self.whole(depth + 1), self.whole(depth + 1)
        found = self.draw.choice(
            [f"{a} < {b}", f"{k} % 2 == 0", f"{a} > 1.5", f"{k} >= {m}"]
        )
        if depth == 0 and self.draw.random() < 0.3:
            return f"{found} {self.draw.choice(['and', 'or'])} {self.test(1)}"
        return found

    def change(self) -> str:
        """A statement that changes a number."""
        if self.draw.random() < 0.6:
            return f"{self.draw.choice(FLOATS)} = 1.0 * {self.number()}"
        return f"{self.draw.choice(INTS)} = {self.whole()}"

    def block(self, depth: int) -> list[str]:
        """Some statements."""
        lines = []
        for _ in range(self.draw.randint(1, 3)):
            kind = self.draw.random()
            if kind < 0.2 and depth < 2:
                lines += [f"if {self.test()}:", *indented(self.block(depth + 1))]
                if self.draw.random() < 0.5:
                    lines += ["else:", *indented(self.block(depth + 1))]
            elif kind < 0.35 and depth < 2:
                lines += self.loop(depth + 1)
            else:
                lines.append(self.change())
        return lines

    def loop(self, depth: int) -> list[str]:
        """A while that ends, at the latest after some turns."""
        self.loops += 1
        turns = f"w{self.loops}"
        most = self.draw.choice([3, 10, 40])
        head = f"while {turns} < {most} and ({self.test()}):"
        inside = [*self.block(depth), f"{turns} += 1"]
        if self.draw.random() < 0.3:
            index = self.draw.choice([f"{self.whole(1)} % len(t)", "k", turns])
            inside.insert(0, f"{self.draw.choice(FLOATS)} += t[{index}]")
        return [f"{turns} = 0", head, *indented(inside)]

    def keep(self) -> list[str]:
        """A statement that leaves something to be seen."""
        words = self.draw.choice(KEEPS).format(
            f=self.draw.choice([*FLOATS, *INTS, "a + b"]),
            i=self.draw.choice(INTS),
            t=self.test(),
        )
        return words.split("\n")

    def program(self) -> str:
        """The text of a function `f`."""
        first = [f"{name} = {self.draw.choice(ways)}" for name, ways in READS.items()]
        body = [*first, *self.block(1), *self.loop(0)]
        for _ in range(self.draw.randint(1, 4)):
            body += self.keep()
        if self.draw.random() < 0.2:
            body[len(first) : len(first)] = self.keep()
        start = self.draw.choice(
            ["range(n)", "range(n)", "range(1, n)", "range(n - 1)"]
        )
        if self.draw.random() < 0.3:
            late = f"i > {self.draw.choice([2, 9, 20, 33])} and {self.test(1)}"
            ends = self.draw.choice([late, late, f"{self.test()} and {self.test()}"])
            place = self.draw.choice([len(first), len(body)])
            body[place:place] = [f"if {ends}:", "    break"]
        lines = [
            "total, count, best = 0.0, 0, -1.0",
            f"for i in {start}:",
            *indented(body),
            "return total, count, best, y, v, out",
        ]
        head = "import math\n\nimport numpy as np\n\n\ndef f(x, y, z, v, t, out, n):\n"
        return head + "\n".join(indented(lines)) + "\n"


def indented(lines: list[str]) -> list[str]:
    """The lines four blanks further to the right."""
    return [f"    {line}" for line in lines]


def arguments(seed: int) -> tuple[object, ...]:
    """Arrays for a program."""
    draw = np.random.default_rng(seed)
    n = int(draw.choice([2, 5, 33, 70]))
    x, y = draw.normal(size=n) * 3, draw.normal(size=n)
    z = draw.normal(size=n).astype(draw.choice(["f4", "f8"]))
    v = draw.integers(-9, 9, n)
    out = np.zeros((n, 2)) if "out[i, 0]" in program(seed) else np.zeros(n)
    if draw.random() < 0.2:
        y = x  # one array under two names
    elif draw.random() < 0.2:
        x, y = (base := draw.normal(size=n + 1))[1:], base[:-1]
    beyond = draw.choice([0, 0, 0, 1, 30])
    return x, y, z, v, draw.normal(size=4), out, np.int64(n + beyond)


def program(seed: int) -> str:
    """The text of a random program."""
    text = Writer(seed).program()
    return text.replace("out[i] = ", "out[i, 0] = ") if "out[i, 0]" in text else text


def has_lanes(staged: object, given: tuple[object, ...]) -> bool:
    """Whether a compiled loop of it has lanes."""
    functions = [loop.function for loop in loops_of(staged, given) if loop.function]
    return any(one.op == "lanes" for f in functions for one in f.body.walk())


def agree_in_lanes(
    function: Callable[..., Any], calls: Sequence[tuple[Any, ...]], expected: bool
) -> None:
    """Each call does what Python does, twice; expected: the first has lanes."""
    with ag.config(backend="native"):
        staged = ag.function(function)
        for given in (*calls, *calls):
            found = disagreement(observe(function, given), observe(staged, given))
            assert found is None, f"{given}: {found.sentence}"
        assert has_lanes(staged, calls[0]) is expected


def tried(seed: int) -> tuple[str | None, bool]:
    """How the compiled program differs from Python, and whether it had lanes."""
    plain, given = function_of(program(seed), f"<lanes {seed}>"), arguments(seed)
    alone = mock.patch.object(lanes, "ALONE", seed % 3)
    # By the clock turns are run singly, too, whatever is faster.
    timed = mock.patch.object(lane_trials, "TIMED", seed % 4 == 0)
    leavings = mock.patch.object(hot, "LEAVINGS", 1_000_000)
    with ag.config(backend="native"), alone, leavings, timed:
        staged = ag.function(plain)
        for _ in range(2):
            python = observe(plain, given)
            found = disagreement(python, observe(staged, given))
            if found is not None and not (
                # What fails and is not used is not run.
                python.raised and agrees_strictly(ag.function(plain), given, python)
            ):
                return found.sentence, False
        with suppress(Exception), np.errstate(all="ignore"):
            staged(*(fenced(x) if isinstance(x, np.ndarray) else x for x in given))
        return None, has_lanes(staged, given)


if __name__ == "__main__":
    report(program, lambda seed: tried(seed)[0])
