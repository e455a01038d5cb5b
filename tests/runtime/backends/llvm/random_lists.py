"""random_lists: random programs of lists of numbers in loops, with errors amid them.

By hand: `python -m tests.runtime.backends.llvm.random_lists SEED COUNT`.
"""

import random
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

import autograph as ag
from runtime.backends.llvm import either, hot
from tests.conformance.by_hand import function_of, report
from tests.conformance.harness import disagreement, observe

# Of each kind: what its numbers are made of, of items, counters and numbers.
ITEMS = {
    "i": ("{k} * 3 - n", "{xi} + {k}", "{xi} - t", "t % 7", "{xi} * {xi} % 101", "n"),
    "f": ("{k} * 0.5", "{xf} * 0.25 + 1.0", "{xf} - u", "u * 0.5", "u + {xf}", "1e300"),
    "b": ("{k} % 3 == 0", "{xi} > {k}", "{xf} < u", "{xb}", "t > n"),
}
# Of a list {l} of a kind, an item {v} of it, and another such list {m}.
CHANGES = (
    *("{l}.append({v})", "{l}.append({v})", "{l}[{p}] = {v}", "{l}[{p}] = {v}"),
    *("{l}[{p}] = {l}[{p}]", "{l}[-1] = {v}", "{l} = {l}[{p}:]", "{l} = {m}[:4]"),
    *("{l}, {m} = {m}, {l}", "{l} = {m}", "{l} = list({m})", "{l} = [{v}] * ({k} % 5)"),
    *("{l}.insert({p}, {v})", "if {l}:\n    del {l}[{k} % len({l})]", "{l}.reverse()"),
    *("{l} = [{v}, {v}] * 2", "{l} = [{v} for j in range({k} % 6)]", "{l} = {l}[:20]"),
    *("if len({l}) > 3:\n    {l}.pop()", "if len({l}) > 30:\n    {l} = {l}[:5]"),
    *("if {l}:\n    {l}.pop({k} % len({l}))", "if {l}:\n    {l}[{k} % len({l})] = {v}"),
)
# Changes that Python's own lists alone have.
OTHERS = (
    "{l} = {l} + {m}",
    "{l}.extend({m}[:2])",
    "{l}.reverse()",
    "{l}.insert(0, {v})",
)
NUMBERS = (
    *("t += {xi}", "t = t + len({l})", "u = u * 0.5 + {xf}", "t = t % 1009 + {k}"),
    *(
        "if {xb}:\n    t += 1\nelse:\n    u -= 0.5",
        "t = t * 3 - {k}",
        "t += t % 9 in a",
        "if {xi} in b:\n    t += b.index({xi})",
        "t += a.index({xi})",
        "u = u / ({k} - 7)",
    ),
)
NAMES = {"i": ("a", "b"), "f": ("c", "d"), "b": ("e",)}
HEADS = ("for {k} in range(n):", "for {k} in range({p} % 7):", "if {xb}:", "if t % 2:")


class Program:
    """The lines of one program, as they are drawn."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.lines: list[str] = []
        self.changes = CHANGES + (OTHERS if self.draw.random() < 0.2 else ())

    def place(self, depth: int) -> str:
        """An index, which mostly is one."""
        count = f"k{self.draw.randrange(depth)}" if depth else "n"
        return self.draw.choice([count, count, f"{count} % 4", "0", "-1", "1"])

    def filled(self, text: str, kind: str, depth: int) -> str:
        """A text with names in its places."""
        for _ in range(40):
            names = self.draw.sample(NAMES[kind] * 2, 2)
            found = {
                "{k}": f"k{self.draw.randrange(depth)}" if depth else "n",
                "{p}": self.place(depth),
                "{v}": self.draw.choice(ITEMS[kind]),
                "{l}": names[0],
                "{m}": names[1],
                **{
                    f"{{x{one}}}": f"{self.draw.choice(of)}[{self.place(depth)}]"
                    for one, of in NAMES.items()
                },
            }
            places = [place for place in found if place in text]
            if not places:
                break
            # A list keeps its name: {l} is one list in all of the text.
            count = -1 if places[0] in ("{l}", "{m}") else 1
            text = text.replace(places[0], found[places[0]], count)
        return text

    def block(self, level: int, depth: int) -> None:
        """Some statements."""
        for _ in range(self.draw.randint(1, 4)):
            if level < 4 and self.draw.random() < 0.35:
                head = self.draw.choice(HEADS)
                is_loop = head.startswith("for")
                text = self.filled(head.replace("{k}", f"k{depth}", 1), "i", depth)
                self.lines.append("    " * level + text)
                self.block(level + 1, depth + is_loop)
                continue
            texts = self.changes if self.draw.random() < 0.7 else NUMBERS
            text = self.filled(
                self.draw.choice(texts), self.draw.choice("iiffb"), depth
            )
            self.lines += ["    " * level + line for line in text.split("\n")]

    def text(self) -> str:
        """All of it."""
        self.lines = ["def f(n, a, c):", "    n, t, u = int(n), 0, 0.0"]
        self.lines += ["    b, d = [k * 5 % 9 for k in range(n)], [0.5] * n"]
        self.lines += ["    e = [True, False] * n"]
        if self.draw.random() < 0.5:
            self.lines += ["    a, c = [n, 1, 2, 3], [k * 0.5 for k in range(9)]"]
        for _ in range(2):
            self.lines.append("    for k0 in range(n):")
            self.block(2, 1)
        return "\n".join([*self.lines, "    return a, b, c, d, e, t, u", ""])


def program(seed: int) -> str:
    """The text of a random program."""
    return Program(seed).text()


def tried(seed: int) -> str | None:
    """How the compiled program differs from Python.

    Not where the executor does, too: nobody asks for what no result is made of.
    """
    plain, draw = function_of(program(seed), f"<lists {seed}>"), random.Random(seed)
    # Numbers are taken into memory, or lists stay as they are, or both by turns.
    either.FIRST, hot.LEAVINGS = draw.choice([10**6, 10**6, 30, 0]), 10**6
    staged, executed = ag.function(plain), ag.function(plain)
    for n in (6, 6, 9, draw.randrange(20)):
        given = [np.int64(n), *lists(draw)]
        found = _observed(staged, given, "native")
        differs = disagreement(observe(plain, _own(given)), found)
        if differs is not None:
            known = _observed(executed, given, "numpy")
            if disagreement(known, found) is not None:
                return f"n = {n}: {differs.sentence}"
    return None


def lists(draw: random.Random) -> list[list[int] | list[float]]:
    """A list of ints and one of floats, long enough to be one input."""
    count = draw.choice([16, 17, 25])
    scale = draw.choice([1, 1, 1000])
    ints = [draw.randrange(-50, 50) * scale for _ in range(count)]
    return [ints, [draw.randrange(-9, 9) * 0.5 for _ in range(count)]]


def _own(given: Sequence[Any]) -> list[Any]:
    return [list(one) if isinstance(one, list) else one for one in given]


def _observed(function: Any, given: Sequence[Any], backend: str) -> Any:
    with ag.config(backend=backend), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return observe(function, _own(given))


if __name__ == "__main__":
    report(program, tried)
