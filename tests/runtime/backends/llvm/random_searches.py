"""random_searches: random programs that go through grids and graphs, with what waits.

A deque, list or heap of what is still to be looked at, a set or dict of what has been,
of ints or tuples of them, that begins with constants or with nothing; errors amid them.
By hand: `python -m tests.runtime.backends.llvm.random_searches SEED COUNT`.
"""

import copy
import heapq
import random
import warnings
from collections import deque
from collections.abc import Sequence
from typing import Any

import autograph as ag
from runtime.backends.llvm import either, hot
from tests.conformance.by_hand import function_of, report
from tests.conformance.harness import disagreement, observe

STEPS = ("((1, 0), (-1, 0), (0, 1), (0, -1))", "[(0, 1), (2, -1)]", "((1, 1), (-1, 0))")
# What is taken out of what waits, and put into it.
TAKES = ("popleft()", "popleft()", "pop()")
PUTS = ("append", "append", "appendleft")
# What begins it: a constant, what is passed, or both.
BEGINS = ("(0, 0)", "(r0, c0)", "(1, 2)")
# Of a place (nr, nc) that is met, with the count n: what else is done.
OTHERS = (
    *("n += 1", "n = n + nr * nc", "n ^= grid[nr][nc]", "best = max(best, nr + nc)"),
    *("if len(todo) > 40:\n    todo.clear()", "if n % 7 == 3:\n    todo.reverse()"),
    *("if todo and n % 5 == 0:\n    todo[0] = (nr, nc)", "n += todo[-1][0]"),
    *("if len(todo) > 9:\n    del todo[2]", "n += len(todo)", "out.append((nr, n))"),
)
# What is done to a heap, of (cost, r, c), where a list is changed.
OF_HEAPS = (
    *("n += todo[0][0]", "if len(todo) > 30:\n    todo.clear()", "n += len(todo)"),
    *("best = heapq.heappushpop(todo, (n, nc, nr))[0]", "out.append(todo[-1])"),
    "if todo:\n    out.append(heapq.heapreplace(todo, (n + nr, nr, nc)))",
)
COSTS = ("n", "m + 1", "m + grid[nr][nc] + 1", "0.5 * m + nr", "m - n % 3")
MET = {
    "set": ("{at} not in seen", "seen.add({at})"),
    "dict": ("{at} not in seen", "seen[{at}] = n"),
    "least": ("n < seen.get({at}, 30)", "seen[{at}] = n"),
}
ENDS = ("n > 60", "(r, c) == (r0 + 3, c0 + 1)", "len(seen) > 25", "r + c > 9")


class Program:
    """The lines of one program, as they are drawn."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.kind = self.draw.choice(tuple(MET))
        self.is_heap = self.draw.random() < 0.4
        self.key = self.draw.choice(["(nr, nc)", "(nr, nc)", "nr * 8 + nc"])

    def begin(self) -> list[str]:
        """What there is before the search."""
        first = self.draw.choice(BEGINS)
        key = first if self.key == "(nr, nc)" else "0"
        has = self.draw.random() < 0.7
        empty = "set()" if self.kind == "set" else "{}"
        seen = f"{{{key}}}" if self.kind == "set" else f"{{{key}: 0}}"
        waits = self.draw.choice(["deque", "deque", "list"])
        todo = f"[(0, *{first})]" if self.is_heap else f"{waits}([{first}])"
        more = [] if has else [f"seen.add({key})" if self.kind == "set" else ""]
        return [
            *("n, best, out = 0, 0, []", "h, w = len(grid), len(grid[0])"),
            f"todo = {todo}",
            f"seen = {seen if has else empty}",
            *(line for line in more if line and self.draw.random() < 0.5),
        ]

    def body(self) -> list[str]:
        """A turn."""
        asked, put = (text.format(at=self.key) for text in MET[self.kind])
        inside = "0 <= nr < h and 0 <= nc < w"
        free = f"grid[nr][nc] {self.draw.choice(['== 0', '!= 2', '< 2'])}"
        tests = [inside, free] if self.draw.random() < 0.9 else [free, inside]
        tests.insert(self.draw.choice([2, 2, 2, 0]), asked)
        put_off = f"todo.{self.draw.choice(PUTS)}((nr, nc))"
        if self.is_heap:
            put_off = f"heapq.heappush(todo, ({self.draw.choice(COSTS)}, nr, nc))"
        met = [put, put_off]
        for _ in range(self.draw.randrange(3)):
            at = self.draw.randrange(len(met) + 1)
            met.insert(at, self.draw.choice(OF_HEAPS if self.is_heap else OTHERS))
        ends = self.draw.choice(ENDS)
        leave = self.draw.choice(["break", "return n, out, best", "continue"])
        take = f"r, c = todo.{self.draw.choice(TAKES)}"
        return [
            "m, r, c = heapq.heappop(todo)" if self.is_heap else take,
            *("n += 1", f"if {ends}:", f"    {leave}"),
            f"for dr, dc in {self.draw.choice(STEPS)}:",
            *("    nr, nc = r + dr, c + dc", f"    if {' and '.join(tests)}:"),
            *(f"        {line}" for one in met for line in one.split("\n")),
        ]

    def text(self) -> str:
        """All of it."""
        head = self.draw.choice(["todo", "todo and n < 50", "n < 40"])
        body = self.body()
        begin = self.begin()
        if any("appendleft" in one or "popleft" in one for one in body):
            begin = [one.replace("list([", "deque([") for one in begin]
        kept = "[*seen]" if self.kind != "set" else "sorted(seen)"
        result = self.draw.choice([kept, "len(seen)", "seen"])
        lines = [*begin, f"while {head}:", *(f"    {line}" for line in body)]
        lines.append(f"return n, best, out, list(todo), {result}")
        inside = "\n".join(f"    {line}" for line in lines)
        return f"def f(grid, r0, c0):\n{inside}\n"


def program(seed: int) -> str:
    """The text of a random program."""
    return Program(seed).text()


def tried(seed: int) -> str | None:
    """How the compiled program differs from Python."""
    plain, draw = function_of(program(seed), f"<searches {seed}>"), random.Random(seed)
    plain.__globals__.update(deque=deque, heapq=heapq)
    either.FIRST, hot.LEAVINGS = draw.choice([10**6, 30, 0]), 10**6
    staged = ag.function(plain)
    for turn in range(5):
        given = arguments(draw)
        expected = observe(plain, copy.deepcopy(given))
        found = _observed(staged, given, "native" if turn < 4 else "numpy")
        differs = disagreement(expected, found)
        if differs is not None:
            return f"{given}: {differs.sentence}"
    return None


def arguments(draw: random.Random) -> list[Any]:
    """A grid, and where the search begins."""
    height, width = draw.randint(4, 7), draw.randint(4, 7)
    chosen = [0, 0, 0, 0, 1, 2] if draw.random() < 0.8 else [0]
    grid = [[draw.choice(chosen) for _ in range(width)] for _ in range(height)]
    return [grid, draw.choice([0, 0, 1]), draw.choice([0, 0, 2])]


def _observed(function: Any, given: Sequence[Any], backend: str) -> Any:
    with ag.config(backend=backend), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return observe(function, copy.deepcopy(given))


if __name__ == "__main__":
    report(program, tried)
