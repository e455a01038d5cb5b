"""Random programs of lists in lists whose length depends on data, and of their names.

The lists of every second one are its caller's.

python -m tests.conformance.random_rows SEED COUNT
"""

import contextlib
import copy
import io
import random
from collections.abc import Iterator
from typing import Any

import numpy as np

import autograph as ag
from tests.conformance.by_hand import function_of, report
from tests.conformance.harness import disagreement, observe

A, I = np.array, np.int64
CALLS = ((A([3, 1, 4, 1, 5]), I(4)), (A([3, 1, 4, 1, 5]), I(0)), (A([0, 2]), I(3)))
PASSED = (
    ([[2, 7, 1], [8, 2], [], [8, 1, 8, 2, 8, 4, 5, 9, 0, 4, 5, 2]], [3]),
    ([[5], [1] * 16], []),
    ([[k, 3] for k in range(9)], [4, 4]),
)
NUMBERS = ("x", "k", "n", "1", "len(rows)", "t", "len(row)")
ROWS = ("row", "other", "rows[k % len(rows)]", "rows[-1]", "rows[0]", "b['r']", "p[1]")
MADE = (
    *("[]", "[NUM]", "ROW", "ROW[:]", "list(ROW)", "ROW + [NUM]", "ROW[::-1]"),
    *("[NUM, NUM]", "[v for v in ROW if v > NUM]", "ROW[1:]", "sorted(ROW)"),
    "[*ROW, NUM]",
)
SIMPLE = (
    *("rows.append(NEW)", "rows.append(NEW)", "ROW.append(NUM)", "ROW.append(NUM)"),
    *("row = NEW", "other = NEW", "b['r'] = NEW", "p = (NUM, NEW)", "ROW.extend(NEW)"),
    *("t += len(ROW)", "t += sum(ROW)", "rows[k % len(rows)] = NEW", "ROW.reverse()"),
    *("ROW.insert(0, NUM)", "ROW.sort()", "rows.insert(k, NEW)", "rows.reverse()"),
    *("t += int(ROW is ROW)", "t += int(ROW == ROW)", "row, other = other, row"),
    *("ROW.clear()", "ROW[:] = NEW", "print(ROW, len(rows))"),
)
NESTED = (
    ("if ROW:", "    t += ROW[-1] if ROW else 0"),
    ("if row:", "    row[0] += NUM"),
    ("if other:", "    t += other.pop()"),
    ("if TEST:", "    ANY"),
    ("if TEST:", "    ANY", "else:", "    ANY"),
    ("for r in rows:", "    if len(r) < 4:", "        r.append(k)"),
    ("for r in rows:", "    row = r"),
    ("for v in list(ROW):", "    t += v", "    ANY"),
    ("j = 0", "while j < n % 3:", "    j += 1", "    ANY"),
    (
        "try:",
        "    ANY",
        "    t += ROW[NUM]",
        "except IndexError:",
        "    ROW.append(-1)",
    ),
    ("if len(rows) > 6:", "    break"),
    ("if len(rows) > 6:", "    return rows, t"),
)
TESTS = ("x > 2", "k % 2 == 0", "t > 5", "len(rows) > 3", "row", "NUM > NUM")
WORDS = {"NUM": NUMBERS, "ROW": ROWS, "NEW": MADE, "TEST": TESTS}


def program(seed: int) -> str:
    """The text of a function of an array and a number, and of lists if it is odd."""
    chance = random.Random(seed)
    lines = ["def f(xs, n, rows, row):"]
    if seed % 2 == 0:
        lines += ["    rows = [[0]]", "    row = []"]
    lines.append(f"    other = {chance.choice(['row', '[1]'])}")
    lines.append(f"    b = {{'r': {chance.choice(['row', '[2]', 'rows[0]'])}}}")
    lines += ["    p = (0, [])", "    t = k = 0", "    while k < n:"]
    lines += ["        x = xs[k % len(xs)]", "        k += 1"]
    for _ in range(chance.randint(2, 5)):
        lines += ["        " + line for line in _statement(chance, 2)]
    lines += ["    rows[0].append(99)", "    return rows, row, other, b, p, t"]
    return "\n".join(lines) + "\n"


def _statement(chance: random.Random, depth: int) -> Iterator[str]:
    if depth == 0 or chance.random() < 0.5:
        yield _filled(chance, chance.choice(SIMPLE))
        return
    for line in chance.choice(NESTED):
        if not line.endswith("ANY"):
            yield _filled(chance, line)
            continue
        for inner in _statement(chance, depth - 1):
            yield line.replace("ANY", inner)


def _filled(chance: random.Random, text: str) -> str:
    for word in ("TEST", "NEW", "ROW", "NUM"):
        while word in text:
            text = text.replace(word, chance.choice(WORDS[word]), 1)
    return text


def shape(result: Any) -> Any:
    """The result with the number of its list in the place of each list met again."""
    known: dict[int, int] = {}

    def look(part: Any) -> Any:
        if isinstance(part, list):
            if id(part) in known:
                return known[id(part)]
            known[id(part)] = len(known)
        if isinstance(part, dict):
            part = list(part.values())
        return [*map(look, part)] if isinstance(part, (list, tuple)) else None

    return look(result)


def fault(seed: int) -> str | None:
    """How the program and its graph differ; None where they do not."""
    text, name = program(seed), f"<rows {seed}>"
    plain = function_of(text, name)
    graph = ag.function(plain)
    for numbers, lists in zip(CALLS, PASSED, strict=True):
        given = (*numbers, *lists)
        found = disagreement(
            *(observe(f, copy.deepcopy(given)) for f in (plain, graph))
        )
        if found is not None:
            return f"{given}: {found.sentence}"
        with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(Exception):
            one, other = (_called(f, given) for f in (plain, graph))
            if one != other:
                return f"{given}: other lists are one: {one} {other}"
    return None


def _called(function: Any, given: Any) -> Any:
    """Which lists are one in what a call gives and in what it was given."""
    passed = copy.deepcopy(given)
    return shape((function(*passed), passed))


if __name__ == "__main__":
    report(program, fault)
